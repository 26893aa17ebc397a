"""What a plan sees of a group where much was said since it was called, or long ago."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from chimein_gui.domain.context import Reason
from chimein_gui.domain.ids import MessageId
from tests.support.group_room import NORA, PEOPLE, GroupRoom, chosen, group_room, held

MINUTE, HOUR = 60.0, 3600.0
TALK = (
    (26, "Priya", "Tom, should we move the weekly call to 9:30?"),
    (21, "Ben", "Leo, my parcel arrived, only eleven days late"),
    (14, "Tom", "Priya, a weekly call at 9:30 collides with my school run"),
    (9, "Priya", "Tom, then the weekly call at 10:00?"),
    (4, "Leo", "Ben, did they send the right cable at last?"),
    (3, "Priya", "@bot what do you think?"),
)


async def test_every_unanswered_call_sees_what_came_before_it_and_what_is_said_now(here: GroupRoom) -> None:
    here.group.said(*((20 * HOUR + ago * MINUTE, who, text) for ago, who, text in TALK))
    here.group.said(*((19 * HOUR - 40 * n, ("Ben", "Leo")[n % 2], f"goal number {n}") for n in range(450)))
    here.group.said(
        (50 * MINUTE, "Wen", "the tent has no poles"),
        (30 * MINUTE, "Ida", "Wen, the poles of the tent are in my car"),
        (20 * MINUTE, "Wen", "@bot is the tent complete then, Ida?"),
    )
    await here.settled()
    context = await chosen(here, 6, 459)
    assert {1, 3, 4, 6, 457, 458, 459} <= set(held(context))
    assert {2, 5}.isdisjoint(held(context))
    assert context.is_partial  # nobody looked at what lies between


async def test_where_a_prompt_may_hold_few_the_trace_says_what_was_left_out_for_that(here: GroupRoom) -> None:
    here.group.said((3 * 24 * HOUR, "Priya", "Tom, I count the poles of the tent tomorrow"))
    here.group.said(*((20 * MINUTE - n, ("Priya", "Tom")[n % 2], f"the tent needs pole {n}") for n in range(8)))
    here.group.says("@bot and now?", PEOPLE["Priya"], MessageId(1))
    here.group.said((0.0, "Ben", "what a match"))
    await here.settled()
    context = await chosen(here, 10, limit=3)
    assert len(held(context)) == 3
    assert {1, 10} <= set(held(context))
    assert held(context) == [*(one.message_id for one in context.choices if one.included), 10]
    left_out = [one for one in context.choices if one.reason is Reason.BEYOND_LOOKBACK]
    assert left_out
    assert context.is_partial


async def test_history_n_holds_the_call_itself_however_much_was_said_since(tmp_path: Path) -> None:
    async with group_room(tmp_path, spec=replace(NORA, group_history=3)) as here:
        here.group.said(*((HOUR - n, "Ben", f"line {n}") for n in range(10)))
        await here.settled()
        assert held(await chosen(here, 2, 5)) == [2, 5, 8, 9, 10]
