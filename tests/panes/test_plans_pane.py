"""The Plans pane: the plan of the chat in sight as a picture and as a list, and what can be done with each step."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible

from chimein_gui.domain.events import PlanEdited, StepChanged, TaskStatusChanged
from chimein_gui.domain.ids import ChatId, Revision, TaskId
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.plans.planned_steps import PlannedStep
from chimein_gui.domain.plans.step_edits import EditOutcome, EditVerdict, StepAction
from chimein_gui.domain.tasks import CancelReason, TaskKind, TaskStatus
from chimein_gui.ui.requests import ShowPlan
from chimein_gui.viewmodels.core.roles import KeyRole
from chimein_gui.viewmodels.plans.layers import Cell, cells_of
from chimein_gui.viewmodels.plans.step_view import step_views
from tests.fakes.engine_api import NOON
from tests.support.shown_plan import CHAT, STEPS, edits, plan, step

pytestmark = [pytest.mark.with_panes("plans"), pytest.mark.qt_log_ignore("propagateSizeHints")]

A, K, S = StepAction, TaskKind, TaskStatus


@pytest.fixture
def pane(desktop):
    desktop.api.plan_history.plans[CHAT] = plan(edits=1, can_undo=True)
    desktop.window.requests.send(ShowPlan(CHAT, TaskId(4)))
    desktop.settle()
    return desktop.window.panes["plans"]


def test_a_plan_is_a_picture_in_layers_and_a_list_of_sentences(pane, desktop):
    assert pane.graph.cells[TaskId(4)] == Cell(3, 0)
    assert pane.graph.cells[TaskId(5)] == Cell(1, 1), "a branch has a column of its own"
    assert pane.graph.cells[TaskId(6)] == Cell(4, 0), "what waits for two stands below both"
    model = pane.outline.model()
    said = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert said[2] == "Wait 1 min 30 s, Running"
    assert said[3] == "Message, bring cash, Asks you, The step before it is not done."
    assert pane.outline.depth_of(TaskId(5)) == 1
    pane.outline.resize(160, 300)
    assert pane.outline.horizontalScrollBar().maximum() == 0, "titles are elided, and each state is in sight"
    spoken = QAccessible.queryAccessibleInterface(pane.outline)
    assert spoken.child(3).text(QAccessible.Text.Name) == said[3]
    assert (pane.graph.current, pane.outline.currentIndex().data(KeyRole)) == (TaskId(4), TaskId(4))


def test_what_was_inserted_and_taken_back_is_in_neither_form(pane, desktop):
    gone = step(7, K.WAIT, S.CANCELLED, wait_s=20.0, reason=Note(CancelReason.TAKEN_OUT))
    desktop.api.plan_history.plans[CHAT] = plan((*STEPS, gone), edits=2)
    now = desktop.api.plan_history.plans[CHAT].graph
    desktop.api.publish(PlanEdited(now, 2, Revision(95)))
    desktop.settle()
    assert pane.plan.plan.edits == 2
    assert TaskId(7) not in pane.graph.cells
    assert pane.outline.model().rowCount() == len(STEPS)


def test_keys_walk_and_act_in_both_forms(pane, desktop, qtbot):
    qtbot.keyClick(pane.graph, Qt.Key.Key_Up)
    assert pane.outline.currentIndex().data(KeyRole) == TaskId(3)
    qtbot.keyClick(pane.outline, Qt.Key.Key_N)
    desktop.settle()
    qtbot.keyClick(pane.outline, Qt.Key.Key_Down)
    qtbot.keyClick(pane.outline, Qt.Key.Key_S)
    desktop.settle()
    qtbot.keyClick(pane.outline, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    desktop.settle()
    qtbot.keyClick(pane.outline, Qt.Key.Key_Z)
    desktop.settle()
    assert edits(desktop) == [(A.RUN_NOW, 3), (A.SKIP, 4), (A.MOVE, 4), (A.UNDO, 6)]
    move = desktop.api.plan_edits.edits[2].edit
    assert (move.other, move.is_before) == (TaskId(3), True)
    assert [one.expected_edits for one in desktop.api.plan_edits.edits] == [1, 1, 1, 1]
    assert [one.expected_version for one in desktop.api.plan_edits.edits] == [None, 1, 1, None]


def test_what_is_refused_is_disabled_and_says_why(pane, desktop, qtbot):
    assert pane.step_buttons[A.RUN_NOW].accessibleDescription().endswith("This step is no wait.")
    assert not pane.step_buttons[A.RUN_NOW].isEnabled()
    pane.choose(TaskId(2))
    menu = pane.menu()
    by_name = {one.text(): one for one in menu.actions()}
    assert not by_name["Duplicate"].isEnabled()
    assert by_name["Duplicate"].toolTip() == "This step is over."
    assert by_name["Insert message after…"].isEnabled()
    qtbot.keyClick(pane.outline, Qt.Key.Key_S)
    desktop.settle()
    assert edits(desktop) == []
    assert pane.message.isVisible()


def test_a_refusal_of_the_engine_is_told_and_the_plan_is_read_again(pane, desktop):
    desktop.api.plan_edits.answer = EditOutcome(EditVerdict.OUTDATED, 2, Note(Reason.PLAN_EDITED))
    desktop.api.plan_history.plans[CHAT] = plan(edits=2)
    pane.chosen.insert(PlannedStep(TaskKind.SEND, "one more"))
    desktop.settle()
    request = desktop.api.plan_edits.edits[0].edit
    assert (request.action, request.new.text, request.is_before) == (A.INSERT, "one more", False)
    assert pane.plan.plan.edits == 2
    assert pane.message.isVisible()
    assert not pane.step_buttons[A.UNDO].isEnabled()


def test_a_press_during_another_edit_follows_it(pane, desktop):
    pane.plan.is_editing = True
    pane.chosen.do(A.SKIP)
    assert edits(desktop) == []
    pane.plan._end(lambda: pane.plan._tell(EditOutcome(EditVerdict.ACCEPTED, 2)))
    desktop.settle()
    assert [(one.edit.action, one.expected_edits) for one in desktop.api.plan_edits.edits] == [(A.SKIP, 2)]


def test_states_follow_the_engine_and_keep_the_chosen_step(pane, desktop):
    item = pane.graph.items_of[TaskId(3)]
    desktop.api.publish(StepChanged(CHAT, TaskId(3), K.WAIT, S.DONE, None, None, 0, Revision(90), 90.0))
    card = replace(pane.plan.step(TaskId(4)).approval, task_status=S.APPROVED)
    desktop.api.publish(TaskStatusChanged(card, Revision(91)))
    desktop.settle()
    assert pane.graph.items_of[TaskId(3)] is item, "only what changed is painted again"
    assert (item.view.state, pane.plan.step(TaskId(4)).state) == ("Done", "Approved")
    assert pane.graph.current == TaskId(4)
    shorter = tuple(one for one in STEPS if one.task_id != 6)
    desktop.api.plan_history.plans[CHAT] = plan(shorter, edits=2)
    desktop.api.publish(PlanEdited(pane.plan.plan.graph, 2, Revision(92)))
    desktop.settle()
    assert len(pane.graph.items_of) == pane.outline.model().rowCount() == 5
    assert pane.graph.current == TaskId(4)


def test_all_branches_are_in_sight_until_the_operator_zooms(pane, desktop):
    desktop.window.resize(1280, 720)
    desktop.settle()
    graph = pane.graph
    corner = graph.mapFromScene(graph.items_of[TaskId(5)].sceneBoundingRect().topRight())
    assert corner.x() <= graph.viewport().width()
    graph.zoom(2.0)
    zoomed = graph.transform().m11()
    desktop.window.resize(1440, 900)
    desktop.settle()
    assert graph.transform().m11() == zoomed


def test_without_a_plan_it_says_so(pane, desktop):
    desktop.api.plan_history.plans.clear()
    desktop.window.requests.send(ShowPlan(CHAT))
    desktop.settle()
    assert pane.focus_widget() is pane._empty
    assert "Nothing is planned here" in pane._empty.accessibleName()


def test_a_chain_of_many_steps_is_one_column_and_branches_take_free_ones():
    chain = {TaskId(one): (TaskId(one - 1),) for one in range(2, 501)}
    assert {cell.column for cell in cells_of([TaskId(one) for one in range(1, 501)], chain).values()} == {0}
    one, two, three, four, five = map(TaskId, range(1, 6))
    found = cells_of([one, two, three, four, five], {two: (one,), three: (one,), four: (two, three), five: (one,)})
    assert found == {one: Cell(0, 0), two: Cell(1, 0), three: Cell(1, 1), four: Cell(2, 0), five: Cell(1, 2)}


@pytest.mark.parametrize(("picked", "current"), [(False, 3), (True, 4)])
def test_a_step_that_is_over_gives_way_to_the_next_one_unless_the_operator_chose_it(pane, desktop, picked, current):
    if picked:
        pane.graph.chosen.emit(TaskId(4))
    over = tuple(replace(one, status=S.DONE) if one.task_id == 4 else one for one in STEPS)
    desktop.api.plan_history.plans[CHAT] = plan((*over, step(7, K.WAIT, S.PENDING, wait_s=20.0)), edits=2)
    desktop.api.publish(PlanEdited(desktop.api.plan_history.plans[CHAT].graph, 2, Revision(95)))
    desktop.settle()
    assert pane.graph.current == TaskId(current)


def test_a_plan_that_is_read_after_the_focus_came_begins_at_its_first_open_step(desktop):
    desktop.window.requests.send(ShowPlan(CHAT))
    desktop.settle()
    pane = desktop.window.panes["plans"]
    assert pane._empty.hasFocus()
    desktop.api.plan_history.plans[CHAT] = plan()
    desktop.api.publish(PlanEdited(plan().graph, 0, Revision(95)))
    desktop.settle()
    assert pane.outline.hasFocus()
    assert (pane.graph.current, pane.outline.currentIndex().data(KeyRole)) == (TaskId(3), TaskId(3))


@pytest.mark.parametrize("status", [S.SENDING, S.UNKNOWN])
def test_what_is_on_its_way_counts_down_no_more(status):
    details = plan((step(1, K.SEND, status),))
    (card,) = details.cards
    (view,) = step_views(replace(details, cards=(replace(card, due_at=NOON),)))
    assert view.until is None


def test_a_plan_that_is_asked_for_again_begins_at_its_first_open_step(pane, desktop):
    pane.graph.chosen.emit(TaskId(1))
    desktop.window.requests.send(ShowPlan(CHAT))
    desktop.settle()
    assert pane.graph.current == TaskId(3)


def test_the_focus_that_comes_back_to_the_list_chooses_nothing(pane, desktop):
    pane.outline.setFocus()
    desktop.window.requests.send(ShowPlan(ChatId(2)))
    desktop.settle()
    assert pane._stack.currentIndex() == 0
    desktop.api.plan_history.plans[CHAT] = plan((step(11, K.RECEIVED, S.DONE), step(12, K.SEND, S.UNKNOWN, 11)))
    desktop.window.requests.send(ShowPlan(CHAT))
    desktop.settle()
    assert pane.outline.hasFocus()
    assert pane.graph.current == TaskId(12)
