"""An order of a partner to remember something, as it is stored with the message that gave it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from chimein_gui.domain.memory.orders.recognition import OrderForm

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.ids import AgentId, ChatId, MessageId, PeerId


class OrderState(StrEnum):
    """What became of an order; the database keeps the values."""

    PREPARED = "prepared"
    """It is stored, and is to be written to the memory file."""
    WRITTEN = "written"
    KNOWN = "known"
    """An entry of the file says the same already, so nothing was written."""
    TOO_LONG = "too long"
    BARE = "bare"
    """It says nothing to remember."""
    UNDONE = "undone"
    """The operator took it back."""


@dataclass(frozen=True, slots=True)
class GivenOrder:
    """An order of a partner.

    Attributes:
        chat_id: The conversation; with the message the key.
        message_id: The message that gave it.
        agent_id: The agent that is to remember.
        person: Who gave it, and whom the memory is about.
        form: How it was given.
        text: What to remember, foreign text; empty if nothing is to be written.
        state: Its state.
        created_at: When it was received, aware UTC.
        known: For `KNOWN`: the entry that says the same.
    """

    chat_id: ChatId
    message_id: MessageId
    agent_id: AgentId
    person: PeerId
    form: OrderForm
    text: str
    state: OrderState
    created_at: datetime
    known: str = ""

    @property
    def has_fixed_answer(self) -> bool:
        """Whether it is answered without the model."""
        return self.form is OrderForm.COMMAND and self.state is not OrderState.UNDONE
