"""Descriptions of media: the record of one, its file, and what may be described when."""
