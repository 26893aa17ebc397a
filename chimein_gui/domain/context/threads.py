"""From links to conversations: possible worlds, and the set with the best expected F1.

A world is drawn by following one link per row; all rows that lead to the same start are one conversation. Worlds keep
what separate probabilities lose: the rows of a conversation belong together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from chimein_gui.domain.context.replies import Reply, first_counted, world_signals
from chimein_gui.domain.context.table import Floats, Indices, Ints, matrix_products

Labels = npt.NDArray[np.int16]
"""For each row and world, the position of the first row of its conversation [rows, WORLDS]."""

WORLDS = 96
"""Number of worlds that are drawn; each row has a conversation label in each."""

PARENTS = 4
"""Most likely links of the trigger that are followed in every world."""

FAINT = 0.02
"""Less likely links are ignored."""

_SHUFFLES = 512


def _orders() -> npt.NDArray[np.int64]:
    """Return a fixed shuffle of the worlds for each row, so that the same rows give the same worlds."""
    random = np.random.Generator(np.random.PCG64(7))
    return random.permuted(np.tile(np.arange(WORLDS), (_SHUFFLES, 1)), axis=1)


_ORDERS = _orders()


def draw_parents(links: Floats, places: Ints, parents: Ints, begin: int, later: Indices | None = None) -> Ints:
    """Draw one link per row and world.

    Args:
        links: For some rows from `begin` on [rows, candidates + 1].
        places: Their candidates.
        parents: For all rows from `begin` on, the row that each explicitly replies to, or -1: a hard link.
        begin: The first of those rows.
        later: Positions of the rows in `links`; None for all. Rows with a hard link may be left out.

    Returns:
        Positions [rows from `begin` on, WORLDS], -1 for a row that starts a conversation.
    """
    rows = np.arange(begin, begin + len(parents)) if later is None else later
    edges = np.cumsum(links, axis=1, dtype=np.float64)
    # Evenly spread numbers are drawn, so that each candidate gets its share of the worlds; then they are shuffled.
    ends = np.ceil(edges * (WORLDS / edges[:, -1:]) - 0.5).astype(np.intp)
    ends[:, -1] = WORLDS
    shares = ends.copy()
    shares[:, 1:] -= ends[:, :-1]
    with_none = np.full(links.shape, -1, np.int32)
    with_none[:, :-1] = places
    sorted_out = np.repeat(with_none.ravel(), shares.ravel())
    orders = _ORDERS.take(rows % _SHUFFLES, axis=0)
    orders += np.arange(0, len(sorted_out), WORLDS)[:, None]
    drawn = np.repeat(parents[:, None], WORLDS, axis=1)
    soft = np.flatnonzero(parents.take(rows - begin) < 0)
    drawn[rows.take(soft) - begin] = sorted_out.take(orders.take(soft, axis=0))
    return drawn


def grow_labels(labels: Labels, drawn: Ints) -> Labels:
    """Add the conversations of new rows, one step per row.

    Args:
        labels: Of the rows so far.
        drawn: Links of the new rows.
    """
    begin, rows = len(labels), len(drawn)
    grown = np.empty((begin + rows, WORLDS), np.int16)
    grown[:begin] = labels
    own = np.arange(begin, begin + rows)[:, None]
    grown[begin:] = own
    # A row that starts a conversation reads its own label.
    at = np.where(drawn < 0, own, drawn)
    at *= WORLDS
    at += np.arange(WORLDS)
    flat = grown.reshape(-1)
    for index, row in zip(at, grown[begin:], strict=True):
        flat.take(index, out=row, mode="clip")
    return grown


@dataclass(frozen=True, slots=True)
class Belief:
    """Estimate of a trigger's conversation.

    Attributes:
        shared: For each row and possible conversation, 1 if the row is in it, else 0 [rows, conversations]. Each
            followed
            link leads to one conversation per world; equal ones are merged.
        weights: Probability of each conversation; the rest to 1 is that the trigger starts a new one.
        probabilities: Of each row.
    """

    shared: Floats
    weights: Floats
    probabilities: Floats


@matrix_products
def believe(labels: Labels, places: Ints, links: Floats, reply: Reply | None = None) -> Belief:
    """Estimate for each row how likely it is in the conversation that a trigger continues.

    Args:
        labels: Of all rows before the trigger.
        places: The trigger's candidates.
        links: Their probabilities, and last that of a new start.
        reply: The explicit reply, or None. With it the trigger is in that row's conversation, and worlds are weighted
            by
            how well that conversation fits the trigger's other links and the people of both.
    """
    if reply is not None:
        return _believe_anchored(labels, places, links, reply)
    order = np.argsort(-links[:-1], kind="stable")[:PARENTS]
    order = order[links[order] > FAINT]
    share = links[order] * (links[:-1].sum() / max(links[order].sum(), FAINT))
    if not len(order):
        return Belief(np.zeros((len(labels), 0), np.float32), share, np.zeros(len(labels), np.float32))
    meant = labels[places[order]]
    # Links that lead into the same conversation of a world count as one.
    first = (meant[:, None] == meant).argmax(axis=0)
    merged = np.bincount((first * WORLDS + np.arange(WORLDS)).ravel(), np.repeat(share / WORLDS, WORLDS))
    kept = np.flatnonzero(merged)
    shared = (labels.T.take(kept % WORLDS, axis=0) == meant.ravel().take(kept)[:, None]).astype(np.float32).T
    weights: Floats = merged.take(kept).astype(np.float32)
    return Belief(shared, weights, np.minimum(shared @ weights, 1.0))


@matrix_products
def anchored(labels: Labels, places: Ints, links: Floats, reply: Reply) -> tuple[Floats, Floats]:
    """Return the rows in the anchor's conversation [rows, WORLDS], and the signals of the worlds [REPLY, WORLDS]."""
    shared = (labels == labels[reply.anchor]).astype(np.float32)
    there = places >= 0
    fit = links[:-1][there] @ shared[places[there]]
    begin = first_counted(len(labels), reply.anchor)
    own = np.arange(begin, len(labels), dtype=np.int16)[:, None]
    starts = np.count_nonzero(labels[begin:] == own) / (len(own) * WORLDS)
    linked = float(links[:-1][places == reply.anchor].sum())
    return shared, world_signals(reply, shared, fit, starts, linked)


@matrix_products
def _believe_anchored(labels: Labels, places: Ints, links: Floats, reply: Reply) -> Belief:
    shared, signals = anchored(labels, places, links, reply)
    scores = reply.weights @ signals
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    return Belief(shared, weights, np.minimum(shared @ weights, 1.0))


@matrix_products
def best_set(belief: Belief, allowed: npt.NDArray[np.bool_]) -> Ints:
    """Find the rows with the best expected F1 against the trigger's conversation.

    Rows are taken in the order of their probability; for each number of rows the F1 is computed in every world.

    Args:
        belief: From `believe`.
        allowed: Which rows may be chosen.

    Returns:
        Positions, best first; empty if there is nothing to continue.
    """
    chances = np.where(allowed, belief.probabilities, 0.0)
    order = np.argsort(-chances, kind="stable")
    order = order[chances[order] > _LEAST][:_MOST]
    if not len(order):
        return order.astype(np.int32)
    sizes = allowed.astype(np.float32) @ belief.shared
    hits = _running_sums(belief.shared, order)
    hits /= sizes + np.arange(1, len(order) + 1, dtype=np.float32)[:, None]
    return order[: int((hits @ belief.weights).argmax()) + 1].astype(np.int32)


@matrix_products
def _running_sums(shared: Floats, order: Indices) -> Floats:
    """Return cumulative sums of the rows in some order, computed in blocks to need few steps."""
    pieces = -(-len(order) // _PIECE)
    rows = np.zeros((pieces * _PIECE, shared.shape[1]), np.float32)
    rows[: len(order)] = shared.take(order, axis=0)
    sums: Floats = _UP_TO @ rows.reshape(pieces, _PIECE, -1)
    sums[1:] += (_UP_TO[: pieces - 1, : pieces - 1] @ sums[:-1, -1])[:, None]
    return sums.reshape(len(rows), -1)[: len(order)]


_PIECE = 10
_UP_TO = np.tri(_PIECE, dtype=np.float32)
_LEAST, _MOST = 0.05, 100
