"""The open card, what happened in its conversation, its plan, other versions of that, and kept texts beside it."""

import os
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from PySide6.QtTest import QSignalSpy

from chimein_gui.domain.approvals import SavedEdit
from chimein_gui.domain.ids import ApprovalId, ChatId, GraphId, MessageId, SavedEditId
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.tasks import ApprovalState, TaskStatus
from chimein_gui.engine.planning.variants import Regenerated
from chimein_gui.viewmodels.approvals import card as cards
from chimein_gui.viewmodels.approvals.card_changes import ChangeKind
from chimein_gui.viewmodels.approvals.saved_marks import make_saved_edit_marks
from chimein_gui.viewmodels.words.later import later_choices
from tests.fakes.engine_api import BIG, NOON, approval, message

FIRST, SECOND = BIG + 1, BIG + 2
PLAN = GraphId(7)


@pytest.fixture
def editor(room, monkeypatch):
    monkeypatch.setattr(cards, "SETTLE_MS", 0)
    room.api.messages[1] = {1: message(1, "is the bridge open?", minutes_ago=9)}
    room.api.approvals[FIRST] = approval(1, "one", graph_id=PLAN, reply_to_id=1)
    room.api.approvals[SECOND] = approval(2, "two", graph_id=PLAN)
    room.attach()
    room.read = lambda: read(room)
    return room


def read(room):
    """Let the card be read as if the hand had rested."""
    room.models.card._again.stop()
    room.models.card._load()
    room.settle()
    return room.models.card.details


def open_card(editor, approval_id=FIRST):
    editor.models.card.open(editor.models.approvals.find(approval_id))
    return editor.read()


def test_an_answer_for_a_card_that_was_left_is_dropped(editor):
    jobs = []
    editor.models.card.attach(editor.api, lambda job, name: jobs.append(job))
    editor.models.card.open(editor.models.approvals.find(FIRST))
    editor.models.card._load()
    editor.models.card.open(editor.models.approvals.find(SECOND))
    editor.models.card._again.stop()  # the second is not asked for here
    for job in jobs:
        with pytest.raises(StopIteration):
            job.send(None)
    editor.settle()
    assert editor.models.card.details is None


def test_it_is_read_again_when_its_chat_moves_and_only_then(editor, qtbot):
    open_card(editor)
    asked = len(editor.api.cards.loaded)
    editor.put_message(2, message(5, "elsewhere", chat_number=2))
    assert not editor.models.card._again.isActive()
    editor.put_message(1, message(2, "hello?"))
    assert editor.models.card._again.isActive()
    qtbot.waitUntil(lambda: len(editor.api.cards.loaded) == asked + 1)
    editor.settle()
    assert [one.text for one in editor.models.card.details.messages] == ["is the bridge open?", "hello?"]


def test_what_happened_is_told_with_the_text_before(editor):
    editor.put_message(1, message(2, "I was there", minutes_ago=8))
    open_card(editor)
    now = editor.api.messages[1]
    edited = replace(now[1], text="is the bridge closed?", edited_at=NOON)
    news = message(3, "never mind", minutes_ago=0)
    editor.api.put_message(1, edited)
    editor.api.put_message(1, replace(now[2], deleted=True))
    editor.api.put_message(1, news)
    editor.api.cards.tell(FIRST, came_since=(news,), edited_since=(edited,))
    editor.settle()
    editor.read()
    told = [(change.kind, change.message.text, change.before) for change in editor.models.card.changes()]
    assert told == [
        (ChangeKind.EDITED, "is the bridge closed?", "is the bridge open?"),
        (ChangeKind.DELETED, "I was there", None),
        (ChangeKind.NEW, "never mind", None),
    ]


def test_what_was_deleted_before_the_plan_is_no_change_of_it(editor):
    editor.time = NOON - timedelta(hours=1)
    editor.put_message(1, message(2, "oops", minutes_ago=90))
    editor.put_message(1, replace(editor.api.messages[1][2], deleted=True))
    editor.time = NOON
    open_card(editor)
    assert editor.models.card.changes() == ()


def test_what_was_sent_is_deleted_for_everyone_and_a_refusal_is_told(editor):
    refusals: list[str] = []
    editor.models.card.failed.connect(refusals.append)
    sent = replace(editor.api.approvals[FIRST], message_id=MessageId(77), task_status=TaskStatus.DONE)
    editor.models.card.delete_sent(editor.api.approvals[FIRST])
    editor.settle()
    assert refusals == []  # nothing was sent
    editor.api.put_message(1, message(77, "one", out=True))
    editor.models.card.delete_sent(sent)
    editor.settle()
    assert editor.api.sent.deleted == [(1, 77)]
    assert editor.api.messages[1][77].deleted
    editor.api.sent.refusal = "Held: lunch"
    editor.models.card.delete_sent(sent)
    editor.settle()
    assert refusals == ["Held: lunch."]


@pytest.mark.parametrize(
    ("at", "hours"),
    [
        (datetime(2026, 11, 20, 10, tzinfo=UTC), [0.25, 1, 8, 23]),
        (datetime(2026, 11, 20, 19, tzinfo=UTC), [0.25, 1, 14]),
    ],
)
def test_later_is_told_in_local_time(monkeypatch, at, hours):
    monkeypatch.setitem(os.environ, "TZ", "UTC")
    time.tzset()
    choices = later_choices(at)
    assert [(choice.until - at) / timedelta(hours=1) for choice in choices] == hours
    assert all(choice.words for choice in choices)
    monkeypatch.undo()
    time.tzset()


def test_another_version_is_asked_for_once_and_its_failure_is_said(editor):
    models, card = editor.models, editor.models.approvals.find(FIRST)
    jobs = []
    models.regenerations.attach(editor.api, lambda job, name: jobs.append(job))
    models.regenerations.regenerate(card, "shorter")
    models.regenerations.regenerate(card, "longer")
    assert models.regenerations.making_of(PLAN).instruction == "shorter"
    editor.api.plans.answer = Regenerated(None, Note(Reason.NO_VERSION, "the model is overloaded."))
    for job in jobs:
        with pytest.raises(StopIteration):
            job.send(None)
    editor.settle()
    assert editor.api.plans.asked == [(PLAN, "shorter")]
    assert models.regenerations.making_of(PLAN) is None
    assert models.regenerations.note_of(PLAN) == "No other version: the model is overloaded."


def test_a_failure_whose_plan_is_gone_is_said_all_the_same(editor):
    models, card, told = editor.models, editor.models.approvals.find(FIRST), list[str]()
    models.regenerations.failed.connect(told.append)
    jobs = []
    models.regenerations.attach(editor.api, lambda job, name: jobs.append(job))
    models.regenerations.regenerate(card, "shorter")
    editor.api.plans.answer = Regenerated(None, Note(NoteKind.OTHER, "The model is overloaded."))
    for number in (1, 2):  # a message of the partner's has replaced the plan meanwhile
        editor.api.put_approval(approval(number, graph_id=PLAN, task_status=TaskStatus.CANCELLED))
    editor.settle()
    with pytest.raises(StopIteration):
        jobs[0].send(None)
    editor.settle()
    assert told == ["No other version of the plan for Marta Oliveira: The model is overloaded."]


def test_what_leaves_next_and_what_was_decided_last(editor):
    told = QSignalSpy(editor.models.approvals.upcoming_changed)
    auto = approval(5, "auto", created_at=NOON)
    done: dict[str, Any] = {"state": ApprovalState.APPROVED, "decided_by": "auto trust", "decided_at": NOON}
    editor.put_approval(replace(auto, task_status=TaskStatus.APPROVED, due_at=NOON + timedelta(seconds=9), **done))
    assert [one.text for one in editor.models.approvals.leaving.next()] == ["auto"]
    editor.put_approval(replace(auto, task_status=TaskStatus.DONE, **done))
    assert editor.models.approvals.leaving.next() == ()
    assert [one.text for one in editor.models.approvals.recent.decided()] == ["auto"]
    assert told.count() == 2


def kept(beside):
    return SavedEdit(SavedEditId(1), ChatId(1), "Yes.", "Yes, it opened at noon.", 0, ApprovalId(beside), NOON)


def test_saved_edits_are_read_once_when_their_draft_is_painted_first(room):
    room.api.saved_edits.edits = (kept(BIG + 1),)
    room.attach()
    marks, told = room.models.own(make_saved_edit_marks), []
    marks.changed.connect(lambda: told.append(1))
    assert not marks.has(approval(1))
    room.settle()
    assert told == [1]
    assert marks.has(approval(1))
    assert not marks.has(approval(2))
    assert not marks.has(approval(1, task_status=TaskStatus.SENDING))
    room.settle()
    assert told == [1]


def test_events_of_saved_edits_count_more_than_what_is_still_being_read(room):
    jobs = []
    room.attach()
    marks = room.models.own(make_saved_edit_marks)
    marks.attach(room.api, lambda job, name: jobs.append(job))
    room.api.saved_edits.edits = (kept(BIG + 1),)
    assert not marks.has(approval(1))
    room.api.saved_edits.put()  # used meanwhile
    room.api.saved_edits.put(kept(BIG + 2))
    room.settle()
    assert marks.has(approval(2))
    for job in jobs:
        job.close()
