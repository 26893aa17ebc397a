"""The log-in as data: the ways that work, and pictures (SPEC §10, Login dialog)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from chimein_gui.domain.agents import Health
from chimein_gui.domain.errors import SecretError
from chimein_gui.domain.sign_in import CodeWay, LoginStep, SignInTrouble
from tests.fakes.sign_in import CODE, HINT, PASSWORD, settle_scan
from tests.fakes.telegram import ACCOUNT
from tests.support.login_room import ONE, LoginRoom, login_room

HASH = "0123456789abcdef0123456789ABCDEF"


async def test_a_picture_is_scanned(tmp_path: Path) -> None:
    async with login_room(tmp_path, online=True) as room:
        state = await room.begin()
        assert (state.step, state.busy, state.trouble) == (LoginStep.QR, "", None)
        assert room.agent().health is Health.STOPPED, "one connection a session"
        settle_scan(room.sign_ins.client)
        done = await room.at(LoginStep.DONE)
        assert room.sign_ins.kept == [(1, ACCOUNT)]
        assert (done.signed_in and done.signed_in.username, done.qr, done.words) == ("noravale", None, "")
        await room.room.until(lambda: room.agent().health is Health.ONLINE)
        await room.logins.cancel(ONE)
        assert room.state.step is LoginStep.CLOSED
        assert room.agent().health is Health.ONLINE
        await room.nothing_left()


async def test_a_code_and_a_password_and_how_many_chats_there_are(room: LoginRoom) -> None:
    await room.room.until(lambda: room.agent().health is Health.ONLINE)
    room.room.telegram.partner_writes("hello")
    await room.room.until(room.room.approvals)
    code = await room.to_code()
    assert code.code is not None
    assert (code.code.way, code.code_was_sent) == (CodeWay.APP, True)
    room.sign_ins.has_password = True
    await room.logins.enter_code(ONE, " 58-2 14 ")
    assert (room.state.step, room.state.hint) == (LoginStep.PASSWORD, HINT)
    await room.logins.enter_password(ONE, PASSWORD)
    done = await room.until(lambda state: state.signed_in is not None and state.signed_in.chats)
    assert done.signed_in is not None
    assert (done.step, done.signed_in.chats, done.signed_in.unread) == (LoginStep.DONE, 1, 1)
    assert room.sign_ins.calls("enter_code") == [(CODE,)]


async def test_a_code_and_a_password_are_kept_out_of_what_is_written(tmp_path: Path) -> None:
    """Nobody keeps them, so whoever writes logs and reports has to be told (SPEC §12)."""
    hidden: list[str] = []
    async with login_room(tmp_path) as room:
        room.room.engine._setup.secrets.hide_with(hidden.append)
        await room.to_code()
        room.sign_ins.has_password = True
        await room.logins.enter_code(ONE, " 58-2 14 ")
        await room.logins.enter_password(ONE, PASSWORD)
    assert hidden == [CODE, PASSWORD]


async def test_without_api_id_and_hash_they_are_asked_for_and_kept(room: LoginRoom) -> None:
    room.sign_ins.is_known = False
    await room.logins.begin(ONE)
    assert room.state.step is LoginStep.APPLICATION
    for api_id, api_hash, word in (("12a", HASH, "digits"), ("12345", "abc", "32"), ("", "", "digits")):
        await room.logins.use_application(ONE, api_id, api_hash)
        assert room.state.trouble is SignInTrouble.BAD_APPLICATION
        assert word in room.state.words
    await room.logins.use_application(ONE, " 12 345", HASH)
    await room.until(lambda state: state.qr is not None)
    assert room.kept == [(12345, HASH.lower())]


async def test_api_id_and_hash_that_cannot_be_kept_say_why(tmp_path: Path) -> None:
    async def refuse(_id: int, _hash: str) -> None:
        raise SecretError("CHIMEIN_TELEGRAM_API_ID stands before it.")

    async with login_room(tmp_path, keep_application=refuse) as room:
        room.sign_ins.is_known = False
        await room.logins.begin(ONE)
        await room.logins.use_application(ONE, "12345", HASH)
        assert room.state.step is LoginStep.APPLICATION
        assert room.state.words == "CHIMEIN_TELEGRAM_API_ID stands before it."


async def test_where_nothing_else_is_said_the_pair_goes_to_the_secrets(tmp_path: Path) -> None:
    async with login_room(tmp_path, keep_application=None) as room:
        room.sign_ins.is_known = False
        await room.logins.begin(ONE)
        await room.logins.use_application(ONE, "12345", HASH)
        assert room.room.engine._setup.secrets.application() == (12345, HASH.lower())


async def test_a_pair_that_telegram_does_not_know_leads_back_to_its_page(room: LoginRoom) -> None:
    room.sign_ins.refuse("qr_code", SignInTrouble.BAD_APPLICATION)
    await room.logins.begin(ONE)
    state = await room.at(LoginStep.APPLICATION)
    assert state.trouble is SignInTrouble.BAD_APPLICATION
    await room.logins.use_application(ONE, "12345", HASH)
    await room.until(lambda state: state.qr is not None)
    assert len(room.sign_ins.clients) == 2, "the first was made with the former pair"


async def test_a_picture_is_renewed_before_it_ends_and_no_more_after_five_minutes(room: LoginRoom) -> None:
    first = await room.begin()
    room.clock.advance(27)
    await room.room.worked_off()
    assert room.state.qr == first.qr
    room.clock.advance(1.5)
    second = await room.until(lambda state: state.qr is not None and state.qr != first.qr)
    assert second.busy == ""
    for _ in range(60):
        room.clock.advance(5)
        await room.room.worked_off()
    assert (room.state.step, room.state.qr, room.state.trouble) == (LoginStep.QR, None, SignInTrouble.QR_EXPIRED)
    assert len(room.sign_ins.calls("qr_code")) == 11
    await room.logins.try_again(ONE)
    await room.until(lambda state: state.qr is not None)


async def test_a_picture_that_ended_early_is_renewed(room: LoginRoom) -> None:
    room.sign_ins.refuse("wait_scanned", SignInTrouble.QR_EXPIRED)
    first = await room.begin()
    await room.room.worked_off()
    room.clock.advance(5)
    await room.until(lambda state: state.qr is not None and state.qr != first.qr)


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
