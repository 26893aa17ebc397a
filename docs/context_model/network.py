"""Training of the weights, in numpy alone: softmax over candidates and "starts something", Adam, a cosine of rates."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from chimein_gui.domain.context.links.model import LinkModel
from chimein_gui.domain.context.links.signal_names import PAIR, ROW, START
from chimein_gui.domain.context.replies import REPLY
from chimein_gui.domain.context.table import Floats
from docs.context_model.examples import Examples

Weights = dict[str, Floats]
_MANY = 4096
"""Examples that are worked out at once."""

_PARTNERS = np.array([place for place, name in enumerate(PAIR) if "partner" in name])


@dataclass(frozen=True, slots=True)
class Plan:
    """How to train."""

    hidden: int = 32
    hidden2: int = 16
    hidden3: int = 24
    epochs: int = 8
    batch: int = 256
    rate: float = 2e-3
    decay: float = 1e-5
    drop: float = 0.1
    drop_kinds: float = 0.0
    drop_partners: float = 0.0
    average: float = 0.999
    soft: float = 0.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Scale:
    """Mean and spread of each kind of signal."""

    pair: tuple[Floats, Floats]
    later: tuple[Floats, Floats]
    start: tuple[Floats, Floats]

    def without(self, names: frozenset[str]) -> Scale:
        """Return one that takes all differences out of the named signals."""

        def cut(pair: tuple[Floats, Floats], order: tuple[str, ...]) -> tuple[Floats, Floats]:
            left_out = np.array([name in names for name in order])
            return pair[0], np.where(left_out, np.inf, pair[1]).astype(np.float32)

        return Scale(cut(self.pair, (*PAIR, *ROW)), cut(self.later, ROW), cut(self.start, START))


def scale_of(examples: Examples) -> Scale:
    """Measure a sample of the examples."""
    pair = examples.pair[::20].astype(np.float32)[examples.valid[::20]]
    return Scale(*((one.mean(axis=0), one.std(axis=0) + 0.05) for one in (pair, examples.later, examples.start)))


def train(examples: Examples, scale: Scale, plan: Plan, taught: Floats | None = None) -> Weights:
    """Train one network; any row of the conversation is a right answer.

    Args:
        examples: What to learn.
        scale: Of its signals.
        plan: How; `plan.soft` is the share of `taught` in what is right.
        taught: What other networks say of each example, from `chances`.
    """
    rng = np.random.default_rng(plan.seed)
    weights = _new(rng, examples, plan)
    mean = {name: np.zeros_like(one) for name, one in weights.items()}
    square = {name: np.zeros_like(one) for name, one in weights.items()}
    batches = len(examples.later) // plan.batch
    steps, done = plan.epochs * batches, 0
    slow = {name: one.copy() for name, one in weights.items()}
    for _ in range(plan.epochs):
        order = rng.permutation(len(examples.later))
        for batch in range(batches):
            chosen = np.sort(order[batch * plan.batch : (batch + 1) * plan.batch])
            lesson = None if taught is None else taught[chosen]
            slopes = _slopes(weights, examples, chosen, scale, _Dropout(rng, plan), lesson)
            done += 1
            rate = plan.rate * min(1.0, done / 200) * (0.5 * (1 + np.cos(np.pi * done / steps)) + 0.01)
            for name, slope in slopes.items():
                mean[name] += 0.1 * (slope - mean[name])
                square[name] += 0.002 * (slope**2 - square[name])
                step = mean[name] / (1 - 0.9**done) / (np.sqrt(square[name] / (1 - 0.998**done)) + 1e-8)
                weights[name] -= (rate * (step + plan.decay * weights[name])).astype(np.float32)
                slow[name] += (1 - min(plan.average, done / (done + 10))) * (weights[name] - slow[name])
    return slow


def _new(rng: np.random.Generator, examples: Examples, plan: Plan) -> Weights:
    pair, later, start = examples.pair.shape[2], examples.later.shape[1], examples.start.shape[1]

    def normal(rows: int, columns: int, gain: float = 1.0) -> Floats:
        return (rng.normal(size=(rows, columns)) * gain * np.sqrt(1.5 / rows)).astype(np.float32)

    def zeros(size: int) -> Floats:
        return np.zeros(size, np.float32)

    return {
        "pair": normal(pair, plan.hidden),
        "later": normal(later, plan.hidden, 0.5),
        "bias": zeros(plan.hidden),
        "second": normal(plan.hidden, plan.hidden2),
        "second_bias": zeros(plan.hidden2),
        "score": normal(plan.hidden2, 1, 0.3),
        "start": normal(start, plan.hidden3),
        "start_bias": zeros(plan.hidden3),
        "start_score": normal(plan.hidden3, 1, 0.3),
        "start_shift": zeros(1),
    }


@dataclass(frozen=True, slots=True)
class _Dropout:
    """Blinds at random, so that nothing is relied upon: hidden units, and signals that differ from chat to chat."""

    rng: np.random.Generator
    plan: Plan

    @property
    def share(self) -> float:
        return self.plan.drop

    def blind(self, pair: Floats, later: Floats, start: Floats) -> None:
        """Take from some examples what kind of utterances their rows are, from some who deals with whom."""
        if self.plan.drop_kinds:
            kinds = self.rng.random(len(pair)) < self.plan.drop_kinds
            pair[kinds, :, len(PAIR) :] = 0
            later[kinds] = 0
            start[kinds, : len(ROW)] = 0
        if self.plan.drop_partners:
            partners = np.flatnonzero(self.rng.random(len(pair)) < self.plan.drop_partners)
            pair[partners[:, None], :, _PARTNERS[None, :]] = 0

    def mask(self, shape: tuple[int, int]) -> Floats:
        kept = self.rng.random(shape, dtype=np.float32) >= self.share
        return (kept / (1 - self.share)).astype(np.float32)


@dataclass(frozen=True, slots=True)
class _Signals:
    """Some examples, scaled."""

    pair: Floats
    later: Floats
    start: Floats
    valid: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, examples: Examples, chosen: npt.NDArray[np.int64], scale: Scale) -> _Signals:
        pair = (examples.pair[chosen].astype(np.float32) - scale.pair[0]) / scale.pair[1]
        later = (examples.later[chosen] - scale.later[0]) / scale.later[1]
        start = (examples.start[chosen] - scale.start[0]) / scale.start[1]
        return cls(pair, later, start, examples.valid[chosen])


@dataclass(frozen=True, slots=True)
class _Layers:
    """What the layers of a network say of some examples."""

    first: Floats
    deep: Floats
    begins: Floats
    chance: Floats


def _forward(w: Weights, signals: _Signals, dropout: _Dropout | None) -> _Layers:
    rows, many, width = signals.pair.shape
    of_pairs = (signals.pair.reshape(rows * many, width) @ w["pair"]).reshape(rows, many, -1)
    of_pairs += (signals.later @ w["later"] + w["bias"])[:, None]
    first: Floats = np.maximum(of_pairs, 0).reshape(rows * many, -1)
    if dropout is not None and dropout.share:
        first *= dropout.mask(first.shape)
    deep = np.maximum(first @ w["second"] + w["second_bias"], 0)
    scores = np.where(signals.valid, (deep @ w["score"]).reshape(rows, many), -1e4)
    begins = np.maximum(signals.start @ w["start"] + w["start_bias"], 0)
    logits = np.concatenate((scores, begins @ w["start_score"] + w["start_shift"]), axis=1)
    logits -= logits.max(axis=1, keepdims=True)
    chance = np.exp(logits)
    chance /= chance.sum(axis=1, keepdims=True)
    return _Layers(first, deep, begins, chance)


def chances(teachers: Sequence[Weights], examples: Examples, scale: Scale) -> Floats:
    """Return the mean of what some networks say of each example [n, CANDIDATES + 1]."""
    found = np.zeros(examples.target.shape, np.float32)
    for begin in range(0, len(found), _MANY):
        chosen = np.arange(begin, min(begin + _MANY, len(found)))
        signals = _Signals.of(examples, chosen, scale)
        for weights in teachers:
            found[chosen] += _forward(weights, signals, None).chance / len(teachers)
    return found


def _slopes(
    w: Weights,
    examples: Examples,
    chosen: npt.NDArray[np.int64],
    scale: Scale,
    dropout: _Dropout,
    taught: Floats | None,
) -> Weights:
    """Gradient of the mean of −log(probability of all right answers), and of what teachers say."""
    signals = _Signals.of(examples, chosen, scale)
    pair, later, start = signals.pair, signals.later, signals.start
    dropout.blind(pair, later, start)
    rows, many, width = pair.shape
    found = _forward(w, signals, dropout)
    right = found.chance * examples.target[chosen]
    right /= right.sum(axis=1, keepdims=True) + 1e-9
    if taught is not None:
        right += dropout.plan.soft * (taught - right)
    slope = ((found.chance - right) / rows).astype(np.float32)
    to_score, to_start = slope[:, :many].reshape(-1, 1), slope[:, many:]
    to_deep = (to_score @ w["score"].T) * (found.deep > 0)
    to_first = (to_deep @ w["second"].T) * (found.first > 0) / (1 - dropout.share)
    to_later = to_first.reshape(rows, many, -1).sum(axis=1)
    to_begins = (to_start @ w["start_score"].T) * (found.begins > 0)
    return {
        "pair": pair.reshape(rows * many, width).T @ to_first,
        "later": later.T @ to_later,
        "bias": to_later.sum(axis=0),
        "second": found.first.T @ to_deep,
        "second_bias": to_deep.sum(axis=0),
        "score": found.deep.T @ to_score,
        "start": start.T @ to_begins,
        "start_bias": to_begins.sum(axis=0),
        "start_score": found.begins.T @ to_start,
        "start_shift": to_start.sum(axis=0),
    }


def to_arrays(weights: Weights, scale: Scale, general: Floats) -> Weights:
    """Fold the scaling into the first layers, name the arrays as the model does; of replies, the fit alone counts."""
    pair = weights["pair"] / scale.pair[1][:, None]
    later = weights["later"] / scale.later[1][:, None]
    start = weights["start"] / scale.start[1][:, None]
    assert len(pair) == len(PAIR) + len(ROW)
    return {
        "general": general,
        "pair": pair[: len(PAIR)].T,
        "earlier": pair[len(PAIR) :].T,
        "later": later.T,
        "bias": weights["bias"] - scale.pair[0] @ pair - scale.later[0] @ later,
        "second": weights["second"].T,
        "second_bias": weights["second_bias"],
        "score": weights["score"][:, 0],
        "start": start.T,
        "start_bias": weights["start_bias"] - scale.start[0] @ start,
        "start_score": weights["start_score"][:, 0],
        "start_shift": weights["start_shift"],
        "reply": np.eye(1, len(REPLY), dtype=np.float32)[0],
    }


def to_bytes(arrays: Weights, **provenance: str) -> bytes:
    """Write the file of a model."""
    out = io.BytesIO()
    words = {name: np.array(text) for name, text in provenance.items()}
    numbers = {name: one.astype(np.float32) for name, one in arrays.items()}
    np.savez_compressed(out, **numbers, **words)  # type: ignore[arg-type]
    return out.getvalue()


def to_model(weights: Weights, scale: Scale, general: Floats) -> LinkModel:
    """Make a model of trained weights."""
    return LinkModel.from_bytes(to_bytes(to_arrays(weights, scale, general)))
