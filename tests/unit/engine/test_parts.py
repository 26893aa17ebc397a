"""From a card to the requests that leave."""

from __future__ import annotations

from chimein_gui.engine.approvals.approve import new_random_id, requests_for
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
