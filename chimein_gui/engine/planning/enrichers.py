"""What is added to a plan's inputs between the transaction that begins the plan and its first model call."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Protocol

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.engine.llm.trace import Enriched, EnrichEnd

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.engine.llm.trace import PlanTrace
    from chimein_gui.engine.ports import Clock
    from chimein_gui.engine.prompt.inputs import PlanInputs

_log = logging.getLogger(__name__)


class Enricher(Protocol):
    """Adds one kind of thing to the inputs of plans."""

    @property
    def name(self) -> str:
        """Return what the trace calls it."""
        ...

    @property
    def bound_s(self) -> float:
        """Return how long a plan waits for it, in seconds."""
        ...

    async def enrich(self, inputs: PlanInputs, trace: PlanTrace) -> PlanInputs:
        """Return the inputs with what it adds; it is cancelled at its bound, and may raise whatever it likes.

        Args:
            inputs: As the enrichers before it left them.
            trace: Gets the model calls that it makes.
        """
        ...


async def enriched(enrichers: Iterable[Enricher], clock: Clock, inputs: PlanInputs) -> PlanInputs:
    """Run enrichers one after the other; one that is late or fails is noted in the trace, and left out.

    Raises:
        asyncio.CancelledError: The plan was cancelled.
    """
    for enricher in enrichers:
        inputs = await _one(enricher, clock, inputs)
    return inputs


async def _one(enricher: Enricher, clock: Clock, inputs: PlanInputs) -> PlanInputs:
    began_at, made, error = clock.now(), inputs, ""
    try:
        async with clock.timeout(enricher.bound_s):
            made, error = await _attempt(enricher, inputs)
        end = EnrichEnd.FAILED if error else EnrichEnd.DONE
    except TimeoutError:
        end = EnrichEnd.LATE
        _log.info("A plan goes on without its enricher %s: it took more than %s s", enricher.name, enricher.bound_s)
    took_s = max(0.0, (clock.now() - began_at).total_seconds())
    inputs.trace.note(Enriched(enricher.name, end, took_s, error))
    return made


async def _attempt(enricher: Enricher, inputs: PlanInputs) -> tuple[PlanInputs, str]:
    """Return the inputs, and what went wrong; a time-out of the enricher's own is one of those."""
    try:
        return await enricher.enrich(inputs, inputs.trace), ""
    except ChimeinError as error:
        _log.info("A plan goes on without its enricher %s: %s", enricher.name, error)
        return inputs, str(error) or type(error).__name__
    except Exception as error:  # noqa: BLE001 - the plan is good enough without it, whatever this was
        _log.exception("Unexpected error in the enricher %s; the plan goes on without it", enricher.name)
        return inputs, f"{type(error).__name__}: {error}"
