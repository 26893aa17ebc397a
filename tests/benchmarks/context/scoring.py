"""Fast scores of a model: one pass a chat gives every trigger of it, instead of one a trigger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from chimein_gui.domain.context.model import LinkModel
from chimein_gui.domain.context.signals import signals
from chimein_gui.domain.context.table import Table
from chimein_gui.domain.context.threads import WORLDS, believe, best_set, draw_parents, grow_labels
from tests.benchmarks.context.data import scorer, to_row


class Pass:
    """Links and labels of one whole chat."""

    def __init__(self, messages: Sequence[dict[str, Any]], model: LinkModel) -> None:
        table = Table(model.general)
        for message in messages:
            table.append(to_row(message))
        found = signals(table, 0)
        self.places, self.links = found.places, model.links(found, table, 0)
        parents = np.array(table.parents, dtype=np.int32)
        self.labels = grow_labels(np.zeros((0, WORLDS), np.int16), draw_parents(self.links, found.places, parents, 0))

    def choose(self, place: int, reply: int | None = None) -> set[int]:
        """Choose for the row at a position, seen as a trigger; `reply` is the position of its anchor."""
        places, links = self.places[place], self.links[place]
        low = max(0, place - 300)
        belief = believe(
            self.labels[low:place],
            places - low,
            np.where(np.append(places, low) >= low, links, 0),
            -1 if reply is None else reply - low,
        )
        return {low + int(one) for one in best_set(belief, np.ones(place - low, np.bool_))} | (
            {reply} if reply is not None else set()
        )


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
