"""Vectors of memories: the choice of the embedder, the job that fills the index, and the vectors of queries."""
