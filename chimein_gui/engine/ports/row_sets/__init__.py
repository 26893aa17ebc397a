"""What work in a transaction may ask of the tables: one row set a subject."""
