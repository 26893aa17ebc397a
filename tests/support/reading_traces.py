"""The reader of traces in a room of plans."""

from __future__ import annotations

from datetime import UTC, datetime

from chimein_gui.domain.traces.steps import Trace
from chimein_gui.domain.traces.summaries import EVERYTHING
from chimein_gui.engine.traces.reading import Traces
from tests.support.planning_room import PlanningRoom

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def reader(room: PlanningRoom) -> Traces:
    async def nothing_waits() -> None:
        return

    return Traces(room.room.unit, room.room.environment, nothing_waits)


async def newest(room: PlanningRoom) -> Trace:
    """Return the newest trace as a whole."""
    traces = reader(room)
    [row] = await traces.page(EVERYTHING, None, limit=1)
    return await traces.trace(row.trace_id)
