"""What `select_context` promises whatever the weights are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chimein_gui.domain.context import (
    HISTORY,
    Choice,
    HistoryRow,
    LinkModel,
    Reason,
    prepare_all,
    select_context,
    union,
)
from chimein_gui.domain.context.prepared import ask
from chimein_gui.domain.context.selection import _by_links
from tests.unit.domain.context.chats import DAY, MINUTE, NOW, chat, included, tag

BUSY = chat(*((20.0 * (40 - n), f"P{n % 5}", f"line number {n} on subject {n % 3}") for n in range(40)))


def reasons(choices: tuple[Choice, ...]) -> dict[int, Reason]:
    return {choice.message_id: choice.reason for choice in choices}


def test_one_choice_a_row_oldest_first(model: LinkModel) -> None:
    choices = select_context(BUSY, tag("P1"), model)
    assert [choice.message_id for choice in choices] == [row.message_id for row in BUSY]
    assert all(0.0 <= choice.probability <= 1.0 for choice in choices)
    assert choices == select_context(BUSY, tag("P1"), model)


def test_an_empty_history_gives_nothing(model: LinkModel) -> None:
    assert select_context([], tag("P1", reply_to=5), model) == ()
    assert select_context([], tag("P1"), None) == ()


@pytest.mark.parametrize("has_model", [True, False])
def test_the_anchor_is_in_however_old_with_its_chain(model: LinkModel, has_model: bool) -> None:
    old = chat((90 * DAY, "Ana", "first"), (89 * DAY, "Ben", "second", 100), (80 * DAY, "Ana", "third", 101))
    noise = [replace(row, message_id=row.message_id + 400) for row in BUSY]
    choices = select_context([*old, *noise], tag("Ana", reply_to=102), model if has_model else None)
    assert reasons(choices)[102] is Reason.ANCHOR
    assert reasons(choices)[101] is reasons(choices)[100] is Reason.REPLY_CHAIN
    assert {100, 101, 102} <= set(included(choices))
    assert {choice.probability for choice in choices[:3]} == {1.0}


def test_an_anchor_beyond_the_look_back_is_in_all_the_same(model: LinkModel) -> None:
    history = [HistoryRow(n, NOW - 10 * (2000 - n), f"p{n % 7}", f"words {n % 11}") for n in range(900)]
    for prepared in (None, prepare_all(history, model)):
        choices = select_context(history, tag("p1", reply_to=3), model, prepared)
        assert choices[3].reason is Reason.ANCHOR
        assert choices[3].included
        assert all(choice.reason is Reason.BEYOND_LOOKBACK for choice in choices[4:-HISTORY])
        assert not any(choice.included for choice in choices[4:-HISTORY])


def test_a_reply_that_leads_nowhere_is_no_anchor(model: LinkModel) -> None:
    known = included(select_context(BUSY, tag("P1"), model))
    assert included(select_context(BUSY, tag("P1", reply_to=77_777), model)) == known


def test_a_circle_of_replies_ends(model: LinkModel) -> None:
    history = [replace(BUSY[0], reply_to=101), replace(BUSY[1], reply_to=100), *BUSY[2:]]
    assert {100, 101} <= set(included(select_context(history, tag("P1", reply_to=101), model)))


def test_what_is_deleted_or_service_stays_out_and_the_chain_goes_through(model: LinkModel) -> None:
    history = chat((300, "Ana", "one"), (200, "Ben", "two", 100), (100, "Ana", "three", 101))
    history[1] = replace(history[1], deleted=True)
    history.append(HistoryRow(103, NOW - 5, "ana", "Ana joined", "Ana", is_service=True))
    found = reasons(select_context(history, tag("Ana", reply_to=102), model))
    assert found[100] is Reason.REPLY_CHAIN
    assert found[101] is found[103] is Reason.GONE
    assert not {101, 103} & set(included(select_context(history, tag("Ana"), model)))


def test_what_is_gone_takes_no_place_among_the_best(model: LinkModel) -> None:
    """Its length would count in how well a set fits, though nobody gets to see it."""
    history = chat((300, "Ana", "is the boat dry?"), (200, "Ben", "wet", 100), (100, "Ana", "then tomorrow", 101))
    history[1] = replace(history[1], deleted=True)
    _, chosen = _by_links(history, ask(prepare_all(history, model), tag("Ana")))
    assert sorted(chosen) == [0, 2]


def test_topics_of_a_forum_are_kept_apart(model: LinkModel) -> None:
    history = [replace(row, thread_id=7 if n % 2 else 8) for n, row in enumerate(BUSY)]
    choices = select_context(history, replace(tag("P1"), thread_id=7), model)
    chosen = set(included(choices))
    assert chosen
    assert chosen <= {row.message_id for row in history if row.thread_id == 7}
    assert set(included(select_context(history, replace(tag("P1"), thread_id=7), None))) <= {
        row.message_id for row in history if row.thread_id == 7
    }
    assert reasons(choices)[history[-2].message_id] is Reason.OTHER_TOPIC


def test_without_weights_it_is_the_session(model: LinkModel) -> None:
    history = chat((3 * DAY, "Ana", "old"), (20 * MINUTE, "Ben", "new"), (MINUTE, "Ana", "newer"))
    choices = select_context(history, tag("Ana"), None)
    assert [choice.reason for choice in choices] == [Reason.OTHER_SESSION, Reason.SAME_SESSION, Reason.SAME_SESSION]


def test_weights_of_another_model_do_not_count_as_prepared(model: LinkModel) -> None:
    other = LinkModel(*(getattr(model, name) for name in LinkModel.__slots__))
    trigger = tag("P1")
    assert select_context(BUSY, trigger, model, prepare_all(BUSY, other)) == select_context(BUSY, trigger, model)


def test_several_triggers_give_the_union(model: LinkModel) -> None:
    first = (
        Choice(1, included=True, probability=0.6, reason=Reason.LINK),
        Choice(2, included=False, probability=0.2, reason=Reason.OTHER_THREAD),
    )
    second = (
        Choice(1, included=True, probability=1.0, reason=Reason.ANCHOR),
        Choice(2, included=False, probability=0.3, reason=Reason.OTHER_TOPIC),
        Choice(3, included=True, probability=0.4, reason=Reason.SAME_SESSION),
    )
    choices = [first, second]
    assert union(choices) == (
        Choice(1, included=True, probability=1.0, reason=Reason.ANCHOR),
        Choice(2, included=False, probability=0.3, reason=Reason.OTHER_THREAD),
        Choice(3, included=True, probability=0.4, reason=Reason.SAME_SESSION),
    )
    assert union([]) == ()
