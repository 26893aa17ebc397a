"""An access hash that is worth nothing any more is asked for anew, once, and what was refused is done after all."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from chimein_gui.adapters.telegram.gateway import TelethonGateway
from chimein_gui.domain.errors import NotConnectedError, SendRefusedError
from chimein_gui.domain.ids import MessageId, PeerId
from chimein_gui.sandbox.wire.tl import functions
from tests.unit.adapters.telegram.support import MARTA, Stage, answer_with, lake, request, tap

METHODS: dict[str, Callable[[TelethonGateway], Awaitable[Any]]] = {
    "send": lambda it: it.send_text(request("words")),
    "history": lambda it: it.history(MARTA, limit=2),
    "mute": lambda it: it.muted_until(MARTA),
    "typing": lambda it: it.show_typing(MARTA),
    "read": lambda it: it.mark_read(MARTA, MessageId(1)),
    "block": lambda it: it.block(MARTA),
    "clear": lambda it: it.clear_conversation(MARTA, MessageId(2)),
}


def stale(gateway: TelethonGateway, peer_id: PeerId) -> None:
    """Let what the gateway knows of a chat be its address of yesterday."""
    assert gateway.connection._questions is not None
    peers = gateway.connection._questions._peers
    card = peers.card(peer_id)
    assert card is not None
    peers.put(peer_id, replace(card, access_hash=card.access_hash ^ 1))


@pytest.mark.parametrize("call", METHODS.values(), ids=METHODS.keys())
async def test_every_method_finds_the_address_anew(
    it: Stage, monkeypatch: pytest.MonkeyPatch, call: Callable[[TelethonGateway], Awaitable[Any]]
) -> None:
    gateway, _ = await it.ready()
    stale(gateway, MARTA)
    lists = tap(monkeypatch, functions.messages.GetDialogsRequest)
    await call(gateway)
    assert len(lists) == 1
    await call(gateway)
    assert len(lists) == 1


async def test_a_supergroup_s_address_is_found_anew(it: Stage) -> None:
    peer_id = PeerId(await it.server.console.migrate_group(lake(it).peer_id))
    gateway, _ = await it.ready()
    stale(gateway, peer_id)
    receipt = await gateway.send_text(request("once", peer_id=peer_id))
    assert receipt.message_id is not None


@pytest.mark.parametrize("code", ["PEER_ID_INVALID", "USER_ID_INVALID", "CHANNEL_INVALID"])
async def test_where_the_address_is_the_same_it_is_said_what_is_wrong(
    it: Stage, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    gateway, _ = await it.ready()
    lists = tap(monkeypatch, functions.messages.GetDialogsRequest)
    answer_with(monkeypatch, functions.messages.SendMessageRequest, 400, code)
    with pytest.raises(SendRefusedError) as caught:
        await gateway.send_text(request("words"))
    assert (caught.value.code, len(lists)) == (code, 1)


async def offline(it: Stage) -> TelethonGateway:
    gateway, _ = await it.ready()
    await gateway.disconnect()
    return gateway


async def test_a_question_of_an_account_that_is_away_says_nothing_of_sending(it: Stage) -> None:
    gateway = await offline(it)
    with pytest.raises(NotConnectedError, match=r"^not connected$"):
        await gateway.history(MARTA, limit=1)
    with pytest.raises(NotConnectedError, match="nothing sent"):
        await gateway.send_text(request("words"))
    with pytest.raises(NotConnectedError, match="nothing done"):
        await gateway.block(MARTA)
