"""The outside: one folder a vendor, each implementing ports."""
