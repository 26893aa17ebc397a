"""The log-in as data: the ways that work, and pictures."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from chimein_gui.domain.errors import SecretError
from chimein_gui.domain.sign_in import LoginStep, SignInTrouble
from tests.fakes.sign_in import CODE, PASSWORD, settle_scan
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
