"""Prepares the rows of a chat as they come in, so that a trigger adds only its own cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from chimein_gui.domain.context.links.model import LinkModel
from chimein_gui.domain.context.links.signals import Signals, signals_of
from chimein_gui.domain.context.replies import Reply
from chimein_gui.domain.context.rows import HISTORY, SCRATCH, HistoryRow
from chimein_gui.domain.context.table import Floats, Indices, Ints, Table
from chimein_gui.domain.context.threads import WORLDS, Labels, draw_parents, grow_labels
from chimein_gui.domain.context.words import words_in_common

_SPARE = 100
"""Rows above `HISTORY` that may accumulate before the oldest are dropped together."""


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A prepared chat up to some row. Immutable: `prepare` makes a new one.

    Attributes:
        table: The rows and their features.
        labels: The conversation of each row in each world.
        model: The weights it was made with.
        trigger: Result for the next row, computed in advance if that may trigger a plan.
    """

    table: Table
    labels: Labels
    model: LinkModel
    trigger: Asked | None = None

    @property
    def rows(self) -> tuple[HistoryRow, ...]:
        """Return the rows, oldest first; up to a hundred more than `HISTORY`."""
        return tuple(self.table.rows)

    @property
    def words(self) -> int:
        """Return the number of distinct words per row, summed over all rows; memory grows with it."""
        return self.table.words

    def fits(self, history: Sequence[HistoryRow]) -> bool:
        """Return whether this was made from exactly these rows (the newest `HISTORY` of them count)."""
        newest = list(history[-HISTORY:])
        return self.table.rows[-HISTORY:] == newest


def prepare(row: HistoryRow, prepared: Prepared | None, model: LinkModel) -> Prepared:
    """Add the next row of a chat.

    Args:
        row: Newer than all before it.
        prepared: The chat so far; None for an empty one. It stays unchanged.
        model: The weights.

    Returns:
        The chat with that row, of bounded memory: half a megabyte for ordinary chats, eight for long texts of only new
        words.
    """
    if prepared is None or prepared.model is not model:
        return prepare_all([*(prepared.table.rows if prepared else ()), row], model)
    if len(prepared.table.rows) >= HISTORY + _SPARE:
        return prepare_all([*prepared.table.rows[-HISTORY + 1 :], row], model)
    table = prepared.table.copy()
    table.append(row)
    return Prepared(table, _labels(table, prepared.labels, model), model)


def prepare_all(history: Sequence[HistoryRow], model: LinkModel) -> Prepared:
    """Prepare the newest `HISTORY` rows at once, with the same result as `prepare` for each in turn."""
    table = Table(model.general)
    table.extend(history[-HISTORY:])
    return Prepared(table, _labels(table, np.zeros((0, WORLDS), np.int16), model), model)


def prepare_trigger(prepared: Prepared, trigger: HistoryRow) -> Prepared:
    """Compute in advance what a trigger adds to a chat, for `select_context` with the same row."""
    return Prepared(prepared.table, prepared.labels, prepared.model, ask(prepared, trigger))


@dataclass(frozen=True, slots=True)
class Asked:
    """A chat with a trigger at its end.

    Attributes:
        trigger: As it came.
        table: The rows, and the trigger as the last.
        labels: Of all rows before the trigger.
        places: The trigger's candidates.
        links: Their probabilities, and last that of a new start. Computed without the explicit reply, as further
            evidence.
        reply: The explicit reply, if its target is here.
    """

    trigger: HistoryRow
    table: Table
    labels: Labels
    places: Ints
    links: Floats
    reply: Reply | None


def ask(prepared: Prepared, trigger: HistoryRow) -> Asked:
    """Add a trigger to a prepared chat, which stays unchanged."""
    if prepared.trigger is not None and prepared.trigger.trigger == trigger:
        return prepared.trigger
    table = prepared.table.copy()
    anchor = table.place_of(trigger.reply_to)
    table.append(trigger if anchor < 0 else replace(trigger, reply_to=None))
    found = signals_of(table, np.array([len(table.rows) - 1]))
    model = prepared.model
    reply = _reply(table, anchor, found, model)
    return Asked(trigger, table, prepared.labels, found.places[0], model.links(found, table)[0], reply)


def ask_from_scratch(history: Sequence[HistoryRow], trigger: HistoryRow, model: LinkModel) -> Asked:
    """Prepare the newest `HISTORY` rows and a trigger at once.

    Links are computed only for the newest `SCRATCH` rows, which costs no measurable part of the scores; older rows have
    only their explicit replies. If the trigger replies to an older row, all links are computed.
    """
    table = Table(model.general)
    table.extend(history[-HISTORY:])
    last, anchor = len(table.rows), table.place_of(trigger.reply_to)
    table.append(trigger if anchor < 0 else replace(trigger, reply_to=None))
    begin = max(0, last - SCRATCH)
    if 0 <= anchor < begin:
        begin = 0
    found = signals_of(table, np.append(_unanswering(table, begin, last), last))
    links = model.links(found, table)
    labels = np.repeat(np.arange(begin, dtype=np.int16)[:, None], WORLDS, axis=1)
    for place, parent in enumerate(table.parents[:begin]):
        if parent >= 0:
            labels[place] = labels[parent]
    parents = np.array(table.parents[begin:last], dtype=np.int32)
    labels = grow_labels(labels, draw_parents(links[:-1], found.places[:-1], parents, begin, found.later[:-1]))
    return Asked(trigger, table, labels, found.places[-1], links[-1], _reply(table, anchor, found, model))


def _reply(table: Table, anchor: int, found: Signals, model: LinkModel) -> Reply | None:
    if anchor < 0:
        return None
    return Reply(anchor, table.arrays().columns, words_in_common(table, found.common, anchor), model.reply)


def _labels(table: Table, labels: Labels, model: LinkModel) -> Labels:
    begin, end = len(labels), len(table.rows)
    parents = np.array(table.parents[begin:], dtype=np.int32)
    later = _unanswering(table, begin, end)
    if not len(later):
        return grow_labels(labels, np.repeat(parents[:, None], WORLDS, axis=1))
    found = signals_of(table, later)
    return grow_labels(labels, draw_parents(model.links(found, table), found.places, parents, begin, later))


def _unanswering(table: Table, begin: int, end: int) -> Indices:
    """Return the rows without an explicit reply here; the links of the others are known."""
    return np.array([place for place in range(begin, end) if table.parents[place] < 0], dtype=np.intp)
