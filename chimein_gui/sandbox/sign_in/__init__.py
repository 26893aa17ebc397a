"""How a key comes to be logged in: by code, by password, by another session's consent."""
