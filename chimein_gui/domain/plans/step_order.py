"""The order of a plan's steps as a graph: which steps each one depends on, and how edits change that.

Every function returns a new order. An order never has a circle: a step is only put behind a step that does not itself
stand behind it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from chimein_gui.domain.ids import TaskId

    Order = Mapping[TaskId, frozenset[TaskId]]
    """Step → the steps that it depends on. Steps of other plans may be named on the right side only."""


class CircleError(ValueError):
    """A step would depend on itself."""


def behind(order: Order, step: TaskId) -> frozenset[TaskId]:
    """Return all steps that depend on a step, directly or through others."""
    found: set[TaskId] = set()
    new = {step}
    while new:
        new = {one for one, earlier in order.items() if not new.isdisjoint(earlier)} - found
        found |= new
    return frozenset(found)


def put_after(order: Order, step: TaskId, anchor: TaskId, movable: Container[TaskId]) -> Order:
    """Put a new step directly behind another; what depended on that one now depends on the new step.

    Args:
        order: The order.
        step: The new step.
        anchor: The step before it.
        movable: The steps that have not begun; only these wait for the new step.
    """
    moved = {
        one: _swapped(earlier, anchor, (step,)) if one in movable else earlier
        for one, earlier in order.items()
        if one != step
    }
    return {**moved, step: frozenset({anchor})}


def put_before(order: Order, step: TaskId, anchor: TaskId) -> Order:
    """Put a new step directly before another; it depends on what that one depended on."""
    return {**order, step: order[anchor], anchor: frozenset({step})}


def taken_out(order: Order, step: TaskId) -> Order:
    """Take a step out; what depended on it now depends on what it depended on."""
    return {one: _swapped(earlier, step, order[step]) for one, earlier in order.items() if one != step}


def moved_after(order: Order, step: TaskId, anchor: TaskId, movable: Container[TaskId]) -> Order:
    """Move a step directly behind another; see `put_after`."""
    return put_after(taken_out(order, step), step, anchor, movable) if step != anchor else order


def moved_before(order: Order, step: TaskId, anchor: TaskId) -> Order:
    """Move a step directly before another."""
    return put_before(taken_out(order, step), step, anchor) if step != anchor else order


def split_off(order: Order, step: TaskId, root: TaskId | None) -> Order:
    """Let a step, and with it those behind it, wait for the beginning of the plan only: a branch beside the rest.

    Args:
        order: The order.
        step: The first step of the new branch.
        root: The step that made the plan; None if it has none.
    """
    return {**order, step: frozenset() if root is None else frozenset({root})}


def also_after(order: Order, step: TaskId, earlier: TaskId) -> Order:
    """Let a step wait for one more step, so that two branches meet.

    Raises:
        CircleError: The other step stands behind this one.
    """
    if earlier == step or earlier in behind(order, step):
        raise CircleError(f"step {earlier} stands behind {step}")
    return {**order, step: order[step] | {earlier}}


def in_sequence(order: Order, steps: Iterable[TaskId]) -> tuple[TaskId, ...]:
    """Return the steps so that each stands behind all that it depends on; otherwise they keep their given sequence.

    Raises:
        CircleError: There is no such sequence.
    """
    left = list(steps)
    unplaced = set(left)
    placed: list[TaskId] = []
    while left:
        following = next((one for one in left if unplaced.isdisjoint(order.get(one, ()))), None)
        if following is None:
            raise CircleError(f"the steps {left} depend on each other")
        left.remove(following)
        unplaced.discard(following)
        placed.append(following)
    return tuple(placed)


def _swapped(earlier: frozenset[TaskId], old: TaskId, new: Iterable[TaskId]) -> frozenset[TaskId]:
    return (earlier - {old}).union(new) if old in earlier else earlier
