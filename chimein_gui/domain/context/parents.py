"""The most likely parent of each row, for the arcs of the Context pane."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chimein_gui.domain.context.links.model import LinkModel
from chimein_gui.domain.context.links.signals import signals_of
from chimein_gui.domain.context.rows import HISTORY, HistoryRow
from chimein_gui.domain.context.table import Table

_LIKELY = 0.4
"""A less likely link is not worth an arc."""


def likely_parents(history: Sequence[HistoryRow], model: LinkModel) -> dict[int, int]:
    """Find the message that each row probably answers.

    Args:
        history: Oldest first; only the newest `HISTORY` rows are examined.
        model: The weights.

    Returns:
        Message ids: of rows without an explicit reply here, and of their parents. Rows that probably start a
        conversation, or whose parent is unclear, are missing.
    """
    table = Table(model.general)
    table.extend(history[-HISTORY:])
    later = np.array([place for place, parent in enumerate(table.parents) if parent < 0 and place], dtype=np.intp)
    if not len(later):
        return {}
    found = signals_of(table, later)
    links = model.links(found, table)[:, :-1]
    best = links.argmax(axis=1)
    places = found.places[np.arange(len(later)), best].tolist()
    chances = links.max(axis=1).tolist()
    rows = table.rows
    return {
        rows[row].message_id: rows[place].message_id
        for row, place, chance in zip(later.tolist(), places, chances, strict=True)
        if place >= 0 and chance >= _LIKELY
    }
