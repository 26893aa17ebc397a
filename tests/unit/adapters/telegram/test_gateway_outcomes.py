"""What each way of failing means, for every change that changes something."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from telethon.tl import functions

from chimein_gui.adapters.telegram.gateway import TelethonGateway
from chimein_gui.domain.errors import (
    AccountLimitedError,
    GatewayError,
    NotConnectedError,
    OutcomeUnknownError,
    RateLimitedError,
    RevokedError,
    SendRefusedError,
    SlowModeError,
)
from chimein_gui.domain.ids import MessageId, PeerId, RandomId
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.engine.ports import StickerRequest
from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.unit.adapters.telegram.support import MARTA, NORA, Stage, answer_with, request, stage, tap


async def _send_sticker(gateway: TelethonGateway) -> Any:
    sticker = await gateway.find_sticker("harbour_otter", "👋")
    if sticker is None:
        raise LookupError("harbour_otter")
    return await gateway.send_sticker(StickerRequest(MARTA, sticker, None, RandomId(1)))


@dataclass(frozen=True, slots=True)
class Change:
    """A change, Telegram's method behind it, and how to call it."""

    name: str
    method: str
    request_type: type[Any]
    call: Callable[[TelethonGateway], Awaitable[Any]]


_messages = functions.messages
CHANGES = (
    Change(
        "send_text", "messages.sendMessage", _messages.SendMessageRequest, lambda it: it.send_text(request("words"))
    ),
    Change("send_sticker", "messages.sendMedia", _messages.SendMediaRequest, _send_sticker),
    Change(
        "edit_text",
        "messages.editMessage",
        _messages.EditMessageRequest,
        lambda it: it.edit_text(MARTA, MessageId(1), "other words"),
    ),
    Change(
        "delete_messages",
        "messages.deleteMessages",
        _messages.DeleteMessagesRequest,
        lambda it: it.delete_messages(MARTA, (MessageId(1),)),
    ),
    Change(
        "clear_conversation",
        "messages.deleteHistory",
        _messages.DeleteHistoryRequest,
        lambda it: it.clear_conversation(MARTA, MessageId(1)),
    ),
    Change("block", "contacts.block", functions.contacts.BlockRequest, lambda it: it.block(MARTA)),
    Change("unblock", "contacts.unblock", functions.contacts.UnblockRequest, lambda it: it.unblock(MARTA)),
)
each_change = pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)


async def failing(change: Change, gateway: TelethonGateway) -> GatewayError:
    """Return what the change raises."""
    with pytest.raises(GatewayError) as caught:
        await change.call(gateway)
    return caught.value


async def refused(it: Stage, patch: pytest.MonkeyPatch, change: Change, code: int, message: str) -> GatewayError:
    """Return what the change raises when Telegram answers with an error; once."""
    gateway, _ = await it.ready()
    answer_with(patch, change.request_type, code, message)
    calls = tap(patch, change.request_type)
    error = await failing(change, gateway)
    assert len(calls) == 1
    assert gateway.is_up()
    return error


@each_change
async def test_a_flood_wait_names_the_change(it: Stage, change: Change) -> None:
    gateway, _ = await it.ready()
    await it.server.console.inject(FaultRule(FaultKind.FLOOD_WAIT, change.method, seconds=33))
    error = await failing(change, gateway)
    assert isinstance(error, RateLimitedError)
    assert not isinstance(error, SlowModeError)
    assert (error.method, error.retry_after_s) == (change.name, 33)


@each_change
async def test_a_limited_account(it: Stage, monkeypatch: pytest.MonkeyPatch, change: Change) -> None:
    error = await refused(it, monkeypatch, change, 400, "PEER_FLOOD")
    assert isinstance(error, AccountLimitedError)
    assert error.code == "PEER_FLOOD"


@each_change
async def test_a_refusal(it: Stage, monkeypatch: pytest.MonkeyPatch, change: Change) -> None:
    error = await refused(it, monkeypatch, change, 400, "INPUT_USER_DEACTIVATED")
    assert isinstance(error, SendRefusedError)
    assert not isinstance(error, AccountLimitedError)
    assert error.code == "INPUT_USER_DEACTIVATED"


@each_change
async def test_a_server_error_is_an_unknown_outcome(it: Stage, monkeypatch: pytest.MonkeyPatch, change: Change) -> None:
    error = await refused(it, monkeypatch, change, 500, "RPC_CALL_FAIL")
    assert isinstance(error, OutcomeUnknownError)


@each_change
@pytest.mark.parametrize("kind", [FaultKind.DROP_AFTER, FaultKind.DROP_BEFORE])
async def test_a_connection_lost_after_the_dispatch_is_an_unknown_outcome(
    it: Stage, change: Change, kind: FaultKind
) -> None:
    gateway, _ = await it.ready()
    await it.server.console.inject(FaultRule(kind, change.method))
    assert isinstance(await failing(change, gateway), OutcomeUnknownError)
    await gateway.wait_lost()


@each_change
async def test_without_a_connection_nothing_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Change
) -> None:
    calls = tap(monkeypatch, change.request_type)
    async with stage(tmp_path) as it:
        gateway, _ = await it.ready()
        assert isinstance(await failing(change, it.gateway("other")), NotConnectedError)
        await gateway.disconnect()
        assert isinstance(await failing(change, gateway), NotConnectedError)
    assert calls == []


@each_change
async def test_a_session_that_has_ended_does_nothing_and_is_dropped(
    it: Stage, monkeypatch: pytest.MonkeyPatch, change: Change
) -> None:
    gateway, _ = await it.ready()
    answer_with(monkeypatch, change.request_type, 401, "SESSION_REVOKED")
    assert isinstance(await failing(change, gateway), NotConnectedError)
    with pytest.raises(RevokedError):
        await gateway.wait_lost()


@each_change
async def test_cancelled_after_the_dispatch_it_is_done_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Change
) -> None:
    calls = tap(monkeypatch, change.request_type)
    async with stage(tmp_path) as it:
        gateway, _ = await it.ready()
        await it.server.console.inject(FaultRule(FaultKind.NO_ANSWER, change.method))
        revision = (await it.server.console.rehearsal()).revision
        doing = asyncio.get_running_loop().create_task(_awaited(change.call(gateway)))
        await it.server.console.rehearsal(after=revision)
        doing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await doing
        assert gateway.is_up()
    assert len(calls) == 1


async def _awaited(call: Awaitable[Any]) -> Any:
    return await call


async def test_slow_mode_of_a_group_leaves_other_chats_free(it: Stage) -> None:
    group = it.world.create_group(MARTA, "Lake", (NORA,))
    it.world.groups.set_slow_mode(group, 30)
    it.settle()
    gateway, _ = await it.ready()
    lake = PeerId(group.peer_id)
    await gateway.send_text(request("first", peer_id=lake, random_id=1))
    with pytest.raises(SlowModeError) as caught:
        await gateway.send_text(request("too soon", peer_id=lake, random_id=2))
    assert 0 < caught.value.retry_after_s <= 30
    await gateway.send_text(request("elsewhere", random_id=3))
    assert await it.mailbox() == ["first", "elsewhere"]


@pytest.mark.parametrize(
    ("method", "ask"),
    [
        ("messages.getDialogs", lambda it: it.dialogs()),
        ("messages.getHistory", lambda it: it.history(MARTA, limit=3)),
        ("messages.getStickerSet", lambda it: it.find_sticker("harbour_otter", "👋")),
        ("contacts.getBlocked", lambda it: it.blocked()),
        ("account.getNotifySettings", lambda it: it.muted_until(MARTA)),
        ("messages.setTyping", lambda it: it.show_typing(MARTA)),
    ],
    ids=["dialogs", "history", "find_sticker", "blocked", "muted_until", "show_typing"],
)
async def test_questions_and_signs_name_their_wait_too(
    it: Stage, request: pytest.FixtureRequest, method: str, ask: Callable[[TelethonGateway], Awaitable[Any]]
) -> None:
    gateway, _ = await it.ready()
    await it.server.console.inject(FaultRule(FaultKind.FLOOD_WAIT, method, seconds=5))
    with pytest.raises(RateLimitedError) as caught:
        await ask(gateway)
    assert caught.value.method == request.node.callspec.id
    assert caught.value.retry_after_s == 5


async def test_a_wait_for_the_set_is_a_wait_for_the_sticker(it: Stage) -> None:
    gateway, _ = await it.ready()
    await it.server.console.inject(FaultRule(FaultKind.FLOOD_WAIT, "messages.getStickerSet", seconds=5))
    sticker = StickerRef("harbour_otter", "👋", 1, "👋")
    with pytest.raises(RateLimitedError) as caught:
        await gateway.send_sticker(StickerRequest(MARTA, sticker, None, RandomId(1)))
    assert caught.value.method == "send_sticker"
