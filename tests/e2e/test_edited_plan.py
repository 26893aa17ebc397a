"""A plan that the operator edits step by step: the partner's mailbox holds exactly the result, once."""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from chimein_gui.domain.approvals import Approve, ApproveEdited, Edit
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.ids import TaskId
from chimein_gui.domain.plans.details import PlanDetails
from chimein_gui.domain.plans.planned_steps import PlannedStep, PlannedWait
from chimein_gui.domain.plans.step_edits import EditVerdict, StepAction, StepEdit, StepEditRequest
from chimein_gui.domain.tasks import ApprovalState, TaskKind, TaskStatus
from chimein_gui.viewmodels.plans.plan_words import edits_sentence
from tests.support.wired_room import Wired, wired_room

A = StepAction
REPLY = "# «send»\none\n# «wait»\ndelay: 600\n# «send»\ntwo\n# «send»\nthree\n# «send»\nfour"
_clients = itertools.count()


class Plan:
    """The current plan of Nora's chat with Marta, as the Plans pane sees it."""

    def __init__(self, wired: Wired) -> None:
        self.wired, self.engine = wired, wired.room.engine

    async def now(self) -> PlanDetails:
        chat = await self.wired.chat()
        return next(plan for plan in (await self.engine.plan_history.current(chat.chat_id)).rows if plan.is_current)

    async def step(self, words: str) -> TaskId:
        """Return the open step with a text; of a wait with its seconds."""
        plan = await self.now()
        cards = {card.task_id: card.text for card in plan.cards}
        found = {cards.get(one.task_id, f"{one.wait_s or 0:g}"): one.task_id for one in plan.graph.steps}
        return found[words]

    async def edit(self, action: StepAction, words: str, **more: Any) -> None:
        request = StepEditRequest(
            StepEdit(action, await self.step(words), **more), (await self.now()).edits, None, f"edit {next(_clients)}"
        )
        outcome = await self.engine.plan_edits.edit(request)
        assert outcome.verdict is EditVerdict.ACCEPTED, outcome

    async def words(self) -> list[str]:
        plan = await self.now()
        cards = {card.task_id: card.text for card in plan.cards}
        final = {TaskStatus.DONE, TaskStatus.SKIPPED, TaskStatus.CANCELLED}
        steps = [one for one in plan.graph.steps if one.status not in final and one.kind is not TaskKind.RECEIVED]
        return [cards.get(one.task_id, f"{one.wait_s or 0:g}") for one in steps]


async def test_the_mailbox_holds_exactly_the_edited_plan_once(tmp_path: Path) -> None:
    async with wired_room(tmp_path) as wired:
        room, plan = wired.room, Plan(wired)
        room.model.script.append(REPLY)
        await wired.marta_says("tell me everything")
        await room.approval(TaskStatus.AWAITING_DECISION, "four")
        other = PlannedStep(TaskKind.SEND, "one and a half")
        edits: tuple[tuple[StepAction, str, dict[str, Any]], ...] = (
            (A.INSERT, "one", {"new": other}),
            (A.MOVE, "four", {"other": await plan.step("two"), "is_before": True}),
            (A.SKIP, "three", {}),
            (A.CHANGE_DELAY, "600", {"delay_s": 5.0}),
        )
        for action, words, more in edits:
            before = await plan.words()
            await plan.edit(action, words, **more)
            after = await plan.words()
            await plan.edit(A.UNDO, "one")
            assert await plan.words() == before != after
            if "other" in more:
                more["other"] = await plan.step("two")
            await plan.edit(action, words, **more)
            assert await plan.words() == after
        assert await plan.words() == ["one", "one and a half", "5", "four", "two"]
        for text, decision in (
            ("one", Approve()),
            ("one and a half", Approve()),
            ("four", ApproveEdited("four, at last")),
            ("two", Approve()),
        ):
            await room.decide(await room.approval(TaskStatus.AWAITING_DECISION, text), decision)
        await room.until(lambda: wired.statuses().get("one and a half") is TaskStatus.DONE)
        await room.pass_time(6)
        await room.until(lambda: wired.statuses().get("two") is TaskStatus.DONE)
        assert await wired.stage.mailbox() == ["one", "one and a half", "four, at last", "two"]


async def _text(plan: Plan) -> None:
    await plan.wired.room.decide(await plan.wired.room.approval(TaskStatus.AWAITING_DECISION, "one"), Edit("my words"))


async def _skip_and_return(plan: Plan) -> None:
    card = await plan.wired.room.approval(TaskStatus.AWAITING_DECISION, "two")
    await plan.edit(A.SKIP, "two")
    await plan.engine.resend.ask(card.approval_id, client_id="the operator's second thought")


KEPT = "What you wrote is kept. Ended with the plan: "
KINDS: dict[str, tuple[Callable[[Plan], Awaitable[None]], list[tuple[str, str]], str]] = {
    "edited text": (_text, [("my words", "new")], ""),
    "inserted message": (
        lambda plan: plan.edit(A.INSERT, "one", new=PlannedStep(TaskKind.SEND, "my words")),
        [("my words", "")],
        "",
    ),
    "inserted wait": (
        lambda plan: plan.edit(A.INSERT, "one", new=PlannedWait(5.0)),
        [],
        f"{KEPT}inserted waits, stickers and files.",
    ),
    "changed wait": (lambda plan: plan.edit(A.CHANGE_DELAY, "600", delay_s=5.0), [], f"{KEPT}changed waits."),
    "skipped step": (lambda plan: plan.edit(A.SKIP, "two"), [], f"{KEPT}skipped steps."),
    "skipped step that was put back": (_skip_and_return, [], ""),
    "moved step": (lambda plan: plan.edit(A.SPLIT_OFF, "two"), [], f"{KEPT}your order of the steps."),
}
"""Each kind of edit: what is saved of it, with the new draft beside it, and what the earlier plan says of it."""


@pytest.mark.parametrize("kind", KINDS)
async def test_what_the_operator_edited_is_kept_or_told_when_a_new_message_replaces_the_plan(
    kind: str, tmp_path: Path
) -> None:
    edit, saved, words = KINDS[kind]
    async with wired_room(tmp_path) as wired:
        room, plan = wired.room, Plan(wired)
        await wired.trust(TrustLevel.REVIEW)
        room.model.script += [REPLY, "# «send»\nnew"]
        await wired.marta_says("hello")
        await room.approval(TaskStatus.AWAITING_DECISION, "four")
        await edit(plan)
        await wired.marta_says("wait, one thing more")
        new = await room.approval(TaskStatus.AWAITING_DECISION, "new")
        kept = (await room.engine.saved_edits.load(new.chat_id)).rows
        beside = {new.approval_id: "new", None: ""}
        assert [(one.mine, beside[one.paired_with]) for one in kept] == saved
        [earlier] = (await room.engine.plan_history.page(new.chat_id, None)).plans
        assert edits_sentence(earlier) == words
        assert bool(edits_sentence(await plan.now())) == bool(words), "the plan that the chat follows says it, too"
        decided = (await room.engine.queries.recent_decisions(limit=9)).rows
        rejected = [card.text for card in decided if card.state is ApprovalState.REJECTED]
        assert rejected == ["two"] * kind.startswith("skipped step"), "a skip is a decision"
        assert await wired.stage.mailbox() == []
