"""A small web of made-up hosts, ordinary and hostile, served on 127.0.0.1."""
