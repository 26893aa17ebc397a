"""The review of held messages after a release. It sends only what is confirmed, and closing it loses nothing."""
