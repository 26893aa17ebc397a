"""The fixed answers to `/remember` are in the language of the order, where that is known."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from chimein_gui.domain.ids import AgentId, ChatId, MessageId, PeerId
from chimein_gui.domain.memory.orders.answers import FIXED_ANSWERS, fixed_answer
from chimein_gui.domain.memory.orders.given import GivenOrder, OrderState
from chimein_gui.domain.memory.orders.languages import language_of
from chimein_gui.domain.memory.orders.recognition import OrderForm

AT = datetime(2026, 11, 20, tzinfo=UTC)


def order(text: str, state: OrderState) -> GivenOrder:
    return GivenOrder(ChatId(1), MessageId(1), AgentId(1), PeerId(1), OrderForm.COMMAND, text, state, AT)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I'm allergic to nuts"),
        ("en", "4711"),
        ("en", ""),
        ("en", "Bruno"),
        ("de", "ich bin gegen Nüsse allergisch"),
        ("de", "Mein Hund heißt Bruno und ist alt"),
        ("fr", "je suis allergique aux noix"),
        ("es", "mi hermana no puede los jueves, y yo tampoco"),
        ("pt", "eu não como carne"),
        ("it", "mio fratello non mangia la carne"),
        ("ru", "у меня аллергия"),
        ("uk", "у мене алергія на горіхи і мед"),
        ("zh", "我对花生过敏"),
        ("ja", "ナッツアレルギーです"),
    ],
)
def test_the_language_of_an_order_is_guessed_and_else_it_is_english(language: str, text: str) -> None:
    assert language_of(text) == language


def test_answers_repeat_nothing_and_each_state_has_one() -> None:
    for state in set(OrderState) - {OrderState.UNDONE}:
        assert fixed_answer(order("I like tea", state)) == FIXED_ANSWERS[state]
    german = [fixed_answer(order("ich mag keinen Tee", state)) for state in (OrderState.WRITTEN, OrderState.KNOWN)]
    assert german == ["Notiert, das merke ich mir.", "Das habe ich mir schon notiert."]
    assert "Tee" not in "".join(german)
