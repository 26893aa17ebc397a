"""A frozen account: it reads, writes nothing, says so, and goes on when Telegram allows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from chimein_gui.domain.agents import Agent, Health
from chimein_gui.domain.approvals import Approve, AskReason
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.errors import AccountFrozenError
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.sandbox_api import ActiveFault, FaultKind, FaultRule
from chimein_gui.viewmodels.words.notes import note_sentence
from tests.fakes.telegram import HANG, LOSE, FakeTelegram
from tests.support.engine_room import engine_room
from tests.support.log_guard import ExpectedLogs
from tests.support.wired_room import Wired, reopened, wired_room
from tests.unit.adapters.telegram.support import MARTA, NORA, Stage, stage

FROZEN = FaultRule(FaultKind.FROZEN, account_id=NORA, times=0)
TWO = "# «send»\nfirst\n# «send»\nsecond"


async def agent_of(wired: Wired) -> Agent:
    [agent] = (await wired.room.engine.directory.load()).rows
    return agent


async def faults(it: Stage) -> tuple[ActiveFault, ...]:
    return (await it.server.console.rehearsal()).faults


async def approve(wired: Wired, text: str) -> None:
    draft = wired.room.find(TaskStatus.AWAITING_DECISION, text)
    assert draft is not None
    await wired.room.decide(draft, Approve())


async def drafts(wired: Wired) -> None:
    wired.room.model.script.append(TWO)
    await wired.marta_says("hello")
    await wired.until(TaskStatus.AWAITING_DECISION, "first", "second")


async def test_the_first_refusal_stops_all_sends_until_telegram_allows_them_again(wired: Wired) -> None:
    room, console = wired.room, wired.stage.server.console
    await drafts(wired)
    fault = await console.inject(FROZEN)
    await approve(wired, "first")
    await room.until(lambda: room.health() is Health.FROZEN)
    first = await room.approval(TaskStatus.AWAITING_DECISION, "first")
    assert AskReason.FROZEN in first.reasons
    agent = await agent_of(wired)
    assert "@SpamBot" in note_sentence(agent.health_note)
    struck = (await faults(wired.stage))[0].hits
    await approve(wired, "first")
    await approve(wired, "second")
    await room.pass_time(120, 30)
    assert wired.statuses() == {"first": TaskStatus.APPROVED, "second": TaskStatus.APPROVED}
    assert (await faults(wired.stage))[0].hits == struck, "no send is tried again"
    await wired.marta_says("still there?")  # it reads
    await room.model.asked(2)
    assert await wired.stage.mailbox() == []
    await console.remove_fault(fault)
    await room.reach(lambda: room.health() is Health.ONLINE, 60)  # a look shows that Telegram allows it again


async def test_a_restart_finds_it_frozen_before_anything_is_tried(tmp_path: Path) -> None:
    async with stage(tmp_path) as it:
        async with reopened(tmp_path, it) as wired:
            await drafts(wired)
            clock = wired.room.clock
            await wired.room.engine.accounts.stop((await agent_of(wired)).agent_id)
            await approve(wired, "first")
        fault = await it.server.console.inject(FROZEN)
        async with reopened(tmp_path, it, telegram=FakeTelegram(clock), online=False) as wired:
            room = wired.room
            await room.until(lambda: room.health() is Health.FROZEN)
            await room.worked_off()
            assert (await faults(it))[0].hits == 0
            await it.server.console.remove_fault(fault)
            await it.server.console.inject(FaultRule(FaultKind.KICK, account_id=NORA))
            await room.reach(lambda: room.health() is Health.ONLINE)
            await wired.until(TaskStatus.DONE, "first")
            assert await it.mailbox() == ["first"]


@pytest.mark.parametrize("code", ["FROZEN_METHOD_INVALID", "FROZEN_PARTICIPANT_MISSING"])
async def test_a_difference_that_is_refused_so_ends_no_connection(
    tmp_path: Path, code: str, expected_logs: ExpectedLogs
) -> None:
    expected_logs(r"WARNING telethon.*frozen")
    async with wired_room(tmp_path) as wired:
        room, console = wired.room, wired.stage.server.console
        [agent] = (await room.engine.directory.load()).rows
        await room.engine.accounts.stop(agent.agent_id)
        number = 420 if code == "FROZEN_METHOD_INVALID" else 400
        await console.inject(FaultRule(FaultKind.RPC_ERROR, "updates.getDifference", code=number, message=code))
        room.engine.accounts.start(agent.agent_id)
        await room.until(lambda: room.health() is Health.ONLINE)
        await wired.trust(TrustLevel.REVIEW)
        await console.speak(MARTA, NORA, "heard?")
        await room.until(lambda: room.find(TaskStatus.AWAITING_DECISION))
        assert room.health() is Health.ONLINE


@pytest.mark.parametrize("answer", [HANG, LOSE])
async def test_what_has_no_answer_is_looked_up_while_the_account_is_frozen(tmp_path: Path, answer: str) -> None:
    telegram = FakeTelegram()
    async with engine_room(tmp_path, telegram=telegram) as room:
        telegram.script.append(answer)
        approval = await room.send_off()
        room.pull_the_plug()
        await room.jobs.aclose()
    telegram.frozen = True
    telegram.script.append(AccountFrozenError("Telegram has frozen this account.", "FROZEN_METHOD_INVALID"))
    async with engine_room(tmp_path, telegram=telegram, online=False) as room:
        await room.until(lambda: room.health() is Health.FROZEN)
        await room.pass_time(30)
        if answer == HANG:
            assert room.newest(approval).task_status is TaskStatus.DONE
        else:
            back = room.newest(approval)
            assert back.task_status is TaskStatus.AWAITING_DECISION
            assert AskReason.NOT_DELIVERED in back.reasons
        assert telegram.delivered() == (["answer 1"] if answer == HANG else [])
