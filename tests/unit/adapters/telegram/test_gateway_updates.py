"""What the listener is told: in order, once, with names, and also what came while offline."""

import asyncio
import datetime as dt
from pathlib import Path
from typing import Any

from telethon.tl import functions, types

from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.ids import MessageId, PeerId
from tests.unit.adapters.telegram.support import MARTA, NORA, Recorder, Stage, request


async def test_a_message_arrives_with_chat_and_names(it: Stage) -> None:
    _, recorder = await it.connected()
    await it.server.console.speak(MARTA, NORA, "hello ‹you›  🍰")
    await recorder.until_texts("hello ‹you›  🍰")
    [(chat, message)] = recorder.of("arrived")
    assert (chat.account_id, chat.peer_id, chat.kind, chat.title, chat.username) == (
        NORA,
        MARTA,
        ChatKind.DM,
        "Marta Oliveira",
        "marta_oliveira_box",
    )
    assert (message.sender_id, message.sender_name, message.out, message.key.peer_id) == (
        MARTA,
        "Marta Oliveira",
        False,
        MARTA,
    )
    assert message.sent_at.utcoffset() is not None
    assert (message.is_service, message.is_bot, message.media_kind, message.raw_json) == (False, False, "", "")


async def test_a_storm_arrives_complete_and_in_order(it: Stage) -> None:
    _, recorder = await it.connected()
    texts = [f"line {number}" for number in range(300)]
    for text in texts:
        await it.server.console.speak(MARTA, NORA, text)
    await recorder.until_texts(*texts)


async def test_what_came_while_offline_is_reported_after_the_reconnect(it: Stage) -> None:
    gateway, recorder = await it.connected()
    await it.server.console.speak(MARTA, NORA, "before")
    await recorder.until_texts("before")
    it.wire.cut()
    await gateway.wait_lost()
    await gateway.disconnect()
    texts = [f"missed {number}" for number in range(250)]
    for text in texts:
        await it.server.console.speak(MARTA, NORA, text)
    _, again = await it.connected()
    await again.until_texts(*texts)
    assert {chat.title for chat, _ in again.of("arrived")} == {"Marta Oliveira"}


async def test_a_disconnect_in_the_middle_of_a_storm_loses_and_repeats_nothing(it: Stage) -> None:
    told: list[str] = []
    sent = 0
    for turns in range(12):
        gateway, recorder = await it.connected()
        for _ in range(5):
            sent += 1
            await it.server.console.speak(MARTA, NORA, f"line {sent}")
        for _ in range(turns):
            await asyncio.sleep(0)
        await gateway.disconnect()
        told += recorder.texts()
    _, recorder = await it.connected()
    await recorder.until(lambda: len(told) + len(recorder.texts()) >= sent)
    assert told + recorder.texts() == [f"line {number}" for number in range(1, sent + 1)]


async def test_after_a_crash_messages_are_told_again_rather_than_lost(tmp_path: Path, it: Stage) -> None:
    gateway, recorder = await it.connected()
    await gateway.disconnect()
    crashed = (tmp_path / "nora" / "telegram.session").read_bytes()
    gateway, recorder = await it.connected()
    await it.server.console.speak(MARTA, NORA, "told twice")
    await recorder.until_texts("told twice")
    await gateway.disconnect()
    (tmp_path / "nora" / "telegram.session").write_bytes(crashed)
    _, again = await it.connected()
    await again.until_texts("told twice")


async def test_own_messages_from_another_device_arrive_as_out(it: Stage) -> None:
    _, recorder = await it.connected()
    phone, _ = await it.connected("phone")
    await phone.send_text(request("from the phone"))
    await recorder.until_texts("from the phone")
    [(chat, message)] = recorder.of("arrived")
    assert (chat.peer_id, message.out, message.sender_id, message.sender_name) == (MARTA, True, NORA, "Nora Vale")


async def test_edits_deletes_reads_and_typing_are_told(it: Stage) -> None:
    nora, recorder = await it.connected()
    partner = await it.partner()
    await nora.send_text(request("read me"))
    [sent] = await nora.history(MARTA, limit=1)
    await partner.show_typing(PeerId(NORA))
    await partner.mark_read(PeerId(NORA), MessageId(1_000))
    receipt = await partner.send_text(request("first", peer_id=PeerId(NORA), random_id=3))
    questions = partner.connection.questions()
    peer = await questions.address(PeerId(NORA))
    await questions.ask(functions.messages.EditMessageRequest(peer=peer, id=receipt.message_id, message="second"))
    await questions.ask(functions.messages.DeleteMessagesRequest(id=[receipt.message_id], revoke=True))
    await recorder.until(lambda: bool(recorder.of("deleted")))

    assert recorder.of("typing") == [(NORA, MARTA)]
    assert recorder.of("read by partner")[-1] == (NORA, MARTA, sent.key.message_id)
    [(_, arrived)] = recorder.of("arrived")
    [(_, edited)] = recorder.of("edited")
    assert (arrived.text, edited.text, edited.key) == ("first", "second", arrived.key)
    assert edited.edited_at is not None
    assert recorder.of("deleted") == [(NORA, None, (arrived.key.message_id,))]


async def test_reading_marks_the_chat_as_read_and_other_devices_are_told(it: Stage) -> None:
    nora, recorder = await it.connected()
    _, phone = await it.connected("phone")
    await it.server.console.speak(MARTA, NORA, "unread")
    await recorder.until_texts("unread")
    [(_, message)] = recorder.of("arrived")
    await nora.mark_read(MARTA, message.key.message_id)
    [dialog] = await nora.dialogs()
    assert (dialog.newest_id, dialog.read_up_to) == (message.key.message_id, message.key.message_id)
    await phone.until(lambda: bool(phone.of("read")))
    assert phone.of("read") == [(NORA, MARTA, message.key.message_id)]


async def test_history_is_bounded_by_ids_and_limit_oldest_first(it: Stage) -> None:
    nora, _ = await it.connected()
    for number in range(6, 251):
        await it.server.console.speak(MARTA, NORA, f"line {number}")

    async def ids(**bounds: Any) -> list[int]:
        return [message.key.message_id for message in await nora.history(MARTA, **bounds)]

    assert await ids(limit=240) == list(range(11, 251))
    assert await ids(limit=500) == list(range(1, 251))
    assert await ids(limit=500, above_id=MessageId(245)) == list(range(246, 251))
    assert await ids(limit=3, above_id=MessageId(10), below_id=MessageId(20)) == [17, 18, 19]
    assert await ids(limit=500, above_id=MessageId(100), below_id=MessageId(102)) == [101]
    assert await ids(limit=5, above_id=MessageId(250)) == []
    seeded = await nora.history(MARTA, limit=1, below_id=MessageId(2))
    assert [(message.sender_name, message.out) for message in seeded] == [("Marta Oliveira", False)]


async def test_an_exception_of_the_listener_is_logged_and_stops_nothing(it: Stage, expected_logs: Any) -> None:
    expected_logs(r"ERROR chimein_gui.adapters.telegram.mapping.updates: Could not take in a UpdateNewMessage.*boom")

    class Faulty(Recorder):
        def message_arrived(self, chat: Any, message: Any) -> None:
            if message.text == "bad":
                raise RuntimeError("boom")
            super().message_arrived(chat, message)

    gateway, recorder = it.gateway(), Faulty()
    await gateway.connect(recorder)
    await it.server.console.speak(MARTA, NORA, "bad")
    await it.server.console.speak(MARTA, NORA, "good")
    await recorder.until_texts("good")


def short_message(message_id: int, text: str, pts: int = 0) -> Any:
    """Make live Telegram's abbreviation of a DM, which names nobody."""
    date = dt.datetime(2026, 11, 1, tzinfo=dt.UTC)
    return types.UpdateShortMessage(
        id=message_id, user_id=MARTA, message=text, pts=pts, pts_count=1, date=date, out=False
    )


async def test_a_disconnect_during_such_a_question_costs_the_name_not_the_message(it: Stage) -> None:
    gateway, _ = await it.connected()
    await gateway.dialogs()
    await gateway.disconnect()
    gateway, recorder = await it.connected()
    it.wire.hold_answers()
    assert gateway.connection.client is not None
    [state] = gateway.connection.client._message_box.map.values()
    gateway.connection.client._updates_queue.put_nowait(short_message(1_001, "in between", state.pts + 1))
    await it.wire.asked.wait()
    assert recorder.texts() == []
    await gateway.disconnect()
    assert recorder.texts() == ["in between"]
    [(chat, _)] = recorder.of("arrived")
    assert chat.title == "Marta Oliveira"  # as the session file remembers her
