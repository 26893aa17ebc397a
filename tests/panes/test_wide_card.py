"""The wide card: list, card and reasons side by side; what it tells and what can be done with it."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox, QWidget

from chimein_gui import ui_driver as hand
from chimein_gui.domain.approvals import Approve, ApproveEdited, AskReason, Edit, Part, Postpone, RejectPlan, SavedEdit
from chimein_gui.domain.cards import CardStep
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.ids import ApprovalId, ChatId, GraphId, MessageId, SavedEditId, TaskId
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import ApprovalState, CancelReason, LedgerState, TaskKind, TaskStatus
from chimein_gui.ui.panes.approvals.layout import LayoutMode
from chimein_gui.ui.requests import MaximizePane, ShowPlan
from chimein_gui.ui.widgets.controls.action_button import Kind
from chimein_gui.ui.widgets.controls.legend import KeyLegend
from chimein_gui.ui.widgets.rows import in_view
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.viewmodels.approvals import card as cards
from chimein_gui.viewmodels.approvals.store import name_of
from tests.fakes.engine_api import BIG, NOON, approval, message, run_now
from tests.support.on_screen import entries

Key = Qt.Key
FIRST, SECOND = BIG + 1, BIG + 2
BY_OPERATOR = {"state": ApprovalState.APPROVED, "decided_at": NOON, "decided_by": "operator"}


@pytest.fixture
def wide(desktop, monkeypatch):
    """The pane with all the room there is."""
    monkeypatch.setattr(cards, "SETTLE_MS", 0)
    desktop.window.requests.send(MaximizePane("approvals"))
    desktop.settle()
    desktop.approvals.list.setFocus()
    read(desktop)
    assert desktop.approvals._layout.mode is LayoutMode.FULL
    return desktop


def room(desktop, width, *, maximised):
    """Give the pane the whole width of a window, or its place in the dock."""
    desktop.window.resize(width, 900)
    if bool(desktop.window.dock_manager.maximizer.pane_id) is not maximised:
        desktop.window.requests.send(MaximizePane("approvals"))
    desktop.settle()


def read(desktop):
    """Let the card be read as if the hand had rested."""
    desktop.models.card._again.stop()
    desktop.models.card._load()
    desktop.settle()


def put(desktop, number=1, **changes):
    desktop.put_approval(replace(desktop.api.approvals[BIG + number], **changes))
    read(desktop)


def another_version(desktop, number=900, instruction="shorter", text="Short."):
    made = desktop.api.plans.put_variant(desktop.api.approvals[FIRST], number, instruction, text)
    desktop.settle()
    read(desktop)
    return made


def statuses(desktop):
    return [desktop.api.approvals[key].task_status for key in (FIRST, SECOND)]


def offered(desktop):
    bar = desktop.approvals.card.bar
    return [button.text() for button in bar.buttons.values() if button.isVisibleTo(bar) and button.text()]


def facts(desktop):
    """Return what a screen reader finds in each line: the fact, and its details."""
    lines = [
        QAccessible.queryAccessibleInterface(widget)
        for widget in desktop.approvals.card.why.findChildren(QWidget)
        if hasattr(widget, "show_fact") and widget.isVisibleTo(desktop.approvals.card.why)
    ]
    parts = [[line.child(place) for place in range(line.childCount())] for line in lines]
    return [
        ", ".join(part.text(QAccessible.Text.Name) for part in line if part.role() is QAccessible.Role.StaticText)
        for line in parts
    ]


def test_one_pane_has_two_shapes_and_keeps_its_selection(wide):
    pane = wide.approvals
    pane.list.move_by(1)
    for width, maximised, shape in (
        (1440, True, LayoutMode.FULL),
        (1100, True, LayoutMode.WIDE),
        (1440, False, LayoutMode.NARROW),
        (1440, True, LayoutMode.FULL),
    ):
        room(wide, width, maximised=maximised)
        assert pane._layout.mode is shape
        assert pane.list.current().approval_id == SECOND
        assert pane.card.isVisible() is (shape is not LayoutMode.NARROW)
        assert pane.card.why.isVisible() is (shape is not LayoutMode.NARROW)
        assert pane._layout._why_scroll.isVisible() is (shape is LayoutMode.FULL)
        assert pane.list.buttons.isVisible() is (shape is LayoutMode.NARROW)
    assert pane.card.approval.approval_id == SECOND


def change(desktop, number):
    """The conversation of a card has changed."""
    put(desktop, number, reasons=(AskReason.CHANGED, AskReason.REVIEW), changed_at=5)


@pytest.mark.qt_log_ignore("plugin does not support")  # a floating dock is a window of its own
@pytest.mark.parametrize("changed", [FIRST, SECOND])
@pytest.mark.parametrize("road", ["maximise", "float"])
def test_back_in_the_dock_a_card_has_its_own_controls(wide, road, changed):
    """The operator moved while the list stood beside the wide card: its buttons were another card's then."""
    pane = wide.approvals
    change(wide, changed - BIG)
    other = SECOND if changed == FIRST else FIRST
    for before, after in ((changed, other), (other, changed)):
        narrow(wide, road)
        pane.list.select(before)
        widen(wide, road)
        wide.press(pane.list, Key.Key_J if after > before else Key.Key_K)
        narrow(wide, road)
        assert pane.list.current().approval_id == after
        buttons, waits = pane.list.buttons, after == changed
        assert buttons.isVisible()
        assert buttons.tick.isVisible() is waits
        assert buttons.bar.buttons["A"].isEnabled() is not waits
        assert buttons.bar.buttons["A"]._kind is (Kind.PLAIN if waits else Kind.PRIMARY)
        assert buttons.accessibleName() == name_of(pane.list.current())
        widen(wide, road)


def narrow(desktop, road):
    turn(desktop, road, wide=False)


def widen(desktop, road):
    turn(desktop, road, wide=True)


def turn(desktop, road, *, wide):
    """Let the pane take another shape by each road that leads there."""
    if road == "maximise":
        room(desktop, 1440, maximised=wide)
    else:
        dock = desktop.window.docks["approvals"]
        room(desktop, 1440, maximised=False)
        dock.setFloating(True)
        dock.resize(1300 if wide else 400, 800)
    desktop.settle()
    assert desktop.approvals.list.is_wide is wide


def test_the_card_is_the_current_one_before_its_details_are_read(wide):
    wide.approvals.list.select(SECOND)
    QApplication.sendPostedEvents()
    assert wide.models.card.details is None
    assert wide.approvals.card.approval.approval_id == SECOND


def test_what_is_typed_in_the_dock_stands_on_the_wide_card(wide):
    pane = wide.approvals
    narrow(wide, "maximise")
    pane.list.select(SECOND)
    wide.press(pane.list, Key.Key_E, "e")
    wide.field.setPlainText("Typed in the dock")
    pane.editor.fields.rest.timeout.emit()
    widen(wide, "maximise")
    assert pane.card.approval.approval_id == SECOND
    assert [one.row.message.text for one in pane.card.preview._shown if not one.faint] == ["Typed in the dock"]


def test_an_open_editor_moves_between_the_shapes_with_its_text_and_the_focus(wide, qtbot):
    pane = wide.approvals
    wide.press(pane.list, Key.Key_E, "e")
    qtbot.keyClicks(wide.field, " mine")
    for width in (380, 1376):
        pane._layout.fit(width)
        assert pane.editor.fields.text() == "First draft mine"
        assert pane.editor.isVisible()
        assert QApplication.focusWidget() is wide.field


def test_the_card_tells_the_conversation_and_what_will_be_sent(wide):
    card = wide.approvals.card
    assert card.header.accessibleName().startswith(
        "Nora Vale to Marta Oliveira, Direct message, Waits for you, Version 1"
    )
    lines = [line for line in card._messages._lines if line.isVisible()]
    assert [line.accessibleName().split(", ")[:2] for line in lines][-1] == ["Marta Oliveira", "is the bridge open?"]
    assert lines[-1].accessibleName().endswith("being answered")
    assert card.preview.accessibleName() == "First draft"
    assert [bubble.row.reply_to.text for _, bubble, _ in card.preview._lay_out(600)[0]] == ["is the bridge open?"]


def test_the_reasons_are_all_told_with_who_set_the_rule(wide):
    put(wide, reasons=(AskReason.FIRST_MESSAGE, AskReason.EARLIER_STEP, AskReason.REVIEW))
    told = facts(wide)
    assert told[0].startswith("Review: messages wait for you, default of the agent")
    assert any(fact.startswith("First message to Marta Oliveira") for fact in told)
    assert any(fact.startswith("Earlier step changed") for fact in told)
    assert any("4 of 20 automatic sends this hour, in this chat; 9 of 60 of this account" in fact for fact in told)
    assert "✓ 31 unchanged   ✎ 8 edited   ✗ 2 rejected" in wide.approvals.card.why._words.text()


def test_a_reply_that_was_cut_off_says_so_until_its_text_is_the_operators(wide):
    cut = {"text": "that you must nev", "draft_text": "that you must nev", "reasons": (AskReason.CUT_OFF,)}
    put(wide, **cut)
    assert any(fact.startswith("Reply cut off, the model stopped before the end") for fact in facts(wide))
    assert any("Reply cut off" in words for words in hand.words_in_sight(wide.approvals.card))
    put(wide, **cut | {"text": "that you must never forget"})
    assert not any("cut off" in fact for fact in facts(wide))


@pytest.mark.whole_window
def test_the_plan_is_a_chain_and_what_follows_is_drawn(wide):
    put(wide, 2, graph_id=GraphId(1), kind=TaskKind.SEND)
    steps = (
        CardStep(TaskId(1), TaskKind.SEND, TaskStatus.AWAITING_DECISION, ApprovalId(FIRST), typing_s=4.0),
        CardStep(TaskId(9), TaskKind.WAIT, TaskStatus.PENDING, wait_s=20.0),
        CardStep(TaskId(2), TaskKind.SEND, TaskStatus.AWAITING_DECISION, ApprovalId(SECOND)),
    )
    wide.api.cards.tell(FIRST, steps=steps, remembers=("She hikes.",))
    read(wide)
    chain = wide.approvals.card.chain
    assert chain.accessibleName() == (
        "typing: 4 s, this text: Waits for you, wait: 20 s, text: asks you, remembers: She hikes."
    )
    assert wide.approvals.card.preview.accessibleName() == "First draft, 20 s later, asks separately"
    asked: list[ShowPlan] = []
    wide.window.requests.on(ShowPlan, asked.append)
    wait = chain._boxes(chain.width())[2].center().toPoint()
    QTest.mouseClick(chain, Qt.MouseButton.LeftButton, pos=wait)
    wide.approvals.card._plan.link.click()
    assert [(one.task_id, one.graph_id) for one in asked] == [(9, 1), (1, 1)]


def test_a_long_text_shows_its_parts_and_what_became_of_them(wide):
    long = "\n\n".join("word " * 500 for _ in range(3)).strip()
    parts = (Part(0, LedgerState.SENT, MessageId(9)), Part(1, LedgerState.UNKNOWN))
    put(wide, text=long, draft_text=long, parts=parts, reasons=(AskReason.PARTLY_SENT,))
    shown = [shown.beside for shown in wide.approvals.card.preview._shown]
    assert shown == ["Part 1 of 3, sent", "Part 2 of 3, perhaps sent", "Part 3 of 3"]
    assert "E" not in [action for action, button in wide.approvals.card.bar.buttons.items() if button.isVisible()]


@pytest.mark.parametrize(
    ("changes", "actions", "status_words"),
    [
        ({}, ["Approve", "Edit", "Regenerate", "Reject"], "Waits for you"),  # the rest stands behind "…"
        ({"kind": TaskKind.BLOCK}, ["Block…", "Regenerate", "Reject", "Later", "Whole plan"], "Waits for you"),
        (
            {"task_status": TaskStatus.APPROVED, "due_at": NOON + timedelta(seconds=3), **BY_OPERATOR},
            ["Undo"],
            "Sends in 3 s",
        ),
        ({"task_status": TaskStatus.SENDING, **BY_OPERATOR}, ["Show in chat"], "Sending…"),
        ({"task_status": TaskStatus.UNKNOWN, **BY_OPERATOR}, ["Show in chat"], "Delivery unknown"),
        ({"reasons": (AskReason.NOT_DELIVERED,)}, ["Send again", "Edit", "Regenerate", "Reject"], "Delivery unknown"),
        (
            {"task_status": TaskStatus.FAILED, "note": Note(NoteKind.REFUSED, "CHAT_WRITE_FORBIDDEN"), **BY_OPERATOR},
            ["Show in chat", "Ask again", "Dismiss"],
            "Failed, won't retry",
        ),
        (
            {"task_status": TaskStatus.DONE, "message_id": MessageId(9), **BY_OPERATOR},
            ["Delete for everyone…", "Show in chat"],
            "Sent",
        ),
    ],
)
def test_every_state_has_its_words_and_its_actions_in_the_same_place(wide, changes, actions, status_words):
    card = wide.approvals.card
    before = (card.header.geometry(), card.bar.buttons["A"].mapTo(card, QPoint(0, 0)))
    put(wide, **changes)
    assert offered(wide) == actions
    assert status_words in card.header.accessibleName()
    first = min((b for b in card.bar.buttons.values() if b.isVisible()), key=lambda button: button.x())
    assert (card.header.geometry(), first.mapTo(card, QPoint(0, 0))) == before
    assert card.notice.isVisible() is bool(changes.get("note"))


def test_under_a_hold_a_press_is_quiet_and_says_what_becomes_of_it(wide):
    wide.api.holds.put(Hold(HoldScope.ALL, 0, "lunch", NOON))
    wide.settle()
    bar = wide.approvals.card.bar
    assert bar.buttons["A"]._kind is Kind.PLAIN
    assert "Held until you release it" in (bar._remark.text(), bar._above.text())


def test_what_changed_is_listed_and_must_be_ticked(wide):
    news, edited = message(9, "never mind", minutes_ago=0), message(3, "is the bridge closed?", edited_at=NOON)
    wide.api.put_message(1, news)
    wide.api.put_message(1, edited)
    wide.api.cards.tell(FIRST, came_since=(news,), edited_since=(edited,))
    put(wide, reasons=(AskReason.CHANGED, AskReason.REVIEW), changed_at=5)
    card = wide.approvals.card
    assert card.changed.accessibleName() == "2 changes since this was planned"
    assert not [line for line in card.changed._lines if line.isVisible()], "all of it stands in the last messages"
    lines = [line for line in card._messages._lines if line.isVisible()]
    at = [wide.models.clock.clock(one.sent_at) for one in (edited, news)]
    assert [line.accessibleName() for line in lines][-2:] == [
        f"edited, Marta Oliveira, is the bridge closed?, {at[0]}, being answered, removed: open?; added: closed?",
        f"new, Marta Oliveira, never mind, {at[1]}",
    ]
    assert [line.difference.isVisible() for line in lines][-2:] == [True, False]
    assert not card.bar.buttons["A"].isEnabled()
    assert card.bar.buttons["A"].accessibleDescription().startswith("Confirm the changes first")
    assert card.bar.buttons["G"]._kind is Kind.PRIMARY
    wide.press(wide.approvals.list, Key.Key_A, "a")
    assert QApplication.focusWidget() is card.changed.tick
    wide.strike(card.changed.tick, Key.Key_Space)
    wide.press(card.changed.tick, Key.Key_A, "a")
    assert wide.decisions() == [(FIRST, Approve())]
    assert wide.api.calls[-1].seen_up_to == 5


def test_what_changed_is_listed_in_the_block_where_the_last_messages_do_not_show_it(wide):
    early, gone = message(77, "see you at noon", minutes_ago=90), message(3, "is the bridge open?")
    wide.api.put_message(1, replace(gone, deleted=True))
    wide.api.cards.tell(FIRST, edited_since=(early,))
    put(wide, reasons=(AskReason.CHANGED, AskReason.REVIEW), changed_at=5)
    card = wide.approvals.card

    def listed():
        return [line.accessibleName().split(":")[0] for line in card.changed._lines if line.isVisible()]

    assert listed() == ["Edited, Marta Oliveira"]
    assert any(line.accessibleName().startswith("deleted, ") for line in card._messages._lines)
    assert not card.bar.buttons["A"].isEnabled()


@pytest.mark.parametrize("changed_at", [0, 5])
@pytest.mark.parametrize("size", [(1440, 900), (1280, 720)])
def test_what_will_be_sent_is_in_sight_on_a_card_with_long_messages(wide, size, changed_at):
    wide.window.resize(*size)
    news = tuple(message(10 + number, f"news {number} " * 24, minutes_ago=0) for number in range(6))
    for one in news:
        wide.api.put_message(1, one)
    wide.api.cards.tell(FIRST, came_since=news if changed_at else ())
    reasons = (AskReason.CHANGED, AskReason.REVIEW) if changed_at else (AskReason.REVIEW,)
    put(wide, reasons=reasons, changed_at=changed_at)
    wide.settle()
    card = wide.approvals.card
    assert card.changed.isVisible() is bool(changed_at)
    assert not [line for line in card.changed._lines if line.isVisible()]
    assert card.is_all_in_view()
    wide.approvals._show_now(None)
    wide.approvals._show_now(wide.models.approvals.find(FIRST))
    wide.settle()
    assert card.is_all_in_view(), "again, though its height is the same"


@pytest.mark.parametrize(("size", "beside"), [((1440, 900), True), ((1280, 720), False)])
def test_the_names_in_the_header_are_whole_beside_a_long_status_or_above_it(wide, size, beside, monkeypatch):
    wide.window.resize(*size)
    put(wide, reasons=(AskReason.CHANGED, AskReason.REVIEW), changed_at=5)
    wide.settle()
    drawn, draw = {}, marks.draw_line

    def note(painter, font, *where):
        drawn[where[2]] = where[1].y()
        width = draw(painter, font, *where)
        assert width >= QFontMetricsF(font).horizontalAdvance(where[2]) - 1, f"{where[2]} is cut"
        return width

    monkeypatch.setattr(marks, "draw_line", note)
    wide.approvals.card.header.grab()
    same_row = drawn["Conversation changed"] == drawn[foreign_text.name("Marta Oliveira")]
    assert same_row is beside, "in a narrow card the status is below the names"


def test_what_is_typed_is_compared_and_shown_as_it_will_look(wide, qtbot):
    pane = wide.approvals
    wide.press(pane.list, Key.Key_E, "e")
    wide.field.setPlainText("First, shorter text 😄")
    assert pane.card.preview.accessibleName() == "First draft"
    assert pane.card.is_all_in_view()
    qtbot.waitUntil(lambda: pane.card.preview.accessibleName() == "First, shorter text 😄")
    assert not pane.card.is_all_in_view(), "nobody reads the draft there now"
    assert pane.editor.fields.diff.accessibleName() == "removed: First draft; added: First, shorter text 😄"
    assert wide.sees("Changes", pane.editor)
    assert pane.card.header.accessibleName().split(", ")[2] == "You are editing"
    assert not pane.card.bar.isVisible()
    wide.strike(wide.field, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert [decision for _, decision in wide.decisions() if not isinstance(decision, Edit)] == [
        ApproveEdited("First, shorter text 😄")
    ]
    assert pane.card.bar.isVisible()


def test_versions_are_looked_at_with_the_arrows_where_the_other_keys_work_and_used_or_discarded(wide):
    pane, card = wide.approvals, wide.approvals.card
    another_version(wide)
    # It has come while its card is open: it is shown at once, with the difference in words.
    tab = hand.button(card, "2  shorter")
    assert tab is not None
    assert tab.isChecked()
    assert card.preview.accessibleName() == "Short."
    assert card.variants.changes.accessibleName() == "removed: First draft; added: Short."
    wide.press(card.body, Key.Key_Left)
    assert not card.variants.use.isVisible()
    for focus in (card.body, pane.list):
        focus.setFocus()
        wide.press(focus, Key.Key_Right)
        assert card.preview.accessibleName() == "Short."
        assert focus.hasFocus()
        wide.press(focus, Key.Key_Left)
        assert card.preview.accessibleName() == "First draft"
    wide.press(pane.list, Key.Key_Right)
    assert "1 word shorter" in hand.words_in_sight(card)
    wide.click(card.variants.discard)
    read(wide)
    assert not card.variants.isVisible()
    assert card.preview.accessibleName() == "First draft"
    variant = another_version(wide, 901, "warmer", "My dear.")
    wide.click(card.variants.use)
    assert wide.api.approvals[FIRST].state is ApprovalState.SUPERSEDED
    assert "My dear." in [one.text for one in wide.models.approvals.of_chat(1)]
    assert wide.api.plans.asked == [(variant.graph_id, "choose")]


def test_the_cursor_stays_where_the_operator_put_it_while_a_version_was_on_its_way(wide):
    another_version(wide)
    view = wide.approvals.list
    wide.approvals.card.variants.use.click()
    view.select(SECOND)
    wide.settle()
    assert "Short." in [one.text for one in wide.models.approvals.of_chat(1)]
    assert view.current().approval_id == SECOND


def test_versions_stand_side_by_side_and_a_number_uses_one_that_was_read_to_its_end(wide):
    pane, card = wide.approvals, wide.approvals.card
    another_version(wide, 900, "longer", "First draft\n" + "and much more. " * 400)
    another_version(wide, 901, "shorter", "Short draft")
    wide.press(pane.list, Key.Key_V, "v")
    versions = card.versions
    draft, long, short = versions.columns
    assert [one.isVisible() for one in versions.columns] == [True, True, True]
    assert not card.bar.isVisible()
    assert draft.accessibleName() == "Version 1 of 3: draft, in use"
    assert short.use.accessibleName() == "Use this one: Version 3 of 3: shorter"
    assert short.text.accessibleDescription() == "differs in: Short"
    assert draft.text.accessibleDescription() == "differs in: First"
    wide.press(short.use, Key.Key_2, "2")  # its end is not in view
    assert wide.api.plans.asked == []
    assert "It was not fully in view" in versions.notice.accessibleName()
    assert long.text.verticalScrollBar().value() > 0
    wide.press(pane.list, Key.Key_A, "a")  # nothing is approved that is covered; the body comes back
    assert not versions.isVisible()
    assert wide.decisions() == []
    wide.click(card.variants.compare)
    wide.window.resize(900, 900)  # no room for three: the arrows turn the pages
    wide.settle()
    assert [one.version.number for one in versions.columns if one.isVisible()] == [1, 2]
    wide.press(draft.use, Key.Key_3, "3")  # not in sight
    assert wide.api.plans.asked == []
    QTest.keyClick(draft.use, Key.Key_Right)
    assert [one.version.number for one in versions.columns if one.isVisible()] == [1, 3]
    QTest.keyClick(draft.use, Key.Key_Escape)
    assert card.bar.isVisible()
    card.show_versions()
    QTest.keyClick(versions.columns[1].use, Key.Key_Right)
    wide.press(draft.use, Key.Key_3, "3")
    assert [action for _, action in wide.api.plans.asked] == ["choose"]
    assert "Short draft" in [one.text for one in wide.models.approvals.of_chat(1)]
    assert not versions.isVisible()


def test_in_the_dock_an_arrow_opens_the_whole_card_with_its_versions(wide):
    wide.api.plans.put_variant(wide.api.approvals[FIRST], 900, "shorter", "Short.")
    room(wide, 1440, maximised=False)
    read(wide)
    pane = wide.approvals
    pane.list.setFocus()
    wide.press(pane.list, Key.Key_Right)
    assert pane._layout.mode is not LayoutMode.NARROW
    assert pane.card.variants.isVisible()
    assert pane.list.current().approval_id == FIRST


def test_another_version_is_asked_for_with_an_instruction_and_can_be_stopped(wide, qtbot):
    pane, jobs = wide.approvals, []
    wide.models.regenerations.attach(wide.api, lambda job, name: jobs.append(job))
    wide.press(pane.list, Key.Key_G, "g")
    wide.press(QApplication.focusWidget(), Key.Key_S, "s")
    qtbot.keyClicks(wide.field, "horter")
    wide.strike(wide.field, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert pane.card.making.accessibleName() == "Writing another version: shorter"
    assert offered(wide)[:3] == ["Approve", "Reject", "Stop asking"]
    wide.time = NOON + timedelta(seconds=4)
    wide.models.clock.ticked.emit()
    assert wide.sees("4 s", pane.card.making)
    wide.models.regenerations.attach(wide.api, run_now)
    pane.card.bar.buttons["stop"].click()
    assert wide.api.plans.stopped == [1]
    for job in jobs:
        with pytest.raises(StopIteration):
            job.send(None)
    wide.settle()
    assert not pane.card.making.isVisible()
    assert wide.api.plans.asked == [(1, "shorter")]


def test_g_twice_asks_without_an_instruction(wide):
    wide.press(wide.approvals.list, Key.Key_G, "g")
    wide.press(QApplication.focusWidget(), Key.Key_G, "g")
    assert wide.api.plans.asked == [(1, "")]
    assert not wide.approvals.editor.isVisible()


def test_a_kept_edit_stands_beside_the_new_draft(wide):
    wide.api.saved_edits.put(SavedEdit(SavedEditId(5), ChatId(1), "old draft", "my draft", 0, ApprovalId(FIRST), NOON))
    wide.settle()
    assert wide.sees("removed: old; added: my", wide.approvals.card.kept)
    wide.click(wide.button("Apply to the new draft"))
    assert wide.decisions() == [(FIRST, ApproveEdited("my draft", frozenset({"my draft"})))]
    assert not wide.approvals.card.kept.isVisible()


def compared(desktop, theirs="It is ten, bring cake", mine="it is nine, bring tea", base="it is eight, bring tea"):
    put(desktop, text=theirs)
    desktop.api.saved_edits.put(SavedEdit(SavedEditId(5), ChatId(1), base, mine, 0, ApprovalId(FIRST), NOON))
    desktop.settle()
    desktop.click(desktop.button("Compare…"))
    return desktop.approvals.card.merge


def test_an_edit_and_the_new_draft_become_one_text_and_every_conflict_asks(wide):
    merge = compared(wide, theirs="Hi! it is ten, bring cake, it is far", mine="it is nine, bring 😄 tea, it is near")
    assert wide.api.editing == [1], "nothing leaves automatically beside it"
    assert merge.editor.text() == "Hi! it is nine, bring 😄 tea, it is near"
    assert not merge.approve.isEnabled()
    assert merge.approve.toolTip() == "Choose at 2 places first"
    wide.press(QApplication.focusWidget(), Key.Key_2, "2")
    assert merge.editor.text() == "Hi! it is ten, bring 😄 tea, it is near"
    wide.press(QApplication.focusWidget(), Key.Key_F7)
    wide.press(QApplication.focusWidget(), Key.Key_1, "1")
    assert merge.editor.field.hasFocus()
    assert merge.approve.isEnabled()
    text = merge.editor.text()
    wide.press(merge.editor.field, Key.Key_Return, modifiers=Qt.KeyboardModifier.ControlModifier)
    carried = frozenset({"it is nine, bring 😄 tea, it is near"})
    assert wide.decisions() == [(FIRST, ApproveEdited(text, carried))]
    assert not merge.isVisible()
    assert wide.api.editing == []


def test_single_changes_are_taken_by_a_click_and_a_text_as_a_whole(wide):
    merge = compared(wide, base="one two three", mine="one 2 three", theirs="one two drei")
    assert merge.editor.text() == "one 2 drei"
    wide.click(merge.mine.use)
    assert merge.editor.text() == "one 2 three"
    cursor = merge.theirs.text.textCursor()
    cursor.setPosition(len("one two threedr"))
    spot = merge.theirs.text.cursorRect(cursor).center()
    QTest.mouseClick(merge.theirs.text.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert merge.editor.text() == "one 2 drei"
    wide.click(merge.theirs.use)
    assert merge.editor.text() == "one two drei"


def test_what_was_made_of_both_is_remembered_and_compared_with_a_draft_that_changed(wide):
    merge = compared(wide, base="one two three", mine="one 2 three", theirs="Hi, one two three")
    merge.editor.type_in(" and mine")
    wide.press(merge.editor.field, Key.Key_Escape)
    assert wide.approvals.card.kept.isVisible()
    wide.click(wide.button("Compare…"))
    assert merge.editor.text() == "Hi, one 2 three and mine"
    put(wide, text="Oh, one two three", version=9)
    assert merge.editor.text() == "Oh, one 2 three and mine"
    wide.click(merge.approve)
    assert wide.decisions() == [], "nobody has read the result with the new words"
    wide.click(merge.approve)
    assert wide.decisions()[0][1].text == "Oh, one 2 three and mine"


def test_what_was_made_of_both_outlives_the_program(wide):
    merge = compared(wide, theirs="Hi! it is ten, bring cake, it is far", mine="it is nine, bring 😄 tea, it is near")
    merge.chooser.buttons[1].click()
    made, edits = merge.editor.text(), wide.of_approvals.saved_edits
    assert not wide.api.saved_edits.edits[0].result
    wide.press(merge.editor.field, Key.Key_Escape)  # as a second later, or at the end of the program
    [kept] = wide.api.saved_edits.edits
    edits._merging.clear()  # as after a crash
    edits.open(ChatId(1))
    wide.settle()
    again = edits.merging(kept, wide.api.approvals[FIRST])
    assert (again.text, again.open) == (made, merge._result.open)
    assert again.open


def test_a_changed_conversation_asks_again_and_a_discarded_edit_comes_back(wide):
    merge = compared(wide, base="a", mine="a b", theirs="a")
    change(wide, 1)
    for answered in (False, True):
        assert wide.models.actions.is_acknowledged(wide.api.approvals[FIRST]) is answered
        assert bool(merge.notice.words()) is answered
        if not answered:
            wide.click(merge.approve)
    assert wide.api.saved_edits.edits
    wide.click(merge.discard)
    assert not wide.api.saved_edits.edits
    wide.models.toasts.act()
    wide.settle()
    assert [one.mine for one in wide.api.saved_edits.edits] == ["a b"]
    assert wide.approvals.card.kept.isVisible()


@pytest.mark.parametrize("width", [1440, 1190])
def test_the_first_draft_folds_into_a_tip_where_the_window_is_narrow(wide, width):
    wide.window.resize(width, 800)
    wide.settle()
    merge = compared(wide)
    assert merge.first.isVisible() is (width >= 1200)
    assert bool(merge.mine.title.toolTip()) is (width < 1200)
    wide.press(wide.approvals.list, Key.Key_A, "a")
    assert wide.decisions() == [], "what would be sent was not in view"
    assert not merge.isVisible()


def test_an_approved_draft_that_was_replaced_can_be_sent_anyway(wide):
    old = approval(8, "the old one", task_status=TaskStatus.CANCELLED, state=ApprovalState.SUPERSEDED)
    wide.put_approval(replace(old, note=Note(CancelReason.SUPERSEDED_AFTER_APPROVAL)))
    assert wide.sees("You approved this; it was replaced: the old one", wide.approvals.card.kept)
    wide.click(wide.button("Send anyway"))
    assert ("send anyway", BIG + 8) in wide.api.plans.calls


def menu_of(desktop, action):
    desktop.approvals.card.bar.buttons[action].click()
    menu = [menu for menu in desktop.approvals.findChildren(QMenu) if menu.parent() is desktop.approvals][-1]
    return entries(menu)


def test_what_is_put_off_is_listed_with_its_time_and_comes_back_by_a_press(wide):
    pane, later = wide.approvals, wide.approvals.later
    assert not later.isVisible()
    put(wide, 2, postponed_until=wide.time + timedelta(hours=2))
    put(wide, 1, postponed_until=wide.time + timedelta(minutes=30))
    assert later.head.text() == "Later · 2"
    assert (pane.list.current(), wide.models.approvals.waiting_count) == (None, 0)  # it stands in one place only
    assert pane.list.isVisible()
    first, second = later.rows
    clock = wide.models.clock.clock
    assert [row.time.text() for row in later.rows] == [clock(wide.time + timedelta(minutes=n)) for n in (30, 120)]
    wide.click(second.show_card)
    assert pane.list.current().approval_id == SECOND
    first.now.setFocus()
    first.now.click()
    wide.settle()
    assert wide.decisions() == [(FIRST, Postpone(None))]
    assert later.head.text() == "Later · 1"
    assert pane.list.hasFocus()
    assert pane.list.current().approval_id == FIRST
    wide.models.toasts.current.action()
    wide.settle()
    assert wide.decisions()[-1] == (FIRST, Postpone(wide.time + timedelta(minutes=30)))
    assert later.head.text() == "Later · 2"
    wide.click(later.head)
    assert not first.isVisible()
    wide.time += timedelta(hours=3)  # their times have come
    wide.models.clock.ticked.emit()
    wide.settle()
    assert not later.isVisible()
    assert [one.approval_id for one in wide.of_approvals.queue.items()] == [FIRST, SECOND]
    assert wide.models.approvals.waiting_count == 2


@pytest.mark.usefixtures("popped")
def test_later_and_the_whole_plan_are_menus(wide):
    put(wide, 2, graph_id=GraphId(1))
    actions = menu_of(wide, "later")
    assert list(actions)[:2] == ["In 15 minutes", "In 1 hour"]
    actions["In 1 hour"].trigger()
    wide.settle()
    assert wide.decisions() == [(FIRST, Postpone(NOON + timedelta(hours=1)))]
    wide.approvals.list.select(FIRST)
    read(wide)
    wide.approvals.list.in_view.tell_read()
    actions = menu_of(wide, "plan")
    actions["Approve all 2"].trigger()
    wide.settle()
    assert statuses(wide) == [TaskStatus.APPROVED] * 2


def test_a_whole_plan_is_decided_as_far_as_it_was_read_and_one_press_takes_it_back(wide, monkeypatch):
    card, plan = wide.approvals.card, wide.approvals.card.plan
    assert not plan.isVisible()
    put(wide, 2, graph_id=GraphId(1), reasons=(AskReason.FIRST_MESSAGE,))
    wide.approvals.list.look()
    wide.approvals.list.in_view.tell_read()
    assert (plan.approve.text(), plan.reject.text()) == ("Approve 1 of 2", "Reject all 2")
    assert "1 to decide one by one" in hand.words_in_sight(plan)
    monkeypatch.setattr(in_view, "IN_VIEW_MS", 60_000)
    put(wide, 2, reasons=(), text="Another second", version=5)
    assert wide.of_approvals.batch.sort(plan._rest).words() == "1 changed: opens first"
    monkeypatch.setattr(in_view, "IN_VIEW_MS", 0)
    wide.approvals.list.in_view.tell_read()  # its text stands below the card's own
    assert plan.approve.text() == "Approve all 2"
    wide.click(plan.approve)
    assert statuses(wide) == [TaskStatus.APPROVED] * 2
    wide.press(wide.approvals.list, Key.Key_Z, "z")
    assert statuses(wide) == [TaskStatus.AWAITING_DECISION] * 2
    wide.approvals.list.select(FIRST)
    read(wide)
    wide.approvals.list.in_view.tell_read()
    wide.click(plan.reject)
    assert statuses(wide) == [TaskStatus.SKIPPED] * 2
    assert not card.plan.isVisible()


def test_steps_are_read_where_they_are_shown_and_for_long_enough(wide, monkeypatch):
    monkeypatch.setattr(in_view, "IN_VIEW_MS", 60_000)
    put(wide, 2, graph_id=GraphId(1), text="Never seen")
    assert wide.approvals.card.preview.steps == ((SECOND, wide.api.approvals[SECOND].version),)
    narrow(wide, "maximise")
    monkeypatch.setattr(in_view, "IN_VIEW_MS", 0)
    wide.approvals.list.look()
    wide.approvals.list.in_view.tell_read()  # the list shows the card's own text alone
    assert wide.of_approvals.batch.sort((wide.api.approvals[SECOND],)).words() == "1 not read: opens first"
    widen(wide, "maximise")
    read(wide)
    wide.approvals.list.in_view.tell_read()
    assert wide.approvals.card.plan.approve.text() == "Approve all 2"
    monkeypatch.setattr(in_view, "IN_VIEW_MS", 60_000)
    put(wide, 2, text="Just come", version=7)
    # The card's own text has stood there for longer.
    wide.approvals.list.in_view.was_read.emit((FIRST, wide.api.approvals[FIRST].version))
    assert wide.of_approvals.batch.sort((wide.api.approvals[SECOND],)).words() == "1 changed: opens first"


@pytest.mark.usefixtures("popped")
def test_a_whole_plan_is_rejected_with_a_reason(wide, qtbot):
    wide.approvals.list.in_view.tell_read()
    actions = menu_of(wide, "plan")
    assert list(actions) == ["Reject the whole plan…"]
    actions["Reject the whole plan…"].trigger()
    wide.settle()
    wide.press(QApplication.focusWidget(), Key.Key_T, "t")
    qtbot.keyClicks(wide.field, "oo much")
    wide.click(wide.button("Reject the plan"))
    assert wide.decisions() == [(FIRST, RejectPlan("too much"))]


@pytest.mark.qt_log_ignore("plugin does not support")  # a dialog is a window of its own
def test_what_was_sent_is_deleted_only_after_a_question(wide):
    wide.api.put_message(1, message(9, "First draft", out=True))
    put(wide, task_status=TaskStatus.DONE, message_id=MessageId(9), **BY_OPERATOR)
    wide.approvals.card.bar.buttons["delete"].click()
    (question,) = wide.approvals.findChildren(QMessageBox)
    assert "may have seen it already" in question.informativeText()
    assert "First draft" in question.informativeText()
    assert wide.api.sent.deleted == []
    delete = next(one for one in question.buttons() if one.text() == "Delete for everyone")
    delete.click()
    wide.settle()
    assert wide.api.sent.deleted == [(1, 9)]


def test_an_approval_that_is_in_sight_has_no_toast(wide):
    wide.press(wide.approvals.list, Key.Key_A, "a")
    assert wide.models.toasts.current is None


@pytest.mark.parametrize("width", [1280, 1440])
def test_the_toast_covers_no_button_that_decides_no_field_in_use_and_no_draft(wide, qtbot, width):
    room(wide, width, maximised=True)
    wide.models.toasts.show("Your edit was discarded", "Undo", lambda: None)
    low = wide.window.toast.geometry()

    def covers(kept):
        inside = QRect(kept.mapTo(wide.window, QPoint()), kept.size())
        return kept.isVisible() and wide.window.toast.geometry().intersects(inside)

    assert not any(map(covers, wide.approvals.card.bar.buttons.values()))
    assert not covers(wide.approvals.card), "it is narrower instead"
    assert not any(map(covers, wide.window.findChildren(KeyLegend)))
    wide.press(wide.approvals.list, Qt.Key.Key_R, "r")
    assert wide.approvals.editor.isVisible()  # the field of a reason, its hint below, and its buttons
    qtbot.waitUntil(lambda: not covers(wide.approvals.editor), timeout=900)
    assert wide.window.rect().contains(wide.window.toast.geometry())
    wide.approvals.editor.save_and_close()
    room(wide, width, maximised=False)
    assert wide.window.toast.geometry().top() >= low.top(), "it is in its corner, as wide as it may be"
    assert wide.window.toast.width() >= low.width()
    wide.models.toasts.detach()
    room(wide, width, maximised=True)
    wide.models.toasts.show("So many words that no toast beside a card has room for them " * 2, "Undo", lambda: None)
    assert not any(map(covers, wide.approvals.card.bar.buttons.values())), "it is higher"
    wide.models.toasts.detach()


def test_the_toast_of_an_approval_says_what_the_card_says_while_it_stands(wide):
    wide.window.hide()
    wide.models.actions.approve(wide.models.approvals.find(FIRST))
    wide.settle()
    wide.time = NOON + timedelta(seconds=3)
    wide.models.clock.ticked.emit()
    assert wide.models.toasts.current.detail == "Typing, sends in 2 s"
    assert wide.window.toast.accessibleName().endswith("Typing, sends in 2 s")
    wide.api.holds.put(Hold(HoldScope.ALL, 0, "", NOON))
    wide.settle()
    assert wide.models.toasts.current.detail == "Approved, held"
    wide.models.toasts.act()
    wide.settle()
    assert wide.api.approvals[FIRST].task_status is TaskStatus.AWAITING_DECISION


def test_what_cannot_be_read_is_said_on_the_card(wide):
    wide.api.cards.fail = NotFoundError("no approval 7")
    read(wide)
    assert "It no longer exists." in hand.words_in_sight(wide.approvals.card.why)


def test_while_another_version_is_looked_at_the_draft_is_not_approved_unseen(wide):
    card, view = wide.approvals.card, wide.approvals.list
    another_version(wide)
    card.variants.show_draft()
    wide.turn(hand.button(card, "2  shorter"))
    assert card.preview.accessibleName() == "Short."
    for action in ("A", "E"):
        assert not card.bar.buttons[action].isEnabled()
        assert "Another version is shown" in card.bar.buttons[action].accessibleDescription()
    view.setFocus()
    wide.press(view, Key.Key_A, "a")
    assert wide.decisions() == []
    assert card.preview.accessibleName() == "First draft"
    assert card.bar.buttons["A"].text() == "Press A again"
    wide.press(view, Key.Key_A, "a")
    assert wide.decisions() == [(FIRST, Approve())]


def test_a_whole_plan_is_decided_only_while_it_is_what_is_shown(wide):
    card, view = wide.approvals.card, wide.approvals.list
    put(wide, 2, graph_id=GraphId(1))
    view.in_view.tell_read()
    assert card.plan.approve.isEnabled()
    another_version(wide)
    assert card.variants.current is not None
    assert not card.plan.approve.isEnabled()
    assert "Another version is shown" in card.plan.approve.accessibleDescription()
    card.variants.show_draft()
    assert card.plan.approve.isEnabled()
    wide.press(view, Key.Key_E, "e")
    assert not card.plan.isVisible()  # it would approve the draft as it was, not as it is typed
    QTest.keyClick(wide.field, Key.Key_Escape)
    assert card.plan.isVisible()


@pytest.mark.usefixtures("popped")
def test_the_menu_of_the_plan_shows_the_plan_it_is_about(wide):
    card = wide.approvals.card
    another_version(wide)
    card.variants.step(1)
    menu_of(wide, "plan")
    assert card.preview.accessibleName() == "First draft"


def test_a_tick_is_only_for_what_the_card_lists(wide, monkeypatch):
    """Something newer came, and the card is still being read again: the box is for what nobody can see yet."""
    put(wide, reasons=(AskReason.CHANGED,), changed_at=5)
    monkeypatch.setattr(cards, "SETTLE_MS", 60_000)
    wide.models.card._again.setInterval(60_000)
    now = wide.api.approvals[FIRST]
    wide.put_approval(replace(now, changed_at=9, version=now.version + 1))
    tick = wide.approvals.card.changed.tick
    tick.click()
    wide.settle()
    assert not tick.isChecked()
    assert not wide.models.actions.is_acknowledged(wide.api.approvals[FIRST])
    read(wide)
    tick.click()
    wide.settle()
    assert wide.models.actions.is_acknowledged(wide.api.approvals[FIRST])


def test_an_instruction_is_kept_while_another_version_is_in_the_making(wide):
    pane, jobs = wide.approvals, []
    wide.models.regenerations.attach(wide.api, lambda job, name: jobs.append(job))
    wide.press(pane.list, Key.Key_G, "g")
    wide.field.setPlainText("shorter")
    wide.models.regenerations.regenerate(wide.models.approvals.find(FIRST))  # from its draft in the chat
    wide.strike(wide.field, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert len(jobs) == 1
    assert pane.editor.isVisible()
    assert pane.editor.fields.text() == "shorter"
    assert wide.sees("being written already", pane.editor)
    jobs[0].close()
