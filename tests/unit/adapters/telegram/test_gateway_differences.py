"""What came while an account was away, or got lost on the way: differences, whatever is in them."""

import gc
from typing import Any

import pytest

from chimein_gui.adapters.telegram.transport import client as telegram_client
from chimein_gui.domain.errors import RevokedError
from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.unit.adapters.telegram.support import MARTA, NORA, Stage, request


async def marta_says(it: Stage, *texts: str) -> list[int]:
    return [await it.server.console.speak(MARTA, NORA, text) for text in texts]


def marta_changes(it: Stage, *, edit: tuple[int, str] | None = None, delete: int | None = None) -> None:
    world = it.world
    if edit is not None:
        world.edit(MARTA, *edit, ())
    if delete is not None:
        world.delete(MARTA, [delete], revoke=True)
    it.settle()


async def test_edits_deletes_and_read_marks_of_an_absence_are_told(it: Stage) -> None:
    gateway, recorder = await it.ready()
    first, second = await marta_says(it, "at four", "bring cake")
    await recorder.until_texts("at four", "bring cake")
    sent = await gateway.send_text(request("fine"))
    await gateway.disconnect()
    marta_changes(it, edit=(first, "at five"), delete=second)
    it.world.read(MARTA, NORA, 0)
    await marta_says(it, "and a knife")
    _, again = await it.connected()
    await again.until(lambda: bool(again.of("read by partner")))
    assert again.texts() == ["and a knife"]
    [(_, edited)] = again.of("edited")
    assert (edited.text, edited.edited_at is not None) == ("at five", True)
    told = {message.text: message.key.message_id for _, message in recorder.of("arrived")}
    assert again.of("deleted") == [(NORA, None, (told["bring cake"],))]
    assert again.of("read by partner") == [(NORA, MARTA, sent.message_id)]


async def test_a_gap_in_the_middle_is_filled_with_edits_too(it: Stage) -> None:
    _, recorder = await it.ready()
    [first] = await marta_says(it, "at four")
    await recorder.until_texts("at four")
    subscribers = it.server._around.hub._subscribers
    heard, subscribers[NORA] = subscribers[NORA], []
    marta_changes(it, edit=(first, "at five"))  # which nobody is told
    subscribers[NORA] = heard
    await marta_says(it, "well?")
    await recorder.until(lambda: bool(recorder.of("edited")))
    assert recorder.of("edited")[0][1].text == "at five"
    await recorder.until_texts("at four", "well?")


async def test_a_difference_that_is_too_long_ends_the_connection_and_is_told(it: Stage) -> None:
    gateway, recorder = await it.ready()
    await marta_says(it, "before")
    await recorder.until_texts("before")
    await gateway.disconnect()
    await marta_says(it, "missed", "missed too")
    it.world.forget_log(NORA)
    gateway, recorder = await it.connected()
    await gateway.wait_lost()
    assert recorder.facts == [("skipped",)]
    await gateway.disconnect()
    gateway, recorder = await it.connected()
    await marta_says(it, "after")
    await recorder.until_texts("after")
    assert recorder.of("skipped") == []


async def test_an_unanswered_difference_ends_the_connection(it: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    gateway, _ = await it.ready()
    await gateway.disconnect()
    await marta_says(it, "missed")
    await it.server.console.inject(FaultRule(FaultKind.NO_ANSWER, "updates.getDifference"))
    monkeypatch.setattr(telegram_client, "_ANSWER_TIMEOUT_S", 0.2)
    gateway, recorder = await it.connected()
    await gateway.wait_lost()
    assert recorder.facts == []
    await gateway.disconnect()
    _, recorder = await it.connected()
    await recorder.until_texts("missed")


async def test_a_ping_that_finds_the_key_forgotten_ends_the_connection_quietly(it: Stage) -> None:
    gateway, _ = await it.ready()
    await it.server.console.inject(FaultRule(FaultKind.FORGET_KEY, account_id=NORA))
    client: Any = gateway.connection.client
    client._sender._keepalive_ping(7)
    with pytest.raises(RevokedError):
        await gateway.wait_lost()
    assert not gateway.is_up()
    del client
    await gateway.disconnect()
    gc.collect()  # asyncio reports what nobody has looked at when it is collected
