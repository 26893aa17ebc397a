"""What each table holds, as the engine asks for it: one row set a subject."""
