"""`kill -9` at each failpoint of each kind of send: after a restart it has left exactly once, and the plan goes on."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.events import UploadAdvanced
from chimein_gui.domain.failpoints import Failpoint
from chimein_gui.domain.plans.outgoing_files import FileToSend
from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.kills.case import LONG, STICKER, Case, case
from tests.kills.harness import DiedError, Run
from tests.kills.life import SEND_POINTS, Arming
from tests.kills.processes import Sandbox

POINTS = [pytest.param(point, id=point.value) for point in SEND_POINTS]
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


async def sends_a_file(it: Case, run: Run, arming: Arming | None = None) -> None:
    """The operator sends a file of two parts; the process may die meanwhile."""
    await run.online()
    await it.console.queue_reply("# «think»\nNothing to add.")
    await it.console.speak(it.partner, it.account, "Have you got it?")
    await run.heard("Have you got it?")
    await run.answered()
    await run.call("arm", arming)
    [chat] = await run.chats()
    file = FileToSend(b"a page " * 100_000, "pages.txt")
    with suppress(DiedError):
        await run.call("composer.write", chat.chat_id, "The pages.", client_id="press", attached=file)


@pytest.mark.parametrize("point", POINTS)
async def test_a_file_arrives_once(sandbox: Sandbox, tmp_path: Path, point: Failpoint) -> None:
    async with case(sandbox, tmp_path) as it:
        async with it.living() as run:
            await sends_a_file(it, run, Arming(point))
            await run.death()
            at_death = await it.mailbox()
        await arrives_once(it)
        if point is not Failpoint.AFTER_WRITE:
            assert len(at_death) == (point in LEFT)


async def test_a_file_that_was_being_uploaded_is_uploaded_anew(sandbox: Sandbox, tmp_path: Path) -> None:
    async with case(sandbox, tmp_path) as it:
        async with it.living() as run:
            await it.console.inject(FaultRule(FaultKind.NO_ANSWER, "upload.saveFilePart", it.account))
            await sends_a_file(it, run)

            async def begins() -> bool:
                return any(isinstance(event, UploadAdvanced) for event in run.events)

            await run.until(begins)
            await run.kill()
            assert await it.mailbox() == []
        await arrives_once(it)


async def arrives_once(it: Case) -> None:
    """After a restart the file is there, whole and once."""
    async with it.living() as run:
        await run.settled()
    [arrived] = await it.console.mailbox(it.partner)
    assert (arrived.text, arrived.media) == ("The pages.", "document")
    await it.check_books()
