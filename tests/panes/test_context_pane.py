"""The Context pane: which messages a plan took and why, by mouse, by keys and for screen readers."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible

from chimein_gui.domain.chats import PinKind
from chimein_gui.domain.context.explained import Evidence, LinkExplanation, ParentChance, Spoke
from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.events import MessageStored, TaskGraphReplaced
from chimein_gui.domain.ids import ChatId, GraphId, MessageId, Revision
from chimein_gui.domain.notes import PlanningKind, PlanningProblem
from chimein_gui.domain.plans.graphs import TaskGraph
from chimein_gui.domain.prompt.considered import ConsideredMessage, ContextSelection, StoredPlan
from chimein_gui.ui.requests import ShowContext, ShowDraft, ShowMessage
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.viewmodels.context import NOW as TAKEN_NOW
from chimein_gui.viewmodels.context.rows import RowKind
from tests.fakes.engine_api import NOON, approval, message

pytestmark = [pytest.mark.whole_window, pytest.mark.qt_log_ignore("propagateSizeHints")]

CHAT = ChatId(1)
PLANS = (StoredPlan(GraphId(30), NOON - timedelta(minutes=2)), StoredPlan(GraphId(29), NOON - timedelta(hours=9)))


def one(number, ago, included, percent, reason, parent=None, *, text="", is_reply=False, in_session=False):
    said = replace(message(number, text or f"text {number}", minutes_ago=ago), sender_name="Bea")
    linked = None if parent is None else MessageId(parent)
    return ConsideredMessage(said, included, percent, reason, in_session, linked, is_reply)


ROWS = (
    one(1, 300, True, 97, "link"),
    one(2, 299, True, 98, "reply chain", 1, is_reply=True),
    *(one(number, 290 - number, False, number % 4, "other conversation") for number in range(3, 9)),
    one(9, 280, False, 46, "other conversation", 4),
    one(10, 90, True, 100, "anchor", 2, in_session=True),
    one(11, 80, False, 58, "other conversation", 9, in_session=True),
    one(12, 70, True, 94, "link", 10, in_session=True, text="if it's a bus I'd rather drive"),
    one(13, 60, True, None, "trigger", 10, is_reply=True, in_session=True, text="is it still running?"),
)
STORED = ContextSelection(CHAT, GraphId(30), ROWS, MessageId(13), PLANS)
OLDER = ContextSelection(CHAT, GraphId(29), ROWS[:1], None, PLANS, is_stored=False)
FIXED = tuple(replace(each, percent=None, reason="history") for each in ROWS[:2])
AT_PRESENT = ContextSelection(CHAT, None, (*FIXED, ROWS[-1]), MessageId(13), PLANS, history=40)


@pytest.fixture
def pane(desktop):
    desktop.api.contexts.found = {(CHAT, GraphId(30)): STORED, (CHAT, GraphId(29)): OLDER, (CHAT, None): AT_PRESENT}
    desktop.window.requests.send(ShowContext(CHAT))
    desktop.settle()
    return desktop.window.panes["context"]


def spoken(pane, number):
    row = pane.model.rows.places[MessageId(number)]
    return QAccessible.queryAccessibleInterface(pane.list).child(row).text(QAccessible.Text.Name)


def test_every_candidate_is_there_with_in_or_out_probability_and_reason(pane):
    kinds = [row.kind for row in pane.model.rows.rows]
    message_, fold, gap, day = RowKind.MESSAGE, RowKind.FOLD, RowKind.GAP, RowKind.DAY
    assert kinds == [day, message_, message_, fold, message_, gap, *[message_] * 4]
    assert spoken(pane, 12) == f"Bea {at(12)}, taken, 94 %, linked. if it's a bus I'd rather drive"
    assert spoken(pane, 11).startswith(f"Bea {at(11)}, left out, 58 %, other conversation")
    assert spoken(pane, 11).endswith("the 60-minute rule would take it")
    assert spoken(pane, 2).endswith("the 60-minute rule would miss it")
    assert [row.cuts for row in pane.model.rows.rows if row.kind is RowKind.GAP] == [True]
    head = pane.head
    assert head.trigger.isVisible()
    assert "is it still running?" in head.trigger.accessibleName()
    assert head.taken.accessibleName() == ("5 of 13 messages taken: 2 linked, 1 reply chain, 1 anchor, 1 trigger")
    assert head.rule.accessibleName() == "4 by the 60-minute rule: 1 of them left out here, 2 of ours missed"
    assert "taken from 94 %" in pane.details.histogram.accessibleName()
    assert (current(pane), pane.list.visualRect(pane.list.currentIndex()).isEmpty()) == (13, False)


def current(pane):
    one = pane.list.current
    return None if one is None else one.message_id


def at(number):
    sent = next(each.message.sent_at for each in ROWS if each.message_id == number).astimezone()
    return f"{sent:%H:%M}"


def test_keys_walk_over_the_messages_open_folds_and_lead_to_what_is_answered(pane, desktop, qtbot):
    view = pane.list
    asked: list[object] = []
    desktop.window.requests.sent.connect(asked.append)
    view.clearFocus()
    other = view.visualRect(view.model().index(pane.model.rows.places[MessageId(9)], 0))
    before = view.viewport().grab(other).toImage()
    view.setFocus()
    assert view.viewport().grab(other).toImage() == before, "the focus shows on the chosen row alone"
    for key, expected in ((Qt.Key.Key_K, 12), (Qt.Key.Key_Left, 10), (Qt.Key.Key_Up, 9), (Qt.Key.Key_J, 10)):
        qtbot.keyClick(view, key)
        assert current(pane) == expected
    assert "Replies to" not in pane.details.answers.text()
    qtbot.keyClick(view, Qt.Key.Key_Up)
    qtbot.keyClick(view, Qt.Key.Key_Up)
    assert current(pane) is None, "a fold"
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert (current(pane), pane.model.rows.rows[4].kind) == (3, RowKind.MESSAGE)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert asked[-1] == ShowMessage(CHAT, MessageId(3))


def test_possible_parents_sum_to_one_lead_to_their_messages_and_what_spoke_for_the_best_is_told(pane, desktop, qtbot):
    parents = (ParentChance(10, 0.88), ParentChance(11, 0.06), ParentChance(None, 0.04))
    evidence = (Spoke(Evidence.WORDS, 1.94), Spoke(Evidence.TIME, -0.31), Spoke(Evidence.NAMES, 0.0))
    found = LinkExplanation(12, parents, 0.02, 10, evidence, ("bus",), 2, 1200.0)
    desktop.api.contexts.explained[MessageId(12)] = found
    links = pane.details.links
    assert links.evidence.isHidden()
    qtbot.keyClick(pane.list, Qt.Key.Key_K)
    qtbot.waitUntil(lambda: (desktop.settle(), pane.model.links.found == found)[1])
    shown = [line for line in links.parents if not line.isHidden()]
    assert [line.findChild(ActionButton).accessibleName() for line in shown[:2]] == [
        "10  Bea · text 10: 0.88",
        "11  Bea · text 11: 0.06",
    ]
    assert links.sum.text() == "sum 1.00"
    assert links.evidence.accessibleName() == (
        "Shared words bus +1.9; Time between 20 min \u22120.3; Names addressed none 0.0"
    )
    assert [chip.text() for chip in links.path.findChildren(ActionButton)] == ["12", "10 anchor"]
    shown[1].findChild(ActionButton).click()
    assert current(pane) == 11
    assert links.evidence.isHidden(), "another message is not shown with these"


def test_the_best_of_those_left_out_lead_to_their_messages_and_only_the_taken_can_be_shown(pane, desktop, qtbot):
    losers = pane.details.losers
    said = losers[0].link.text().replace("\u2068", "").replace("\u2069", "")
    assert (said, losers[0].reason.text()) == ("58 %  Bea: text 11", "other conversation")
    qtbot.mouseClick(losers[1].link, Qt.MouseButton.LeftButton)
    assert current(pane) == 9
    assert pane.details.why.text() == "It probably belongs to another conversation."
    qtbot.mouseClick(pane.head.only_taken, Qt.MouseButton.LeftButton)
    assert all(row.one is None or row.one.included for row in pane.model.rows.rows)
    assert current(pane) is None, "it is hidden"
    qtbot.mouseClick(losers[0].link, Qt.MouseButton.LeftButton)
    assert current(pane) == 11, "it is shown again for that"
    desktop.settle()
    assert not pane.head.only_taken.isChecked()


def test_what_would_be_taken_now_a_fixed_history_and_a_plan_that_is_too_old(pane, desktop):
    choice, reads = pane.head.plan, desktop.api.contexts.reads
    assert [choice.itemData(place) for place in range(choice.count())] == [30, 29, TAKEN_NOW]
    choice.setCurrentIndex(2)
    desktop.settle()
    assert (reads[-1], pane.model.shown) == ((CHAT, None, True), TAKEN_NOW)
    words = "The agent's file says history 40: up to 40 of the newest messages are taken, whatever they are about."
    assert words in pane.message.accessibleName()
    assert (pane.head.rule.isVisible(), pane.details.histogram.isVisible()) == (False, False)
    choice.setCurrentIndex(1)
    desktop.settle()
    assert "no longer kept" in pane.message.accessibleName()


def test_it_reads_only_while_it_is_visible_and_follows_plans_and_messages(pane, desktop):
    api = desktop.api
    api.publish(TaskGraphReplaced(TaskGraph(GraphId(31), CHAT, NOON, (), (), ()), Revision(2_000)))
    desktop.settle()
    assert len(api.contexts.reads) == 2
    pane.head.plan.setCurrentIndex(2)
    desktop.settle()
    api.publish(MessageStored(CHAT, message(14, "news", minutes_ago=0), Revision(2_001)))
    desktop.settle()
    assert len(api.contexts.reads) == 4
    for _ in range(3):
        api.publish(MessageStored(CHAT, message(15, "more", minutes_ago=0), Revision(2_002)))
        desktop.settle()
    assert (len(api.contexts.reads), pane.model.again.pause.isActive()) == (4, True), "at most once a second"
    pane.model.again.pause.timeout.emit()
    desktop.settle()
    assert len(api.contexts.reads) == 5
    pane.hide()
    pane.model.open(ChatId(2))
    desktop.settle()
    assert len(api.contexts.reads) == 5
    pane.show()
    desktop.settle()
    assert api.contexts.reads[-1] == (2, None, False)
    assert pane._empty.accessibleName().startswith("Nothing to answer here")
    pane.model.open(None)
    assert pane._empty.accessibleName().startswith("No chat is open")


def test_a_read_that_fails_says_why_and_is_tried_again(pane, desktop, monkeypatch):
    async def fail(*_args, **_more):
        raise StoreError("the disk is gone")

    with monkeypatch.context() as broken:
        broken.setattr(desktop.api.contexts, "load", fail)
        pane.model.open(CHAT)
        desktop.settle()
    assert pane._empty.accessibleName().startswith("The context can't be loaded.")
    pane.model.read_again()
    desktop.settle()
    assert pane.model.selection == STORED


def test_a_message_is_pinned_by_keys_and_by_mouse_and_the_pin_is_taken_back(pane, desktop, qtbot):
    def pins():
        desktop.settle()
        return {int(pin.message_id): pin.kind for pin in desktop.api.chats[1].settings.pins}

    view, details = pane.list, pane.details
    pane.choose(MessageId(11))
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_P)
    assert pins() == {11: PinKind.IN}
    assert (spoken(pane, 11).endswith("pinned in"), details.pin.current(), details.undo.isVisible()) == (True, 1, True)
    qtbot.mouseClick(details.pin._group.button(2), Qt.MouseButton.LeftButton)
    assert (pins(), details.pin.current()) == ({11: PinKind.OUT}, 2)
    qtbot.keyClick(view, Qt.Key.Key_U)
    assert (pins(), details.pin.current()) == ({}, 0)
    for expected in ({11: PinKind.OUT}, {11: PinKind.IN}, {}):
        qtbot.keyClick(view, Qt.Key.Key_Z)
        assert pins() == expected
    assert not details.undo.isVisible()
    pane.choose(MessageId(13))
    qtbot.keyClick(view, Qt.Key.Key_O)
    assert (pins(), details.pin.isEnabled(), details.pin.toolTip()) == ({}, False, "A trigger is always in.")


def test_one_of_the_best_left_out_is_included_once_until_a_plan_has_used_it(pane, desktop, qtbot):
    def pins():
        desktop.settle()
        return dict(pane.model.pins.pins)

    loser, details = pane.details.losers[0], pane.details
    assert loser.once.accessibleName().startswith("Include once: 58 %")
    pane.choose(MessageId(11))
    qtbot.mouseClick(loser.once, Qt.MouseButton.LeftButton)
    assert (pins(), details.pin.current(), loser.once.text()) == ({11: PinKind.ONCE}, 3, "Take back")
    assert spoken(pane, 11).endswith("in the next plan")
    assert details._pins.text().endswith(" for the next plan")
    details.undo.click()
    assert pins() == {}
    pane.list.setFocus()
    qtbot.keyClick(pane.list, Qt.Key.Key_I)
    assert (pins(), details.undo.isVisible()) == ({11: PinKind.ONCE}, True)
    chat = desktop.api.chats[1]
    desktop.api.put_chat(replace(chat, settings=replace(chat.settings, pins=())))
    assert (pins(), details.undo.isVisible(), loser.once.text()) == ({}, False, "Include once"), "a plan has used it"


def test_pins_count_for_what_would_be_taken_now_and_the_plan_is_made_again_with_them(pane, desktop, qtbot):
    asked: list[object] = []
    desktop.window.requests.sent.connect(asked.append)
    reads, again = desktop.api.contexts.reads, pane.details.again
    pane.model.choose(TAKEN_NOW)
    desktop.settle()
    pane.choose(MessageId(1))
    assert not pane.details.pin.isEnabled(), "its history is fixed"
    before = len(reads)
    pane.model.pins.pin(MessageId(1), PinKind.IN)
    desktop.settle()
    assert reads[before:] == [(CHAT, None, True)]
    assert (again.isEnabled(), again.toolTip()) == (False, "No draft of this plan waits for a decision.")
    card = replace(approval(1, "First draft"), graph_id=GraphId(30))
    desktop.api.put_approval(card)
    desktop.settle()
    assert again.isEnabled()
    qtbot.mouseClick(again, Qt.MouseButton.LeftButton)
    desktop.settle()
    assert asked[-1] == ShowDraft(card.approval_id)


def test_a_plan_that_failed_is_made_again_with_the_pins_of_now(pane, desktop, qtbot):
    again = pane.details.again
    pane.model.choose(TAKEN_NOW)
    desktop.settle()
    failed = PlanningProblem(PlanningKind.FAILED, "Blocked")
    desktop.api.put_chat(replace(desktop.api.chats[CHAT], planning_problem=failed))
    desktop.settle()
    pane.model.pins.pin(MessageId(1), PinKind.OUT)
    desktop.settle()
    assert (again.isEnabled(), again.toolTip()) == (True, "")
    qtbot.mouseClick(again, Qt.MouseButton.LeftButton)
    desktop.settle()
    assert ("retry", CHAT) in desktop.api.plans.calls


def test_a_card_leads_to_what_its_own_plan_took(pane, desktop):
    desktop.window.show_pane("approvals")
    why = desktop.approvals.card.why
    why.show_card(replace(approval(1, "First draft"), graph_id=GraphId(29)), None, "")
    why._knew.link.click()
    desktop.settle()
    assert (pane.isVisible(), pane.model.shown) == (True, 29)
