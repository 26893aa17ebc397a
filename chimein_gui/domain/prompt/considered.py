"""Which messages were considered for a prompt, as the Context pane shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.ids import ChatId, GraphId, MessageId
    from chimein_gui.domain.messages import Message

TRIGGER = "trigger"
"""Reason of a message that the plan answers."""

HISTORY = "history"
"""Reason of a message of a fixed history, which is taken whatever it is about."""


@dataclass(frozen=True, slots=True)
class ConsideredMessage:
    """One candidate for a prompt.

    Attributes:
        message: The message as it is stored now.
        included: The prompt contains it.
        percent: Probability that it belongs to the conversation, 0 to 100; None if it was not estimated.
        reason: A value of `domain.context.Reason`, `TRIGGER` or `HISTORY`.
        in_session: The time-gap rule would take it.
        parent: The message that it answers, by an explicit reply or else the most likely one, or None.
        is_reply: `parent` is an explicit reply.
    """

    message: Message
    included: bool
    percent: int | None
    reason: str
    in_session: bool = False
    parent: MessageId | None = None
    is_reply: bool = False

    @property
    def message_id(self) -> MessageId:
        """Return the id of the message."""
        return self.message.key.message_id


class StoredPlan(NamedTuple):
    """A plan whose context can be shown."""

    graph_id: GraphId
    made_at: datetime


@dataclass(frozen=True, slots=True)
class ContextSelection:
    """The messages that were considered for one plan, or would be now.

    Attributes:
        chat_id: The conversation.
        graph_id: The plan; None for what would be taken now.
        messages: All candidates, oldest first, with the triggers.
        target: The trigger that is answered; None if there is nothing to answer.
        plans: The chat's plans, newest first.
        history: Number of messages of a fixed history; None if the context selection chooses.
        is_stored: The choices are known; False for an old plan, which keeps them no longer.
    """

    chat_id: ChatId
    graph_id: GraphId | None
    messages: tuple[ConsideredMessage, ...] = ()
    target: MessageId | None = None
    plans: tuple[StoredPlan, ...] = ()
    history: int | None = None
    is_stored: bool = True
