"""The state tables, written down by hand a second time, as somebody sees them who only reads the file.

The engine may take several steps of a table in one commit; such a pair stands in `AT_ONCE` with its way.
"""

from __future__ import annotations

_TASK = """
    pending -> ready waiting cancelled skipped
    ready -> running cancelled skipped
    running -> done failed waiting ready cancelled skipped
    waiting -> ready done cancelled skipped awaiting_operator
    awaiting_operator -> waiting cancelled skipped
"""
_PLANNED = """
    pending -> awaiting_decision observed parked
    parked -> awaiting_decision cancelled
    awaiting_decision -> approved skipped observed cancelled
    approved -> sending awaiting_decision cancelled
    sending -> done failed unknown approved awaiting_decision
    unknown -> done sending awaiting_decision failed
"""
_APPROVAL = """
    open -> approved rejected observed superseded
    approved -> open superseded
"""
_LEDGER = """
    prepared -> sending void
    sending -> sent failed unknown prepared
    unknown -> sent sending void
"""
_AT_ONCE = {
    "task": """
    waiting -> running
    pending -> awaiting_operator
    """,
    "planned": """
    awaiting_decision -> done
    approved -> done
    unknown -> approved
    sending -> awaiting_decision
    """,
    "approval": """
    approved -> rejected
    """,
    "ledger": "",
}
"""waiting → ready → running; pending → waiting → awaiting_operator (a wait of more than 24 h); awaiting_decision →
approved → sending → done and approved → sending → done (an update names the message of what is in review or put
back); unknown → sending → approved (the next part follows); sending → unknown → awaiting_decision (a repetition was
refused); approved → open → rejected (the plan was rejected)."""

_BEGINS = {
    "task": {"ready", "waiting", "pending"},
    "planned": {"awaiting_decision", "approved", "observed", "parked"},
    "approval": {"open", "approved", "observed"},
    "ledger": {"prepared"},
}
"""How rows are born: steps of a plan are pending for no longer than the commit that stores it, and what a rule or its
author approves with the plan never waits (pending → awaiting_decision → approved; open → approved)."""

PLANNED_KINDS = {"send", "sticker", "file", "block", "unblock", "clear-conversation", "shutdown"}


def _read(*tables: str) -> set[tuple[str, str]]:
    pairs = set()
    for table in tables:
        for line in table.split("\n"):
            old, _, news = line.strip().partition(" -> ")
            pairs |= {(old, new) for new in news.split()}
    return pairs


_ALLOWED = {
    "task": _read(_TASK, _AT_ONCE["task"]),
    "planned": _read(_PLANNED, _AT_ONCE["planned"]),
    "approval": _read(_APPROVAL, _AT_ONCE["approval"]),
    "ledger": _read(_LEDGER, _AT_ONCE["ledger"]),
}


def is_allowed(what: str, kind: str, old: str, new: str) -> bool:
    """Tell whether a row may go from one state to another; an empty `old` is a new row."""
    table = "planned" if what == "task" and kind in PLANNED_KINDS else what
    if not old:
        return new in _BEGINS[table] or (table == "task" and kind == "received")
    return (old, new) in _ALLOWED[table]
