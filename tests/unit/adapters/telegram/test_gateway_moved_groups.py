"""The real client in a group that migrates: each method reaches the peer in which its message lies."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from telethon.tl import functions, types

from chimein_gui.adapters.telegram.gateway import TelethonGateway
from chimein_gui.domain.accounts.group_moves import RAISED_BY, GroupMove, KnownGroups
from chimein_gui.domain.errors import SendRefusedError
from chimein_gui.domain.ids import MessageId, PeerId
from chimein_gui.domain.messages import Message
from chimein_gui.engine.ports import SendRequest
from chimein_gui.sandbox.rpc import registry
from chimein_gui.sandbox.rpc.call import Call
from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.world.records import Draft
from tests.support.async_tests import OpenedInLoop
from tests.unit.adapters.telegram.support import MARTA, NORA, Recorder, Stage, answer_with, lake, request, stage, tap


@dataclass
class Here:
    """A group of Marta's, Nora's and Otto's that becomes a supergroup."""

    it: Stage
    group_id: PeerId

    async def migrate(self) -> PeerId:
        """Make it a supergroup."""
        return PeerId(await self.it.server.console.migrate_group(self.group_id))

    def say(self, text: str) -> int:
        """Let Marta write wherever the group is now; returns the raw id of her copy."""
        world = self.it.world
        sent = world.send(MARTA, world.groups.present(self.group_id), Draft(text))
        self.it.settle()
        return int(sent.message_id)

    def request(self, text: str, *, random_id: int = 1, reply_to: int | None = None) -> SendRequest:
        return request(text, peer_id=self.group_id, random_id=random_id, reply_to_id=reply_to)

    async def history(self, gateway: TelethonGateway, limit: int = 50, **span: MessageId) -> list[Message]:
        """Return what was said, without Telegram's own messages."""
        rows = await gateway.history(self.group_id, limit=limit, **span)
        return [one for one in rows if not one.is_service]


@asynccontextmanager
async def lakeside(folder: Path) -> AsyncIterator[Here]:
    async with stage(folder) as it:
        yield Here(it, PeerId(lake(it).peer_id))


@pytest.fixture
def here(tmp_path: Path) -> OpenedInLoop:
    return OpenedInLoop(lakeside(tmp_path))


async def test_a_history_goes_over_both_peers_in_one_order(here: Here) -> None:
    gateway, recorder = await here.it.ready()
    for number in range(3):
        here.say(f"old {number}")
    supergroup_id = await here.migrate()
    for number in range(3):
        here.say(f"new {number}")
    await recorder.until(lambda: "new 2" in recorder.texts())
    assert recorder.of("moved") == [(GroupMove(NORA, here.group_id, supergroup_id),)]
    rows = await here.history(gateway)
    texts = ["old 0", "old 1", "old 2", "new 0", "new 1", "new 2"]
    assert [one.text for one in rows] == texts == [text for text in recorder.texts() if text]
    ids = [one.key.message_id for one in rows]
    assert ids == sorted(ids)
    assert {one.key.peer_id for one in rows} == {here.group_id}
    between = await here.history(gateway, above_id=ids[1], below_id=ids[4])
    assert [one.text for one in between] == texts[2:4]
    assert [one.text for one in await here.history(gateway, below_id=ids[2])] == texts[:2]
    newest = await gateway.history(here.group_id, limit=2)
    assert [one.text for one in newest] == texts[4:]
    [listed] = [one for one in await gateway.dialogs() if one.chat.peer_id == here.group_id]
    assert (listed.chat.title, listed.newest_id) == ("Lake", ids[-1])
    assert supergroup_id not in {one.chat.peer_id for one in await gateway.dialogs()}


async def test_who_reads_the_supergroup_has_read_the_group_it_was(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    gateway, recorder = await here.it.ready()
    here.say("old")
    await here.migrate()
    here.say("new")
    await recorder.until(lambda: "new" in recorder.texts())
    old, new = (
        next(one.key.message_id for _, one in recorder.of("arrived") if one.text == text) for text in ("old", "new")
    )
    thread = here.it.world.box(NORA).thread(here.group_id)
    assert thread.unread
    await gateway.mark_read(here.group_id, old)
    assert thread.read_inbox == old
    await gateway.mark_read(here.group_id, new)
    assert thread.unread == 0
    [listed] = [one for one in await gateway.dialogs() if one.chat.peer_id == here.group_id]
    assert listed.read_up_to == new
    asked = list[Any]()
    monkeypatch.setitem(
        registry._HANDLERS, functions.messages.ReadHistoryRequest, lambda _call, request: asked.append(request)
    )
    await gateway.mark_read(here.group_id, new)
    assert asked == []  # once was enough


async def test_sends_edits_deletes_and_read_marks_find_their_peer(here: Here) -> None:
    gateway, recorder = await here.it.ready()
    first = await gateway.send_text(here.request("old", random_id=1))
    await here.migrate()
    await recorder.until(lambda: bool(recorder.of("moved")))
    second = await gateway.send_text(here.request("new", random_id=2))
    again = await gateway.send_text(here.request("new", random_id=2))
    assert (first.message_id or 0) < RAISED_BY < (second.message_id or 0)
    assert again.message_id is None
    here.say("hers")
    await recorder.until(lambda: "hers" in recorder.texts())
    hers = next(one for _, one in recorder.of("arrived") if one.text == "hers").key.message_id
    await gateway.show_typing(here.group_id)
    await gateway.mark_read(here.group_id, hers)
    [listed] = [one for one in await gateway.dialogs() if one.chat.peer_id == here.group_id]
    assert listed.read_up_to == hers
    with pytest.raises(SendRefusedError):  # the group left behind takes no edits; the attempt goes there
        await gateway.edit_text(here.group_id, MessageId(first.message_id or 0), "old, edited")
    await gateway.edit_text(here.group_id, MessageId(second.message_id or 0), "new, edited")
    assert [one.text for one in await here.history(gateway)] == ["old", "new, edited", "hers"]
    await gateway.delete_messages(
        here.group_id, (MessageId(first.message_id or 0), MessageId(second.message_id or 0)), for_everyone=True
    )
    assert [one.text for one in await here.history(gateway)] == ["hers"]
    partner = await here.it.partner()
    assert [one.text for one in await here.history(partner)] == ["hers"]


async def test_a_send_that_the_group_refuses_because_it_has_just_moved_goes_after_it(here: Here) -> None:
    gateway, _ = await here.it.ready()
    here.it.wire.hold_answers()
    await here.migrate()
    async with asyncio.TaskGroup() as group:
        sending = group.create_task(gateway.send_text(here.request("mine", random_id=1)))
        await here.it.wire.asked.wait()
        here.it.wire.release_answers()
    receipt = sending.result()
    assert (receipt.message_id or 0) > RAISED_BY
    partner = await here.it.partner()
    assert [one.text for one in await here.history(partner)] == ["mine"]


async def test_a_move_that_nobody_told_is_asked_for_when_the_supergroup_speaks(here: Here) -> None:
    """The session is new, so no update of before comes, and nothing has been listed yet."""
    supergroup_id = await here.migrate()
    _, recorder = await here.it.connected()
    here.say("hello")
    await recorder.until(lambda: bool(recorder.texts()))
    assert [fact[0] for fact in recorder.facts] == ["moved", "arrived"]
    assert recorder.of("moved") == [(GroupMove(NORA, here.group_id, supergroup_id),)]
    [(chat, message)] = recorder.of("arrived")
    assert chat.peer_id == message.key.peer_id == here.group_id
    assert message.key.message_id > RAISED_BY


async def test_where_nobody_says_where_it_came_from_a_supergroup_has_a_chat_of_its_own(here: Here, monkeypatch) -> None:
    supergroup_id = await here.migrate()
    answer_with(monkeypatch, functions.channels.GetFullChannelRequest, 400, "CHANNEL_PRIVATE")
    gateway, recorder = await here.it.connected()
    here.say("hello")
    await recorder.until(lambda: bool(recorder.texts()))
    peers = {one.chat.peer_id for one in await gateway.dialogs()}
    assert {supergroup_id, here.group_id} <= peers
    assert recorder.of("moved") == []
    assert recorder.of("arrived")[0][1].key.peer_id == supergroup_id
    receipt = await gateway.send_text(request("mine", peer_id=supergroup_id, random_id=5))
    assert 0 < (receipt.message_id or 0) < RAISED_BY


async def test_what_is_known_is_not_asked_again(here: Here, monkeypatch) -> None:
    supergroup_id = await here.migrate()
    asked = tap(monkeypatch, functions.channels.GetFullChannelRequest)
    gateway, recorder = here.it.gateway(), Recorder()
    await gateway.connect(recorder, KnownGroups(moves=(GroupMove(NORA, here.group_id, supergroup_id),)))
    here.say("hello")
    await recorder.until(lambda: bool(recorder.texts()))
    assert recorder.of("arrived")[0][1].key.peer_id == here.group_id
    await gateway.disconnect()
    gateway, recorder = here.it.gateway(), Recorder()
    await gateway.connect(recorder, KnownGroups(apart=frozenset({(NORA, supergroup_id)})))
    here.say("hello again")
    await recorder.until(lambda: bool(recorder.texts()))
    assert recorder.of("arrived")[0][1].key.peer_id == supergroup_id
    assert (asked, recorder.of("moved")) == ([], [])


async def test_what_happened_to_messages_of_the_supergroup_while_away_is_told(here: Here) -> None:
    gateway, recorder = await here.it.ready()
    await here.migrate()
    here.say("first")
    here.say("second")
    await recorder.until(lambda: "second" in recorder.texts())
    ids = {one.text: one.key.message_id for _, one in recorder.of("arrived")}
    await gateway.disconnect()
    partner = await here.it.partner()
    await partner.edit_text(here.group_id, ids["first"], "first, edited")
    await partner.delete_messages(here.group_id, (ids["second"],))
    here.say("third")
    _, recorder = await here.it.ready()
    await recorder.until(lambda: "third" in recorder.texts() and bool(recorder.of("deleted")))
    assert [(one.key.message_id, one.text) for _, one in recorder.of("edited")] == [(ids["first"], "first, edited")]
    assert recorder.of("deleted") == [(NORA, here.group_id, (ids["second"],))]


async def test_whoever_joins_after_the_move_has_the_supergroup_as_a_chat_of_its_own(here: Here) -> None:
    """The basic group is closed to them, so a chat of both could not be read at all."""
    world = here.it.world
    pond = world.create_group(MARTA, "Pond", (MARTA + 1,))
    supergroup_id = PeerId(await here.it.server.console.migrate_group(pond.peer_id))
    gateway, recorder = await here.it.ready()
    world.groups.add(world.groups.get(supergroup_id), MARTA, NORA)
    world.send(MARTA, supergroup_id, Draft("welcome"))
    here.it.settle()
    await recorder.until(lambda: "welcome" in recorder.texts())
    assert recorder.of("moved") == []
    assert {one.key.peer_id for _, one in recorder.of("arrived")} == {supergroup_id}
    history = await gateway.history(supergroup_id, limit=50)
    assert [one.text for one in history if not one.is_service] == ["welcome"]
    assert supergroup_id in {one.chat.peer_id for one in await gateway.dialogs()}
    assert recorder.of("moved") == []


async def test_a_group_that_telegram_does_not_list_any_more_is_asked_about(tmp_path: Path, monkeypatch) -> None:
    """It fell out of the list while the account was away; its supergroup stands at the top."""
    listing = registry._HANDLERS[functions.messages.GetDialogsRequest]

    def shorter(call: Call, query: functions.messages.GetDialogsRequest) -> types.messages.Dialogs:
        page = listing(call, query)
        page.dialogs = [one for one in page.dialogs if isinstance(one.peer, types.PeerChannel)]
        page.chats = [one for one in page.chats if isinstance(one, types.Channel)]
        return page

    monkeypatch.setitem(registry._HANDLERS, functions.messages.GetDialogsRequest, shorter)
    async with lakeside(tmp_path) as here:
        supergroup_id = await here.migrate()
        here.say("hello")
        gateway, recorder = here.it.gateway(), Recorder()
        await gateway.connect(recorder, KnownGroups(basic=frozenset({(NORA, here.group_id)})))
        (listed,) = await gateway.dialogs()
        assert (listed.chat.peer_id, listed.newest_id > RAISED_BY) == (here.group_id, True)
        assert recorder.of("moved") == [(GroupMove(NORA, here.group_id, supergroup_id),)]


@pytest.mark.parametrize("is_lost", [True, False])
async def test_a_supergroup_is_not_put_elsewhere_because_nobody_could_say_what_it_was(
    here: Here, monkeypatch, is_lost: bool
) -> None:
    """In a chat of its own it would stay for ever: its messages wait for the next connect, or for Telegram."""
    supergroup_id = await here.migrate()

    def asked(_call: object, _request: object) -> None:
        if is_lost:
            here.it.wire.cut()
            raise RpcFault(400, "CHANNEL_PRIVATE")  # nobody hears it any more
        raise RpcFault(420, "FLOOD_WAIT_300")

    monkeypatch.setitem(registry._HANDLERS, functions.channels.GetFullChannelRequest, asked)
    gateway, recorder = await here.it.connected()
    here.say("hello")
    await gateway.wait_lost()
    await gateway.disconnect()
    assert [fact[0] for fact in recorder.facts] == ["skipped"]
    gateway, recorder = await here.it.ready()  # the list of chats tells it without the question
    assert recorder.of("moved") == [(GroupMove(NORA, here.group_id, supergroup_id),)]
    assert [one.text for one in await here.history(gateway)] == ["hello"]


async def test_a_supergroup_that_is_too_far_ahead_ends_the_connection_and_is_told(here: Here) -> None:
    """Otherwise the next message would hide the gap below it, and what was asked in it is never answered."""
    gateway, recorder = await here.it.ready()
    supergroup_id = await here.migrate()
    here.say("before")
    await recorder.until(lambda: "before" in recorder.texts())
    await gateway.disconnect()
    here.say("missed")
    here.say("missed too")
    here.it.world.forget_log(supergroup_id)
    gateway, recorder = await here.it.connected()
    await gateway.wait_lost()
    assert recorder.facts == [("skipped",)]
    await gateway.disconnect()
    gateway, recorder = await here.it.ready()
    here.say("after")
    await recorder.until(lambda: "after" in recorder.texts())
    assert recorder.texts() == ["after"]
    assert recorder.of("skipped") == []
