"""Which statements some work runs, and how SQLite goes about them."""

from tests.unit.adapters.store.builders import sql_of


def steps_of(tx, statement):
    return [row[3] for row in sql_of(tx).all(f"EXPLAIN QUERY PLAN {statement}")]


def traced(tx, work):
    statements: list[str] = []
    connection = sql_of(tx)._connection
    connection.set_trace_callback(statements.append)
    work(tx)
    connection.set_trace_callback(None)
    return [statement for statement in statements if not statement.startswith("--")]
