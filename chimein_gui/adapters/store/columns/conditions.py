"""Conditions of the partial indexes. SQLite uses such an index only if the query repeats its condition literally.

A list after IN has at most two values here. For a longer one SQLite builds a table in memory whenever a row is written,
once for the old row and once for the new one: an UPDATE of a step took two and a half times as long.
"""


def _is_one_of(column: str, *values: str) -> str:
    return "(" + " OR ".join(f"{column} = '{value}'" for value in values) + ")"


def _is_none_of(column: str, *values: str) -> str:
    return "(" + " AND ".join(f"{column} <> '{value}'" for value in values) + ")"


OPEN = _is_none_of("status", "done", "failed", "skipped", "cancelled", "observed")
"""Steps that are not `domain.tasks.FINAL`."""

OPEN_RECEIVED = f"kind = 'received' AND {OPEN}"
LEAVING = _is_one_of("status", "approved", "sending", "unknown")
NOT_A_CHANNEL = "peer_id > -1000000000000"
"""Users and basic groups of one account share one sequence of message ids; channels have their own."""

OF_SEVERAL = "peer_id < 0"
"""Chats of groups, supergroups and channels."""

INTERRUPTED = "status IN ('running', 'sending')"
WORKING = (
    f"(kind IN ('received', 'wait') AND {_is_one_of('status', 'ready', 'running', 'waiting')}"
    f" OR kind = 'received' AND status = 'pending' OR {LEAVING})"
)
"""Steps that continue automatically; a pending `wait` is started by the step before it."""

IN_A_PLAN = "graph_id IS NOT NULL"
CURRENT = "standing = 'current'"
IN_TURN = "standing IN ('current', 'past')"
IN_DOUBT = "state IN ('sending', 'unknown')"
NAMELESS = f"state = 'sent' AND message_id IS NULL AND {_is_one_of('kind', 'send', 'sticker', 'file')}"
"""Delivered, but Telegram did not say as which message."""

GIVEN_UP = "state = 'void' AND claimed_at IS NOT NULL AND message_id IS NULL"
"""Handed over without an answer, then replaced by another text; the first may have arrived all the same."""

HOLDS_CHOICES = f"{_is_one_of('standing', 'past', 'retired', 'beside')} AND instr(span, '\"') > 0"
"""Plans that were replaced, or are not the agent's, and still store their context choices."""

HOLDS_RAW = "substr(raw_json, 1, 4) = '{\"_\"'"
"""Messages that keep the raw object by Telegram; `SqliteRetentionRows` trims it."""

BY_RULE = "by_rule = 1"
TO_WRITE = "state = 'prepared'"
WITH_MEDIA = "media <> ''"
REJECTION = "decision IN ('Reject', 'RejectPlan') AND verdict = 'accepted'"
SEEN_UP_TO = "json_extract(span, '$[1]')"
"""Newest message in a plan's prompt; the plan's steps are shown below it."""

ENOUGH_TO_INDEX = 200
"""Number of new messages of a chat that are indexed together; a shorter chat is searched text by text."""

LONG_ENOUGH = f"unindexed >= {ENOUGH_TO_INDEX}"
