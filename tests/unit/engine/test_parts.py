"""From a card to the requests that leave."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest  # noqa: TC002 - a fixture's type is looked up

from chimein_gui.domain.messages import Message
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.approvals.approve import new_random_id, requests_for
from chimein_gui.engine.ports import ServerWait
from tests.fakes.telegram import ACCOUNT
from tests.support.send_room import SendRoom


async def test_a_text_is_formatted_and_split_each_part_with_a_number_of_its_own(room: SendRoom) -> None:
    (draft,) = await room.plan(await room.chat(), f"**bold**\n\n{'a' * 4000}\n\n{'b' * 4000}")
    requests = requests_for(draft)
    assert [request.part for request in requests] == [0, 1]
    assert requests[0].text.startswith("bold\n\na")
    assert [(one.kind, one.offset, one.length) for one in requests[0].entities] == [("bold", 0, 4)]
    assert requests[1].text == "b" * 4000
    assert len({request.random_id for request in requests}) == 2


def test_random_ids_are_signed_64_bit_numbers_and_never_0() -> None:
    drawn = {new_random_id() for _ in range(1000)}
    assert len(drawn) == 1000
    assert all(-(2**63) <= number < 2**63 and number for number in drawn)


async def test_the_next_part_waits_if_telegram_has_told_another_send_to_wait(
    room: SendRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat_id = await room.chat()
    (draft,) = await room.plan(chat_id, f"{'a' * 4000}\n\n{'b' * 4000}")
    told = room.clock.now() + timedelta(seconds=30)

    def sent(text: str, **more: Any) -> Message:
        room.store.submit(lambda tx: tx.waits.put(ServerWait(ACCOUNT, None, "send_text", told)))
        return delivered(text, **more)

    delivered = room.telegram.store
    monkeypatch.setattr(room.telegram, "store", sent)
    await room.execute(draft)
    assert [text[0] for text in room.texts()] == ["a"]
    assert await room.status(draft) == [TaskStatus.APPROVED]
    monkeypatch.undo()
    await room.pass_time(31)
    assert [text[0] for text in room.texts()] == ["a", "b"]
    assert await room.status(draft) == [TaskStatus.DONE]
