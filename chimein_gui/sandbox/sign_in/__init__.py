"""Login of auth keys: by code, by password, or by a QR code that another session accepts."""
