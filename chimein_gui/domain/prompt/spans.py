"""Which messages of its chat a prompt held, and how they were chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from chimein_gui.domain.ids import MessageId


class ContextChoice(NamedTuple):
    """Whether a message went into a prompt, and why.

    Attributes:
        message_id: Which.
        included: The model saw it.
        percent: How probably it belongs to the conversation, 0 to 100.
        reason: Why, in the words of `domain.context.Reason`.
    """

    message_id: MessageId
    included: bool
    percent: int
    reason: str


@dataclass(frozen=True, slots=True)
class PromptSpan:
    """Which messages of its chat a prompt held: what an edit or a delete of them makes stale.

    Attributes:
        low: Oldest message id of the history; 0 for an empty prompt.
        high: Newest message id, in or out.
        extra: Ids outside the span (an older reply anchor).
        chosen: Where the context was chosen: what of the span the prompt held; None = all of it.
        choices: What became of each message that was looked at, oldest first, for the trace; empty where the history
            was taken as it is. Kept as long as the plan.
    """

    low: MessageId = MessageId(0)
    high: MessageId = MessageId(0)
    extra: tuple[MessageId, ...] = ()
    chosen: tuple[MessageId, ...] | None = None
    choices: tuple[ContextChoice, ...] = ()

    def holds(self, message_id: MessageId) -> bool:
        """Tell whether the prompt held this message."""
        if message_id in self.extra:
            return True
        return message_id in self.chosen if self.chosen is not None else self.low <= message_id <= self.high


NO_PROMPT = PromptSpan()
"""Of a plan that no prompt was made for."""
