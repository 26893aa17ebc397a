"""A disk that takes no more, in the middle of the traffic: all is held in memory; nothing is lost, nothing twice.

SQLITE_FULL is what a database says that may not grow, EFBIG what a file system says.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.errors import StoreWriteError
from chimein_gui.domain.events import HoldsChanged
from chimein_gui.domain.failpoints import Failpoint
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.tasks import TaskStatus
from tests.kills.case import case
from tests.kills.harness import Run
from tests.kills.life import Arming
from tests.kills.processes import Sandbox

LONG = "so much to say " * 250
"""Needs pages of its own."""

PARTS = 8
"""Requests of so long a text: more than the few pages that a store has to spare."""

FULL = [pytest.param("limit_pages", id="SQLITE_FULL"), pytest.param("limit_log", id="EFBIG")]


async def held(run: Run) -> Hold:
    """Wait until everything is held in memory; returns the hold."""

    async def found() -> Hold | None:
        changes = [event.holds for event in run.events if isinstance(event, HoldsChanged)]
        return next((hold for hold in changes[-1] if not hold.stored), None) if changes else None

    hold = await run.until(found)
    assert hold.scope is HoldScope.ALL
    assert "disk" in str(hold.failure)
    return hold


async def release(run: Run) -> dict[str, Any]:
    """Let go, as the operator does; returns the backlog by text."""
    backlog = await run.call("holds.release", HoldScope.ALL)
    return {item.approval.text.strip(): item for item in backlog.items}


@pytest.mark.parametrize("limit", FULL)
async def test_a_decision_that_cannot_be_stored_holds_everything_until_the_operator_releases(
    sandbox: Sandbox, tmp_path: Path, limit: str
) -> None:
    async with case(sandbox, tmp_path) as it:
        async with it.living() as run:
            first, second = await it.asked(run, LONG * PARTS, "And this.")
            await run.approve(second)
            await run.call(limit, 0)
            with pytest.raises(StoreWriteError, match="disk"):
                await run.approve(first)
            await held(run)
            await it.console.speak(it.partner, it.account, LONG)
            assert await it.mailbox() == []
            await it.console.queue_reply("# «send»\nYou said it.")
            await run.call("make_room")

            async def only_the_new() -> Any:
                rows = await run.cards()
                return rows if [row.text for row in rows] == ["You said it."] else ()

            await run.until(only_the_new)
            assert await it.mailbox() == []
            assert list(await release(run)) == ["You said it."]
            (card,) = await run.settled(1)
            assert await it.mailbox() == []
            await run.approve(card)
            await run.settled()
        assert await it.mailbox() == ["You said it."]
        await it.check_books()


@pytest.mark.parametrize("spare", [0, 5_000])
async def test_an_answer_that_cannot_be_stored_is_kept_until_there_is_room(
    sandbox: Sandbox, tmp_path: Path, spare: int
) -> None:
    """Its message has left: it is confirmed as soon as the disk takes it, and nothing follows by itself."""
    async with case(sandbox, tmp_path) as it:
        async with it.living() as run:
            first, second = await it.asked(run, LONG, "And this.")
            await run.approve(second)
            await run.call("arm", Arming(Failpoint.ANSWERED, spare=spare))
            await run.approve(first)
            await held(run)
            assert await it.mailbox() == [LONG.strip()]
            await run.call("make_room")

            async def only_the_second() -> Any:
                rows = await run.cards()
                return rows if [row.approval_id for row in rows] == [second.approval_id] else ()

            (waiting,) = await run.until(only_the_second)
            assert waiting.task_status is TaskStatus.APPROVED
            assert await it.mailbox() == [LONG.strip()]
            backlog = await release(run)
            (card,) = await run.settled(1)
            assert AskReason.HELD in card.reasons
            assert list(backlog) == ["And this."]
            assert await it.mailbox() == [LONG.strip()]
            await run.approve(card)
            await run.settled()
        assert await it.mailbox() == [LONG.strip(), "And this."]
        await it.check_books()


async def test_killed_while_the_answer_cannot_be_stored_it_is_found_at_the_next_start(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    async with case(sandbox, tmp_path) as it:
        async with it.living() as run:
            (card,) = await it.asked(run, LONG)
            await run.call("arm", Arming(Failpoint.ANSWERED, spare=0))
            await run.approve(card)
            await held(run)
            await run.kill()
        async with it.living() as run:
            await run.online()
            await run.settled()
        assert await it.mailbox() == [LONG.strip()]
        await it.check_books()


async def test_a_claim_that_cannot_be_stored_sends_nothing(sandbox: Sandbox, tmp_path: Path) -> None:
    async with case(sandbox, tmp_path) as it:
        async with it.living() as run:
            (card,) = await it.asked(run, "Hello.")
            await run.call("arm", Arming(Failpoint.DECISION_COMMITTED, spare=0))
            await run.approve(card)
            await held(run)
            assert await it.mailbox() == []
            await run.call("make_room")
            backlog = await release(run)
            assert list(backlog) == ["Hello."]
            (card,) = await run.settled(1)
            assert await it.mailbox() == []
            await run.approve(card)
            await run.settled()
        assert await it.mailbox() == ["Hello."]
        await it.check_books(logged="A step of chat")


async def test_a_start_on_a_full_disk_says_so_and_starts_nothing(sandbox: Sandbox, tmp_path: Path) -> None:
    async with case(sandbox, tmp_path) as it:
        async with it.living() as run:
            (card,) = await it.asked(run, "Hello.")
            await run.approve_and_die(card, Failpoint.DECISION_COMMITTED)
        async with it.living(full_disk=True) as run:
            assert isinstance(run.refusal, StoreWriteError)
            assert "disk" in str(run.refusal)
        assert await it.mailbox() == []
        async with it.living() as run:
            await run.settled()
        assert await it.mailbox() == ["Hello."]
        await it.check_books()
