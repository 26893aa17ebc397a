"""Which tables hold something about a person, and how each is counted, given out and forgotten.

A table with a column of a chat, a plan or a message stands in one of the `HELD`, or in `WITHOUT_WORDS` with its reason;
a test compares both with the schema. `?1` of every statement is a direct chat. Statements run in the order of the
tuple, which is that of the foreign keys.
"""

from typing import NamedTuple

from chimein_gui.domain.people.holdings import HoldingKind

_PLANS = "SELECT graph_id FROM graphs WHERE chat_id = ?1"
_STEPS = "SELECT task_id FROM tasks WHERE chat_id = ?1"
_CARDS_OF_PLANS = (
    "graphs g CROSS JOIN tasks t ON t.graph_id = g.graph_id AND t.graph_id IS NOT NULL"
    " CROSS JOIN approvals a ON a.task_id = t.task_id"
)
"""By the indexes that are always there: counting must not read whole tables."""
_CARDS = f"SELECT approval_id FROM approvals WHERE task_id IN ({_STEPS})"


class HeldTable(NamedTuple):
    """One kind of data of direct chats.

    Attributes:
        kind: The kind.
        tables: The tables that it covers.
        source: What follows FROM for counting and giving out.
        tally: Count, bytes, first and last time, cost; SQL.
        columns: What is given out; empty if `rows.py` does it.
        forget: The statements that remove it.
    """

    kind: HoldingKind
    tables: tuple[str, ...]
    source: str
    tally: str
    columns: str
    forget: tuple[str, ...]


HELD = (
    HeldTable(
        HoldingKind.DECISIONS,
        ("decisions", "decided_cards"),
        "decisions WHERE chat_id = ?1 AND kind <> ''",
        "count(*), coalesce(sum(length(text)), 0), min(at), max(at), 0.0",
        "at, kind, decision, text, cause, decided_by, verdict",
        (
            "DELETE FROM decided_cards WHERE chat_id = ?1",
            f"DELETE FROM decisions WHERE chat_id = ?1 OR approval_id IN ({_CARDS})",
        ),
    ),
    HeldTable(
        HoldingKind.SAVED_EDITS,
        ("saved_edits",),
        "saved_edits WHERE chat_id = ?1",
        "count(*), coalesce(sum(length(mine)), 0), min(created_at), max(created_at), 0.0",
        "created_at, base, mine, result",
        (f"DELETE FROM saved_edits WHERE chat_id = ?1 OR paired_with IN ({_CARDS})",),
    ),
    HeldTable(
        HoldingKind.UNSENT,
        ("unsent",),
        "unsent WHERE chat_id = ?1",
        "count(*), coalesce(sum(length(text)), 0), NULL, NULL, 0.0",
        "text, reply_to_id",
        ("DELETE FROM unsent WHERE chat_id = ?1",),
    ),
    HeldTable(
        HoldingKind.MEMORY_RECORDS,
        ("memories",),
        "graphs g CROSS JOIN memories m ON m.graph_id = g.graph_id WHERE g.chat_id = ?1",
        "count(*), coalesce(sum(length(m.text)), 0), min(m.created_at), max(m.created_at), 0.0",
        "m.created_at AS created_at, m.state AS state, m.text AS text",
        ("DELETE FROM memories WHERE chat_id = ?1",),
    ),
    HeldTable(
        HoldingKind.ORDERS,
        ("memory_orders",),
        "memory_orders WHERE chat_id = ?1",
        "count(*), coalesce(sum(length(text)), 0), min(created_at), max(created_at), 0.0",
        "created_at, form, state, text",
        ("DELETE FROM memory_orders WHERE chat_id = ?1",),
    ),
    HeldTable(
        HoldingKind.PROPOSALS,
        ("memory_proposals", "memory_reading"),
        "memory_proposals WHERE chat_id = ?1",
        "count(*), coalesce(sum(length(text)), 0), min(created_at), max(created_at), coalesce(sum(cost_usd), 0.0)",
        "created_at, state, text, evidence, written, decided_at",
        (
            "DELETE FROM memory_proposals WHERE chat_id = ?1",
            "DELETE FROM memory_reading WHERE chat_id = ?1",
        ),
    ),
    HeldTable(
        HoldingKind.PROMPTS,
        ("prompts",),
        "model_calls m CROSS JOIN prompts p ON p.call_id = m.call_id WHERE m.chat_id = ?1",
        "count(*), coalesce(sum(length(p.body)), 0), min(m.began_at), max(m.began_at), 0.0",
        "",
        (
            "DELETE FROM prompts WHERE call_id IN (SELECT call_id FROM model_calls WHERE chat_id = ?1)",
            f"DELETE FROM prompts WHERE graph_id IN ({_PLANS})",
        ),
    ),
    HeldTable(
        HoldingKind.TRACES,
        ("traces", "trace_bodies", "trace_words", "trace_sources"),
        "traces WHERE chat_id = ?1",
        "count(*), coalesce(sum(size), 0), min(began_at), max(began_at), coalesce(sum(usd), 0.0)",
        "began_at, ended_at, kind, state, first_words, usd",
        (
            "DELETE FROM trace_bodies WHERE trace_id IN (SELECT trace_id FROM traces WHERE chat_id = ?1)",
            "DELETE FROM trace_sources WHERE trace_id IN (SELECT trace_id FROM traces WHERE chat_id = ?1)",
            "DELETE FROM traces WHERE chat_id = ?1",
        ),
    ),
    HeldTable(
        HoldingKind.REQUESTS,
        ("ledger",),
        f"{_CARDS_OF_PLANS} CROSS JOIN ledger l ON l.approval_id = a.approval_id"
        " WHERE g.chat_id = ?1 AND l.claimed_at IS NOT NULL",
        "count(*), coalesce(sum(length(l.text)), 0), min(l.claimed_at), max(l.claimed_at), 0.0",
        "l.claimed_at AS claimed_at, l.kind AS kind, l.state AS state, l.message_id AS message_id, l.text AS text",
        (
            # What was never handed over can't arrive, and counts nowhere.
            "DELETE FROM ledger WHERE chat_id = ?1 AND claimed_at IS NULL",
            "UPDATE ledger SET text = '', entities = '[]', sticker = NULL, file = NULL, reply_to_id = NULL"
            " WHERE chat_id = ?1",
        ),
    ),
    HeldTable(
        HoldingKind.DRAFTS,
        ("graphs", "tasks", "approvals", "plan_edits", "step_dependencies"),
        f"{_CARDS_OF_PLANS} WHERE g.chat_id = ?1",
        "count(*), coalesce(sum(length(a.text) + length(a.draft_text)), 0), min(a.created_at), max(a.created_at), 0.0",
        "a.created_at AS created_at, t.kind AS kind, a.state AS state, a.draft_text AS draft, a.text AS text,"
        " a.decided_at AS decided_at, a.decided_by AS decided_by, a.note AS note",
        (
            f"DELETE FROM plan_edits WHERE graph_id IN ({_PLANS})",
            f"DELETE FROM step_dependencies WHERE task_id IN ({_STEPS})",
            "UPDATE chats SET current_graph_id = NULL WHERE chat_id = ?1",
            f"DELETE FROM approvals WHERE task_id IN ({_STEPS})"
            " AND approval_id NOT IN (SELECT approval_id FROM ledger WHERE chat_id = ?1)",
            "UPDATE approvals SET text = '', draft_text = '', note = '', sticker = NULL, file = NULL, reasons = '[]',"
            f" reply_to_id = NULL, resolved_at = NULL WHERE task_id IN ({_STEPS})",
            "DELETE FROM tasks WHERE chat_id = ?1"
            " AND NOT EXISTS (SELECT 1 FROM approvals a WHERE a.task_id = tasks.task_id)",
            "UPDATE tasks SET reason = '', trigger_ids = '[]' WHERE chat_id = ?1",
            "UPDATE graphs SET variant_of = NULL WHERE chat_id = ?1",
            "DELETE FROM graphs WHERE chat_id = ?1 AND graph_id NOT IN"
            " (SELECT graph_id FROM tasks WHERE chat_id = ?1 AND graph_id IS NOT NULL)",
            "UPDATE graphs SET problems = '[]', trigger_ids = '[]', span = '[0,0]', instruction = '', failed = '',"
            " standing = 'retired' WHERE chat_id = ?1",
        ),
    ),
    HeldTable(
        HoldingKind.PINS,
        (),
        "chats WHERE chat_id = ?1 AND pins <> ''",
        "coalesce(sum(length(pins) - length(replace(pins, ' ', '')) + 1), 0), 0, NULL, NULL, 0.0",
        "pins",
        ("UPDATE chats SET pins = '' WHERE chat_id = ?1",),
    ),
    HeldTable(
        HoldingKind.SEARCH,
        ("search_marks",),
        "search_marks WHERE chat_id = ?1",
        "count(*), 0, NULL, NULL, 0.0",
        "",
        (),
    ),
    HeldTable(
        HoldingKind.COSTS,
        ("model_calls",),
        "model_calls WHERE chat_id = ?1",
        "count(*), 0, min(began_at), max(began_at), coalesce(sum(cost_usd), 0.0)",
        "began_at, model, purpose, ending, prompt_tokens, reply_tokens, thinking_tokens, cost_usd",
        (),
    ),
    HeldTable(
        HoldingKind.CHAT,
        ("chats",),
        "chats WHERE chat_id = ?1 AND title <> ''",
        "count(*), 0, NULL, NULL, 0.0",
        "peer_id, kind, title, username, trust, triggers, quiet_hours",
        (
            "UPDATE chats SET title = '', username = '', planning_problem = '', unread = 0, agent_turns = 0,"
            " takeover_until = NULL, unindexed = 0 WHERE chat_id = ?1",
        ),
    ),
)
"""The tables, in the order in which they are forgotten."""

OF_PERSON = (
    "DELETE FROM memory_proposals WHERE person_id = ?",
    "DELETE FROM memory_tombstones WHERE peer = ?",
    "DELETE FROM memory_orders WHERE person_id = ?",
)
"""What is about the person in other chats; the parameter is the person."""

MESSAGES = ("messages",)
"""Counted, given out and forgotten in portions, by `rows.py`."""

INDEXES = (
    "CREATE INDEX IF NOT EXISTS forgetting_tasks ON tasks (chat_id)",
    "CREATE INDEX IF NOT EXISTS forgetting_plans ON tasks (graph_id)",
    "CREATE INDEX IF NOT EXISTS forgetting_cards ON decisions (approval_id)",
    "CREATE INDEX IF NOT EXISTS forgetting_earlier ON step_dependencies (earlier_id)",
    "CREATE INDEX IF NOT EXISTS forgetting_edits ON plan_edits (task_id)",
    "CREATE INDEX IF NOT EXISTS forgetting_ledger ON ledger (chat_id)",
    "CREATE INDEX IF NOT EXISTS forgetting_variants ON graphs (variant_of)",
)
"""SQLite looks up every reference to a deleted row: without these it would read whole tables for each. They exist in
the one transaction alone, because every plan would pay for them.
"""
DROP_INDEXES = tuple(f"DROP INDEX {one.split()[5]}" for one in INDEXES)

WITHOUT_WORDS = frozenset(
    {
        "agent_calls",  # what calls of agents cost that belong to no chat
        "accounts",  # the program's own accounts
        "caps",  # the operator's caps on costs
        "cap_days",  # what was added to them
        "cap_passes",  # numbers of chats whose next plan a cap does not stop
        "cost_days",  # what model calls cost a day: numbers
        "reservations",  # model calls that are under way
        "blocked",  # Telegram's own list of people whom an account has blocked: numbers
        "forgotten",  # numbers, which keep Telegram from bringing forgotten messages back
        "forget_requests",  # gone when the order is carried out
        "memory_never",  # of whom the operator wants nothing to be remembered: numbers
        "memory_tombstones",  # checksums of memories that the operator deleted; those about the person go
        "holds",  # the operator's holds of chats, and why
        "moved_groups",  # numbers of groups
        "waits",  # how long Telegram lets a chat wait
    }
)
"""Tables with a number of a chat or person that stay, and why."""
