"""Whose account was logged in, and the ends of log-ins: nothing is left behind."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui.domain.accounts.sign_in import LoginStep, LoginWork, SignInTrouble
from chimein_gui.domain.agents import AccountEvent, Health
from chimein_gui.domain.approvals import Approve
from chimein_gui.domain.errors import RevokedError
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.notes.sign_ins import SignInReason
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.accounts.drain import STAYS
from chimein_gui.engine.login.attempt import CLOSE_S
from chimein_gui.engine.login.messages import LOGGED_OUT, application_of, clean_phone
from chimein_gui.viewmodels.words.notes import note_sentence
from tests.fakes.clock import VirtualClock
from tests.fakes.sign_in import CODE, HANG, settle_scan
from tests.fakes.telegram import ACCOUNT, FakeGateway, FakeTelegram
from tests.fakes.telegram import HANG as NO_ANSWER
from tests.support.login_room import ONE, LoginServices, login_room

HASH = "0123456789abcdef0123456789ABCDEF"


async def test_a_file_that_cannot_be_written_is_said(room: LoginServices) -> None:
    room.files.refusal = "Nora Vale.md is read-only."
    room.sign_ins.who = replace(room.sign_ins.who, phone="+9996622001")
    await room.to_code("+9996622001")
    await room.logins.enter_code(ONE, CODE)
    assert room.state.step is LoginStep.DONE
    cause = Note(FaultReason.SYSTEM, "Nora Vale.md is read-only.")
    assert room.state.note == Note(SignInReason.NUMBER_NOT_CHANGED, "Nora Vale.md", cause=cause)


async def test_a_session_that_is_being_saved_is_not_interrupted(room: LoginServices) -> None:
    await room.to_code()
    room.sign_ins.keeping = asyncio.Event()
    room.room.jobs.spawn(room.logins.enter_code(ONE, CODE), name="press")
    await room.until(lambda state: state.busy is LoginWork.SAVING_SESSION)
    await room.logins.use_qr(ONE)
    cancelling = room.room.jobs.spawn(room.logins.cancel(ONE), name="cancel")
    await room.room.worked_off()
    room.sign_ins.keeping.set()
    await asyncio.wait({cancelling})
    assert room.sign_ins.kept == [(1, ACCOUNT)]
    assert room.state.step is LoginStep.CLOSED
    await room.room.until(lambda: room.agent().health is Health.ONLINE)


async def test_the_next_attempt_does_not_wait_for_the_goodbye_of_the_last(tmp_path: Path) -> None:
    async with login_room(tmp_path, online=True) as room:
        await room.begin()
        room.sign_ins.script["close"].append(HANG)
        job = room.room.jobs.spawn(room.logins.cancel(ONE), name="cancel")
        await room.at(LoginStep.CLOSED)
        await room.begin()
        assert not job.done()
        assert len(room.sign_ins.clients) == 2
        assert room.agent().health is Health.STOPPED, "the account that came back made way again"
        room.clock.advance(CLOSE_S)
        await asyncio.wait({job})
        assert (room.state.step, room.state.qr is not None) == (LoginStep.QR, True), "the first took nothing along"
        await room.logins.cancel(ONE)
        await room.room.until(lambda: room.agent().health is Health.ONLINE)


async def test_logged_out_here_and_at_telegram_or_only_here(tmp_path: Path) -> None:
    async with login_room(tmp_path, online=True) as room:
        await room.logins.log_out(ONE)
        assert (room.agent().health, room.agent().health_note) == (Health.LOGGED_OUT, LOGGED_OUT)
        assert room.agent().last_event is AccountEvent.LOGGED_OUT_HERE
        room.sign_ins.refuse("log_out", SignInTrouble.NO_NETWORK)
        await room.logins.log_out(ONE)
        assert "could not be told" in note_sentence(room.agent().health_note)
        room.sign_ins.refuse("log_out", SignInTrouble.DISK)
        await room.logins.log_out(ONE)
        assert "could not be removed" in note_sentence(room.agent().health_note)
        assert room.sign_ins.calls("log_out") == [("Nora Vale",)] * 3


class AnswersLater(FakeGateway):
    """Delivers, and answers when the test says so."""

    answers = asyncio.Event()

    async def send_text(self, request):
        receipt = await super().send_text(request)
        await self.answers.wait()
        return receipt


async def test_a_log_out_waits_for_the_answer_of_a_send_and_claims_nothing_more(tmp_path: Path) -> None:
    telegram = FakeTelegram(VirtualClock(), make=AnswersLater)
    AnswersLater.answers = asyncio.Event()
    async with login_room(tmp_path, online=True, telegram=telegram) as it:
        room = it.room
        sending = await room.send_off()
        telegram.partner_writes("and you?", PeerId(7_000_005_002))
        later = await room.approval(TaskStatus.AWAITING_DECISION)
        out = room.jobs.spawn(it.logins.log_out(ONE), name="log out")
        await room.until(lambda: "answered what is being sent" in note_sentence(it.agent().health_note))
        await room.decide(later, Approve())
        await room.worked_off()
        assert (room.newest(sending).task_status, it.sign_ins.calls("log_out")) == (TaskStatus.SENDING, [])
        AnswersLater.answers.set()
        await out
        await room.until(lambda: room.newest(sending).task_status is TaskStatus.DONE)
        assert it.agent().health is Health.LOGGED_OUT
        stays = room.newest(later)
        assert (stays.task_status, stays.note) == (TaskStatus.APPROVED, STAYS)
        assert len(telegram.delivered()) == 1


async def test_who_was_logged_out_and_in_again_sends_again(tmp_path: Path) -> None:
    async with login_room(tmp_path, online=True) as room:
        await room.logins.log_out(ONE)
        await room.begin()
        settle_scan(room.sign_ins.client)
        await room.at(LoginStep.DONE)
        await room.room.until(lambda: room.agent().health is Health.ONLINE)
        room.room.telegram.partner_writes("are you back?")
        draft = await room.room.approval(TaskStatus.AWAITING_DECISION)
        await room.room.decide(draft, Approve())
        await room.room.reach(room.room.telegram.delivered)


async def test_a_log_out_gives_up_waiting_and_the_outcome_is_unknown_until_the_next_log_in(tmp_path: Path) -> None:
    async with login_room(tmp_path, online=True) as it:
        room = it.room
        room.telegram.script.append(NO_ANSWER)
        sending = await room.send_off()
        out = room.jobs.spawn(it.logins.log_out(ONE), name="log out")
        await room.until(lambda: "answered what is being sent" in note_sentence(it.agent().health_note))
        await room.pass_time(11)
        await out
        assert it.agent().health is Health.LOGGED_OUT
        await room.until(lambda: room.newest(sending).task_status is TaskStatus.UNKNOWN)
        room.engine._services.accounts.start(ONE)
        await room.until(lambda: room.health() is Health.ONLINE)
        await room.until(lambda: room.newest(sending).task_status is TaskStatus.DONE)
        assert len(room.telegram.delivered()) == 1


def test_what_is_typed_is_cleaned() -> None:
    assert clean_phone("+999 66 (2) 10-01") == "+9996621001"
    assert clean_phone("\u2066+9996621001\u2069") == "+9996621001"
    assert clean_phone("9996621001") == ""
    assert clean_phone("+\u0669\u0669\u0669 \u0666\u0666 \u06f2\u06f1\u06f0\u06f0\u06f1") == "+9996621001"
    assert application_of("\u0661\u0662\u0663\u0664\u0665", HASH) == (12345, HASH.lower())
    assert application_of("12345", HASH) == (12345, HASH.lower())
    assert isinstance(application_of("99999999999999", HASH), str)


class Ended(FakeGateway):
    """Telegram ends the session when the connection is cut."""

    async def wait_lost(self):
        await super().wait_lost()
        raise RevokedError("This session was ended from another device; log in again.")


@pytest.mark.parametrize("how", ["logged out here", "ended by Telegram", "logged in over a session that works"])
async def test_what_changed_meanwhile_is_found_at_the_next_log_in(tmp_path: Path, how: str) -> None:
    """Whoever logs in anew has a new place in the updates: nobody tells of edits and deletions in between."""
    telegram = FakeTelegram(VirtualClock(), make=Ended if how == "ended by Telegram" else None)
    async with login_room(tmp_path, online=True, telegram=telegram) as room:
        told = telegram.partner_writes("At six?")
        await room.room.stored(told)
        if how == "logged out here":
            await room.logins.log_out(ONE)
        elif how == "ended by Telegram":
            telegram.lose_connection()
            await room.room.until(lambda: room.agent().health is Health.REVOKED)
        telegram.messages[telegram.messages.index(told)] = replace(told, text="At seven?", edited_at=room.clock.now())
        await room.begin()
        settle_scan(room.sign_ins.client)
        await room.at(LoginStep.DONE)
        await room.room.reach(lambda: room.agent().health is Health.ONLINE)
        await room.room.worked_off()
        assert await room.room.transcript() == ["At seven?"]
