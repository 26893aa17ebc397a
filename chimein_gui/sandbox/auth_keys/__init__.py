"""Auth keys: who is logged in with which."""
