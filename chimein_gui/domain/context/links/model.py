"""The trained weights that turn signals into probabilities of links."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass, fields
from typing import Self

import numpy as np

from chimein_gui.domain.context.links.signal_names import PAIR, ROW, START
from chimein_gui.domain.context.links.signals import Signals
from chimein_gui.domain.context.people import COLUMNS
from chimein_gui.domain.context.replies import REPLY
from chimein_gui.domain.context.table import Floats, Table, matrix_products

_IMPOSSIBLE = -30.0
_ALONE = 2**18
"""Most multiplications that the linear algebra library does in the calling thread."""

_TOPIC = COLUMNS.index("topic")
_SERVICE = ROW.index("service")


@dataclass(frozen=True, slots=True, eq=False)
class LinkModel:
    """A small network: two hidden layers for pairs, one for "starts something new"; a softmax over both.

    Attributes:
        general: Share of messages that contain a word of this bucket [buckets].
        pair: First layer, for the signals of the pair [hidden, PAIR].
        later: First layer, for the later row's signals [hidden, ROW].
        earlier: First layer, for the earlier row's own signals [hidden, ROW].
        bias: [hidden].
        second: [hidden 2, hidden].
        second_bias: [hidden 2].
        score: [hidden 2].
        start: First layer of "starts something new" [hidden 3, START].
        start_bias: [hidden 3].
        start_score: [hidden 3].
        start_shift: [1].
        reply: Weight of each signal of a world if a trigger replies to a row [REPLY].
    """

    general: Floats
    pair: Floats
    later: Floats
    earlier: Floats
    bias: Floats
    second: Floats
    second_bias: Floats
    score: Floats
    start: Floats
    start_bias: Floats
    start_score: Floats
    start_shift: Floats
    reply: Floats

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read the weights.

        Args:
            data: An ``npz`` archive with one array for each attribute; other arrays are ignored.

        Raises:
            ValueError: It is no such archive, or its arrays do not match the signals.
        """
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as archive:
                model = cls(**{one.name: archive[one.name].astype(np.float32) for one in fields(cls)})
        except (KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
            raise ValueError(f"These are no weights of links: {error}") from error
        hidden, hidden2, hidden3 = model.bias.size, model.second_bias.size, model.start_bias.size
        shapes = {
            "pair": (hidden, len(PAIR)),
            "later": (hidden, len(ROW)),
            "earlier": (hidden, len(ROW)),
            "second": (hidden2, hidden),
            "score": (hidden2,),
            "start": (hidden3, len(START)),
            "start_score": (hidden3,),
            "start_shift": (1,),
            "reply": (len(REPLY),),
        }
        wrong = [name for name, shape in shapes.items() if getattr(model, name).shape != shape]
        if wrong or not model.general.size:
            raise ValueError(f"These weights belong to other signals: {', '.join(wrong) or 'general'}")
        return model

    @matrix_products
    def links(self, signals: Signals, table: Table) -> Floats:
        """Compute the link probabilities of each row.

        Args:
            signals: Of the rows.
            table: The chat.

        Returns:
            Probabilities [rows, candidates + 1]: of each candidate, and last of a new start; they sum to 1.
        """
        rows, candidates = signals.places.shape
        scores = np.empty((rows, candidates + 1), np.float32)
        scores[:, :-1] = self._scores(signals)
        _exclude(scores[:, :-1], signals, table)
        begins = np.maximum(_product(signals.start, self.start.T) + self.start_bias, 0.0)
        scores[:, -1] = begins @ self.start_score + self.start_shift
        scores -= scores.max(axis=1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=1, keepdims=True)
        return scores

    @matrix_products
    def _scores(self, signals: Signals) -> Floats:
        """Compute the score of each candidate [rows, candidates]."""
        rows, candidates = signals.places.shape
        places = np.maximum(signals.places, 0).astype(np.intp).ravel()
        hidden = _product(signals.pair.T, self.pair.T)
        if len(places) < len(signals.row):
            hidden += signals.row.take(places, axis=0) @ self.earlier.T
        else:
            hidden += _product(signals.row, self.earlier.T).take(places, axis=0)
        hidden += np.repeat(signals.row.take(signals.later, axis=0) @ self.later.T + self.bias, candidates, axis=0)
        _cut_off(hidden)
        deep = np.ascontiguousarray(_product(hidden, self.second.T).T)
        deep += self.second_bias[:, None]
        _cut_off(deep)
        found: Floats = (self.score @ deep).reshape(rows, candidates)
        return found


def _cut_off(block: Floats) -> None:
    """Clip negative values to 0; an array of zeros makes this three times as fast as a scalar."""
    np.maximum(block, np.zeros_like(block), out=block)


@matrix_products
def _product(block: Floats, weights: Floats) -> Floats:
    """Multiply in blocks that the library does not share among threads: waking those costs more than the work."""
    height = max(1, _ALONE // weights.size)
    if len(block) <= height:
        whole: Floats = block @ weights
        return whole
    found = np.empty((len(block), weights.shape[1]), np.float32)
    for start in range(0, len(block), height):
        np.matmul(block[start : start + height], weights, out=found[start : start + height])
    return found


def _exclude(scores: Floats, signals: Signals, table: Table) -> None:
    """Lower the scores of impossible candidates: none, another topic of a forum, a service message."""
    topics, service = table.arrays().columns[:, _TOPIC], signals.row[:, _SERVICE]
    if service.any() or (topics != topics[0]).any():
        earlier = np.maximum(signals.places, 0)
        scores[(topics[earlier] != topics[signals.later, None]) | (service[earlier] > 0)] = _IMPOSSIBLE
    scores[signals.places < 0] = -np.inf
