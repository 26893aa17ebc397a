"""What is worked out in fewer steps is the same as the plain way of it."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chimein_gui.domain.context import HistoryRow, LinkModel, prepare_all
from chimein_gui.domain.context.digest import FLAGS, MAX_WORDS, STEM, digest
from chimein_gui.domain.context.links.signal_names import CANDIDATES
from chimein_gui.domain.context.links.signals import signals, signals_of
from chimein_gui.domain.context.table import Table
from chimein_gui.domain.context.threads import FAINT, PARENTS, WORLDS, Belief, believe, best_set, draw_parents
from chimein_gui.domain.context.words import overlap

WORDS = ("kernel", "driver", "Dinner", "thai", "a", "budget!", "it's", "well,", "done", "@P3", "p1:", "http://x.y")
ASCII = st.text(alphabet=[chr(code) for code in range(1, 128)], max_size=60)


def talk(rows: int, replies: float = 0.2) -> list[HistoryRow]:
    rng = random.Random(rows)
    found: list[HistoryRow] = []
    for place in range(rows):
        who, text = rng.randrange(6), " ".join(rng.choices(WORDS, k=rng.randrange(9)))
        reply = rng.randrange(place) if place and rng.random() < replies else None
        found.append(HistoryRow(place, 1.8e9 + 40 * place, str(who), text, f"P{who}", reply_to=reply))
    return found


def table_of(rows: list[HistoryRow], model: LinkModel) -> Table:
    table = Table(model.general)
    table.extend(rows)
    return table


@settings(max_examples=300, derandomize=True, deadline=None)
@given(ASCII)
def test_plain_text_is_read_like_any_other(text: str) -> None:
    """A letter of another script at its end takes a text through the general way."""
    plain, general = digest(HistoryRow(1, 0.0, "a", text)), digest(HistoryRow(1, 0.0, "a", f"{text} ж"))
    assert plain.words == re.findall(r"\w+", text.lower())
    assert [*plain.words, "ж"] == general.words
    assert (plain.leading, plain.marked) == (general.leading, general.marked)
    assert {*plain.tokens, "ж"} == {*general.tokens}
    differing = {"long", "short", "trails_off"}  # for these the added word counts
    assert all(
        plain.flags >> bit & 1 == general.flags >> bit & 1 for bit, flag in enumerate(FLAGS) if flag not in differing
    )


def test_rows_read_at_once_or_one_by_one_hold_the_same_words(model: LinkModel) -> None:
    long = " ".join(f"w{number}ord w{number}ords x" for number in range(90))
    rows = [*talk(40), HistoryRow(40, 1.8e9, "1", long), HistoryRow(41, 1.8e9, "1", "")]
    at_once, one_by_one = table_of(rows, model).arrays(), Table(model.general)
    for row in rows:
        one_by_one.append(row)
        one_by_one.arrays()
    for name in ("columns", "row", "lengths", "words", "word_rows"):
        np.testing.assert_array_equal(getattr(at_once, name), getattr(one_by_one.arrays(), name))
    stems = {word[:STEM] for word in long.split() if len(word) > 1}
    assert np.count_nonzero(at_once.word_rows == 40) == min(len(stems), MAX_WORDS) == MAX_WORDS


def test_words_in_common_are_the_same_for_some_rows_as_for_all(model: LinkModel) -> None:
    table = table_of(talk(160), model)
    every, some = overlap(table, np.arange(160)), np.array([3, 50, 51, 159])
    found = overlap(table, some)
    np.testing.assert_allclose(found.total, every.total[some], rtol=1e-6)
    np.testing.assert_allclose(found.norm, every.norm[some], rtol=1e-6)


def test_no_candidate_is_lost_where_none_has_all(model: LinkModel) -> None:
    table = table_of(talk(160), model)
    whole, some = signals(table, 0), np.array([0, 2, 40, 150])
    found = signals_of(table, some)
    assert whole.places.shape[1] == CANDIDATES > found.places.shape[1]
    for row, place in enumerate(some):
        assert [one for one in found.places[row] if one >= 0] == [one for one in whole.places[place] if one >= 0]
    links, all_links = model.links(found, table), model.links(whole, table)[some]
    assert links[:, -1] == pytest.approx(all_links[:, -1], abs=1e-5)
    np.testing.assert_allclose(links[:, :28], all_links[:, :28], atol=1e-5)
    np.testing.assert_allclose(links.sum(axis=1), 1.0, atol=1e-5)


def test_a_row_that_replies_belongs_to_what_it_answers_whatever_the_model(model: LinkModel) -> None:
    rows = talk(120, replies=0.4)
    prepared = prepare_all(rows, model)
    parents = prepared.table.parents
    assert sum(parent >= 0 for parent in parents) > 30
    for place, parent in enumerate(parents):
        if parent >= 0:
            np.testing.assert_array_equal(prepared.labels[place], prepared.labels[parent])


def test_worlds_are_drawn_the_same_without_the_rows_that_reply(model: LinkModel) -> None:
    table = table_of(talk(120, replies=0.4), model)
    parents = np.array(table.parents[20:], dtype=np.int32)
    found = signals(table, 20)
    links = model.links(found, table)
    soft = np.flatnonzero(parents < 0)
    drawn = draw_parents(links, found.places, parents, 20)
    np.testing.assert_array_equal(drawn, draw_parents(links[soft], found.places[soft], parents, 20, soft + 20))


def test_links_into_one_conversation_count_together() -> None:
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 4, (30, WORLDS)).astype(np.int16)
    places, links = np.arange(20, 30, dtype=np.int32), rng.random(11).astype(np.float32)
    links /= links.sum()
    order = np.argsort(-links[:-1], kind="stable")[:PARENTS]
    assert links[order].min() > FAINT
    share = links[order] * links[:-1].sum() / links[order].sum()
    plain = sum(one * (labels == labels[places[link]]).mean(axis=1) for one, link in zip(share, order, strict=True))
    belief = believe(labels, places, links)
    np.testing.assert_allclose(belief.probabilities, plain, atol=1e-6)
    assert belief.shared.shape[1] < PARENTS * WORLDS


@pytest.mark.parametrize("rows", [1, 9, 10, 11, 57, 130])
def test_the_best_set_is_that_of_row_after_row(rows: int) -> None:
    rng = np.random.default_rng(rows)
    shared = (rng.random((rows, 40)) < rng.random((rows, 1))).astype(np.float32)
    weights = np.full(40, 1 / 40, np.float32)
    belief = Belief(shared, weights, shared @ weights)
    order = [place for place in np.argsort(-belief.probabilities, kind="stable") if belief.probabilities[place] > 0.05]
    scores, hits = [], np.zeros(40)
    for number, place in enumerate(order[:100], 1):
        hits += shared[place]
        scores.append(float((hits / (shared.sum(axis=0) + number)).mean()))
    best = best_set(belief, np.ones(rows, np.bool_)).tolist()
    assert best == order[: len(best)]
    assert not best or scores[len(best) - 1] == pytest.approx(max(scores))
