"""The steps of the Plans pane one by one: ways to them, their details, what can be added beside them, and dragging."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QImage
from PySide6.QtWidgets import QApplication

from chimein_gui.domain.approvals import OPERATOR
from chimein_gui.domain.events import StepChanged, TaskStatusChanged
from chimein_gui.domain.ids import GraphId, MessageId, Revision, TaskId
from chimein_gui.domain.plans.details import IN_THE_MAKING, PlanEnd
from chimein_gui.domain.plans.graphs import TaskGraph
from chimein_gui.domain.plans.hidden_steps import HiddenKind, HiddenStep
from chimein_gui.domain.plans.step_edits import StepAction
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.ui.panes.plans.step_item import StepLooks
from chimein_gui.ui.requests import ShowPlan
from chimein_gui.viewmodels.transcript.rows import StepRow
from tests.fakes.engine_api import NOON, approval
from tests.support.shown_plan import CHAT, STEPS, edits, plan, step

pytestmark = [pytest.mark.with_panes("plans"), pytest.mark.qt_log_ignore("propagateSizeHints")]

A, K, S = StepAction, TaskKind, TaskStatus
FORMAT = QImage.Format.Format_ARGB32
FOX = StickerRef("FoxPack", "🦊", 77, "🦊", "image/webp")


@pytest.fixture
def pane(desktop):
    desktop.api.plan_history.plans[CHAT] = plan(edits=1, can_undo=True)
    desktop.window.requests.send(ShowPlan(CHAT, TaskId(4)))
    desktop.settle()
    return desktop.window.panes["plans"]


def earlier_plan():
    """A plan before the current one, which the list of earlier plans has not read."""
    one = step(41, K.SEND, S.CANCELLED)
    card = replace(approval(41, "open on Sunday"), graph_id=GraphId(4), chat_id=CHAT, task_status=one.status)
    return replace(
        plan(),
        graph=TaskGraph(GraphId(4), CHAT, NOON, (), (), (one,)),
        cards=(card,),
        end=PlanEnd.SENT,
        is_current=False,
    )


# --- ways in ----------------------------------------------------------------------------------------------------------


def test_a_step_of_an_earlier_plan_opens_that_plan_and_not_the_current_one(pane, desktop):
    history = desktop.api.plan_history
    unread = earlier_plan()
    newer = (replace(unread, graph=replace(unread.graph, graph_id=GraphId(number))) for number in range(30, 9, -1))
    history.earlier = [*newer, unread]
    desktop.window.requests.send(ShowPlan(CHAT, TaskId(41), GraphId(4)))
    desktop.settle()
    assert (pane.plan.plan.graph_id, pane.graph.current) == (4, TaskId(41))
    assert pane.earlier.strip.isVisible()
    assert not pane.step_buttons[A.SKIP].isEnabled()
    desktop.window.requests.send(ShowPlan(CHAT, TaskId(6), GraphId(9)))
    desktop.settle()
    assert (pane.plan.earlier, pane.graph.current) == (None, TaskId(6))


def test_hidden_steps_and_what_follows_a_card_lead_to_the_step_itself(pane, desktop, qtbot):
    sent: list[ShowPlan] = []
    desktop.window.requests.on(ShowPlan, sent.append)
    hidden = HiddenStep(TaskId(3), GraphId(9), HiddenKind.WAIT, S.DONE, "", NOON, MessageId(1), wait_s=9.0)
    desktop.api.transcripts.hidden[CHAT] = (hidden,)
    desktop.open_chat()
    desktop.models.transcript.set_steps_shown(True)
    desktop.settle()
    transcript, rows = desktop.conversations.transcript, desktop.models.transcript.rows
    row = next(row for row in range(rows.rowCount()) if isinstance(rows.row_at(row), StepRow))
    index = transcript.model().index(row, 0)
    transcript.setCurrentIndex(index)
    qtbot.keyClick(transcript, Qt.Key.Key_Return)
    spot = transcript.visualRect(index).center()
    qtbot.mouseClick(transcript.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert sent == 2 * [ShowPlan(CHAT, TaskId(3), GraphId(9))]


def test_the_palette_shows_the_plan_of_any_chat(pane, desktop, qtbot):
    sent: list[ShowPlan] = []
    desktop.window.requests.on(ShowPlan, sent.append)
    card = desktop.models.approvals.items()[0]
    desktop.window.action("palette").trigger()
    dialog = desktop.window.lazy.palette.dialog
    qtbot.keyClicks(dialog.field, f"show plan of {card.chat_title[:5]}")
    desktop.press(dialog.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: sent == [ShowPlan(card.chat_id, card.task_id, card.graph_id)])


# --- the step ---------------------------------------------------------------------------------------------------------


def rows(pane):
    return dict(pane.details.rows)


def test_the_column_says_what_a_step_waits_for_and_who_decided(pane, desktop):
    card = replace(pane.plan.step(TaskId(6)).approval, decided_by=OPERATOR, decided_at=NOON, task_status=S.APPROVED)
    desktop.api.publish(TaskStatusChanged(replace(card, due_at=NOON + timedelta(seconds=75)), Revision(91)))
    desktop.settle()
    pane.choose(TaskId(6))
    assert pane.details.title.text() == "Message"
    assert pane.details.preview.accessibleName() == "see you"
    assert pane.details.state.accessibleName() == "Approved"
    expected = {"Continues": "1:15", "Why": "The step before it is not done.", "After": "Message, Message"}
    assert expected.items() <= rows(pane).items()
    assert rows(pane)["Decision"].startswith("decided by you · ")
    item = pane.graph.items_of[TaskId(6)]
    assert (item.state_words(), item.view.facts) == (
        "Approved 1:15",
        "decided by you · The step before it is not done.",
    )
    pane.choose(TaskId(3))
    assert pane.graph.items_of[TaskId(3)].state_words() == "Running 0:40"
    assert rows(pane) == {"Continues": "0:40", "After": "Message", "Then": "Message"}
    assert pane.step_buttons[A.RUN_NOW].isVisible()
    assert not pane.step_buttons[A.RETRY].isVisible()
    assert pane.details.edit.accessibleDescription().endswith("Only a message that asks you can be edited.")


def test_a_sticker_is_shown_as_it_will_look(pane, desktop):
    sticker = step(7, K.STICKER, S.AWAITING_DECISION, 6)
    card = replace(approval(7, "🦊"), graph_id=GraphId(9), kind=K.STICKER, sticker=FOX)
    shown = plan((*STEPS, sticker))
    desktop.api.plan_history.plans[CHAT] = replace(shown, cards=(*shown.cards, card))
    desktop.window.requests.send(ShowPlan(CHAT, TaskId(7)))
    desktop.settle()
    assert pane.details.preview.row.message.media_kind == "sticker"
    asked: list[object] = []

    def picture(view):
        asked.append(view.task_id)
        return QImage(9, 9, FORMAT)

    pane.graph._looks = StepLooks(lambda _view: "", picture)
    pane.graph.show_steps(pane.plan.steps)
    pane.graph.grab()
    assert asked[-1:] == [TaskId(7)]


def test_a_plan_that_is_being_made_is_a_step_that_can_be_tried_now(pane, desktop, qtbot):
    waits = step(70, K.RECEIVED, S.WAITING, attempts=3, until=NOON + timedelta(seconds=7))
    making = replace(plan((waits,)), graph=TaskGraph(IN_THE_MAKING, CHAT, NOON, (), (), (waits,)), cards=())
    desktop.api.plan_history.making = making
    desktop.api.publish(StepChanged(CHAT, TaskId(70), K.RECEIVED, S.WAITING, None, None, 3, Revision(90), None))
    desktop.settle()
    pane.choose(TaskId(70))
    assert (rows(pane)["Attempts"], rows(pane)["Continues"]) == ("try 3 of 10", "7 s")
    assert pane.details.attempts.made == 3
    qtbot.keyClick(pane.outline, Qt.Key.Key_N)
    desktop.settle()
    assert edits(desktop) == [(A.RETRY, 70)]
    assert desktop.api.plan_edits.edits[0].expected_edits == 3
    pane.choose(TaskId(4))
    assert not pane.step_buttons[A.RETRY].isEnabled()
    assert pane.step_buttons[A.RETRY].accessibleDescription().endswith("This step does not wait for another try.")


def test_the_picture_zooms_fits_and_follows_by_its_buttons(pane, desktop):
    graph = pane.graph
    before = graph.transform().m11()
    desktop.button("Larger (plus)", pane).click()
    assert graph.transform().m11() > before
    desktop.button("Show the whole plan (0)", pane).click()
    assert graph.transform().m11() <= 1.0
    desktop.button("Follow the step that runs", pane).click()
    assert not graph.follows


# --- beside the step --------------------------------------------------------------------------------------------------


@pytest.mark.qt_log_ignore("plugin does not support")  # a popup is a window of its own
def test_a_sticker_and_a_file_are_inserted_by_the_menu(pane, desktop, tmp_path, qtbot):
    desktop.api.stickers.known = (FOX,)
    menu = pane.menu()
    next(one for one in menu.actions() if one.text() == "Insert sticker before…").trigger()
    desktop.settle()
    picker = pane.step_menu.picker
    assert not picker.emoji.isVisible()
    qtbot.keyClick(picker.search, Qt.Key.Key_Return)
    (path := tmp_path / "map.txt").write_text("map")
    pane.chosen.insert_file(str(path), is_before=False)
    qtbot.waitUntil(lambda: len(desktop.api.plan_edits.edits) == 2)
    first, second = (one.edit for one in desktop.api.plan_edits.edits)
    assert (first.task_id, first.new.sticker, first.new.kind, first.is_before) == (4, FOX, K.STICKER, True)
    assert (second.new.kind, second.file.source, second.is_before) == (K.FILE, path, False)


def drag(pane, moved, over, *, lower):
    """Drag a step over another one and drop it; returns whether it could be dropped there."""
    outline = pane.outline
    data = outline.model().mimeData([outline.model().index(moved - 1)])
    rect = outline.visualRect(outline.model().index(over - 1))
    at = QPointF(rect.center().x(), rect.bottom() - 3 if lower else rect.top() + 3)
    how = (Qt.DropAction.MoveAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(outline.viewport(), QDragEnterEvent(at.toPoint(), *how))
    over_it = QDragMoveEvent(at.toPoint(), *how)
    QApplication.sendEvent(outline.viewport(), over_it)
    pane.outline.viewport().grab()  # the line is painted
    place = outline.drop
    if over_it.isAccepted():
        QApplication.sendEvent(outline.viewport(), QDropEvent(at, *how))
    return over_it.isAccepted(), place


def test_a_dragged_step_is_put_where_the_line_is_and_a_refused_place_says_why(pane, desktop):
    accepted, place = drag(pane, 6, 4, lower=False)
    assert (accepted, place.is_before, place.why_not) == (True, True, "")
    desktop.settle()
    accepted, _ = drag(pane, 5, 6, lower=True)
    desktop.settle()
    moves = [(one.edit.task_id, one.edit.other, one.edit.is_before) for one in desktop.api.plan_edits.edits]
    assert moves == [(6, 4, True), (5, 6, False)]
    accepted, place = drag(pane, 6, 2, lower=False)
    assert (accepted, place.why_not) == (False, "This step is over.")
    accepted, place = drag(pane, 2, 4, lower=True)
    assert (accepted, place.why_not) == (False, "This step is over."), "what is sent can't be moved"
    accepted, place = drag(pane, 6, 1, lower=False)
    assert (accepted, place.is_before) == (True, False), "nothing comes before the first step"
