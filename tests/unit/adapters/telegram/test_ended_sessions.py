"""Sessions that are worth nothing any more: never logged in, ended from elsewhere, or the account is closed."""

from pathlib import Path

import pytest
from telethon.tl import functions

from chimein_gui.adapters.telegram.backend import sandbox_backend
from chimein_gui.adapters.telegram.gateway import TelethonGateway
from chimein_gui.domain.errors import BannedError, LoggedOutError, NotConnectedError, RateLimitedError, RevokedError
from chimein_gui.domain.ids import PeerId
from chimein_gui.engine.sandbox_port import FaultKind, FaultRule
from tests.unit.adapters.telegram.support import NORA, Recorder, Stage, answer_with, stage

REVOKED = ["AUTH_KEY_UNREGISTERED", "SESSION_REVOKED", "SESSION_EXPIRED"]
BANNED = ["USER_DEACTIVATED", "USER_DEACTIVATED_BAN"]


async def refused_at_the_door(it: Stage) -> LoggedOutError:
    """Connect with a session that was logged in once."""
    gateway = TelethonGateway(session_path=it.session(), backend=sandbox_backend())
    try:
        await gateway.connect(Recorder())
    except LoggedOutError as error:
        return error
    raise AssertionError("it connected")


@pytest.mark.parametrize("code", REVOKED)
async def test_connecting_with_a_session_that_was_ended(it: Stage, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    answer_with(monkeypatch, functions.users.GetUsersRequest, 401, code)
    assert isinstance(await refused_at_the_door(it), RevokedError)


async def test_connecting_with_a_key_that_is_used_elsewhere(it: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    answer_with(monkeypatch, functions.users.GetUsersRequest, 406, "AUTH_KEY_DUPLICATED")
    assert isinstance(await refused_at_the_door(it), RevokedError)


@pytest.mark.parametrize(("status", "code"), [(401, BANNED[0]), (401, BANNED[1]), (400, "PHONE_NUMBER_BANNED")])
async def test_connecting_with_a_closed_account(
    it: Stage, monkeypatch: pytest.MonkeyPatch, status: int, code: str
) -> None:
    answer_with(monkeypatch, functions.users.GetUsersRequest, status, code)
    error = await refused_at_the_door(it)
    assert isinstance(error, BannedError)
    assert "closed" in str(error)


async def test_an_account_that_telegram_has_frozen_is_tried_again(it: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a flood that names no wait."""
    answer_with(monkeypatch, functions.users.GetUsersRequest, 420, "FROZEN_METHOD_INVALID")
    gateway = TelethonGateway(session_path=it.session(), backend=sandbox_backend())
    with pytest.raises(NotConnectedError, match=r"@SpamBot.*frozen this account"):
        await gateway.connect(Recorder())


async def test_a_log_in_without_its_password_is_no_ended_session(it: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    answer_with(monkeypatch, functions.users.GetUsersRequest, 401, "SESSION_PASSWORD_NEEDED")
    error = await refused_at_the_door(it)
    assert type(error) is LoggedOutError


async def test_without_a_session_it_was_never_logged_in(tmp_path: Path) -> None:
    gateway = TelethonGateway(session_path=tmp_path / "telegram.session", backend=sandbox_backend())
    with pytest.raises(LoggedOutError) as caught:
        await gateway.connect(Recorder())
    assert type(caught.value) is LoggedOutError


@pytest.mark.operation("session revoked while it is in use", "the loss says so, though nothing was asked")
@pytest.mark.parametrize("kind", [FaultKind.REVOKE, FaultKind.FORGET_KEY])
async def test_a_session_that_is_ended_while_in_use_says_so(it: Stage, kind: FaultKind) -> None:
    gateway, _ = await it.connected()
    await it.server.console.inject(FaultRule(kind, account_id=NORA))
    if kind is FaultKind.FORGET_KEY:  # nobody can tell it with a key that nobody knows: it hears when it asks
        with pytest.raises(NotConnectedError):
            await gateway.dialogs()
    for _ in range(2):
        with pytest.raises(RevokedError):
            await gateway.wait_lost()
    assert not gateway.is_up()


async def test_an_account_that_is_closed_while_in_use_says_so(it: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    gateway, _ = await it.connected()
    answer_with(monkeypatch, functions.messages.GetDialogsRequest, 401, "USER_DEACTIVATED_BAN")
    with pytest.raises(NotConnectedError):
        await gateway.dialogs()
    with pytest.raises(BannedError):
        await gateway.wait_lost()


@pytest.mark.parametrize("verb", ["dialogs", "history", "blocked", "is_blocked", "muted_until", "find_sticker"])
async def test_a_wait_names_the_verb_that_has_to_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    for asked in (
        functions.messages.GetDialogsRequest,
        functions.messages.GetHistoryRequest,
        functions.messages.GetStickerSetRequest,
        functions.contacts.GetBlockedRequest,
        functions.account.GetNotifySettingsRequest,
    ):
        answer_with(monkeypatch, asked, 420, "FLOOD_WAIT_17")
    stranger = PeerId(7_000_009_999)  # its address is looked up among the dialogs
    arguments = {"history": (stranger,), "is_blocked": (stranger,), "muted_until": (stranger,)}
    arguments["find_sticker"] = ("otters", "heart")  # type: ignore[assignment]
    async with stage(tmp_path) as it:
        gateway, _ = await it.connected()
        with pytest.raises(RateLimitedError) as caught:
            await getattr(gateway, verb)(*arguments.get(verb, ()), **({"limit": 5} if verb == "history" else {}))
        expected = "blocked" if verb == "is_blocked" else verb
        assert (caught.value.method, caught.value.retry_after_s) == (expected, 17)
