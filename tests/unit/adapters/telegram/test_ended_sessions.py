"""Sessions that are worth nothing any more: never logged in, ended from elsewhere, or the account is closed."""

import pytest
from telethon.tl import functions

from chimein_gui.adapters.telegram.backend import sandbox_backend
from chimein_gui.adapters.telegram.gateway import TelethonGateway
from chimein_gui.domain.errors import BannedError, LoggedOutError, NotConnectedError, RevokedError
from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.unit.adapters.telegram.support import NORA, Recorder, Stage, answer_with


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (401, "AUTH_KEY_UNREGISTERED", RevokedError),
        (401, "SESSION_REVOKED", RevokedError),
        (401, "SESSION_EXPIRED", RevokedError),
        (406, "AUTH_KEY_DUPLICATED", RevokedError),
        (401, "USER_DEACTIVATED", BannedError),
        (401, "USER_DEACTIVATED_BAN", BannedError),
        (400, "PHONE_NUMBER_BANNED", BannedError),
        (401, "SESSION_PASSWORD_NEEDED", LoggedOutError),
    ],
)
async def test_connecting_with_a_session_that_was_ended(
    it: Stage, monkeypatch: pytest.MonkeyPatch, status: int, code: str, kind: type[LoggedOutError]
) -> None:
    answer_with(monkeypatch, functions.users.GetUsersRequest, status, code)
    gateway = TelethonGateway(session_path=it.session(), backend=sandbox_backend())
    with pytest.raises(LoggedOutError) as caught:
        await gateway.connect(Recorder())
    assert type(caught.value) is kind


async def test_an_account_that_telegram_has_frozen_is_tried_again(it: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a flood that names no wait."""
    answer_with(monkeypatch, functions.users.GetUsersRequest, 420, "FROZEN_METHOD_INVALID")
    gateway = TelethonGateway(session_path=it.session(), backend=sandbox_backend())
    with pytest.raises(NotConnectedError, match="account frozen"):
        await gateway.connect(Recorder())


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
