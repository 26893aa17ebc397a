"""A small web of fictitious hosts, ordinary and hostile, served on 127.0.0.1."""
