"""Running regenerates, for tests of variants."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from chimein_gui.domain.ids import GraphId
from chimein_gui.engine.planning.variants import Regenerated
from tests.support.planning_room import PlanningRoom

THREE = "# «send»\none\n# «send»\ntwo\n# «send»\nthree"


@dataclass
class Job:
    """A regenerate that is running."""

    task: asyncio.Task[None]
    result: Regenerated | None = None


def begin(room: PlanningRoom, graph_id: GraphId, instruction: str = "warmer") -> Job:
    async def run() -> None:
        job.result = await room.variants.regenerate(graph_id, instruction)

    job = Job(room.jobs.spawn(run(), name="regenerate"))
    return job


async def planned(room: PlanningRoom, reply: str = THREE) -> GraphId:
    room.model.script.append(reply)
    await room.plan()
    return (await room.graph()).graph_id
