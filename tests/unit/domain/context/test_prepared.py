"""Rows prepared at ingest say the same as rows worked through at once, in bounded memory."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from chimein_gui.domain.context import (
    HISTORY,
    HistoryRow,
    LinkModel,
    Prepared,
    prepare,
    prepare_all,
    prepare_trigger,
    select_context,
)
from chimein_gui.domain.context.links.scene import candidates
from chimein_gui.domain.context.links.signal_names import CANDIDATES
from chimein_gui.domain.context.prepared import ask
from chimein_gui.domain.context.rows import SCRATCH
from chimein_gui.domain.context.table import Table
from chimein_gui.domain.context.words import overlap, words_in_common
from tests.unit.domain.context.chats import NOW, included, tag

WORDS = ("alpha", "beta", "gamma", "delta", "kernel", "driver", "update", "mirror", "package", "sound", "disk", "key")


def talk(count: int) -> list[HistoryRow]:
    """A chat with names, replies and words in common."""
    rows = []
    for n in range(count):
        text = f"{WORDS[n % 12]} {WORDS[n * n % 12]} {WORDS[n * 7 % 11]}{'?' if n % 4 == 0 else ''}"
        if n % 3 == 1:
            text = f"p{(n - 1) % 6}: {text}"
        reply = n - 5 if n % 17 == 16 else None
        rows.append(HistoryRow(n, NOW - 30.0 * (count - n), f"p{n % 6}", text, reply_to=reply))
    return rows


def folded(rows: Iterable[HistoryRow], model: LinkModel) -> Prepared:
    prepared = None
    for row in rows:
        prepared = prepare(row, prepared, model)
    assert prepared is not None
    return prepared


def test_row_by_row_is_the_same_as_at_once(model: LinkModel) -> None:
    rows = talk(120)
    one, all_at_once = folded(rows, model), prepare_all(rows, model)
    assert one.rows == all_at_once.rows
    assert np.mean(one.labels == all_at_once.labels) > 0.999  # the sums may be rounded in another order


def test_prepared_or_not_the_choice_is_the_same(model: LinkModel) -> None:
    rows = talk(SCRATCH)
    prepared, scratch = (
        select_context(rows, tag("p2"), model, folded(rows, model)),
        select_context(rows, tag("p2"), model),
    )
    assert [choice.included for choice in prepared] == [choice.included for choice in scratch]
    for one, other in zip(prepared, scratch, strict=True):
        assert abs(one.probability - other.probability) < 0.02  # sums may be rounded in another order


def test_an_old_row_is_a_candidate_from_scratch_too(model: LinkModel) -> None:
    question = HistoryRow(1, NOW - 9000, "zoe", "Which telescope shows the rings of Saturn?", "Zoe")
    rows = [question, *(replace(row, message_id=row.message_id + 10) for row in talk(SCRATCH + 60))]
    answer = tag("nia", "Zoe: a telescope that shows the rings of Saturn needs a long mirror")
    assert included(select_context(rows, answer, model)) == [1]
    assert 1 in included(select_context(rows, answer, model, prepare_all(rows, model)))


def test_explicit_replies_hold_together_what_lies_beyond_the_scratch(model: LinkModel) -> None:
    first = HistoryRow(1, NOW - 9000, "zoe", "Which telescope shows the rings of Saturn?", "Zoe")
    second = HistoryRow(2, NOW - 8990, "zoe", "and where is it dark enough?", "Zoe", reply_to=1)
    rows = [first, second, *(replace(row, message_id=row.message_id + 10) for row in talk(SCRATCH + 60))]
    answer = tag("nia", "Zoe: a telescope that shows the rings of Saturn needs a long mirror")
    assert included(select_context(rows, answer, model))[:2] == [1, 2]


def test_what_was_prepared_stays_as_it_was(model: LinkModel) -> None:
    rows = talk(30)
    before = folded(rows, model)
    labels, choices = before.labels.copy(), select_context(rows, tag("p2"), model, before)
    prepare(replace(rows[-1], message_id=99, text="p2: something else"), before, model)
    assert len(before.rows) == 30
    assert (before.labels == labels).all()
    assert select_context(rows, tag("p2"), model, before) == choices


def test_memory_is_bounded(model: LinkModel) -> None:
    prepared = folded(talk(HISTORY + 350), model)
    assert HISTORY <= len(prepared.rows) <= HISTORY + 100
    assert prepared.rows[-1].message_id == HISTORY + 349
    assert sys.getsizeof(prepared.labels) + prepared.labels.nbytes < 200_000


def test_only_what_was_made_from_this_history_fits(model: LinkModel) -> None:
    rows = talk(40)
    prepared = folded(rows, model)
    assert prepared.fits(rows)
    assert prepared.fits([replace(row) for row in rows])
    assert not prepared.fits(rows[:-1])
    assert not prepared.fits([*rows[:-1], replace(rows[-1], edited=True, text="other")])


def test_a_trigger_worked_out_beforehand_gives_the_same_choice(model: LinkModel) -> None:
    rows = talk(60)
    prepared = prepare_all(rows, model)
    for trigger in (tag("p2"), tag("p2", reply_to=rows[30].message_id)):
        ready = prepare_trigger(prepared, trigger)
        assert ready.trigger is not None
        assert ask(ready, replace(trigger)) is ready.trigger
        assert select_context(rows, trigger, model, ready) == select_context(rows, trigger, model, prepared)


def test_another_trigger_than_that_worked_out_is_worked_out_by_itself(model: LinkModel) -> None:
    rows = talk(60)
    prepared, edited = prepare_all(rows, model), tag("p4", "p1: the kernel update?")
    ready = prepare_trigger(prepared, tag("p2"))
    assert select_context(rows, edited, model, ready) == select_context(rows, edited, model, prepared)
    assert select_context(rows, edited, model) != select_context(rows, tag("p2"), model, ready)


def test_one_row_alone_has_the_candidates_that_it_has_among_others(model: LinkModel) -> None:
    table = Table(model.general)
    table.extend(talk(160))
    columns, every = table.arrays().columns, overlap(table, np.arange(160)).total
    for place in range(160):
        twice = np.array([place, place])
        for width in (None, CANDIDATES):
            alone = candidates(columns[[place]], every[[place]], twice[:1], width)
            np.testing.assert_array_equal(alone, candidates(columns[twice], every[twice], twice, width)[:1])


def test_words_of_an_anchor_are_those_it_has_in_common_with_rows_before(model: LinkModel) -> None:
    table = Table(model.general)
    table.extend(talk(80))
    every = overlap(table, np.arange(80)).total
    for place in (0, 3, 50, 78):
        of_last, of_anchor = words_in_common(table, every[79], place)
        assert of_last[place] == 0
        np.testing.assert_allclose(np.delete(of_last, place), np.delete(every[79, :-1], place), rtol=1e-6)
        np.testing.assert_allclose(of_anchor, every[place, :-1], rtol=1e-6)
