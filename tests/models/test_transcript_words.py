"""The words and icons between the messages: what a plan did that no message shows."""

from __future__ import annotations

import pytest

from chimein_gui.domain.ids import GraphId, MessageId, TaskId
from chimein_gui.domain.plans.hidden_steps import HiddenKind, HiddenStep
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.viewmodels.transcript.words import step_icon
from tests.fakes.console import NOON


@pytest.mark.parametrize("kind", [HiddenKind.SEND, HiddenKind.STICKER, HiddenKind.BLOCK])
@pytest.mark.parametrize(
    ("status", "icon"),
    [
        (TaskStatus.SKIPPED, "x-circle"),
        (TaskStatus.CANCELLED, "x-circle"),
        (TaskStatus.OBSERVED, "eye"),
        (TaskStatus.FAILED, "warning"),
    ],
)
def test_what_did_not_leave_has_no_icon_of_something_that_leaves(
    kind: HiddenKind, status: TaskStatus, icon: str
) -> None:
    assert step_icon(HiddenStep(TaskId(1), GraphId(1), kind, status, "hello", NOON, MessageId(1))) == icon


def test_a_plan_and_what_was_remembered_keep_their_own() -> None:
    for kind, icon in ((HiddenKind.PLAN, "planned"), (HiddenKind.REMEMBERED, "memory"), (HiddenKind.WAIT, "hourglass")):
        step = HiddenStep(TaskId(1), GraphId(1), kind, TaskStatus.CANCELLED, "", NOON, MessageId(1))
        assert step_icon(step) == icon
