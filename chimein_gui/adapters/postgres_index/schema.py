"""The tables of the index in PostgreSQL, as migrations, and the vector index of each model."""

from __future__ import annotations

import hashlib
from typing import Any

from chimein_gui.adapters.postgres_index.connection import Connection, library

SCHEMA = "chimein_memory"
MOST_DIMENSIONS = 2_000
"""Longest vectors that pgvector's HNSW index takes; longer ones are compared one by one."""

_LOCK = 7_219_640_113
"""Key of the lock under which migrations run: several programs may start at once."""

MIGRATIONS = (
    """
CREATE TABLE owners (
    owner text PRIMARY KEY,                  -- one for each state directory, so that they share nothing
    complete boolean NOT NULL DEFAULT false  -- all files were indexed once
);
CREATE TABLE entries (
    entry bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner text NOT NULL REFERENCES owners,
    agent text NOT NULL,
    kind text NOT NULL,
    peer bigint NOT NULL,                    -- 0 for a file about nobody
    id text NOT NULL,
    text text NOT NULL,
    text_hash text NOT NULL,
    line integer NOT NULL,
    at timestamptz,
    chat bigint,
    length integer NOT NULL,                 -- weights of all its terms
    UNIQUE (owner, agent, kind, peer, id)
);
CREATE INDEX entries_by_text ON entries (owner, text_hash);
CREATE TABLE terms (
    term bigint NOT NULL,                    -- CRC-32
    entry bigint NOT NULL,                   -- without a foreign key, whose checks take most of the time of an insert
    weight smallint NOT NULL,
    PRIMARY KEY (term, entry)
);
CREATE INDEX terms_of_entry ON terms (entry);
CREATE TABLE vectors (
    owner text NOT NULL REFERENCES owners,
    model text NOT NULL,
    text_hash text NOT NULL,
    dimension integer NOT NULL,
    numbers vector NOT NULL,
    PRIMARY KEY (owner, model, text_hash)
);
""",
)


def prepare(connection: Connection, owner: str) -> None:
    """Bring the tables up to date and add the owner, in one transaction."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        _use_schema(connection)
        connection.execute("CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY)")
        (done,) = connection.execute("SELECT count(*) FROM migrations").fetchone()
        for number, script in enumerate(MIGRATIONS[done:], done + 1):
            connection.execute(script)
            connection.execute("INSERT INTO migrations (number) VALUES (%s)", (number,))
        connection.execute("INSERT INTO owners (owner) VALUES (%s) ON CONFLICT DO NOTHING", (owner,))
    _use_schema(connection)


def _use_schema(connection: Connection) -> None:
    """Find our tables and the extension's types without their schemas, for this connection."""
    where = "SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'vector'"
    (extension,) = connection.execute(where).fetchone()
    connection.execute("SELECT set_config('search_path', %s, false)", (f"{SCHEMA}, {extension}",))


def add_vector_index(connection: Connection, model: str, dimension: int) -> None:
    """Make the HNSW index (cosine) of a model's vectors, if there is none."""
    if dimension > MOST_DIMENSIONS:
        return
    sql = library("psycopg.sql")
    name = f"vectors_{hashlib.sha256(model.encode()).hexdigest()[:16]}_{dimension}"
    command: Any = sql.SQL(
        "CREATE INDEX IF NOT EXISTS {name} ON vectors USING hnsw ((numbers::vector({dimension})) vector_cosine_ops)"
        " WHERE model = {model} AND dimension = {dimension}"
    ).format(name=sql.Identifier(name), model=sql.Literal(model), dimension=sql.Literal(dimension))
    connection.execute(command)
