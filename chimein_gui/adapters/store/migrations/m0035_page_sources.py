"""The thirty-fifth migration: the source of a page that a plan looked up is kept with its trace."""

THIRTY_FIFTH = """
CREATE TABLE trace_sources (
    trace_id INTEGER NOT NULL REFERENCES traces,
    place INTEGER NOT NULL,                  -- of the page among those of the trace, from 0
    source BLOB NOT NULL,                    -- compressed
    PRIMARY KEY (trace_id, place)
) STRICT, WITHOUT ROWID;
"""
