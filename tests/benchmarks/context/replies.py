"""Training of what a reply says of worlds: which of them come nearest to the annotators' conversations, numpy alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from chimein_gui.domain.context.model import LinkModel
from chimein_gui.domain.context.replies import LOOKBACK, REPLY
from chimein_gui.domain.context.table import Floats
from chimein_gui.domain.context.threads import anchored
from tests.benchmarks.context.scoring import Pass

EVERY = 3
"""Of so many triggers one is used: neighbours say the same."""

SIZES = ("size", "size_for_chat")
"""How long conversations are differs between kinds of chats: the mean of two fits, one blind to it, ships."""

SHARPNESS = 8.0
"""How much better than the others the best worlds count for."""

ROUNDS, BATCH, RATE, DECAY = 8, 64, 3e-3, 1e-4


def fit_replies(chats: Sequence[Any], model: LinkModel, seed: int = 0) -> Floats:
    """Train the weights of `REPLY`.

    Args:
        chats: Annotated chats.
        model: Its links draw the worlds; its own `reply` is not looked at.
        seed: Of the order.

    Returns:
        The weights [REPLY], so that worlds are weighed by the softmax of their sum.
    """
    pairs = list(_examples(chats, model))
    signals = np.array([one[0] for one in pairs], dtype=np.float32)
    scores = np.array([one[1] for one in pairs], dtype=np.float32)
    spread = signals.std(axis=(0, 2)) + 0.02
    target = np.exp(SHARPNESS * (scores - scores.max(axis=1, keepdims=True)))
    target /= target.sum(axis=1, keepdims=True)
    scaled = (signals - signals.mean(axis=2, keepdims=True)) / spread[:, None]
    whole = _descend(scaled, target, seed)
    scaled[:, [REPLY.index(name) for name in SIZES]] = 0
    return ((whole + _descend(scaled, target, seed)) / 2 / spread).astype(np.float32)


def _examples(chats: Sequence[Any], model: LinkModel) -> Iterator[tuple[Floats, Floats]]:
    """Give the signals [REPLY, WORLDS] and the F1 [WORLDS] of the worlds of triggers that could reply."""
    seen = 0
    for chat in chats:
        work = Pass(chat.msgs, model)
        for place, gold, direct, ignored in chat.triggers():
            if not gold or not direct:
                continue
            seen += 1
            if seen % EVERY:
                continue
            low, ids = max(0, place - LOOKBACK), [message["id"] for message in chat.msgs[:place]]
            shared, signals = anchored(*work.asked(place, chat.idx[max(direct)]))
            begin = place - len(shared)
            counted = np.array([row >= low and ids[row] not in ignored for row in range(begin, place)])
            right = np.array([one in gold for one in ids[begin:]])[counted]
            chosen = shared[counted]
            yield signals, 2 * (right @ chosen) / (right.sum() + chosen.sum(axis=0) + 1e-9)


def _descend(signals: Floats, target: Floats, seed: int) -> Floats:
    """Descend −Σ target · log(softmax of the weighted signals): Adam, a cosine of rates."""
    rng = np.random.default_rng(seed)
    weights, mean, square = (np.zeros(len(REPLY)) for _ in range(3))
    weights[0] = 1.0
    batches = len(signals) // BATCH
    steps, done = ROUNDS * batches, 0
    for _ in range(ROUNDS):
        order = rng.permutation(len(signals))
        for batch in range(batches):
            chosen = order[batch * BATCH : (batch + 1) * BATCH]
            logits = np.einsum("s,nsw->nw", weights, signals[chosen])
            chance = np.exp(logits - logits.max(axis=1, keepdims=True))
            chance /= chance.sum(axis=1, keepdims=True)
            slope = np.einsum("nsw,nw->s", signals[chosen], chance - target[chosen]) / BATCH
            done += 1
            rate = RATE * min(1.0, done / 50) * (0.5 * (1 + np.cos(np.pi * done / steps)) + 0.01)
            mean += 0.1 * (slope - mean)
            square += 0.01 * (slope**2 - square)
            step = mean / (1 - 0.9**done) / (np.sqrt(square / (1 - 0.99**done)) + 1e-8)
            weights -= rate * (step + DECAY * weights)
    return weights.astype(np.float32)
