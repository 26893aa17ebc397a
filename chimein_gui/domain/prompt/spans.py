"""Which messages of a chat a prompt contained, and how they were chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from chimein_gui.domain.ids import MessageId


class ContextChoice(NamedTuple):
    """Whether a message went into a prompt, and why.

    Attributes:
        message_id: The message.
        included: It was in the prompt.
        percent: Probability that it belongs to the conversation, 0 to 100.
        reason: A value of `domain.context.Reason`.
    """

    message_id: MessageId
    included: bool
    percent: int
    reason: str


@dataclass(frozen=True, slots=True)
class PromptSpan:
    """Which messages of a chat a prompt contained; an edit or deletion of one makes its drafts stale.

    Attributes:
        low: Oldest message id of the history; 0 for an empty prompt.
        high: Newest message id, included or not.
        extra: Ids outside the span (an older reply anchor).
        chosen: Ids in the span that the context selection included; None = all of it.
        choices: The choice for each candidate, oldest first, for the trace; empty if the history was taken unselected.
            Kept as long as the plan.
    """

    low: MessageId = MessageId(0)
    high: MessageId = MessageId(0)
    extra: tuple[MessageId, ...] = ()
    chosen: tuple[MessageId, ...] | None = None
    choices: tuple[ContextChoice, ...] = ()

    def holds(self, message_id: MessageId) -> bool:
        """Return whether the prompt contained this message."""
        if message_id in self.extra:
            return True
        return message_id in self.chosen if self.chosen is not None else self.low <= message_id <= self.high


NO_PROMPT = PromptSpan()
"""Span of a plan that was made without a prompt."""
