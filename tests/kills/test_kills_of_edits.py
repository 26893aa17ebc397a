"""`kill -9` while the operator edits a plan, and at each failpoint of a message that he put in."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.failpoints import Failpoint
from chimein_gui.domain.plans.planned_steps import PlannedStep
from chimein_gui.domain.plans.step_edits import EditVerdict, StepAction, StepEdit, StepEditRequest
from chimein_gui.domain.tasks import TaskKind
from tests.kills.case import case
from tests.kills.harness import DiedError
from tests.kills.life import EDIT_POINTS, SEND_POINTS, Arming
from tests.kills.mutations import MUTATIONS
from tests.kills.processes import Sandbox


def insert_after(card: Approval) -> StepEditRequest:
    """Put a message behind a step of a plan that was not edited before."""
    edit = StepEdit(StepAction.INSERT, card.task_id, new=PlannedStep(TaskKind.SEND, "Two."))
    return StepEditRequest(edit, 0, card.version, "the operator's press")


async def is_done_once(sandbox: Sandbox, folder: Path, point: Failpoint, mutation: str = "") -> None:
    """Die in the middle of an edit; it is there whole or not at all, and asked for once more it is done once."""
    async with case(sandbox, folder) as it:
        async with it.living(mutation=mutation) as run:
            first, _ = await it.asked(run, "One.", "Three.")
            request = insert_after(first)
            await run.call("arm", Arming(point))
            with suppress(DiedError):
                await run.call("plan_edits.edit", request)
            await run.death()
        async with it.living(mutation=mutation) as run:
            await run.online()
            assert len(await run.cards()) == (3 if point is Failpoint.EDIT_COMMITTED else 2)
            for _ in range(2):
                assert (await run.call("plan_edits.edit", request)).verdict is EditVerdict.ACCEPTED
            cards = await run.cards()
            assert [card.text for card in cards].count("Two.") == 1
            for card in cards:
                await run.approve(card)
            await run.settled()
        assert await it.mailbox() == ["One.", "Two.", "Three."]
        await it.check_books()


@pytest.mark.parametrize("point", EDIT_POINTS)
async def test_an_edit_is_stored_whole_or_not_at_all_and_repeated_it_is_done_once(
    sandbox: Sandbox, tmp_path: Path, point: Failpoint
) -> None:
    await is_done_once(sandbox, tmp_path, point)


@pytest.mark.parametrize("mutation", MUTATIONS)
async def test_it_is_noticed_if_an_edit_is_done_twice_or_forgotten(
    sandbox: Sandbox, tmp_path: Path, mutation: str
) -> None:
    with pytest.raises(AssertionError):
        await is_done_once(sandbox, tmp_path, Failpoint.EDIT_COMMITTED, mutation)


@pytest.mark.parametrize("point", SEND_POINTS)
async def test_a_message_that_was_put_in_arrives_once_and_the_plan_goes_on(
    sandbox: Sandbox, tmp_path: Path, point: Failpoint
) -> None:
    async with case(sandbox, tmp_path) as it:
        async with it.living() as run:
            first, _ = await it.asked(run, "One.", "Three.")
            await run.call("plan_edits.edit", insert_after(first))
            cards = {card.text: card for card in await run.cards(3)}
            await run.approve(cards["One."])
            await run.settled(2)
            await run.approve(cards["Three."])
            await run.approve_and_die(cards["Two."], point)
        async with it.living() as run:
            await run.settled()
        assert await it.mailbox() == ["One.", "Two.", "Three."]
        await it.check_books()
