"""However the server treats a repeated `random_id`: a second copy only where the operator decided so, knowing why."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.failpoints import Failpoint
from chimein_gui.domain.ids import MessageId, PeerId
from chimein_gui.sandbox_api import DuplicateMode
from tests.kills.case import LONG, Case, case
from tests.kills.processes import Sandbox

MODES = [pytest.param(mode, id=mode.value) for mode in DuplicateMode]
CUT_OFF = [
    pytest.param(point, id=point.value)
    for point in (Failpoint.CLAIM_COMMITTED, Failpoint.SERVER_EXECUTED, Failpoint.ANSWERED)
]
LATE = timedelta(minutes=11)
"""Longer than the same bytes go out again by themselves."""


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("point", CUT_OFF)
async def test_whatever_the_server_remembers_it_arrives_once(
    sandbox: Sandbox, tmp_path: Path, point: Failpoint, mode: DuplicateMode
) -> None:
    async with case(sandbox, tmp_path) as it:
        await it.console.set_duplicate_mode(mode)
        async with it.living() as run:
            (card,) = await it.asked(run, LONG)
            await run.approve_and_die(card, point, 2)
        async with it.living() as run:
            await run.settled()
        assert await it.mailbox() == [letter * 4_000 for letter in "abc"]
        await it.check_books()


@pytest.mark.parametrize("point", CUT_OFF)
async def test_ten_minutes_later_it_is_not_sent_again_by_itself(
    sandbox: Sandbox, tmp_path: Path, point: Failpoint
) -> None:
    """By then the server may have forgotten the number."""
    async with case(sandbox, tmp_path) as it:
        await it.console.set_duplicate_mode(DuplicateMode.FORGOTTEN_LATER)
        async with it.living() as run:
            (card,) = await it.asked(run, "Only once.")
            await run.approve_and_die(card, point)
        await it.console.forget_random_ids(0)
        was_lost = point is Failpoint.CLAIM_COMMITTED
        async with it.living(ahead=LATE) as run:
            await run.online()
            cards = await run.settled(int(was_lost))
            assert [AskReason.NOT_DELIVERED in one.reasons for one in cards] == [True] * was_lost
            assert await it.mailbox() == ["Only once."] * (not was_lost)
            for one in cards:
                await run.approve(one, knowingly=True)
            await run.settled()
        assert await it.mailbox() == ["Only once."]
        await it.check_books()


async def cut_off_beyond_recognition(it: Case) -> None:
    """Let a send arrive, the product die before the answer, and the message look otherwise by the next start."""
    async with it.living() as run:
        (card,) = await it.asked(run, "As it was decided.")
        await run.approve_and_die(card, Failpoint.SERVER_EXECUTED)
    (sent,) = [one for one in (await it.box(it.account))["messages"] if one["outgoing"]]
    async with it.device() as phone:
        await phone.edit_text(PeerId(it.partner), MessageId(sent["message_id"]), "As somebody edited it.")


@pytest.mark.parametrize("later", [False, True], ids=["at once", "later"])
@pytest.mark.parametrize("mode", MODES)
async def test_a_second_copy_takes_a_decision_on_perhaps_not_delivered(
    sandbox: Sandbox, tmp_path: Path, mode: DuplicateMode, *, later: bool
) -> None:
    async with case(sandbox, tmp_path) as it:
        await it.console.set_duplicate_mode(mode)
        await cut_off_beyond_recognition(it)
        if later and mode is DuplicateMode.FORGOTTEN_LATER:
            await it.console.forget_random_ids(0)
        async with it.living(ahead=LATE if later else timedelta()) as run:
            (card,) = await run.answered()
            assert card.reasons[0] is AskReason.NOT_DELIVERED
            assert await it.mailbox() == ["As somebody edited it."]
            await run.approve(card, knowingly=True)
            await run.settled()
        forgotten = mode is DuplicateMode.FORGOTTEN or (later and mode is DuplicateMode.FORGOTTEN_LATER)
        assert await it.mailbox() == ["As somebody edited it.", *["As it was decided."] * forgotten]
        await it.check_books(second_copies=int(forgotten))


@pytest.mark.parametrize("mode", MODES)
async def test_rejected_there_is_no_second_copy(sandbox: Sandbox, tmp_path: Path, mode: DuplicateMode) -> None:
    async with case(sandbox, tmp_path) as it:
        await it.console.set_duplicate_mode(mode)
        await cut_off_beyond_recognition(it)
        async with it.living() as run:
            (card,) = await run.answered()
            await run.reject(card)
            await run.settled()
        async with it.living() as run:
            await run.online()
            assert await run.settled() == ()
        assert await it.mailbox() == ["As somebody edited it."]
        await it.check_books()
