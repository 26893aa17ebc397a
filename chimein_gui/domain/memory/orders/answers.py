"""The fixed answers to `/remember`, and what the model is to know about orders to remember something.

The words are for partners and for the model, so they are not translated with the window.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.memory.orders.given import OrderState
from chimein_gui.domain.memory.orders.recognition import LONGEST
from chimein_gui.domain.prompt.marks import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.domain.memory.orders.given import GivenOrder

FIXED_ANSWERS = {
    OrderState.PREPARED: "Noted, I'll remember that.",
    OrderState.WRITTEN: "Noted, I'll remember that.",
    OrderState.KNOWN: "I have that noted already.",
    OrderState.TOO_LONG: f"That is too long for me to remember. Please keep it under {LONGEST:,} characters.",
    OrderState.BARE: ("Write what I should remember after the command, for example: /remember my birthday is on 3 May"),
}
"""No answer repeats what the partner wrote."""

_DONE = {
    OrderState.PREPARED: "It is stored now; tell them so in your own words, and write no «remember» about it:",
    OrderState.WRITTEN: "It is stored now; tell them so in your own words, and write no «remember» about it:",
    OrderState.KNOWN: "You had it noted already, so nothing new was stored; tell them so in your own words:",
    OrderState.TOO_LONG: (
        f"It has more than {LONGEST:,} characters, so nothing was stored; ask them for a shorter version."
    ),
    OrderState.BARE: "It does not say what to remember, so nothing was stored; ask them what it is.",
    OrderState.UNDONE: "It was not stored; do not promise to remember it.",
}
_ANSWERED = "A fixed answer to it is sent before your reply; do not answer it yourself."


def order_notes(orders: Iterable[GivenOrder], *, all_by_model: bool) -> str:
    """Return what the model is told about the orders among the messages that it answers; empty without orders.

    Args:
        orders: The orders, oldest first.
        all_by_model: The model answers commands, too, because no fixed answer is sent.
    """
    return "\n".join(_note(one, all_by_model=all_by_model) for one in orders)


def _note(order: GivenOrder, *, all_by_model: bool) -> str:
    begin = f"Message {order.message_id} asks you to remember something."
    if order.has_fixed_answer and not all_by_model:
        return f"{begin} {_ANSWERED}"
    said = order.known or order.text
    is_quoted = order.state in {OrderState.PREPARED, OrderState.WRITTEN, OrderState.KNOWN}
    return f"{begin} {_DONE[order.state]}" + (f"\n{quote(said)}" if is_quoted else "")
