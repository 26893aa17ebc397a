"""Counts the tokens of a prompt exactly, by asking the provider for each part."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING

from chimein_gui.domain.prompt.sent import TokenCounts

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.prompt.sent import PromptView
    from chimein_gui.engine.llm.calls import ModelRouter

MOST_AT_ONCE = 4
"""Number of requests that are made at the same time."""


class _StoppedError(Exception):
    """Nobody waits for the count any more."""


async def count_parts(
    models: ModelRouter, view: PromptView, progress: Callable[[int, int], object], stopped: asyncio.Event
) -> TokenCounts | None:
    """Count a prompt; cancelling takes effect at once, and the first failure ends it.

    Args:
        models: The providers.
        view: The prompt.
        progress: Called with how many requests are answered, and how many there are.
        stopped: Ends it without a result once it is set.

    Raises:
        ModelError: A request failed.
    """
    steps = await asyncio.to_thread(models.counting_steps, view.model, view.body)
    slots, answered = asyncio.Semaphore(MOST_AT_ONCE), 0

    async def count(body: bytes) -> int:
        nonlocal answered
        async with slots:
            number = await models.count(view.model, body)
        answered += 1
        progress(answered, len(steps))
        return number

    async def stop() -> None:
        await stopped.wait()
        raise _StoppedError

    progress(0, len(steps))
    try:
        async with asyncio.TaskGroup() as group:
            watch = group.create_task(stop())
            jobs = [group.create_task(count(step)) for step in steps]
            totals = [await job for job in jobs]
            watch.cancel()
    except ExceptionGroup as errors:
        if errors.subgroup(_StoppedError) is not None:
            return None
        raise errors.exceptions[0] from None
    return TokenCounts(totals[0], tuple(after - before for before, after in itertools.pairwise(totals)))
