"""Where the note of a step stands in the waterfall, and what it says of a card that nobody decided."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chimein_gui.domain.notes import Note
from chimein_gui.domain.tasks import CancelReason, TaskStatus
from chimein_gui.domain.traces.steps import ApprovalStep, SendStep, StepKind, TraceStep
from chimein_gui.ui.panes.traces.waterfall import Lanes, NotePlace, place_of
from chimein_gui.viewmodels.traces.step_words import step_note
from tests.fakes.console import NOON, approval

LANES = Lanes(name=40, first=300, last=800, time=900, tokens=980, cost=1040)


@pytest.mark.parametrize(
    ("left", "right", "place"),
    [
        (300, 320, NotePlace.BEHIND),
        (700, 800, NotePlace.BEFORE),
        (340, 780, NotePlace.INSIDE),
        (400, 500, NotePlace.BEHIND),
        (480, 700, NotePlace.BEFORE),
    ],
)
def test_a_note_stands_where_it_has_room(left, right, place):
    assert place_of(160, left, right, LANES) is place


@pytest.mark.parametrize(("left", "right", "place"), [(340, 780, NotePlace.BEFORE), (320, 700, NotePlace.BEHIND)])
def test_a_note_without_room_anywhere_stands_where_it_has_most(left, right, place):
    assert place_of(1000, left, right, LANES) is place


@pytest.mark.parametrize(
    ("status", "note", "words"),
    [
        (TaskStatus.AWAITING_DECISION, None, "waiting for you"),
        (TaskStatus.CANCELLED, Note(CancelReason.PLAN_REJECTED), "The plan was rejected"),
        (TaskStatus.SKIPPED, None, "rejected with its plan"),
        (TaskStatus.CANCELLED, None, "cancelled with its plan"),
    ],
)
def test_a_card_without_a_decision_says_how_it_ended(status, note, words):
    card = replace(approval(1), task_status=status, note=note)
    assert step_note(TraceStep(1, StepKind.APPROVAL, NOON, 1.0, ApprovalStep(card))) == words


def test_a_send_of_which_nothing_was_handed_over_counts_no_parts():
    assert step_note(TraceStep(1, StepKind.SEND, NOON, 0.0, SendStep(approval(1)))) == "not sent"
