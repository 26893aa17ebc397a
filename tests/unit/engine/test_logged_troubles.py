"""What Telegram, the model or a key did is in the log as a warning, and leads to its account, chat or plan."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from chimein_gui.domain.agents import Health
from chimein_gui.domain.approvals import Approve
from chimein_gui.domain.errors import (
    BannedError,
    GatewayError,
    LoggedOutError,
    ModelKeyError,
    ModelRefusedError,
    NotConnectedError,
    ProxyError,
    RateLimitedError,
    RevokedError,
)
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.connections import ConnectionReason
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.reporting.log_lines import LogLine, RecentLines
from chimein_gui.viewmodels.log.words import Leads, Remedy, leads_to, remedy_of
from tests.fakes.telegram import FakeTelegram
from tests.support.engine_room import Room, engine_room


class Warnings:
    """The lines from WARNING up."""

    def __init__(self) -> None:
        self.handler = RecentLines(str)
        self.handler.setLevel(logging.WARNING)

    def lines(self) -> list[LogLine]:
        return self.handler.take(100)

    def line(self) -> LogLine:
        (line,) = self.lines()
        return line


@pytest.fixture
def warnings() -> Iterator[Warnings]:
    found = Warnings()
    logging.getLogger().addHandler(found.handler)
    yield found
    logging.getLogger().removeHandler(found.handler)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ModelKeyError("Gemini does not accept it: 400"), "Gemini does not accept it: 400"),
        (ModelKeyError(Note(ModelFault.KEY_UNUSABLE)), "key unusable"),  # such as none: nobody has rejected it
    ],
)
async def test_a_key_that_does_not_work_is_told_once(
    tmp_path: Path, warnings: Warnings, error: ModelKeyError, words: str
) -> None:
    async with engine_room(tmp_path) as room:
        room.model.script.append(error)
        room.telegram.partner_writes("hello")
        chat = await room.chat(lambda chat: chat.planning_problem)
        await room.stored(room.telegram.partner_writes("hello?"))
        await room.pass_time(60, step_s=20)
    line = warnings.line()
    assert line.text.endswith(f" does not work; plans wait: {words}")
    assert (line.part, line.level) == ("llm", logging.ERROR)
    assert (line.about.agent_id, line.about.chat_id) == (chat.agent_id, chat.chat_id)
    assert line.about.task_id is not None, "the trace of the attempt tells more"
    assert (remedy_of(line), leads_to(line)) == (Remedy.KEY, Leads.CHAT)


async def test_a_call_that_failed_for_good_leads_to_its_plan(tmp_path: Path, warnings: Warnings) -> None:
    async with engine_room(tmp_path) as room:
        room.model.script.append(ModelRefusedError("Blocked: PROHIBITED_CONTENT"))
        room.telegram.partner_writes("hello")
        await room.chat(lambda chat: chat.planning_problem)
        await room.worked_off()
    line = warnings.line()
    assert line.text == "The model call failed for good: Blocked: PROHIBITED_CONTENT"
    assert (line.part, line.level) == ("planning", logging.ERROR)
    assert None not in (line.about.graph_id, line.about.task_id), "earlier lines of the step are about this plan"
    assert (remedy_of(line), leads_to(line)) == (Remedy.PROMPT, Leads.PLAN)


async def test_a_flood_wait_of_a_send_leads_to_its_plan(room: Room, warnings: Warnings) -> None:
    draft = await room.drafted("hello")
    room.telegram.script.append(RateLimitedError("Telegram asks to wait 420 s.", 420.0, "send_text"))
    await room.decide(draft, Approve())
    await room.reach(lambda: [line for line in list(warnings.handler._lines) if "FloodWait" in line.text])
    line = warnings.line()
    assert line.text.startswith("FloodWait 420 s on send_text, until ")
    assert (line.part, line.level, line.about.graph_id) == ("accounts", logging.WARNING, draft.graph_id)
    assert (remedy_of(line), leads_to(line)) == (Remedy.WAIT, Leads.PLAN)


@pytest.mark.parametrize(
    ("error", "level", "remedy", "leads"),
    [
        (RevokedError(Note(ConnectionReason.SESSION_ENDED)), logging.ERROR, Remedy.LOG_IN, Leads.LOG_IN),
        (BannedError(Note(ConnectionReason.ACCOUNT_CLOSED)), logging.ERROR, Remedy.CLOSED, Leads.ACCOUNT),
        (RateLimitedError("Wait.", 700.0), logging.WARNING, Remedy.WAIT, Leads.ACCOUNT),
        (NotConnectedError("No way."), logging.WARNING, Remedy.NETWORK, Leads.ACCOUNT),
        (ProxyError(Note(ConnectionReason.NO_ANSWER_IN_TIME)), logging.WARNING, Remedy.PROXY, Leads.ACCOUNT),
        (LoggedOutError(Note(ConnectionReason.NO_SESSION)), None, None, None),
    ],
)
async def test_an_account_that_can_t_connect(
    tmp_path: Path, warnings: Warnings, error: GatewayError, level: int, remedy: Remedy, leads: Leads
) -> None:
    telegram = FakeTelegram(refuse_connect=error)
    async with engine_room(tmp_path, telegram=telegram, online=False) as room:
        await room.until(lambda: room.health() not in {None, Health.CONNECTING})
        await room.worked_off()
    lines = warnings.lines()
    if level is None:
        assert lines == [], "an agent that was never logged in is no trouble"
        return
    (line,) = lines
    assert line.about.agent_id is not None
    assert (line.part, line.level, remedy_of(line), leads_to(line)) == ("accounts", level, remedy, leads)


async def test_attempts_that_fail_for_one_reason_are_told_once(tmp_path: Path, warnings: Warnings) -> None:
    telegram = FakeTelegram(refuse_connect=NotConnectedError(Note(ConnectionReason.NO_ANSWER_IN_TIME)))
    async with engine_room(tmp_path, telegram=telegram, online=False) as room:
        await room.reach(lambda: telegram.connects == 4)
        assert warnings.line().text.startswith("The account can't connect: ")
        telegram.refuse_connect = ProxyError(Note(ConnectionReason.SESSION_BUSY))
        await room.reach(lambda: telegram.connects == 6)
    assert "through its proxy" in warnings.line().text
