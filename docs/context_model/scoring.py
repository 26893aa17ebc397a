"""Fast scores of a model: one pass a chat gives every trigger of it, instead of one a trigger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from chimein_gui.domain.context.links.model import LinkModel
from chimein_gui.domain.context.links.signals import signals
from chimein_gui.domain.context.replies import Reply
from chimein_gui.domain.context.table import Floats, Ints, Table
from chimein_gui.domain.context.threads import WORLDS, Labels, believe, best_set, draw_parents, grow_labels
from chimein_gui.domain.context.words import overlap
from docs.context_model.data import scorer, to_row


class Pass:
    """Links and labels of one whole chat."""

    def __init__(self, messages: Sequence[dict[str, Any]], model: LinkModel) -> None:
        table = Table(model.general)
        for message in messages:
            table.append(to_row(message))
        found = signals(table, 0)
        self.places, self.links = found.places, model.links(found, table)
        parents = np.array(table.parents, dtype=np.int32)
        self._people, self._weights = table.arrays().columns, model.reply
        self._words = overlap(table, np.arange(len(table.rows))).total
        self.labels = grow_labels(np.zeros((0, WORLDS), np.int16), draw_parents(self.links, found.places, parents, 0))

    def asked(self, place: int, anchor: int) -> tuple[Labels, Ints, Floats, Reply]:
        """Return what is known of the row at a position, seen as a trigger that replies to another."""
        low = max(0, place - 300)
        words = self._words[[place, anchor], low:place]
        words[:, anchor - low] = 0.0
        return *self._plain(place), Reply(anchor - low, self._people[low : place + 1], words, self._weights)

    def choose(self, place: int, anchor: int | None = None) -> set[int]:
        """Choose for the row at a position, seen as a trigger; `anchor` is the position that it replies to."""
        low = max(0, place - 300)
        belief = believe(*self._plain(place)) if anchor is None else believe(*self.asked(place, anchor))
        chosen = {low + int(one) for one in best_set(belief, np.ones(place - low, np.bool_))}
        return chosen if anchor is None else chosen | {anchor}

    def _plain(self, place: int) -> tuple[Labels, Ints, Floats]:
        places, links, low = self.places[place], self.links[place], max(0, place - 300)
        here = np.where(np.append(places, low) >= low, links, 0)
        return self.labels[low:place], np.maximum(places - low, -1), here


def fast_scores(chats: Sequence[Any], model: LinkModel) -> dict[str, float]:
    """Return the mean F1 of the variants content, reply (with content on the same triggers) and tg, in percent."""
    score: Any = scorer()
    found: dict[str, list[float]] = {"content": [], "reply": [], "same": [], "tg": []}
    for chat in chats:
        plain, telegram = Pass(chat.msgs, model), Pass(chat.tgmsgs, model)
        for place, gold, direct, ignored in chat.triggers():
            if not gold:
                continue
            window = {chat.msgs[one]["id"] for one in range(max(0, place - 100), place)}

            def f1(chosen: set[int], gold=gold, ignored=ignored, window=window, chat=chat) -> float:
                ids = {chat.msgs[one]["id"] for one in chosen}
                return float(score.prf((ids & window) - ignored, gold)[2])

            content = f1(plain.choose(place))
            found["content"].append(content)
            found["tg"].append(f1(telegram.choose(place)))
            if direct:
                found["reply"].append(f1(plain.choose(place, chat.idx[max(direct)])))
                found["same"].append(content)
    return {name: round(100 * float(np.mean(values)), 2) for name, values in found.items()}
