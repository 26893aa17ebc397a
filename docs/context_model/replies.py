"""Training of what a reply says of worlds: which of them hold the annotators' conversations, numpy alone."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from chimein_gui.domain.context.links.model import LinkModel
from chimein_gui.domain.context.replies import LOOKBACK, REPLY
from chimein_gui.domain.context.table import Floats
from chimein_gui.domain.context.threads import WORLDS, anchored
from docs.context_model.remix import thinned
from docs.context_model.scoring import Pass

EVERY = 3
"""Of so many triggers one is used: neighbours say the same."""

ROUNDS, BATCH, RATE, DECAY = 5, 64, 1e-2, 1e-3

_SURE = 0.01
"""No row is likelier in or out than this leaves, so that none weighs more than all others."""

Bools = npt.NDArray[np.bool_]
_Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Triggers:
    """Triggers that could reply, with the worlds of their anchors.

    Attributes:
        signals: What speaks for each world [triggers, REPLY, WORLDS].
        shared: Which of the newest rows are in the anchor's conversation [triggers, LOOKBACK, WORLDS]; rows that are
            missing or that nobody annotated are in none.
        right: Which are by the annotators [triggers, LOOKBACK].
    """

    signals: Floats
    shared: Bools
    right: Bools


def fit_replies(
    chats: Sequence[Any],
    model: LinkModel,
    seed: int = 0,
    without: frozenset[str] = frozenset(),
    trust: float = 1.0,
) -> Floats:
    """Train the weights of `REPLY`.

    Args:
        chats: Annotated chats.
        model: Its links draw the worlds; its own `reply` is not looked at.
        seed: Of the order.
        without: Signals that are left out: they get no weight.
        trust: How far to go from the fit alone to what was learned.

    Returns:
        The weights [REPLY], so that worlds are weighed by the softmax of their sum.
    """
    calm = thinned(chats, random.Random(seed))
    triggers = Triggers(*(np.array(column) for column in zip(*_examples((*chats, *calm), model), strict=True)))
    spread = triggers.signals.std(axis=(0, 2)) + 0.02
    centred = triggers.signals
    centred -= centred.mean(axis=2, keepdims=True)
    centred /= spread[:, None]
    centred[:, [name in without for name in REPLY]] = 0.0
    learned = _descend(triggers, seed) / spread
    return (trust * learned + (1 - trust) * np.eye(1, len(REPLY))[0]).astype(np.float32)


def _examples(chats: Sequence[Any], model: LinkModel) -> Iterator[tuple[Floats, Bools, Bools]]:
    """Give a row of each array of `Triggers` for one trigger after the other."""
    seen = 0
    for chat in chats:
        work = Pass(chat.msgs, model)
        for place, gold, direct, ignored in chat.triggers():
            if not gold or not direct:
                continue
            seen += 1
            if seen % EVERY:
                continue
            shared, signals = anchored(*work.asked(place, chat.idx[max(direct)]))
            ids = [message["id"] for message in chat.msgs[max(0, place - LOOKBACK) : place]]
            inside, right = np.zeros((LOOKBACK, WORLDS), np.bool_), np.zeros(LOOKBACK, np.bool_)
            counted = np.array([one not in ignored for one in ids])
            inside[: len(ids)] = (shared[-len(ids) :] > 0) & counted[:, None]
            right[: len(ids)] = [one in gold for one in ids]
            yield signals, inside, right


def _descend(triggers: Triggers, seed: int) -> Floats:
    """Descend −log of how likely the rows are where annotators see them: Adam, a cosine of rates."""
    rng = np.random.default_rng(seed)
    weights, mean, square = (np.zeros(len(REPLY)) for _ in range(3))
    batches = len(triggers.signals) // BATCH
    steps, done = ROUNDS * batches, 0
    for _ in range(ROUNDS):
        order = rng.permutation(len(triggers.signals))
        for batch in range(batches):
            slope = _slope(weights, triggers, order[batch * BATCH : (batch + 1) * BATCH])
            done += 1
            rate = RATE * min(1.0, done / 50) * (0.5 * (1 + np.cos(np.pi * done / steps)) + 0.01)
            mean += 0.1 * (slope - mean)
            square += 0.01 * (slope**2 - square)
            step = mean / (1 - 0.9**done) / (np.sqrt(square / (1 - 0.99**done)) + 1e-8)
            weights -= rate * (step + DECAY * weights)
    return weights.astype(np.float32)


def _slope(weights: _Doubles, triggers: Triggers, chosen: npt.NDArray[np.int64]) -> _Doubles:
    signals, shared = triggers.signals[chosen], triggers.shared[chosen].astype(np.float32)
    logits = np.einsum("s,nsw->nw", weights, signals)
    chance = np.exp(logits - logits.max(axis=1, keepdims=True))
    chance /= chance.sum(axis=1, keepdims=True)
    rows = np.clip((shared @ chance[:, :, None])[:, :, 0], _SURE, 1 - _SURE)
    wrong = (rows - triggers.right[chosen]) / (rows * (1 - rows))
    of_world = (wrong[:, None] @ shared)[:, 0]
    of_world -= (chance * of_world).sum(axis=1, keepdims=True)
    slope: _Doubles = np.einsum("nsw,nw->s", signals, chance * of_world) / len(chosen)
    return slope
