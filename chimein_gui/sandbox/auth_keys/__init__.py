"""Auth keys and the users that are logged in with them."""
