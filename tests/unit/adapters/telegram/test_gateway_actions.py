"""What changes something besides a send: edits, deletes, blocks, cleared chats; each looked at from the other side."""

from pathlib import Path
from typing import Any

import pytest
from telethon.tl import functions, types

from chimein_gui.domain.errors import SendRefusedError
from chimein_gui.domain.ids import MessageId, PeerId
from chimein_gui.domain.messages import TextEntity
from chimein_gui.sandbox.world.records import Draft, User
from tests.unit.adapters.telegram.support import MARTA, NORA, Stage, request, stage, tap

HER_CHAT = PeerId(NORA)
GROUP = PeerId(-77)


async def sent(it: Stage, gateway: Any, text: str, random_id: int = 1) -> MessageId:
    """Send to Marta; returns Nora's id of it."""
    receipt = await gateway.send_text(request(text, random_id=random_id))
    assert receipt.message_id is not None
    return MessageId(receipt.message_id)


async def texts(gateway: Any, peer_id: PeerId, limit: int = 50) -> list[str]:
    return [message.text for message in await gateway.history(peer_id, limit=limit)]


async def test_formatting_arrives(it: Stage) -> None:
    gateway, _ = await it.ready()
    marta = await it.partner()
    text = "🍰 bold it under gone code pre link quote hidden"
    said = tuple(
        TextEntity(kind, offset, length, argument)
        for kind, offset, length, argument in (
            ("bold", 3, 4, ""),
            ("italic", 8, 2, ""),
            ("underline", 11, 5, ""),
            ("strike", 17, 4, ""),
            ("code", 22, 4, ""),
            ("pre", 27, 3, "python"),
            ("text_url", 31, 4, "https://lake.example/"),
            ("blockquote", 36, 5, ""),
            ("spoiler", 42, 6, ""),
        )
    )
    nonsense = (TextEntity("custom_emoji", 0, 2), TextEntity("bold", 5, 0))
    await gateway.send_text(request(text, entities=(*said, *nonsense)))
    [told] = await marta.history(HER_CHAT, limit=1)
    assert (told.text, told.entities) == (text, said)


async def test_an_edit_reaches_the_partner_and_the_other_devices(it: Stage) -> None:
    gateway, _ = await it.ready()
    _, phone = await it.ready("phone")
    marta = await it.partner()
    message_id = await sent(it, gateway, "draft")
    bold = (TextEntity("bold", 0, 5),)
    await gateway.edit_text(MARTA, message_id, "final", bold)
    await phone.until(lambda: bool(phone.of("edited")))
    [(_, heard)] = phone.of("edited")
    [told] = await marta.history(HER_CHAT, limit=1)
    assert (heard.key.message_id, heard.text, heard.entities) == (message_id, "final", bold)
    assert (told.text, told.entities) == ("final", bold)
    assert told.edited_at is not None
    await gateway.edit_text(MARTA, message_id, "final", bold)  # nothing to change is no error
    assert (await texts(marta, HER_CHAT))[-1] == "final"


async def test_deleted_for_everyone_is_gone_for_everyone(it: Stage) -> None:
    gateway, _ = await it.ready()
    _, phone = await it.ready("phone")
    marta = await it.partner()
    ids = tuple([await sent(it, gateway, f"part {number}", number) for number in (1, 2, 3)])
    await gateway.delete_messages(MARTA, ids[:2])
    await phone.until(lambda: bool(phone.of("deleted")))
    assert phone.of("deleted") == [(NORA, None, ids[:2])]
    assert (await texts(marta, HER_CHAT))[-1:] == ["part 3"]
    assert "part 2" not in await texts(marta, HER_CHAT)
    await gateway.delete_messages(MARTA, ids)  # what is gone already is no error
    assert not any(text.startswith("part") for text in await texts(marta, HER_CHAT))
    await gateway.delete_messages(MARTA, ())


async def test_deleted_for_oneself_the_partner_keeps_it(it: Stage) -> None:
    gateway, _ = await it.ready()
    marta = await it.partner()
    message_id = await sent(it, gateway, "kept")
    await gateway.delete_messages(MARTA, (message_id,), for_everyone=False)
    assert "kept" not in await texts(gateway, MARTA)
    assert (await texts(marta, HER_CHAT))[-1] == "kept"


async def test_many_messages_are_deleted_in_parts(it: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = tap(monkeypatch, functions.messages.DeleteMessagesRequest)
    gateway, _ = await it.ready()
    said = [it.world.send(NORA, MARTA, Draft(f"n{number}")).message_id for number in range(250)]
    it.settle()
    await gateway.delete_messages(MARTA, tuple(MessageId(one) for one in said))
    assert [len(call.id) for call in calls] == [100, 100, 50]
    assert not any(text.startswith("n") for text in await texts(await it.partner(), HER_CHAT))


async def test_a_chat_is_cleared_up_to_what_was_seen_and_for_oneself_alone(it: Stage) -> None:
    gateway, _ = await it.ready()
    _, phone = await it.ready("phone")
    marta = await it.partner()
    hers_before = await texts(marta, HER_CHAT)
    seen_up_to = await sent(it, gateway, "seen")
    await it.server.console.speak(MARTA, NORA, "newer")
    await gateway.clear_conversation(MARTA, seen_up_to)
    await phone.until(lambda: bool(phone.of("deleted")))
    assert await texts(gateway, MARTA) == ["newer"]
    assert await texts(marta, HER_CHAT) == [*hers_before, "seen", "newer"]
    await gateway.clear_conversation(MARTA, seen_up_to)  # nothing left is no error


async def test_a_long_chat_is_cleared_to_its_beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = tap(monkeypatch, functions.messages.DeleteHistoryRequest)
    async with stage(tmp_path) as it:
        gateway, _ = await it.ready()
        for number in range(1_100):
            last = it.world.send(NORA, MARTA, Draft(f"n{number}"))
        it.settle()
        await gateway.clear_conversation(MARTA, MessageId(last.message_id - 1))
        assert await texts(gateway, MARTA) == ["n1099"]
    assert len(calls) == 2
    assert {(call.max_id, call.just_clear, call.revoke) for call in calls} == {(last.message_id - 1, False, False)}


async def test_blocked_and_unblocked(it: Stage) -> None:
    gateway, recorder = await it.ready()
    phone, heard = await it.ready("phone")
    assert not await gateway.is_blocked(MARTA)
    await gateway.block(MARTA)
    await gateway.block(MARTA)  # twice is as good as once
    assert await phone.is_blocked(MARTA)
    assert await phone.blocked() == {MARTA}
    await it.server.console.speak(MARTA, NORA, "unheard")
    with pytest.raises(SendRefusedError) as caught:
        await gateway.send_text(request("no"))
    assert caught.value.code == "YOU_BLOCKED_USER"
    await gateway.unblock(MARTA)
    assert not await phone.is_blocked(MARTA)
    await it.server.console.speak(MARTA, NORA, "heard")
    await recorder.until_texts("heard")
    # Telegram tells the other device alone; of its own calls a gateway tells by itself.
    assert recorder.of("blocked") == [(NORA, MARTA)] * 2
    await heard.until(lambda: heard.of("unblocked") == [(NORA, MARTA)])
    assert heard.of("blocked") == [(NORA, MARTA)]


async def test_a_long_block_list_is_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = tap(monkeypatch, functions.contacts.GetBlockedRequest)
    async with stage(tmp_path) as it:
        gateway, _ = await it.ready()
        strangers = {PeerId(MARTA + 100 + number) for number in range(250)}
        for moment, stranger in enumerate(sorted(strangers)):
            it.world.add_user(User(stranger, f"S{stranger}", "", "", "", is_partner=True))
            it.world.directory.block(NORA, stranger, 1_700_000_000 + moment)
        it.settle()
        assert await gateway.blocked() == strangers
        assert await gateway.is_blocked(min(strangers))
        assert not await gateway.is_blocked(MARTA)
    assert [call.offset for call in calls[:3]] == [0, 100, 200]


async def test_until_when_a_chat_is_muted(it: Stage) -> None:
    gateway, _ = await it.ready()
    phone, _ = await it.ready("phone")
    assert await gateway.muted_until(MARTA) is None
    peer = types.InputNotifyPeer(await phone.connection.address("test", phone.connection.questions(), MARTA))
    for_ever = types.InputPeerNotifySettings(mute_until=2**31 - 1)
    await phone.connection.execute("test", functions.account.UpdateNotifySettingsRequest(peer, for_ever))
    until = await gateway.muted_until(MARTA)
    assert until is not None
    assert (until.year, until.utcoffset() is not None) == (2038, True)


@pytest.mark.parametrize("method", ["block", "unblock", "clear_conversation"])
async def test_what_is_for_dms_only_is_refused_in_groups_without_asking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    asked = [
        tap(monkeypatch, kind)
        for kind in (
            functions.contacts.BlockRequest,
            functions.contacts.UnblockRequest,
            functions.messages.DeleteHistoryRequest,
        )
    ]
    async with stage(tmp_path) as it:
        gateway, _ = await it.ready()
        more = (MessageId(3),) if method == "clear_conversation" else ()
        with pytest.raises(SendRefusedError, match="one person"):
            await getattr(gateway, method)(GROUP, *more)
    assert asked == [[], [], []]


async def test_a_text_that_telegram_has_no_words_for_is_refused_before_it_leaves(it: Stage) -> None:
    gateway, _ = await it.ready()
    with pytest.raises(SendRefusedError) as caught:
        await gateway.send_text(request("half a \ud83c pair"))
    assert caught.value.code == "NOT_ENCODABLE"
    assert gateway.is_up()
    await gateway.send_text(request("whole"))
    assert await it.mailbox() == ["whole"]
