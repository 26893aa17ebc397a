"""What stands around a call: chains of replies from long ago, what was said since, what is gone."""

from __future__ import annotations

from chimein_gui.domain.context import Reason
from chimein_gui.domain.ids import MessageId
from tests.fakes.group import group_info
from tests.support.group_room import ACCOUNT, PEOPLE, GroupRoom, chosen, held

MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0


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
