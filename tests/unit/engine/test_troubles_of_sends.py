"""Approved sends when things go wrong: in the plan's order, only on a decision that still holds, never twice."""

from __future__ import annotations

from typing import Any

import pytest  # noqa: TC002 - which room a test gets is read from its annotations

from chimein_gui.domain.errors import NotConnectedError
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.commits import Commits
from tests.fakes.telegram import LOSE
from tests.support.engine_room import Room
from tests.support.log_guard import ExpectedLogs

ROUNDS_OF_60_S = 100
"""Waiting for quiet commits some nine times a step itself."""


async def test_an_outcome_nobody_foresaw_is_unknown_and_looked_up(room: Room, expected_logs: ExpectedLogs) -> None:
    expected_logs(r"ERROR chimein_gui\.engine\.hand_over: A send failed in a way nobody foresaw")
    room.telegram.script.append(ValueError("an answer that cannot be read"))
    await room.approved()
    await room.approval(TaskStatus.UNKNOWN)
    await room.reach(lambda: room.find(TaskStatus.DONE))
    first, second = room.telegram.requests
    assert first.random_id == second.random_id
    assert room.telegram.delivered() == ["answer 1"]


async def test_an_outcome_that_cannot_be_recorded_is_looked_up_like_any_unknown(
    room: Room, expected_logs: ExpectedLogs
) -> None:
    expected_logs(r"ERROR chimein_gui\.engine\.chat_steps: A step of chat 1 failed")

    async def lose_the_outcome() -> None:
        raise RuntimeError("the outcome is not stored")

    room.before_each("HandOver._commit", lose_the_outcome)
    await room.approved()
    done = await room.reach(lambda: room.find(TaskStatus.DONE))
    assert done.message_id is not None
    assert len(room.telegram.requests) == 1


async def test_its_chat_looks_round_only_once_the_send_is_known_to_be_in_doubt(
    room: Room, expected_logs: ExpectedLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store that is slow to note it must not let the chat's next look pass: there would be no other."""
    expected_logs(r"ERROR chimein_gui\.engine\.chat_steps: A step of chat 1 failed")
    plain = Commits.submit
    late: list[tuple[Commits, Any]] = []
    monkeypatch.setattr(Commits, "submit", lambda commits, work: late.append((commits, work)))

    async def lose_the_outcome() -> None:
        raise RuntimeError("the outcome is not stored")

    room.before_each("HandOver._commit", lose_the_outcome)
    await room.approved()
    await room.pass_time(20, 1)
    for commits, work in late:
        plain(commits, work)
    await room.pass_time(20, 1)
    assert room.find(TaskStatus.DONE) is not None


async def test_a_chat_whose_send_is_unknown_neither_claims_nor_spins(room: Room) -> None:
    room.telegram.script.append(LOSE)
    await room.send_off()
    room.telegram.refuse_connect = NotConnectedError("no way to the server")
    room.clock.advance(20)
    await room.approval(TaskStatus.UNKNOWN)
    before = await room.store.transact(lambda tx: tx.revision)
    await room.pass_time(60, 10)
    after = await room.store.transact(lambda tx: tx.revision)
    assert len(room.telegram.requests) == 1
    assert after - before < ROUNDS_OF_60_S, "nothing is stored over and over"
