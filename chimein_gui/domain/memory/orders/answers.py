"""The fixed answers to `/remember`, and what the model is to know about orders to remember something.

The words are for partners and for the model, so they are not translated with the window.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.memory.orders.given import OrderState
from chimein_gui.domain.memory.orders.languages import language_of
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
"""No answer repeats what the partner wrote. These are for English and for every language that is not known."""

_STORED = {
    "de": "Notiert, das merke ich mir.",
    "fr": "C'est noté, je m'en souviendrai.",
    "es": "Anotado, lo recordaré.",
    "pt": "Anotado, vou lembrar-me.",
    "it": "Annotato, me ne ricorderò.",
    "ru": "Записано, запомню.",
    "uk": "Записано, запам'ятаю.",
    "zh": "记下了，我会记住的。",
    "ja": "メモしました。覚えておきます。",
}
_KNOWN = {
    "de": "Das habe ich mir schon notiert.",
    "fr": "C'est déjà noté.",
    "es": "Ya lo tengo anotado.",
    "pt": "Já tenho isso anotado.",
    "it": "L'ho già annotato.",
    "ru": "Это у меня уже записано.",
    "uk": "Це в мене вже записано.",
    "zh": "这个我已经记下了。",
    "ja": "それはもうメモしてあります。",
}
_TRANSLATED = {OrderState.PREPARED: _STORED, OrderState.WRITTEN: _STORED, OrderState.KNOWN: _KNOWN}


def fixed_answer(order: GivenOrder) -> str:
    """Return the fixed answer to a command, in the language of what is to be remembered where that is known."""
    in_languages = _TRANSLATED.get(order.state, {})
    return in_languages.get(language_of(order.text), FIXED_ANSWERS[order.state])


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
