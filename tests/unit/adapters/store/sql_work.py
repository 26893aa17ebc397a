"""Counts what a piece of work costs the database: statements, and steps of SQLite's machine.

Steps do not depend on the machine or its load, so a test may compare them: twice the rows may not mean twice the steps.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class SqlWork:
    """What was counted.

    Attributes:
        statements: Statements that ran.
        steps: Instructions of SQLite's virtual machine.
    """

    statements: int = 0
    steps: int = 0


@contextmanager
def counted(connection: sqlite3.Connection) -> Iterator[SqlWork]:
    """Count what runs on a connection meanwhile; to be called on the connection's own thread."""
    work = SqlWork()

    def statement(text: str) -> None:
        work.statements += not text.startswith("--")

    def step() -> None:
        work.steps += 1

    connection.set_trace_callback(statement)
    connection.set_progress_handler(step, 1)
    try:
        yield work
    finally:
        connection.set_progress_handler(None, 0)
        connection.set_trace_callback(None)
