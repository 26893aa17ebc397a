"""One file a migration: what changed in the tables, and when."""
