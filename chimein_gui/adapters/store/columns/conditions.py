"""Conditions of the partial indexes: SQLite takes one only where a query repeats its condition word for word."""

OPEN = "status NOT IN ('done', 'failed', 'skipped', 'cancelled', 'observed')"
"""Steps that are not `domain.tasks.FINAL`."""

OPEN_RECEIVED = f"kind = 'received' AND {OPEN}"
LEAVING = "status IN ('approved', 'sending', 'unknown')"
NOT_A_CHANNEL = "peer_id > -1000000000000"
"""Users and basic groups of one account share one sequence of message ids; channels have their own."""

OF_SEVERAL = "peer_id < 0"
"""Chats of groups, supergroups and channels."""

INTERRUPTED = "status IN ('running', 'sending')"
WORKING = (
    "(kind IN ('received', 'wait') AND status IN ('ready', 'running', 'waiting')"
    " OR kind = 'received' AND status = 'pending' OR status IN ('approved', 'sending', 'unknown'))"
)
"""Steps that go on by themselves; a `wait` that is pending is begun by the step before it."""

IN_A_PLAN = "graph_id IS NOT NULL"
CURRENT = "standing = 'current'"
IN_DOUBT = "state IN ('sending', 'unknown')"
NAMELESS = "state = 'sent' AND message_id IS NULL AND kind IN ('send', 'sticker', 'file')"
"""Delivered, but Telegram did not say as which message."""

GIVEN_UP = "state = 'void' AND claimed_at IS NOT NULL AND message_id IS NULL"
"""Handed over without an answer, then replaced by other bytes: they may have arrived all the same."""

HOLDS_CHOICES = "standing IN ('past', 'beside') AND instr(span, '\"') > 0"
"""Plans that were replaced, or are none of the agent's, and still tell how their context was chosen."""

HOLDS_RAW = "substr(raw_json, 1, 4) = '{\"_\"'"
"""Messages that keep the whole object Telegram sent; `SqliteRetentionRows` leaves less of it."""

BY_RULE = "by_rule = 1"
TO_WRITE = "state = 'prepared'"
REJECTION = "decision IN ('Reject', 'RejectPlan') AND verdict = 'accepted'"
SEEN_UP_TO = "json_extract(span, '$[1]')"
"""The newest message a plan's prompt held, from which its steps stand in the transcript."""

ENOUGH_TO_INDEX = 2_000
"""New messages of a chat that are put into the search index together; a shorter chat is searched text by text."""

LONG_ENOUGH = f"unindexed >= {ENOUGH_TO_INDEX}"
