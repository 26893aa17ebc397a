"""Rows of a chat worked through as they come in, so that a trigger adds only itself."""

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
"""Rows above `HISTORY` that may gather before the oldest are dropped in one go."""


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A chat up to some row. Never changes: `prepare` makes a new one.

    Attributes:
        table: The rows and what is known of them.
        labels: The conversation of each row in each world.
        model: The weights it was made with.
        trigger: What was worked out of the row that comes next, if that may ask for a plan.
    """

    table: Table
    labels: Labels
    model: LinkModel
    trigger: Asked | None = None

    @property
    def rows(self) -> tuple[HistoryRow, ...]:
        """The rows, oldest first; up to a hundred more than `HISTORY`."""
        return tuple(self.table.rows)

    @property
    def words(self) -> int:
        """How many words of its rows are compared, the same word once a row: what its size grows with."""
        return self.table.words

    def fits(self, history: Sequence[HistoryRow]) -> bool:
        """Tell whether this was made from just these rows (the newest `HISTORY` of them count)."""
        newest = list(history[-HISTORY:])
        return self.table.rows[-HISTORY:] == newest


def prepare(row: HistoryRow, prepared: Prepared | None, model: LinkModel) -> Prepared:
    """Take in the next row of a chat.

    Args:
        row: Newer than all before it.
        prepared: The chat so far; None for an empty one.
        model: The weights.

    Returns:
        The chat with that row, of bounded memory: half a megabyte for common talk, eight for long texts of nothing but
        new words. What was passed in stays as it was.
    """
    if prepared is None or prepared.model is not model:
        return prepare_all([*(prepared.table.rows if prepared else ()), row], model)
    if len(prepared.table.rows) >= HISTORY + _SPARE:
        return prepare_all([*prepared.table.rows[-HISTORY + 1 :], row], model)
    table = prepared.table.copy()
    table.append(row)
    return Prepared(table, _labels(table, prepared.labels, model), model)


def prepare_all(history: Sequence[HistoryRow], model: LinkModel) -> Prepared:
    """Work through the newest `HISTORY` rows at once: the same as `prepare` for one after the other."""
    table = Table(model.general)
    table.extend(history[-HISTORY:])
    return Prepared(table, _labels(table, np.zeros((0, WORLDS), np.int16), model), model)


def prepare_trigger(prepared: Prepared, trigger: HistoryRow) -> Prepared:
    """Work out beforehand what a trigger adds to a chat, so that `select_context` finds it done for that row."""
    return Prepared(prepared.table, prepared.labels, prepared.model, ask(prepared, trigger))


@dataclass(frozen=True, slots=True)
class Asked:
    """A chat with a trigger at its end.

    Attributes:
        trigger: As it came.
        table: The rows, and the trigger as the last.
        labels: Of all rows before the trigger.
        places: The trigger's candidates.
        links: Their probabilities, and last that of a new start, as if the trigger replied to nothing: what speaks
            for a conversation besides the reply.
        reply: What the trigger replies to, if that is here.
    """

    trigger: HistoryRow
    table: Table
    labels: Labels
    places: Ints
    links: Floats
    reply: Reply | None


def ask(prepared: Prepared, trigger: HistoryRow) -> Asked:
    """Add a trigger to a prepared chat, which stays as it was."""
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
    """Work through the newest `HISTORY` rows and a trigger at once.

    Links are worked out of the newest `SCRATCH` rows alone, which costs no measurable part of the scores; a row before
    them has its explicit reply only. Where the trigger replies to such a row, all links are worked out.
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
    """Return the rows that reply to nothing here: where the others link to is known."""
    return np.array([place for place in range(begin, end) if table.parents[place] < 0], dtype=np.intp)
