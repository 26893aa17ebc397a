"""Stage two of the selection: uncertain rows are decided by the meaning of their texts.

Common words can't tell "ramen" from "healthcheck". Each candidate with a vector is compared with the rows that most
likely belong to the conversation and with those that most likely do not. The set is then chosen again with the
resulting probabilities.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from chimein_gui.domain.context.rows import Choice, Reason
from chimein_gui.domain.context.table import matrix_products

CANDIDATE = 0.05
"""Probability from which a row is a candidate; few rows below it belong to the conversation."""

MOST_CANDIDATES = 100
"""Most candidates that are compared, the most probable ones."""

WEIGHT = 2.0
"""Logits per standard deviation by which a row is nearer to the conversation than to the rest."""

_ROUNDS = 2
_FEWEST = 3
_SURE = 0.02
_SOME = 0.1
_NOTHING = 1e-6
_TOO_LONG = 1e100
_SETTLED = frozenset(
    {
        *(Reason.PINNED_IN, Reason.PINNED_OUT, Reason.INCLUDED_ONCE),
        Reason.ANCHOR,
        Reason.REPLY_CHAIN,
        Reason.GONE,
        Reason.OTHER_TOPIC,
        Reason.BEYOND_LOOKBACK,
    }
)

Vectors = Mapping[int, Sequence[float]]
Floats = npt.NDArray[np.float64]


def candidates(choices: Sequence[Choice]) -> tuple[int, ...]:
    """Return the ids of the rows that stage two compares, oldest first; empty if there are too few."""
    found = [one for one in choices if (one.included or one.probability >= CANDIDATE) and one.reason not in _LEFT_ALONE]
    if len(found) < _FEWEST:
        return ()
    found.sort(key=lambda one: -one.probability)
    return tuple(sorted(one.message_id for one in found[:MOST_CANDIDATES]))


def second_stage(choices: Sequence[Choice], vectors: Vectors) -> tuple[Choice, ...]:
    """Choose again with vectors.

    Args:
        choices: Of stage one.
        vectors: Of the texts of its candidates, by message id. A candidate keeps its probability if its vector is
            missing
            or unusable (of another length than most, not finite, all zeros).

    Returns:
        The same rows. Rows that are no candidates, the anchor and its chain stay unchanged. So does everything if there
        are too few vectors, or all are alike.
    """
    wanted, vectors = set(candidates(choices)), _telling(vectors)
    places = [place for place, one in enumerate(choices) if one.message_id in wanted]
    known = np.array([choices[place].message_id in vectors for place in places], dtype=np.bool_)
    if np.count_nonzero(known) < _FEWEST:
        return tuple(choices)
    before = np.array([choices[place].probability for place in places])
    likeness = _likeness([vectors.get(choices[place].message_id, ()) for place in places])
    if not likeness.any():
        return tuple(choices)
    after = _settled(before, known, likeness)
    taken = _best_set(after)
    chosen = list(choices)
    for number, place in enumerate(places):
        old = choices[place]
        if old.reason not in _SETTLED:
            included = bool(taken[number])
            reason = (Reason.LINK if not old.included else old.reason) if included else Reason.OTHER_THREAD
            chosen[place] = Choice(old.message_id, included, round(float(after[number]), 4), reason)
    return tuple(chosen)


_LEFT_ALONE = _SETTLED - {Reason.PINNED_IN, Reason.INCLUDED_ONCE, Reason.ANCHOR, Reason.REPLY_CHAIN}


def tells(vector: Sequence[float]) -> bool:
    """Return whether a vector can be compared: it is finite, and not all zeros."""
    return _NOTHING < math.hypot(*vector) < _TOO_LONG


def _telling(vectors: Vectors) -> Vectors:
    """Remove vectors that can't be compared."""
    lengths = Counter(map(len, vectors.values()))
    width = max(lengths, key=lambda length: (lengths[length], length), default=0)
    return {number: vector for number, vector in vectors.items() if len(vector) == width and tells(vector)}


@matrix_products
def _likeness(vectors: Sequence[Sequence[float]]) -> Floats:
    """Return the cosines of all pairs; 0 with itself and without a vector.

    The mean of all vectors is subtracted first, because what all texts have in common carries no information.
    """
    width = max(map(len, vectors))
    known = np.array([len(vector) == width for vector in vectors])
    matrix = np.zeros((len(vectors), width))
    for number, vector in enumerate(vectors):
        if known[number]:
            matrix[number] = vector
    matrix[known] -= matrix[known].mean(axis=0)
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    matrix = np.where(lengths > _NOTHING, matrix / np.maximum(lengths, _NOTHING), 0.0)
    found: Floats = matrix @ matrix.T
    np.fill_diagonal(found, 0.0)
    return found


@matrix_products
def _settled(before: Floats, known: npt.NDArray[np.bool_], likeness: Floats) -> Floats:
    """Return the probabilities after comparing each row with those that are in and those that are out."""
    pairs = likeness[np.ix_(known, known)]
    spread = float(np.std(pairs[~np.eye(len(pairs), dtype=np.bool_)])) or 1.0
    sure = np.clip(before, _SURE, 1 - _SURE)
    logits, after = np.log(sure / (1 - sure)), before
    for _ in range(_ROUNDS):
        inside, outside = np.where(known, after, 0.0), np.where(known, 1 - after, 0.0)
        near = likeness @ inside / np.maximum(inside.sum() - inside, 1e-3)
        far = likeness @ outside / np.maximum(outside.sum() - outside, 1e-3)
        nearer = np.where(known & (outside.sum() - outside > _SOME), near - far, 0.0) / spread
        after = 1 / (1 + np.exp(-(logits + WEIGHT * nearer)))
    return after


def _best_set(probabilities: Floats) -> npt.NDArray[np.bool_]:
    """Return the set with the best expected F1, assuming independent rows."""
    order = np.argsort(-probabilities, kind="stable")
    sizes = np.arange(1, len(order) + 1)
    expected = 2 * np.cumsum(probabilities[order]) / (sizes + 1 + probabilities.sum())
    taken = np.zeros(len(order), np.bool_)
    taken[order[: int(np.argmax(expected)) + 1]] = True
    return taken
