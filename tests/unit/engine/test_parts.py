"""From a card to the requests that leave."""

from __future__ import annotations

from chimein_gui.domain.approvals import ApproveEdited
from chimein_gui.domain.tasks import LedgerState, TaskKind, TaskStatus
from chimein_gui.engine.parts import new_random_id, requests_for
from chimein_gui.engine.plan_reading import PlannedStep
from tests.fakes.telegram import LOSE
from tests.support.send_room import SendRoom


async def test_a_text_is_formatted_and_split_each_part_with_a_number_of_its_own(room: SendRoom) -> None:
    (draft,) = await room.plan(await room.chat(), f"**bold**\n\n{'a' * 4000}\n\n{'b' * 4000}")
    requests = requests_for(draft)
    assert [request.part for request in requests] == [0, 1]
    assert requests[0].text.startswith("bold\n\na")
    assert [(one.kind, one.offset, one.length) for one in requests[0].entities] == [("bold", 0, 4)]
    assert requests[1].text == "b" * 4000
    assert len({request.random_id for request in requests}) == 2


async def test_a_sticker_is_one_request_with_its_file(room: SendRoom) -> None:
    sticker = room.telegram.put_sticker("cats", "😺")
    (draft,) = await room.plan(await room.chat(), PlannedStep(TaskKind.STICKER, "cats", sticker=sticker))
    (request,) = requests_for(draft)
    assert (request.sticker, request.text) == (sticker, "😺")


def test_random_ids_are_signed_64_bit_numbers_and_never_0() -> None:
    drawn = {new_random_id() for _ in range(1000)}
    assert len(drawn) == 1000
    assert all(-(2**63) <= number < 2**63 and number for number in drawn)


async def test_an_edit_gives_up_what_perhaps_was_not_delivered_and_gets_new_numbers(room: SendRoom) -> None:
    chat = await room.chat()
    (draft,) = await room.plan(chat, "hi")
    room.telegram.script.append(LOSE)
    await room.approve(draft)
    await room.pass_time(20)
    await room.partner_writes(chat, "hello?")
    await room.connect()
    await room.worked_off()
    assert await room.status(draft) == [TaskStatus.AWAITING_DECISION]
    before = await room.rows(draft)
    await room.decide(draft, ApproveEdited("in other words"))
    await room.worked_off()
    first, second = room.telegram.requests
    assert first.random_id != second.random_id
    assert room.texts() == ["in other words"]
    given_up = await room.store.read(lambda tx: tx.ledger.get(before[0].ledger_id))
    assert given_up.state is LedgerState.VOID
