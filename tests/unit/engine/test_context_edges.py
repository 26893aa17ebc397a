"""What stands around a call: chains of replies from long ago, what was said since, what is gone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from chimein_gui.domain.context import Reason
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.prompt.left_out import LeftOut, LeftOutKind
from tests.fakes.group import group_info
from tests.support.group_room import ACCOUNT, NORA, PEOPLE, GroupRoom, chosen, group_room, held

MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0
TALK = (
    (26, "Priya", "Tom, should we move the weekly call to 9:30?"),
    (21, "Ben", "Leo, my parcel arrived, only eleven days late"),
    (14, "Tom", "Priya, a weekly call at 9:30 collides with my school run"),
    (9, "Priya", "Tom, then the weekly call at 10:00?"),
    (4, "Leo", "Ben, did they send the right cable at last?"),
    (3, "Priya", "@bot what do you think?"),
)


def is_gone(here: GroupRoom, *numbers: int) -> None:
    listener = here.group.online[ACCOUNT].listener
    assert listener is not None
    listener.messages_deleted(ACCOUNT, group_info(ACCOUNT).peer_id, tuple(MessageId(number) for number in numbers))


async def test_a_chain_of_replies_is_followed_beyond_all_candidates(here: GroupRoom) -> None:
    here.group.said((9 * DAY, "Wen", "the key lies under the blue boat"), (9 * DAY - 60, "Leo", "goal!"))
    here.group.says("which blue boat?", PEOPLE["Ida"], MessageId(1))
    here.group.says("the one with the torn sail", PEOPLE["Wen"], MessageId(3))
    here.group.ago_s.update({3: 9 * DAY - 90, 4: 9 * DAY - 100})
    here.group.said(*((9 * HOUR - 40 * n, ("Ben", "Leo")[n % 2], f"goal number {n}") for n in range(420)))
    here.group.says("@bot is that still so?", PEOPLE["Tom"], MessageId(4))
    await here.settled()
    context = await chosen(here, 425)
    told = {one.message_id: one for one in context.choices}
    assert [told[number].reason for number in (4, 3, 1)] == [Reason.ANCHOR, Reason.REPLY_CHAIN, Reason.REPLY_CHAIN]
    assert {1, 3, 4, 425} <= set(held(context))
    assert 2 not in held(context)


async def test_of_what_was_said_since_the_call_that_is_in_which_belongs_to_it(here: GroupRoom) -> None:
    for n in range(10):
        one, other = ("Priya", "Tom") if n % 2 else ("Tom", "Priya")
        here.group.said((900.0 - 40 * n, one, f"{other}, the tent needs tent pole {n}"))
        one, other = ("Ben", "Leo") if n % 2 else ("Leo", "Ben")
        here.group.said((890.0 - 40 * n, one, f"{other}, goal in minute {n}, what a match"))
    here.group.said(
        (500.0, "Priya", "@bot does the tent stand with that, Tom?"),
        (400.0, "Tom", "Priya, the tent needs tent pole 11"),
        (390.0, "Ben", "Leo, goal in minute 90, what a match"),
    )
    await here.settled()
    context = await chosen(here, 21)
    assert {21, 22} <= set(held(context))
    assert 23 not in held(context)
    assert {22, 23} <= {one.message_id for one in context.choices}


async def test_a_call_that_is_gone_is_answered_no_more(here: GroupRoom) -> None:
    here.group.said(
        (50 * MINUTE, "Leo", "Ben, the match begins at nine"),
        (40 * MINUTE, "Leo", "@bot when does the match begin, Ben?"),
        (30 * MINUTE, "Priya", "the tent has no poles"),
        (20 * MINUTE, "Priya", "@bot is the tent complete?"),
    )
    await here.settled()
    assert 1 in held(await chosen(here, 2, 4))
    is_gone(here, 2)
    await here.settled()
    assert {1, 2}.isdisjoint(held(await chosen(here, 2, 4)))


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
    assert LeftOut(LeftOutKind.OVER_LIMIT, number=len(left_out)) in context.left_out
    assert context.is_partial


async def test_history_n_holds_the_call_itself_however_much_was_said_since(tmp_path: Path) -> None:
    async with group_room(tmp_path, spec=replace(NORA, group_history=3)) as here:
        here.group.said(*((HOUR - n, "Ben", f"line {n}") for n in range(10)))
        await here.settled()
        assert held(await chosen(here, 2, 5)) == [2, 5, 8, 9, 10]


async def test_an_anchor_that_was_deleted_is_not_quoted(here: GroupRoom) -> None:
    (old,) = here.group.said((HOUR, "Wen", "the key lies under the blue boat"))
    here.group.said((MINUTE, "Ben", "hello"))
    await here.settled()
    is_gone(here, old)
    await here.settled()
    assert "blue boat" not in str(await here.call("Tom", "Nora, which boat?", reply_to=old))
