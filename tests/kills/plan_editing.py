"""The operator's random edits of plans in the campaign of kills, and what must be true of all of them at the end."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from chimein_gui.domain.plans.details import PlanDetails
from chimein_gui.domain.plans.planned_steps import PlannedStep, PlannedWait
from chimein_gui.domain.plans.step_edits import StepAction, StepEdit, StepEditRequest, refusal
from chimein_gui.domain.tasks import FINAL, TaskKind

MOMENT_S = 0.05
"""The length of a wait that is put in, in seconds."""

ACTIONS = (*sorted(set(StepAction) - {StepAction.RETURN}), *(StepAction.INSERT,) * 3, *(StepAction.UNDO,) * 2)
"""What the Plans pane offers; some more often than others."""

STEPS = """
SELECT graph_id, task_id, kind = 'send' AND origin = 'plan' AND draft_text = ''
FROM tasks JOIN graphs USING (graph_id) LEFT JOIN approvals USING (task_id)
"""
"""The steps of all plans, and whether the operator wrote them: then there is no text of the model's."""

EDITS = "SELECT graph_id, client_id, changed FROM plan_edits ORDER BY edit_id"


class PlanEditing:
    """Makes edits up.

    Attributes:
        accepted: The client ids of edits that were answered as accepted.
        stored: The client ids of edits that the store had when the last life ended.
        wrong: What the answers showed to be wrong.
    """

    def __init__(self, chance: random.Random, words: Callable[[], str]) -> None:
        self._chance, self._words = chance, words
        self._numbers = itertools.count(1)
        self.accepted: set[str] = set()
        self.stored: frozenset[str] = frozenset()
        self.wrong: list[str] = []

    def request(self, plan: PlanDetails, action: StepAction | None = None) -> StepEditRequest | None:
        """Return an edit, of this kind if one is given, that the window would offer for a step of the plan.

        None if it would not.
        """
        steps = [step for step in plan.graph.steps if step.kind is not TaskKind.RECEIVED and step.status not in FINAL]
        if not steps:
            return None
        chance = self._chance
        action = action or chance.choice(ACTIONS)
        fitting = [step for step in steps if refusal(action, step.kind, step.status) is None]
        if not fitting or (action is StepAction.UNDO and not plan.can_undo):
            return None
        step = chance.choice(fitting)
        other = chance.choice([one for one in steps if one is not step] or [step])
        is_wait = chance.random() < 0.4
        edit = StepEdit(
            action,
            step.task_id,
            new=PlannedWait(MOMENT_S) if is_wait else PlannedStep(TaskKind.SEND, self._words()),
            other=other.task_id,
            is_before=chance.random() < 0.5,
            delay_s=chance.choice((0.0, MOMENT_S, 2 * MOMENT_S)),
        )
        versions = {card.task_id: card.version for card in plan.cards}
        version = versions.get(step.task_id) if action is not StepAction.UNDO else None
        return StepEditRequest(edit, plan.edits, version, f"edit {next(self._numbers)}")

    def answered(self, request: StepEditRequest, *, is_accepted: bool) -> None:
        """Take note of an answer; what is stored and asked for once more must be accepted as it was before."""
        if is_accepted:
            self.accepted.add(request.client_id)
        elif request.client_id in self.stored:
            self.wrong.append(f"{request.client_id} was stored, and refused when it was asked for once more")

    def compare(self, edits: Iterable[Any], steps: Iterable[Any]) -> list[str]:
        """Return what the store shows to be wrong, of the rows of `EDITS` and `STEPS`."""
        edits = list(edits)
        lost = self.accepted - {client_id for _, client_id, *_ in edits}
        return [*self.wrong, *(f"{one} was accepted and is lost" for one in lost), *_miscounted(edits, list(steps))]


def _miscounted(edits: list[Any], steps: list[Any]) -> Iterator[str]:
    """Check that each plan has exactly the steps that its edits account for: none is lost, and none is there twice."""
    written = {task_id for _, task_id, is_written in steps if is_written}
    expected: Counter[int] = Counter()
    of_the_operator: Counter[int] = Counter()
    for graph_id, _, changed in edits:
        was = json.loads(changed)
        if graph_id not in expected:
            expected[graph_id] = len(was["places"])
        expected[graph_id] += len(was["added"])
        of_the_operator[graph_id] += len(written.intersection(was["added"]))
    for graph_id, count in Counter(graph_id for graph_id, *_ in steps).items():
        mine = sum(task_id in written for graph, task_id, _ in steps if graph == graph_id)
        found, accounted = (count, mine), (expected.get(graph_id, count), of_the_operator[graph_id])
        if found != accounted:
            yield f"plan {graph_id} has {found} steps of anybody and of the operator, its edits account for {accounted}"
