"""Whoever writes gets a name, also where Telegram's update names nobody: then it is asked for with the message."""

from dataclasses import replace

import pytest

from chimein_gui.adapters.telegram.mapping import peers
from chimein_gui.domain.ids import PeerId
from chimein_gui.sandbox.wire.tl import functions
from chimein_gui.sandbox.world.records import User
from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.unit.adapters.telegram.support import MARTA, NORA, OTTO, Stage, lake, request, tap

STRANGER = PeerId(MARTA + 7)


async def told(it: Stage, kind: FaultKind) -> None:
    """Let Telegram name nobody, and a stranger write."""
    if STRANGER not in it.world.users:
        it.world.add_user(User(STRANGER, "Ada", "Nobody-Knows", "", "", is_partner=True))
    await it.server.console.inject(FaultRule(kind, account_id=NORA, times=0))


@pytest.mark.parametrize("kind", [FaultKind.SHORT_UPDATES, FaultKind.BARE_UPDATES])
async def test_a_stranger_has_a_name_from_the_first_message_on(it: Stage, kind: FaultKind) -> None:
    gateway, recorder = await it.ready()
    await told(it, kind)
    await it.server.console.speak(STRANGER, NORA, "hello")
    await recorder.until_texts("hello")
    [(chat, message)] = recorder.of("arrived")
    assert (chat.title, message.sender_name) == ("Ada Nobody-Knows", "Ada Nobody-Knows")
    await gateway.send_text(request("and hello", peer_id=STRANGER))
    assert [one.text for one in await it.server.console.mailbox(STRANGER)] == ["and hello"]


@pytest.mark.parametrize("kind", [FaultKind.SHORT_UPDATES, FaultKind.BARE_UPDATES])
async def test_a_stranger_in_a_group_has_a_name(it: Stage, kind: FaultKind) -> None:
    _, recorder = await it.connected()
    group = lake(it)
    await recorder.until(lambda: len(recorder.of("arrived")) == 1)  # the group was made
    await told(it, kind)
    it.world.groups.add(group, MARTA, STRANGER)
    await it.server.console.speak(STRANGER, group.peer_id, "hello")
    await recorder.until(lambda: recorder.texts()[-1] == "hello")
    chat, message = recorder.of("arrived")[-1]
    assert (chat.title, message.sender_id, message.sender_name) == ("Lake", STRANGER, "Ada Nobody-Knows")
    assert OTTO in group.people


async def test_who_could_not_be_looked_up_is_asked_for_again(it: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    _, recorder = await it.ready()
    await told(it, FaultKind.SHORT_UPDATES)
    asked = tap(monkeypatch, functions.messages.GetMessagesRequest)
    refused = FaultRule(FaultKind.RPC_ERROR, "messages.getMessages", NORA, code=500, message="INTERNAL")
    await it.server.console.inject(refused)
    for text in ("one", "two"):
        await it.server.console.speak(STRANGER, NORA, text)
    await recorder.until_texts("one", "two")
    assert not asked  # not for each message
    assert recorder.of("arrived")[-1][0].title == ""
    for known in it.gateways[0].connection._questions._asked:  # type: ignore[union-attr]
        it.gateways[0].connection._questions._asked[known] = 0.0  # type: ignore[union-attr]
    await it.server.console.speak(STRANGER, NORA, "three")
    await recorder.until_texts("one", "two", "three")
    chat, message = recorder.of("arrived")[-1]
    assert (chat.title, message.sender_name, len(asked)) == ("Ada Nobody-Knows", "Ada Nobody-Knows", 1)


async def test_a_name_that_is_old_is_asked_for_again(it: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    _, recorder = await it.ready()
    await told(it, FaultKind.SHORT_UPDATES)
    asked = tap(monkeypatch, functions.users.GetUsersRequest)
    await it.server.console.speak(MARTA, NORA, "one")
    await recorder.until_texts("one")
    assert not asked
    marta = it.world.users[MARTA]
    it.world.directory.put(replace(marta, last_name="Lind"))
    monkeypatch.setattr(peers, "CURRENT_S", 0.0)
    await it.server.console.speak(MARTA, NORA, "two")
    await recorder.until_texts("one", "two")
    assert [message.sender_name for _, message in recorder.of("arrived")] == ["Marta Oliveira", "Marta Lind"]
