"""The index of memories in PostgreSQL with pgvector, for those who run one. Needs the optional extra `postgres`."""
