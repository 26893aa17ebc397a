"""Training examples: each one row, the rows it may continue, and where annotators say that it belongs."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from chimein_gui.domain.context.digest import digest
from chimein_gui.domain.context.links.signal_names import CANDIDATES, PAIR
from chimein_gui.domain.context.links.signals import signals
from chimein_gui.domain.context.table import Floats, Table
from docs.context_model import remix
from docs.context_model.data import Gold, gold_of, to_row

BUCKETS = 8192
FOLDS = 5
PLAIN, TAG, COPY, GROUP, CALM = range(5)


@dataclass(slots=True)
class Examples:
    """Arrays of the same length.

    Attributes:
        pair: Signals of the pairs and of the earlier rows [n, CANDIDATES, PAIR + ROW], half precision.
        later: Signals of the row itself [n, ROW].
        start: Signals that it starts something [n, START].
        valid: Which candidates there are.
        target: Weights of right answers [n, CANDIDATES + 1].
        fold: Of the chat it comes from, 0 to FOLDS - 1.
        kind: PLAIN, TAG, COPY, GROUP or CALM.
    """

    pair: npt.NDArray[np.float16]
    later: Floats
    start: Floats
    valid: npt.NDArray[np.bool_]
    target: Floats
    fold: npt.NDArray[np.int64]
    kind: npt.NDArray[np.int64]

    def only(self, mask: npt.NDArray[np.bool_]) -> Examples:
        """Return those where `mask` is set."""
        return Examples(*(getattr(self, name)[mask] for name in Examples.__slots__))


def general_words(chats: Sequence[Any]) -> Floats:
    """Count how common words are in general: the share of messages that hold one of each bucket."""
    counts, rows = np.zeros(BUCKETS), 0
    for chat in chats:
        for message in chat.msgs:
            rows += 1
            for bucket in {crc32(stem.encode()) % BUCKETS for stem in digest(to_row(message)).stems}:
                counts[bucket] += 1
    return ((counts + 1) / (rows + 500)).astype(np.float32)


class _Collector:
    def __init__(self, general: Floats, rng: random.Random) -> None:
        self._general, self._rng = general, rng
        self._parts: list[tuple[npt.NDArray[np.generic], ...]] = []

    def take(self, messages: Iterable[dict[str, Any]], gold: dict[int, Gold], kinds: dict[int, int], fold: int) -> None:
        """Take the rows of one chat that `kinds` names."""
        table = Table(self._general)
        for message in messages:
            table.append(to_row(message))
        found = signals(table, 0)
        pair = found.pair.reshape(len(PAIR), -1, CANDIDATES)
        for place, kind in kinds.items():
            here, places = gold[place], found.places[place]
            valid = places >= 0
            right = valid & np.isin(places, [*here.thread, *here.direct])
            if not (here.starts or right.any()) or table.parents[place] >= 0:
                continue
            earlier = found.row[np.maximum(places, 0)]
            block = np.concatenate((pair[:, place].T, earlier), axis=1).astype(np.float16)
            target = np.append(right, here.starts).astype(np.float32)
            one = (block, found.row[place], found.start[place], valid, target, np.int64(fold), np.int64(kind))
            self._parts.append(one)  # type: ignore[arg-type]

    def done(self) -> Examples:
        """Return all that was taken."""
        return Examples(*(np.array(column) for column in zip(*self._parts, strict=True)))


def collect(chats: Sequence[Any], general: Floats, groups: int, seed: int = 0, *, with_calm: bool = False) -> Examples:
    """Make all examples of the training chats.

    Args:
        chats: Annotated chats; chat n belongs to fold n % FOLDS.
        general: From `general_words`.
        groups: Small groups to make of the conversations of each fold.
        seed: Of all choices.
        with_calm: Make a copy of each chat with few of its conversations, too.
    """
    rng = random.Random(seed)
    collector = _Collector(general, rng)
    pools: list[list[remix.Conversation]] = [[] for _ in range(FOLDS)]
    for number, chat in enumerate(chats):
        gold, fold = gold_of(chat), number % FOLDS
        pools[fold] += remix.conversations(chat, gold)
        collector.take(chat.msgs, gold, dict.fromkeys(gold, PLAIN), fold)
        lines = remix.tagged(chat, gold, rng)
        kinds = {
            place: TAG if lines[place].is_tag else COPY for place in gold if lines[place].is_tag or rng.random() < 0.4
        }
        collector.take([line.message for line in lines], gold, kinds, fold)
        for calm in remix.thinned([chat], rng) if with_calm else ():
            here = gold_of(calm)
            collector.take(calm.msgs, here, dict.fromkeys(here, CALM), fold)
    for fold, pool in enumerate(pools):
        for _ in range(groups):
            lines = remix.Group(pool, rng).talk()
            gold = {place: line.gold for place, line in enumerate(lines)}
            collector.take([line.message for line in lines], gold, dict.fromkeys(range(1, len(lines)), GROUP), fold)
    return collector.done()
