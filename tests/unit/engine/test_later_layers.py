"""Objects of a later layer: the account stays online, all else is read and planned, and the operator is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from chimein_gui.domain.agents import Health
from chimein_gui.domain.events import FaultReported
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.sandbox_api import FaultKind, FaultRule
from chimein_gui.viewmodels.words.notes import note_sentence
from tests.support.log_guard import ExpectedLogs
from tests.support.wired_room import Wired, wired_room
from tests.unit.adapters.telegram.support import MARTA, NORA, Stage

LATER = FaultRule(FaultKind.LATER_LAYER, account_id=NORA)
LEFT_OUT = r"WARNING chimein_gui.*were left out"


def told(wired: Wired) -> list[str]:
    """Return what the operator was told of what can't be read."""
    faults = [event for event in wired.room.events if isinstance(event, FaultReported)]
    return [words for fault in faults if "can't read" in (words := note_sentence(fault.cause))]


async def away(wired: Wired) -> None:
    [agent] = (await wired.room.engine.directory.load()).rows
    await wired.room.engine.accounts.stop(agent.agent_id)


async def back(wired: Wired) -> None:
    room = wired.room
    [agent] = (await room.engine.directory.load()).rows
    room.engine.accounts.start(agent.agent_id)
    await room.reach(lambda: room.health() is Health.ONLINE)


async def texts(wired: Wired) -> list[str]:
    rows = (await wired.room.engine.transcripts.before((await wired.chat()).chat_id, None, 50)).rows
    return [message.text for message in rows]


async def test_in_a_difference_it_hides_no_other_message(tmp_path: Path, expected_logs: ExpectedLogs) -> None:
    expected_logs(LEFT_OUT)
    async with wired_room(tmp_path) as wired:
        room = wired.room
        await away(wired)
        await wired.marta_says("one")
        await wired.stage.server.console.inject(LATER)
        await wired.marta_says("of a later layer")
        await wired.marta_says("three")
        await back(wired)
        draft = await room.approval(TaskStatus.AWAITING_DECISION)
        await room.worked_off()
        assert (await texts(wired))[-2:] == ["one", "three"]
        assert len(room.model.prompts) == 1
        assert wired.statuses() == {draft.text: TaskStatus.AWAITING_DECISION}
        assert len(told(wired)) == 1
        await away(wired)
        await back(wired)
        await room.worked_off()
        assert len(told(wired)) == 1, "the next connect is quiet"
        assert len(room.model.prompts) == 1


async def test_a_push_that_cannot_be_read_is_caught_up_with_at_once(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs(LEFT_OUT)
    async with wired_room(tmp_path) as wired:
        room = wired.room
        await wired.stage.server.console.inject(LATER)
        await wired.marta_says("of a later layer")
        await room.until(lambda: told(wired))
        await wired.marta_says("and this?")
        await room.approval(TaskStatus.AWAITING_DECISION)
        assert (await texts(wired))[-1] == "and this?"
        assert room.health() is Health.ONLINE
        assert len(told(wired)) == 1


async def test_a_first_log_in_takes_the_rest_of_lists_and_histories(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs(LEFT_OUT)

    def hide(it: Stage) -> None:
        box = it.world.box(NORA)
        ids = box.threads[MARTA].ids
        box.later_layer |= {ids[-1], ids[len(ids) // 2]}

    async with wired_room(tmp_path, before=hide) as wired:
        box = wired.stage.world.box(NORA)
        left = [one for one in box.threads[MARTA].ids if one not in box.later_layer]
        assert await texts(wired) == [box.messages[one].text for one in left]
        await wired.marta_says("hello")
        await wired.room.approval(TaskStatus.AWAITING_DECISION)


@pytest.mark.parametrize("kind", ["message", "other"])
async def test_a_difference_that_cannot_be_read_at_all_is_jumped_over(
    tmp_path: Path, expected_logs: ExpectedLogs, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    expected_logs(LEFT_OUT)
    async with wired_room(tmp_path) as wired:
        room = wired.room
        await away(wired)
        await wired.marta_says("one")
        await wired.stage.server.console.inject(LATER)
        await wired.marta_says("of a later layer")
        if kind == "other":  # as if no message held it
            monkeypatch.setattr("chimein_gui.adapters.telegram.transport.unreadable._ID_AT", {})
        else:
            monkeypatch.setattr("chimein_gui.adapters.telegram.transport.unreadable.MOST_TRIES", 0)
        [agent] = (await room.engine.directory.load()).rows
        room.engine.accounts.start(agent.agent_id)
        await room.until(lambda: told(wired))
        monkeypatch.undo()
        await room.reach(lambda: room.health() is Health.ONLINE and wired.statuses())
        assert "one" in await texts(wired)
        assert len(room.model.prompts) == 1
