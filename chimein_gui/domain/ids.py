"""Identifiers. Each is its own type, so that a chat's row id cannot be passed for a Telegram peer id."""

from typing import NewType

AgentId = NewType("AgentId", int)
"""Row id of an agent; stable over renames."""

AccountId = NewType("AccountId", int)
"""Telegram user id of an agent's account; does not fit 32 bits."""

ChatId = NewType("ChatId", int)
"""Row id of one Telegram conversation of one agent."""

PeerId = NewType("PeerId", int)
"""Marked Telegram peer id: positive user, negative group, -100… channel."""

UserId = NewType("UserId", int)
"""Telegram user id of any person."""

MessageId = NewType("MessageId", int)
"""Message id, unique within (account, peer)."""

GraphId = NewType("GraphId", int)
"""Row id of a task graph: the plan of one chat."""

TaskId = NewType("TaskId", int)
"""Row id of one step of a plan."""

ApprovalId = NewType("ApprovalId", int)
"""Row id of the decision on one planned send."""

LedgerId = NewType("LedgerId", int)
"""Row id of one outgoing request."""

SavedEditId = NewType("SavedEditId", int)
"""Row id of an edit whose draft was replaced."""

RandomId = NewType("RandomId", int)
"""Signed 64-bit number by which Telegram recognises a repeated send."""

Revision = NewType("Revision", int)
"""Number of committed store transactions; it orders snapshots and events."""
