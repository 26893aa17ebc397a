"""A send that a lost connection cut off, then hold, then a reconnect: nothing leaves before it is approved again."""

from __future__ import annotations

from pathlib import Path

import pytest

from chimein_gui.domain.approvals import Approval, AskReason
from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.kills.case import LONG, Case, case
from tests.kills.harness import Run
from tests.kills.processes import Sandbox

SEND = "messages.sendMessage"
LOOK_UP = "_reconcile_unknown"
"""What is committed after the outcome of a send was looked up."""


async def in_state(run: Run, card: Approval, status: TaskStatus) -> Approval:
    """Wait until a send is in a state."""

    async def found() -> Approval | None:
        return next((row for row in await run.cards() if _is(row, card, status)), None)

    return await run.until(found)


async def cut_off(it: Case, run: Run, text: str, kind: FaultKind) -> tuple[Approval, Approval]:
    """Let a connection be lost in the middle of a send; returns it, and what follows and is approved as well."""
    card, later = await it.asked(run, text, "What follows.")
    await run.approve(later)
    await it.console.inject(FaultRule(kind, SEND, it.account))
    await run.approve(card)
    await in_state(run, card, TaskStatus.UNKNOWN)
    return card, later


def _is(row: Approval, card: Approval, status: TaskStatus) -> bool:
    return row.approval_id == card.approval_id and row.task_status is status


@pytest.mark.parametrize("scope", HoldScope)
async def test_cut_off_held_and_reconnected_the_partner_receives_nothing_before_it_is_approved_again(
    sandbox: Sandbox, tmp_path: Path, scope: HoldScope
) -> None:
    async with case(sandbox, tmp_path) as it, it.living() as run:
        card, _ = await cut_off(it, run, "Cut off.", FaultKind.DROP_BEFORE)
        target = {HoldScope.ALL: 0, HoldScope.ACCOUNT: it.account, HoldScope.CHAT: int(card.chat_id)}[scope]
        await run.call("holds.hold", scope, target, "wait")
        await run.call("until_committed", LOOK_UP)
        assert await it.mailbox() == []
        backlog = await run.call("holds.release", scope, target)
        assert [item.ticked for item in backlog.items] == [False] * len(backlog.items)
        cards = {row.text: row for row in await run.settled(2)}
        assert cards["Cut off."].reasons[0] is AskReason.NOT_DELIVERED
        assert AskReason.HELD in cards["What follows."].reasons
        assert await it.mailbox() == []
        await run.approve(cards["What follows."])
        await run.approve(cards["Cut off."])
        await run.settled()
        assert await it.mailbox() == ["Cut off.", "What follows."]
        await it.check_books()


async def test_cut_off_after_it_was_delivered_it_is_found_under_hold(sandbox: Sandbox, tmp_path: Path) -> None:
    async with case(sandbox, tmp_path) as it, it.living() as run:
        card, later = await cut_off(it, run, "Delivered.", FaultKind.DROP_AFTER)
        await run.call("holds.hold", HoldScope.ALL, 0, "wait")

        async def only_the_second() -> bool:
            return [row.approval_id for row in await run.cards()] == [later.approval_id]

        await run.until(only_the_second)
        assert await it.mailbox() == ["Delivered."]
        await run.call("holds.release", HoldScope.ALL)
        (card,) = await run.settled(1)
        assert await it.mailbox() == ["Delivered."]
        await run.approve(card)
        await run.settled()
        assert await it.mailbox() == ["Delivered.", "What follows."]
        await it.check_books()


async def test_killed_under_hold_the_hold_survives_and_nothing_leaves(sandbox: Sandbox, tmp_path: Path) -> None:
    async with case(sandbox, tmp_path) as it:
        async with it.living() as run:
            await cut_off(it, run, "Cut off.", FaultKind.DROP_BEFORE)
            await run.call("holds.hold", HoldScope.ALL, 0, "wait")
            await run.kill()
        async with it.living() as run:
            await run.call("until_committed", LOOK_UP)
            assert [hold.reason for hold in (await run.call("holds.load")).rows] == ["wait"]
            assert await it.mailbox() == []
            await run.call("holds.release", HoldScope.ALL)
            first, _ = await run.settled(2)
            assert await it.mailbox() == []
            await run.reject(first)
            (second,) = await run.settled(1)
            await run.reject(second)
            await run.settled()
        assert await it.mailbox() == []
        await it.check_books()


@pytest.mark.parametrize("kind", [FaultKind.DROP_BEFORE, FaultKind.DROP_AFTER])
async def test_without_a_hold_it_arrives_once_after_the_reconnect(
    sandbox: Sandbox, tmp_path: Path, kind: FaultKind
) -> None:
    async with case(sandbox, tmp_path) as it, it.living() as run:
        card, later = await it.asked(run, "Cut off.", "What follows.")
        await run.approve(later)
        await it.console.inject(FaultRule(kind, SEND, it.account))
        await run.approve(card)
        await run.settled()
        assert await it.mailbox() == ["Cut off.", "What follows."]
        await it.check_books()


async def test_held_in_the_middle_of_a_text_its_rest_waits_for_another_decision(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    async with case(sandbox, tmp_path) as it:
        async with it.living() as run:
            (card,) = await it.asked(run, LONG)
            await it.console.inject(FaultRule(FaultKind.SLOW, SEND, it.account, seconds=0.3))
            await run.approve(card)
            await in_state(run, card, TaskStatus.SENDING)
            await run.call("holds.hold", HoldScope.ALL, 0, "wait")
            (card,) = await run.settled(1)
            assert {AskReason.PARTLY_SENT, AskReason.HELD} <= set(card.reasons)
            assert await it.mailbox() == ["a" * 4_000]
            await run.kill()
        async with it.living() as run:
            await run.online()
            await run.call("holds.release", HoldScope.ALL)
            (card,) = await run.settled(1)
            assert await it.mailbox() == ["a" * 4_000]
            await run.approve(card)
            await run.settled()
        assert await it.mailbox() == [letter * 4_000 for letter in "abc"]
        await it.check_books()
