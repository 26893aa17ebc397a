"""What a prompt held, where its context was chosen."""

from __future__ import annotations

import json

import pytest

from chimein_gui.adapters.store.rows.values import (
    choices_from_text,
    context_counts,
    ids_from_json,
    ids_to_json,
    span_from_json,
    span_to_json,
)
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.prompt.spans import ContextChoice, PromptSpan


def ids(*numbers: int) -> tuple[MessageId, ...]:
    return tuple(map(MessageId, numbers))


CHOICES = (
    ContextChoice(MessageId(3), included=True, percent=91, reason="link"),
    ContextChoice(MessageId(4), included=False, percent=7, reason="deleted or service"),
)
CHOSEN = PromptSpan(MessageId(3), MessageId(9), ids(1), ids(3, 9), CHOICES)


SPANS = [
    PromptSpan(),
    PromptSpan(MessageId(2), MessageId(9), ids(1)),
    PromptSpan(MessageId(2), MessageId(9), ids(1, 7), chosen=()),
    CHOSEN,
]


@pytest.mark.parametrize("span", SPANS)
def test_a_span_comes_back_as_it_was(span: PromptSpan) -> None:
    assert span_from_json(span_to_json(span)) == span


def test_spans_of_earlier_versions_are_read() -> None:
    assert span_from_json("[2,9,1]") == PromptSpan(MessageId(2), MessageId(9), ids(1))


@pytest.mark.parametrize("numbers", [(), (7,), (1, 2**40, 3)])
def test_lists_of_ids_are_json(numbers: tuple[int, ...]) -> None:
    stored = ids_to_json(ids(*numbers))
    assert stored == json.dumps(numbers, separators=(",", ":"))
    assert ids_from_json(stored) == numbers


def test_what_was_left_out_is_not_held() -> None:
    assert [number for number in range(1, 11) if CHOSEN.holds(MessageId(number))] == [1, 3, 9]


def test_a_card_can_say_how_many_of_how_many() -> None:
    assert context_counts(span_to_json(CHOSEN)) == (2, 3)
    assert context_counts("[2,9,1]") == (0, 0)


def test_a_reason_is_kept_once_however_many_plans_name_it() -> None:
    first, second = (choices_from_text(f"{number},1,5,other conversation") for number in (1, 2))
    assert first[0].reason is second[0].reason
