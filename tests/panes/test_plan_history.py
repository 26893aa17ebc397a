"""Earlier plans in the Plans pane: read-only, page by page, with the reason of their end and what came after."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible

from chimein_gui.domain.events import StepChanged, TaskGraphReplaced
from chimein_gui.domain.ids import ChatId, GraphId, MessageId, Revision, TaskId
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.plans.details import PlanDetails, PlanEnd
from chimein_gui.domain.plans.graphs import PlanStep, TaskGraph
from chimein_gui.domain.plans.step_edits import StepAction
from chimein_gui.domain.tasks import CancelReason, TaskKind, TaskStatus
from chimein_gui.domain.text.word_changes import WordChange
from chimein_gui.ui.requests import ShowMessage, ShowPlan
from chimein_gui.viewmodels.plans.plan_words import DraftChange, draft_changes, end_sentence, trigger_words
from tests.fakes.engine_api import NOON, approval, message

pytestmark = [pytest.mark.with_panes("plans"), pytest.mark.qt_log_ignore("propagateSizeHints")]

CHAT = ChatId(1)
E, K, S = PlanEnd, TaskKind, TaskStatus
OLD = Note(CancelReason.SUPERSEDED)


def plan(number, end, *texts, minutes_ago=10, **more):
    """A plan with a message of each text; what was replaced of it begins with the second."""
    at, steps, cards = (
        NOON - timedelta(minutes=minutes_ago),
        [PlanStep(TaskId(number * 10), K.RECEIVED, S.DONE, ())],
        [],
    )
    for place, text in enumerate(texts, start=1):
        is_left = end is E.REPLACED and place > 1
        status = S.CANCELLED if is_left else S.AWAITING_DECISION if end is E.OPEN else S.DONE
        one = TaskId(number * 10 + place)
        steps.append(PlanStep(one, K.SEND, status, (TaskId(one - 1),), reason=OLD if is_left else None))
        card = approval(one, text)
        cards.append(replace(card, task_id=one, graph_id=GraphId(number), chat_id=CHAT, task_status=status))
    graph = TaskGraph(GraphId(number), CHAT, at, (MessageId(3),), (), tuple(steps))
    ended_at = None if end is E.OPEN else at + timedelta(minutes=2)
    return PlanDetails(graph, tuple(cards), (message(3, "is the bridge open?"),), end, ended_at, **more)


CURRENT = plan(30, E.OPEN, "open on Monday again", minutes_ago=1, is_current=True)
REPLACED = plan(29, E.REPLACED, "hello", "open on Sunday", "bring cash", successor=GraphId(30))
FAILED = replace(
    plan(28, E.FAILED, minutes_ago=20), failed=Note(NoteKind.MODEL_FAILED, "overloaded", 10), is_unanswered=True
)


@pytest.fixture
def pane(desktop):
    api = desktop.api
    api.plan_history.plans[CHAT] = CURRENT
    api.plan_history.earlier = [REPLACED, FAILED, *(plan(n, E.SENT, f"text {n}") for n in range(27, 2, -1))]
    desktop.window.requests.send(ShowPlan(CHAT))
    desktop.settle()
    return desktop.window.panes["plans"]


def shown(pane):
    return pane.plan.plan.graph_id


def key(pane, qtbot, desktop, name, modifier=Qt.KeyboardModifier.NoModifier):
    pane.outline.setFocus()
    qtbot.keyClick(pane.outline, name, modifier)
    desktop.settle()


def test_keys_and_the_mouse_go_from_plan_to_plan_and_older_ones_are_read_on_demand(pane, desktop, qtbot):
    tabs, earlier = pane.earlier.tabs, pane.earlier
    model = tabs.model()
    assert (model.rowCount(), earlier.older.isVisible(), earlier.strip.isVisible()) == (20, True, False)
    name = QAccessible.queryAccessibleInterface(tabs).child(0).text(QAccessible.Text.Name)
    assert name.startswith("Plan from 14:20. Replaced at 14:22 by a newer plan. Answers Marta Oliveira, 14:25")
    for expected in (29, 28):
        key(pane, qtbot, desktop, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
        assert shown(pane) == expected
    key(pane, qtbot, desktop, Qt.Key.Key_PageUp, Qt.KeyboardModifier.ControlModifier)
    assert (shown(pane), tabs.currentIndex().row()) == (29, 0)
    tabs.setFocus()
    qtbot.keyClick(tabs, Qt.Key.Key_Right)
    desktop.settle()
    assert shown(pane) == 28
    spot = tabs.visualRect(model.index(2)).center()
    qtbot.mouseClick(tabs.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    desktop.settle()
    assert shown(pane) == 27
    key(pane, qtbot, desktop, Qt.Key.Key_Escape)
    assert (shown(pane), earlier.strip.isVisible()) == (30, False)
    qtbot.mouseClick(earlier.older, Qt.MouseButton.LeftButton)
    desktop.settle()
    assert (model.rowCount(), earlier.older.isVisible()) == (27, False)


def test_a_replaced_plan_says_why_it_ended_and_shows_what_took_the_place_of_its_messages(pane, desktop, qtbot):
    pane.earlier.show_plan(GraphId(29))
    desktop.settle()
    spoken = QAccessible.queryAccessibleInterface(pane.earlier.strip)
    assert spoken.role() == QAccessible.Role.Pane
    assert spoken.text(QAccessible.Text.Name).startswith("Plan from 14:20. Replaced at 14:22 by a newer plan.")
    assert not any(button.isEnabled() for button in pane.step_buttons.values())
    assert pane.step_buttons[StepAction.SKIP].accessibleDescription() == "Earlier plans can't be changed."
    pane.choose(TaskId(292))
    pieces = [(one.change, one.text.strip()) for one in pane.newer_draft.diff.pieces]
    same, removed, added = WordChange.SAME, WordChange.REMOVED, WordChange.ADDED
    assert pieces == [(same, "open on"), (removed, "Sunday"), (added, "Monday again")]
    pane.choose(TaskId(293))
    assert pane.newer_draft.title.text() == "The newer plan has no such message"
    pane.choose(TaskId(291))
    assert not pane.newer_draft.isVisible(), "it was sent"
    sent: list[object] = []
    desktop.window.requests.sent.connect(sent.append)
    qtbot.mouseClick(pane.earlier.open_trigger, Qt.MouseButton.LeftButton)
    assert ShowMessage(CHAT, MessageId(3)) in sent
    qtbot.mouseClick(pane.earlier.newer, Qt.MouseButton.LeftButton)
    assert shown(pane) == 30


def test_a_message_that_the_newer_plan_repeats_is_not_called_changed(pane, desktop):
    desktop.api.plan_history.plans[CHAT] = plan(30, E.OPEN, "open on Sunday", minutes_ago=1, is_current=True)
    pane.earlier.show_plan(GraphId(29))
    desktop.settle()
    pane.choose(TaskId(292))
    assert pane.newer_draft.title.text() == "The newer plan has the same message"


def test_a_failed_plan_is_made_again_or_dismissed(pane, desktop, qtbot):
    pane.earlier.show_plan(GraphId(28))
    desktop.settle()
    assert "Failed at 14:12: overloaded (10 attempts)." in pane.earlier.strip.accessibleName()
    for button in (pane.earlier.again, pane.earlier.dismiss):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        desktop.settle()
    assert desktop.api.plans.calls == [("retry", CHAT), ("reject", GraphId(28))]
    desktop.api.plan_history.earlier[1] = replace(FAILED, is_unanswered=False)
    desktop.api.put_chat(replace(desktop.api.chats[1], planned_up_to=MessageId(3)))
    desktop.settle()
    assert shown(pane) == 28
    assert not pane.earlier.again.isVisible()
    assert not pane.earlier.dismiss.isVisible()


def test_a_plan_that_is_replaced_while_an_earlier_one_is_read_appears_above_it(pane, desktop):
    pane.earlier.show_plan(GraphId(29))
    desktop.settle()
    item = pane.graph.items_of[TaskId(292)]
    newest = plan(31, E.OPEN, "newest", is_current=True)
    history = desktop.api.plan_history
    history.plans[CHAT], history.earlier = newest, [replace(CURRENT, end=E.SENT, ended_at=NOON), *history.earlier]
    desktop.api.publish(StepChanged(CHAT, TaskId(301), K.SEND, S.DONE, None, None, 0, Revision(1001), None))
    desktop.api.publish(TaskGraphReplaced(newest.graph, Revision(1001)))
    desktop.settle()
    assert (shown(pane), pane.earlier.tabs.currentIndex().row()) == (29, 1)
    assert pane.graph.items_of[TaskId(292)] is item, "what is read stays as it is"
    pane.earlier.show_now()
    assert shown(pane) == 31
    history.plans[CHAT] = replace(newest, edited_before=frozenset({StepAction.SKIP, StepAction.CHANGE_DELAY}))
    desktop.api.publish(TaskGraphReplaced(newest.graph, Revision(1002)))
    desktop.settle()
    assert pane.earlier.strip.isVisible()
    assert "What you wrote is kept. Ended with that plan: changed waits, skipped steps." in pane.earlier.why.text()


def test_a_chat_without_a_plan_still_shows_what_it_had(pane, desktop):
    desktop.api.plan_history.plans.clear()
    desktop.window.requests.send(ShowPlan(CHAT))
    desktop.settle()
    assert pane.earlier.tabs.isVisible()
    assert pane.plan.plan is None
    desktop.window.requests.send(ShowPlan(ChatId(2)))
    desktop.settle()
    assert not pane.earlier.tabs.isVisible()


ENDS = {
    E.SENT: "Sent; the last of it at 14:22.",
    E.REJECTED: "Rejected at 14:22.",
    E.OBSERVED: "Only observed: nothing of it was to be sent.",
    E.NO_ANSWER: "The agent had nothing to send.",
    E.ENDED: "Ended at 14:22 before it was sent.",
    E.FAILED: "Failed at 14:22.",
}


def test_each_end_in_words(desktop):
    assert {end: end_sentence(plan(1, end), desktop.models.clock) for end in ENDS} == ENDS


def test_what_caused_a_plan_and_what_replaced_its_messages(desktop):
    clock, one = desktop.models.clock, plan(1, E.SENT)
    more = replace(one, graph=replace(one.graph, trigger_ids=(MessageId(2), MessageId(3))))
    assert trigger_words(more, clock) == "Answers Marta Oliveira, 14:25: “is the bridge open?” and 1 before it"
    assert trigger_words(replace(one, triggers=()), clock) == "The message that it answers is not stored any more."
    none = replace(one, graph=replace(one.graph, trigger_ids=()))
    assert trigger_words(none, clock) == "No message caused it."
    changes = draft_changes(plan(1, E.REPLACED, "sent", "a", "b"), plan(2, E.OPEN, "A"))
    assert changes == {TaskId(12): DraftChange("a", "A"), TaskId(13): DraftChange("b", None)}


def test_what_the_operator_added_to_either_plan_takes_no_messages_place():
    old = replace(plan(1, E.REPLACED, "sent", "mine", "a", "copy", "b"), added=frozenset({TaskId(12), TaskId(14)}))
    mine = replace(old.cards[1], draft_text="")
    new = replace(
        plan(2, E.OPEN, "A", "B", "of mine", "B again"),
        added=frozenset({TaskId(23)}),
        brought_back=frozenset({TaskId(24)}),
    )
    moved = replace(new, cards=(new.cards[2], new.cards[1], new.cards[0], new.cards[3]))
    changes = draft_changes(replace(old, cards=(old.cards[0], mine, *old.cards[2:])), moved)
    own = DraftChange("mine", None, is_own=True, is_saved=True), DraftChange("copy", None, is_own=True)
    assert changes == dict(
        zip(map(TaskId, (12, 13, 14, 15)), (own[0], DraftChange("a", "A"), own[1], DraftChange("b", "B")), strict=True)
    )
