"""The log-in as data: what keeps it waiting or does not work has its words and its way on."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from chimein_gui.domain.accounts.sign_in import LoginStep, SignInTrouble
from chimein_gui.domain.errors import SecretError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.viewmodels.words.notes import note_sentence
from tests.fakes.sign_in import CODE, HANG
from tests.support.engine_room import NORA
from tests.support.log_guard import ExpectedLogs
from tests.support.login_room import ONE, LoginServices, login_room

FIXED = Note(FaultReason.ENVIRONMENT_FIRST, "CHIMEIN_TELEGRAM_API_ID")
HASH = "0123456789abcdef0123456789ABCDEF"


async def test_api_id_and_hash_that_cannot_be_kept_say_why(tmp_path: Path) -> None:
    async def refuse(_id: int, _hash: str) -> None:
        raise SecretError(FIXED)

    async with login_room(tmp_path, keep_application=refuse) as room:
        room.sign_ins.is_known = False
        await room.logins.begin(ONE)
        await room.logins.use_application(ONE, "12345", HASH)
        assert room.state.step is LoginStep.APPLICATION
        assert room.state.note == FIXED


async def test_a_clock_that_is_wrong_does_not_ask_for_pictures_all_the_time(room: LoginServices) -> None:
    room.sign_ins.clock = type(room.clock)(room.clock.now() - timedelta(hours=1))
    await room.begin()
    await room.room.worked_off()
    assert len(room.sign_ins.calls("qr_code")) == 1
    room.clock.advance(5)
    await room.room.worked_off()
    assert len(room.sign_ins.calls("qr_code")) == 2


async def test_a_wait_lasts_longer_than_the_dialog_and_ends_where_it_began(room: LoginServices) -> None:
    await room.begin()
    await room.logins.use_phone(ONE)
    room.sign_ins.refuse("send_code", SignInTrouble.WAIT, 900.0)
    await room.logins.send_code(ONE, NORA.phone)
    until = room.clock.now() + timedelta(seconds=900)
    room.clock.advance(60)
    await room.logins.cancel(ONE)
    await room.begin()
    await room.logins.use_phone(ONE)
    await room.logins.send_code(ONE, NORA.phone)
    assert (room.state.step, room.state.back_to, room.state.wait_until) == (LoginStep.WAIT, LoginStep.PHONE, until)
    assert len(room.sign_ins.calls("send_code")) == 1, "nobody is asked while the wait lasts"
    room.clock.advance(840)
    await room.at(LoginStep.PHONE)
    await room.logins.send_code(ONE, NORA.phone)
    assert room.state.step is LoginStep.CODE


async def test_a_wait_at_the_code_keeps_the_code_page(room: LoginServices) -> None:
    code = (await room.to_code()).code
    room.sign_ins.refuse("enter_code", SignInTrouble.WAIT, 30.0)
    await room.logins.enter_code(ONE, CODE)
    assert room.state.step is LoginStep.WAIT
    await room.room.worked_off()
    room.clock.advance(30)
    state = await room.at(LoginStep.CODE)
    assert (state.code, state.wait_until, state.back_to) == (code, None, None)


async def test_a_second_press_while_the_first_is_under_way_does_nothing(room: LoginServices) -> None:
    await room.to_code()
    room.sign_ins.script["enter_code"].append(HANG)
    room.room.jobs.spawn(room.logins.enter_code(ONE, CODE), name="press")
    await room.until(lambda state: state.busy)
    await room.logins.enter_code(ONE, CODE)
    await room.logins.resend_code(ONE)
    await room.logins.begin(ONE)
    await room.room.worked_off()
    assert room.sign_ins.calls("enter_code") == [(CODE,)]


async def test_a_failure_that_nobody_foresaw_is_told_without_its_words(
    room: LoginServices, expected_logs: ExpectedLogs
) -> None:
    expected_logs(r"ERROR chimein_gui\.engine\.login\.attempt: A log-in of Nora Vale failed with ZeroDivisionError")
    await room.to_code()
    room.sign_ins.script["enter_code"].append(ZeroDivisionError(CODE))
    await room.logins.enter_code(ONE, CODE)
    assert room.state.trouble is SignInTrouble.REFUSED
    assert CODE not in note_sentence(room.state.note)
