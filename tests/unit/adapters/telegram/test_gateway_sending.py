"""What leaves, once, and what each way of failing means."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from telethon.tl import functions, types

from chimein_gui.domain.errors import OutcomeUnknownError, RateLimitedError, SendRefusedError
from chimein_gui.domain.ids import MessageId, PeerId
from chimein_gui.engine.ports import SentReceipt
from chimein_gui.sandbox.rpc import registry
from tests.unit.adapters.telegram.support import MARTA, NORA, Stage, answer_with, request, stage, tap

SEND = functions.messages.SendMessageRequest


async def test_the_partner_receives_exactly_the_text(it: Stage) -> None:
    gateway, _ = await it.ready()
    text = "Two  blanks,\n\n**no markdown**, 🍰 and\ttabs"
    receipt = await gateway.send_text(request(text, random_id=-(2**63)))
    assert await it.mailbox() == [text]
    [sent] = await gateway.history(MARTA, limit=1)
    assert (sent.key.message_id, sent.sent_at, sent.text, sent.out) == (receipt.message_id, receipt.sent_at, text, True)
    assert sent.sent_at.utcoffset() is not None


async def test_the_reply_target_arrives(it: Stage) -> None:
    gateway, _ = await it.ready()
    await gateway.send_text(request("to your third", reply_to_id=3))
    [sent] = await gateway.history(MARTA, limit=1)
    assert sent.reply_to_id == 3


async def test_the_request_keeps_the_cloud_draft_and_adds_no_preview(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = tap(monkeypatch, SEND)
    async with stage(tmp_path) as it:
        gateway, _ = await it.ready()
        await gateway.send_text(request("https://example.org", random_id=99))
    [query] = seen
    assert (query.no_webpage, query.clear_draft, query.random_id) == (True, False, 99)


async def test_the_same_random_id_again_counts_as_sent_and_arrives_once(it: Stage) -> None:
    gateway, _ = await it.ready()
    first = await gateway.send_text(request("once", random_id=7))
    assert first.message_id is not None
    assert await gateway.send_text(request("once", random_id=7)) == SentReceipt(None, None)
    assert await it.mailbox() == ["once"]


async def test_own_sends_are_not_reported_as_arrived(it: Stage) -> None:
    gateway, recorder = await it.ready()
    await gateway.send_text(request("mine"))
    await it.server.console.speak(MARTA, NORA, "yours")
    await recorder.until_texts("yours")


async def test_many_sends_at_once_all_arrive_and_are_told_apart(it: Stage) -> None:
    gateway, _ = await it.ready()
    receipts = await asyncio.gather(
        *(gateway.send_text(request(f"n{number}", random_id=number)) for number in range(1, 51))
    )
    history = await gateway.history(MARTA, limit=50)
    by_id = {message.key.message_id: message.text for message in history}
    assert [by_id.get(receipt.message_id or MessageId(0)) for receipt in receipts] == [
        f"n{number}" for number in range(1, 51)
    ]


@pytest.mark.parametrize(
    ("code", "message", "seconds"),
    [
        (420, "FLOOD_WAIT_33", 33),
        (420, "SLOWMODE_WAIT_9", 9),
        (420, "FLOOD_PREMIUM_WAIT_4", 4),
        (420, "FLOOD_WAIT_0", 0),
    ],
)
async def test_a_wait_is_passed_on_exactly_as_told(
    it: Stage, monkeypatch: pytest.MonkeyPatch, code: int, message: str, seconds: int
) -> None:
    gateway, _ = await it.ready()
    with monkeypatch.context() as patched:
        answer_with(patched, SEND, code, message)
        with pytest.raises(RateLimitedError) as caught:
            await gateway.send_text(request("wait"))
    assert caught.value.retry_after_s == seconds
    assert await it.mailbox() == []
    await gateway.send_text(request("wait"))  # Telethon itself would refuse without asking
    assert await it.mailbox() == ["wait"]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (400, "USER_IS_BLOCKED"),
        (400, "PEER_FLOOD"),
        (403, "CHAT_WRITE_FORBIDDEN"),
        (400, "SOMETHING_NEW"),
        (406, "SOMETHING_PRIVATE"),
        (420, "FROZEN_METHOD_INVALID"),
    ],
)
async def test_a_refusal_is_final_and_says_why(
    it: Stage, monkeypatch: pytest.MonkeyPatch, code: int, message: str
) -> None:
    gateway, _ = await it.ready()
    answer_with(monkeypatch, SEND, code, message)
    with pytest.raises(SendRefusedError) as caught:
        await gateway.send_text(request("no"))
    assert caught.value.code == message
    assert gateway.is_up()


@pytest.mark.parametrize(("code", "message"), [(500, "RPC_CALL_FAIL"), (-503, "Timeout"), (-500, "No workers running")])
async def test_a_server_error_leaves_the_outcome_unknown_and_is_not_repeated(
    it: Stage, monkeypatch: pytest.MonkeyPatch, code: int, message: str
) -> None:
    gateway, _ = await it.ready()
    answer_with(monkeypatch, SEND, code, message)
    calls = tap(monkeypatch, SEND)
    with pytest.raises(OutcomeUnknownError):
        await gateway.send_text(request("perhaps"))
    assert len(calls) == 1


async def handed_over(it: Stage, text: str) -> tuple[asyncio.Task[SentReceipt], object]:
    """Send with the answer held back; returns when the server has the request."""
    gateway, _ = await it.ready()
    it.wire.hold_answers()
    sending = asyncio.get_running_loop().create_task(gateway.send_text(request(text)))
    await executed(it)
    return sending, gateway


async def executed(it: Stage) -> None:
    """Wait until the server has executed a send."""
    await it.wire.asked.wait()
    while not await it.mailbox():  # noqa: ASYNC110 - the server tells nobody
        await asyncio.sleep(0)


async def test_disconnecting_before_the_answer_leaves_the_outcome_unknown_and_cancels_nobody(it: Stage) -> None:
    sending, _ = await handed_over(it, "dropped")
    await it.gateways[0].disconnect()
    with pytest.raises(OutcomeUnknownError):
        await sending


async def test_a_send_cancelled_after_the_dispatch_is_delivered_all_the_same(it: Stage) -> None:
    gateway, _ = await it.ready()
    sending = asyncio.get_running_loop().create_task(gateway.send_text(request("cancelled", random_id=5)))
    await asyncio.sleep(0)  # handed over, not yet on the wire
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending
    assert await gateway.send_text(request("cancelled", random_id=5)) == SentReceipt(None, None)
    assert await it.mailbox() == ["cancelled"]


async def test_what_was_cancelled_and_still_queued_does_not_leave_after_a_disconnect(it: Stage) -> None:
    gateway, _ = await it.ready()
    sending = asyncio.get_running_loop().create_task(gateway.send_text(request("held")))
    await asyncio.sleep(0)
    sending.cancel()
    await gateway.disconnect()
    await it.ready()
    assert await it.mailbox() == []
    assert sending.cancelled()


async def test_what_never_left_the_queue_is_unknown_when_the_connection_breaks(
    it: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    gateway, _ = await it.ready()
    assert gateway.connection.client is not None
    stuck = asyncio.Event()

    async def never(_data: bytes) -> None:
        stuck.set()
        await asyncio.get_running_loop().create_future()

    monkeypatch.setattr(gateway.connection.client._sender._connection, "send", never)
    first = asyncio.get_running_loop().create_task(gateway.send_text(request("first", random_id=1)))
    await stuck.wait()
    second = asyncio.get_running_loop().create_task(gateway.send_text(request("second", random_id=2)))
    await asyncio.sleep(0)
    it.wire.cut()
    outcomes = await asyncio.gather(first, second, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [OutcomeUnknownError, OutcomeUnknownError]


async def test_after_a_restart_the_partner_is_addressed_without_asking_again(
    it: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    gateway, _ = await it.ready()
    await gateway.dialogs()
    await gateway.disconnect()
    answer_with(monkeypatch, functions.messages.GetDialogsRequest, 400, "MUST_NOT_BE_ASKED")
    again, _ = await it.connected()
    await again.send_text(request("from the file"))
    assert await it.mailbox() == ["from the file"]


async def test_a_peer_nobody_knows_is_refused(it: Stage) -> None:
    gateway, _ = await it.ready()
    with pytest.raises(SendRefusedError) as caught:
        await gateway.send_text(request("who?", peer_id=PeerId(4_711)))
    assert caught.value.code == "CHAT_NEVER_MET"


async def test_an_answer_that_can_not_be_read_leaves_the_outcome_unknown(
    it: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    gateway, _ = await it.ready()
    handler = registry._HANDLERS[SEND]

    class Unreadable:
        def __bytes__(self) -> bytes:
            return b"\xde\xad\xbe\xef"

    def answer(call: Any, query: Any) -> Any:
        handler(call, query)
        return Unreadable()

    monkeypatch.setitem(registry._HANDLERS, SEND, answer)
    with pytest.raises(OutcomeUnknownError):
        await gateway.send_text(request("unreadable"))
    assert await it.mailbox() == ["unreadable"]


async def test_updates_as_an_answer_name_the_message(it: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    gateway, _ = await it.ready()
    handler = registry._HANDLERS[SEND]

    def answer(call: Any, query: Any) -> Any:
        short = handler(call, query)
        named = types.UpdateMessageID(short.id, query.random_id)
        return types.Updates([named], [], [], short.date, 0)

    monkeypatch.setitem(registry._HANDLERS, SEND, answer)
    receipt = await gateway.send_text(request("long form", random_id=2**62))
    [sent] = await gateway.history(MARTA, limit=1)
    assert (receipt.message_id, receipt.sent_at) == (sent.key.message_id, sent.sent_at)
