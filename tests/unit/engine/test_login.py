"""The log-in as data: what keeps it waiting or does not work has its words and its way on."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from chimein_gui.domain.accounts.sign_in import CodeWay, LoginStep, SentCode, SignInTrouble
from chimein_gui.domain.errors import SecretError
from chimein_gui.engine.login.attempt import CONNECT_S, REQUEST_S
from chimein_gui.engine.login.messages import _WORDS
from tests.fakes.sign_in import CODE, HANG, PASSWORD, settle_scan
from tests.support.engine_room import NORA
from tests.support.log_guard import ExpectedLogs
from tests.support.login_room import ONE, LoginRoom, login_room

HASH = "0123456789abcdef0123456789ABCDEF"


async def test_a_code_and_a_password_are_kept_out_of_what_is_written(tmp_path: Path) -> None:
    """Nobody keeps them, so whoever writes logs and reports has to be told."""
    hidden: list[str] = []
    async with login_room(tmp_path) as room:
        room.room.engine._setup.secrets.hide_with(hidden.append)
        await room.to_code()
        room.sign_ins.has_password = True
        await room.logins.enter_code(ONE, " 58-2 14 ")
        await room.logins.enter_password(ONE, PASSWORD)
    assert hidden == [CODE, PASSWORD]


async def test_api_id_and_hash_that_cannot_be_kept_say_why(tmp_path: Path) -> None:
    async def refuse(_id: int, _hash: str) -> None:
        raise SecretError("CHIMEIN_TELEGRAM_API_ID stands before it.")

    async with login_room(tmp_path, keep_application=refuse) as room:
        room.sign_ins.is_known = False
        await room.logins.begin(ONE)
        await room.logins.use_application(ONE, "12345", HASH)
        assert room.state.step is LoginStep.APPLICATION
        assert room.state.words == "CHIMEIN_TELEGRAM_API_ID stands before it."


async def test_a_pair_that_telegram_does_not_know_leads_back_to_its_page(room: LoginRoom) -> None:
    room.sign_ins.refuse("qr_code", SignInTrouble.BAD_APPLICATION)
    await room.logins.begin(ONE)
    state = await room.at(LoginStep.APPLICATION)
    assert state.trouble is SignInTrouble.BAD_APPLICATION
    await room.logins.use_application(ONE, "12345", HASH)
    await room.until(lambda state: state.qr is not None)
    assert len(room.sign_ins.clients) == 2, "the first was made with the former pair"


async def test_a_clock_that_is_wrong_does_not_ask_for_pictures_all_the_time(room: LoginRoom) -> None:
    room.sign_ins.clock = type(room.clock)(room.clock.now() - timedelta(hours=1))
    await room.begin()
    await room.room.worked_off()
    assert len(room.sign_ins.calls("qr_code")) == 1
    room.clock.advance(5)
    await room.room.worked_off()
    assert len(room.sign_ins.calls("qr_code")) == 2


async def test_a_picture_with_a_password_behind_it_and_back(room: LoginRoom) -> None:
    room.sign_ins.has_password = True
    await room.begin()
    settle_scan(room.sign_ins.client)
    await room.at(LoginStep.PASSWORD)
    await room.logins.go_back(ONE)
    await room.until(lambda state: state.step is LoginStep.QR and state.qr is not None)
    assert len(room.sign_ins.clients) == 2, "half a log-in is not gone on with"
    await room.room.worked_off()
    assert room.sign_ins.files == {1}


async def test_another_code_is_asked_for_when_it_is_time(room: LoginRoom) -> None:
    await room.to_code()
    await room.logins.resend_code(ONE)
    assert room.sign_ins.calls("resend_code") == []
    room.clock.advance(60)
    await room.logins.resend_code(ONE)
    assert room.sign_ins.calls("resend_code") == [()]
    assert room.state.code == SentCode(CodeWay.SMS, 5, None, 120.0)
    room.clock.advance(120)
    await room.logins.resend_code(ONE)
    assert len(room.sign_ins.calls("send_code")) == 2, "there is no next way: asked for anew"


@pytest.mark.parametrize(
    ("method", "trouble", "step"),
    [
        ("connect", SignInTrouble.NO_NETWORK, LoginStep.PHONE),
        ("send_code", SignInTrouble.TIME_OUT, LoginStep.PHONE),
        ("send_code", SignInTrouble.REFUSED, LoginStep.PHONE),
        ("connect", SignInTrouble.NO_PLACE, LoginStep.PHONE),
        ("enter_code", SignInTrouble.NOT_REGISTERED, LoginStep.PHONE),
        ("enter_code", SignInTrouble.REFUSED, LoginStep.CODE),
        ("enter_password", SignInTrouble.NO_NETWORK, LoginStep.PASSWORD),
    ],
)
async def test_each_trouble_says_what_to_do_and_can_be_got_over(
    room: LoginRoom, method: str, trouble: SignInTrouble, step: LoginStep
) -> None:
    room.sign_ins.has_password = True
    await room.begin()
    await room.logins.use_phone(ONE)
    if method == "connect":
        room.room.engine.logins._attempts[ONE].drop_client()
    room.sign_ins.refuse(method, trouble, words="Telegram says: no." if trouble is SignInTrouble.REFUSED else "")
    for _ in range(2):
        if room.state.step is LoginStep.PHONE:
            await room.logins.send_code(ONE, NORA.phone)
        if room.state.step is LoginStep.CODE and room.state.trouble is None:
            await room.logins.enter_code(ONE, CODE)
        if room.state.step is LoginStep.PASSWORD and room.state.trouble is None:
            await room.logins.enter_password(ONE, PASSWORD)
        if room.state.trouble is not None:
            break
    assert (room.state.step, room.state.trouble, room.state.busy) == (step, trouble, "")
    assert room.state.words
    for _ in range(3):
        await room.logins.send_code(ONE, NORA.phone)
        await room.logins.enter_code(ONE, CODE)
        await room.logins.enter_password(ONE, PASSWORD)
    assert room.state.step is LoginStep.DONE


def test_all_troubles_have_words_of_their_own() -> None:
    assert set(_WORDS) == set(SignInTrouble)
    assert len(set(_WORDS.values())) == len(SignInTrouble)


@pytest.mark.parametrize(("method", "seconds"), [("connect", CONNECT_S), ("send_code", REQUEST_S)])
async def test_nothing_is_waited_for_without_end(room: LoginRoom, method: str, seconds: float) -> None:
    await room.begin()
    await room.logins.use_phone(ONE)
    room.logins._attempts[ONE].drop_client()
    room.sign_ins.script[method].append(HANG)
    asking = room.room.jobs.spawn(room.logins.send_code(ONE, NORA.phone), name="press")
    await room.until(lambda state: state.busy)
    await room.room.worked_off()
    room.clock.advance(seconds)
    await asyncio.wait({asking})
    assert (room.state.step, room.state.trouble) == (LoginStep.PHONE, SignInTrouble.TIME_OUT)


async def test_a_wait_lasts_longer_than_the_dialog_and_ends_where_it_began(room: LoginRoom) -> None:
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


async def test_a_wait_at_the_code_keeps_the_code_page(room: LoginRoom) -> None:
    code = (await room.to_code()).code
    room.sign_ins.refuse("enter_code", SignInTrouble.WAIT, 30.0)
    await room.logins.enter_code(ONE, CODE)
    assert room.state.step is LoginStep.WAIT
    await room.room.worked_off()
    room.clock.advance(30)
    state = await room.at(LoginStep.CODE)
    assert (state.code, state.wait_until, state.back_to) == (code, None, None)


async def test_a_second_press_while_the_first_is_under_way_does_nothing(room: LoginRoom) -> None:
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
    room: LoginRoom, expected_logs: ExpectedLogs
) -> None:
    expected_logs(r"ERROR chimein_gui\.engine\.login\.attempt: A log-in of Nora Vale failed with ZeroDivisionError")
    await room.to_code()
    room.sign_ins.script["enter_code"].append(ZeroDivisionError(CODE))
    await room.logins.enter_code(ONE, CODE)
    assert room.state.trouble is SignInTrouble.REFUSED
    assert CODE not in room.state.words
