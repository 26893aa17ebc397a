"""`kill -9` at each failpoint of each kind of send: after a restart it has left exactly once, and the plan goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.failpoints import Failpoint
from tests.kills.case import LONG, STICKER, case
from tests.kills.processes import Sandbox

POINTS = [pytest.param(point, id=point.value) for point in Failpoint]
LEFT = frozenset(
    {Failpoint.AFTER_WRITE, Failpoint.SERVER_EXECUTED, Failpoint.ANSWERED, Failpoint.CONFIRMATION_COMMITTED}
)
"""At these the request is on its way to the server, or there."""

SENDS = {
    "text": ("Well, *hello*.", ["Well, hello."]),
    "split": (LONG, [letter * 4_000 for letter in "abc"]),
    "sticker": (STICKER, ["sticker"]),
}
MIDDLE = 2
"""A text of three parts is cut off in its second."""


@pytest.mark.parametrize("what", SENDS)
@pytest.mark.parametrize("point", POINTS)
async def test_a_send_arrives_once_and_the_plan_goes_on(
    sandbox: Sandbox, tmp_path: Path, point: Failpoint, what: str
) -> None:
    block, arrives = SENDS[what]
    async with case(sandbox, tmp_path) as it:
        async with it.living() as run:
            card, later = await it.asked(run, block, "And later this.")
            await run.approve(later)
            in_parts = what == "split" and point is not Failpoint.DECISION_COMMITTED
            await run.approve_and_die(card, point, MIDDLE if in_parts else 1)
            at_death = await it.mailbox()
        async with it.living() as run:
            await run.settled()
        assert await it.mailbox() == [*arrives, "And later this."]
        assert at_death == arrives[: len(at_death)]
        if point is not Failpoint.AFTER_WRITE:  # the server may have read it, or not
            assert len(at_death) == in_parts + (point in LEFT)
        await it.check_books()


@pytest.mark.parametrize("point", POINTS)
async def test_a_block_is_carried_out_and_what_follows_waits_for_its_decision(
    sandbox: Sandbox, tmp_path: Path, point: Failpoint
) -> None:
    async with case(sandbox, tmp_path) as it:
        async with it.living() as run:
            card, _ = await it.asked(run, "# «block»", "# «unblock»")
            await run.approve_and_die(card, point)
        async with it.living() as run:
            (later,) = await run.settled(1)
            async with it.device() as phone:
                assert await phone.blocked() == {it.partner}
                await run.approve(later)
                await run.settled()
                assert await phone.blocked() == frozenset()
        assert await it.mailbox() == []
        await it.check_books()


@pytest.mark.parametrize("point", POINTS)
async def test_cut_off_in_a_chat_that_went_on_it_is_never_sent_again_by_itself(
    sandbox: Sandbox, tmp_path: Path, point: Failpoint
) -> None:
    """What the server has is found; of what it has not the operator is asked, and what follows waits."""
    async with case(sandbox, tmp_path) as it:
        async with it.living() as run:
            card, later = await it.asked(run, "Shall we?", "At six.")
            await run.approve(later)
            await run.approve_and_die(card, point)
        await it.console.queue_reply("# «think»\nNothing to add.")
        await it.console.speak(it.partner, it.account, "Never mind.")
        async with it.living() as run:
            await run.heard("Never mind.")
            cards = await run.answered()
            asked = [one for one in cards if AskReason.NOT_DELIVERED in one.reasons]
            assert bool(asked) == (point not in LEFT and point is not Failpoint.DECISION_COMMITTED)
            assert await it.mailbox() == (["Shall we?"] if point in LEFT else [])
            for one in asked:
                await run.approve(one, knowingly=True)
                await run.answered()
                assert await it.mailbox() == ["Shall we?"]
        await it.check_books(at_rest=False)
