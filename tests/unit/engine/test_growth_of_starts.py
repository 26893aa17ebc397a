"""What a start costs with many agents."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui.domain.agents import Agent, AgentSpec
from chimein_gui.domain.errors import LoggedOutError
from chimein_gui.domain.ids import AgentId
from chimein_gui.engine.ports import TelegramGateway
from tests.support.engine_room import Room, engine_room


def agents(number: int) -> tuple[AgentSpec, ...]:
    return tuple(AgentSpec(f"Agent {one}", f"+99966{one:05}", "Be kind.", (), ()) for one in range(number))


@pytest.mark.parametrize(("number", "too_early_s", "in_time_s"), [(8, 0.6, 0.8), (60, 2.0, 3.0)])
async def test_accounts_start_apart_but_all_of_them_soon(
    tmp_path: Path, number: int, too_early_s: float, in_time_s: float
) -> None:
    asked: list[AgentId] = []

    def nobody(agent: Agent) -> TelegramGateway:
        asked.append(agent.agent_id)
        raise LoggedOutError("There is no session")

    async def pass_time(room: Room, seconds: float) -> int:
        await room.worked_off()
        room.clock.advance(seconds)
        await room.worked_off()
        return len(asked)

    async with engine_room(
        tmp_path, agents=agents(number), online=False, adjust=lambda setup: replace(setup, gateways=nobody)
    ) as room:
        assert 1 < await pass_time(room, too_early_s) < number
        assert await pass_time(room, in_time_s - too_early_s) == number
