"""Row sets of the tables, one per subject, with the engine's queries. Changes run on the writer thread."""
