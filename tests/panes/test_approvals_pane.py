import string
from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QImage, QKeyEvent, QPainter
from PySide6.QtWidgets import QApplication

from chimein_gui import ui_driver as hand
from chimein_gui.domain.approvals import Approve, ApproveEdited, AskReason, Outcome, Reject, Rule, Undo, Verdict
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.spending.caps import EVERYTHING, CapDay, CapKey, CapScope
from chimein_gui.domain.tasks import ApprovalState, TaskKind, TaskStatus
from chimein_gui.ui.panes.approvals.card.words import labels_of
from chimein_gui.ui.panes.approvals.list import cursor_list
from chimein_gui.ui.panes.approvals.list.folded import draw_folded
from chimein_gui.ui.requests import MaximizePane, ShowCosts
from chimein_gui.ui.widgets.controls.action_button import Kind
from chimein_gui.ui.widgets.rows import in_view
from chimein_gui.ui.widgets.rows.single_key_shortcuts import POSITIONS, letter_of
from chimein_gui.viewmodels.approvals.available_actions import KEYS, Action
from chimein_gui.viewmodels.approvals.store import waits_for_operator
from tests.fakes.engine_api import BIG, NOON, approval

Key = Qt.Key
FIRST, SECOND = BIG + 1, BIG + 2


def supersede(desktop, number=1):
    old = desktop.api.approvals[BIG + number]
    desktop.api.put_approval(replace(old, state=ApprovalState.SUPERSEDED, task_status=TaskStatus.CANCELLED))


def test_keys_decide_on_the_selected_card(cards):
    view = cards.approvals.list
    assert view.current().approval_id == FIRST
    cards.press(view, Key.Key_J, "j")
    assert view.current().approval_id == SECOND
    cards.press(view, Key.Key_A, "a")
    assert cards.decisions() == [(SECOND, Approve())]
    cards.press(view, Key.Key_Z, "z")
    assert cards.decisions()[-1] == (SECOND, Undo())
    cards.press(view, Key.Key_K, "k")
    cards.press(view, Key.Key_A, "a")
    assert cards.decisions()[-1] == (FIRST, Approve())


def test_the_first_card_says_what_to_do_until_the_first_decision(cards):
    words = "Nothing is sent before you approve it. Press A to approve, E to edit, R to reject."
    assert cards.sees(words, cards.approvals)
    cards.models.single_keys.set_enabled(False)
    assert cards.sees("Nothing is sent before you approve it.", cards.approvals)
    cards.models.single_keys.set_enabled(True)
    cards.put_approval(replace(approval(1), task_status=TaskStatus.APPROVED, decided_by="operator"))
    assert not cards.sees("Nothing is sent before", cards.approvals)
    cards.put_approval(approval(3))
    assert not cards.sees("Nothing is sent before", cards.approvals)


def test_buttons_do_what_the_keys_do_at_once(cards, monkeypatch):
    monkeypatch.setattr(in_view, "IN_VIEW_MS", 60_000)
    buttons = cards.approvals.list.buttons.bar.buttons
    assert buttons["A"].accessibleName() == "Approve: Nora Vale to Marta Oliveira"
    assert not buttons["Z"].isVisible()
    cards.click(buttons["A"])
    assert cards.decisions() == [(FIRST, Approve())]
    cards.approvals.list.select(FIRST)
    assert buttons["Z"].isVisible()
    assert not buttons["A"].isVisible()


def test_a_a_a_approves_three_and_z_takes_the_last_back(cards, qtbot):
    """Behind a decision the next card that waits has the cursor, and no press meant for the last one reaches it."""
    view, third = cards.approvals.list, BIG + 3
    cards.put_approval(approval(3, "Third draft", created_at=NOON))
    for second in range(3):
        qtbot.wait_until(lambda: view._meant() is not None)
        cards.time = NOON + timedelta(seconds=second)
        cards.press(view, Key.Key_A, "a")
        cards.press(view, Key.Key_A, "a")  # of the same hand: it decides on nothing
    assert cards.decisions() == [(one, Approve()) for one in (FIRST, SECOND, third)]
    cards.api.put_approval(approval(4, "Fourth draft", created_at=NOON + timedelta(seconds=1)))
    view.select(BIG + 4)
    cards.press(view, Key.Key_Z, "z")
    assert cards.decisions()[-1] == (third, Undo())
    assert view.current().approval_id == third
    assert waits_for_operator(view.current())
    cards.press(view, Key.Key_Z, "z")
    assert cards.decisions()[-1] == (SECOND, Undo())


def test_what_was_rejected_or_put_off_gives_way_to_what_waits_too(cards, qtbot):
    view, third = cards.approvals.list, BIG + 3
    cards.put_approval(approval(3, "Third draft", created_at=NOON))
    cards.models.actions.postpone(cards.models.approvals.find(FIRST), NOON + timedelta(hours=1))
    cards.settle()
    assert view.current().approval_id == SECOND
    cards.models.actions.reject(cards.models.approvals.find(SECOND))
    cards.settle()
    assert view.current().approval_id == third
    cards.models.actions.approve(cards.models.approvals.find(third))
    cards.settle()
    assert view.current().approval_id == third  # what was put off does not come back by itself


def test_a_text_is_edited_right_below_its_card_which_offers_nothing_else_meanwhile(cards, qtbot):
    pane, view = cards.approvals, cards.approvals.list
    cards.press(view, Key.Key_J, "j")
    decided_here = view.visualRect(view.currentIndex()).height()
    cards.press(view, Key.Key_E, "e")
    cards.settle()
    card = view.visualRect(view.currentIndex())
    assert card.height() <= decided_here - 28, "no empty band where the buttons were"
    bottom = view.viewport().mapTo(pane, card.bottomLeft()).y()
    assert 0 <= pane.editor.mapTo(pane, pane.editor.rect().topLeft()).y() - bottom < 20
    assert not view.buttons.bar.isVisible()
    assert (pane._legend.isVisible(), pane._edit_legend.isVisible()) == (False, True)
    assert pane._edit_legend.accessibleName() == "Keys: Ctrl/↵ Approve this text, Esc Close"
    cards.press(QApplication.focusWidget(), Key.Key_Escape)
    assert view.buttons.bar.isVisible()
    assert view.visualRect(view.currentIndex()).height() == decided_here
    assert (pane._legend.isVisible(), pane._edit_legend.isVisible()) == (True, False)


def test_what_was_approved_is_one_line_behind_the_cursor(cards):
    view = cards.approvals.list
    whole = view.visualRect(view.currentIndex()).height()
    cards.press(view, Key.Key_A, "a")
    place = view.visualRect(cards.of_approvals.queue.index_of(FIRST))
    line = place.height()
    assert line < 40 < whole
    decided = replace(cards.api.approvals[FIRST], chat_title="Quillfeather " * 9)
    looks = []
    for status_words in ("Sends in 5 s", "Sends in 4 s"):  # of a long name the end goes, not the time
        looks.append(QImage(place.size(), QImage.Format.Format_RGB32))
        looks[-1].fill(0xFFFFFF)
        painter = QPainter(looks[-1])
        draw_folded(painter, cards.window.theme, QRectF(looks[-1].rect()), decided, status_words, is_undone=True)
        painter.end()
    assert looks[0] != looks[1]
    view.select(FIRST)  # with the cursor on it there is all of it again, and the button that takes it back
    assert view.visualRect(cards.of_approvals.queue.index_of(FIRST)).height() > 2 * line


def test_of_the_folded_cards_the_one_that_z_undoes_says_so(cards, monkeypatch):
    said = {}

    def draw_and_note(painter, theme, rect, card, words, *, is_undone):
        said[card.approval_id] = is_undone
        draw_folded(painter, theme, rect, card, words, is_undone=is_undone)

    monkeypatch.setattr("chimein_gui.ui.panes.approvals.list.delegate.draw_folded", draw_and_note)
    cards.put_approval(approval(3))
    cards.approvals.list.select(BIG + 3)
    decided = {"task_status": TaskStatus.APPROVED, "state": ApprovalState.APPROVED, "decided_by": "operator"}
    for number in (1, 2):  # the second makes the first row be painted again
        at = NOON + timedelta(seconds=number)
        cards.put_approval(
            replace(cards.api.approvals[BIG + number], **decided, decided_at=at, due_at=NOON + timedelta(minutes=1))
        )
        QApplication.processEvents()
    assert said == {FIRST: False, SECOND: True}
    cards.press(cards.approvals.list, Key.Key_Z, "z")
    assert cards.decisions() == [(SECOND, Undo())]


def test_no_repetition_no_modifier_no_other_key(cards):
    view = cards.approvals.list
    cards.press(view, Key.Key_A, "a", repeated=True)
    cards.press(view, Key.Key_A, "a", modifiers=Qt.KeyboardModifier.ControlModifier)
    cards.press(view, Key.Key_A, "A", modifiers=Qt.KeyboardModifier.ShiftModifier)
    cards.press(view, Key.Key_B, "b")
    assert cards.decisions() == []


@pytest.mark.parametrize(("key", "text"), [(0x0424, "\u0444"), (0x0391, "\u03b1")])
def test_keys_work_by_their_place_on_layouts_without_latin_letters(cards, monkeypatch, key, text):
    monkeypatch.setattr("sys.platform", "linux")
    cards.press(cards.approvals.list, key, text, scan_code=38)
    assert cards.decisions() == [(FIRST, Approve())]


@pytest.mark.parametrize("system", sorted(POSITIONS))
def test_each_letter_has_its_place_on_each_system(system, monkeypatch):
    monkeypatch.setattr("sys.platform", system)
    found = []
    for code in POSITIONS[system]:
        scan, virtual = (0, code) if system == "darwin" else (code, 0)
        press = QKeyEvent(
            QEvent.Type.KeyPress, 0x0424, Qt.KeyboardModifier.NoModifier, scan, virtual, 0, "\u0444", False, 1
        )
        found.append(letter_of(press))
    assert sorted(found) == list(string.ascii_uppercase)


def test_keys_are_dead_while_something_else_has_the_focus(cards):
    cards.open_chat()
    transcript = cards.conversations.transcript
    transcript.setFocus()
    cards.press(transcript, Key.Key_A, "a")
    cards.press(cards.conversations.tree, Key.Key_R, "r")
    assert cards.decisions() == []


def test_the_edited_text_is_approved_as_typed(cards, qtbot):
    cards.press(cards.approvals.list, Key.Key_E, "e")
    field = cards.field
    qtbot.keyClicks(field, ", aerzjk ")  # letters that decide on a card are letters here
    field.insertPlainText("😄")
    assert cards.sees("22 of 4,096")
    assert cards.decisions() == []
    cards.strike(field, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert cards.decisions() == [(FIRST, ApproveEdited("First draft, aerzjk 😄"))]
    assert not cards.approvals.editor.isVisible()
    assert QApplication.focusWidget() is cards.approvals.list


def test_undo_in_the_editor_takes_back_the_typing_and_the_way_back_to_the_draft(cards, qtbot):
    cards.press(cards.approvals.list, Key.Key_E, "e")
    editor = cards.approvals.editor
    qtbot.keyClicks(cards.field, " more")
    cards.click(cards.button("Restore draft"))
    assert editor.fields.text() == "First draft"
    cards.field.undo()
    assert editor.fields.text() == "First draft more"


def test_escape_closes_and_the_text_comes_back(cards, qtbot):
    view = cards.approvals.list
    cards.press(view, Key.Key_E, "e")
    qtbot.keyClicks(cards.field, " mine")
    assert cards.api.editing == [1]
    qtbot.keyClick(cards.field, Key.Key_Escape)
    assert not cards.approvals.editor.isVisible()
    assert cards.api.editing == []
    cards.press(view, Key.Key_J, "j")
    cards.press(view, Key.Key_E, "e")
    assert cards.approvals.editor.fields.text() == "Second draft"
    cards.press(view, Key.Key_K, "k")
    cards.press(view, Key.Key_E, "e")
    assert cards.approvals.editor.fields.text() == "First draft mine"


def test_discarding_is_a_press_of_its_own(cards, qtbot):
    cards.press(cards.approvals.list, Key.Key_E, "e")
    qtbot.keyClicks(cards.field, " mine")
    supersede(cards)
    cards.settle()
    cards.click(cards.button("Discard"))
    assert not cards.approvals.editor.isVisible()


def test_a_draft_that_is_rewritten_under_the_editor_asks_first(cards, qtbot):
    cards.press(cards.approvals.list, Key.Key_E, "e")
    editor = cards.approvals.editor
    qtbot.keyClicks(cards.field, "!")
    cards.put_approval(replace(cards.api.approvals[FIRST], version=2, text="Other words"))
    assert editor.fields.text() == "First draft!"
    assert cards.sees("changed while you typed")
    cards.click(cards.button("Use my text"))
    cards.strike(cards.field, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert cards.api.calls[-1].expected_version == 2


def test_a_refused_edit_keeps_its_text_and_says_why(cards):
    cards.press(cards.approvals.list, Key.Key_E, "e")
    editor = cards.approvals.editor
    now = cards.api.approvals[FIRST]
    cards.api.refuse = Outcome(Verdict.INVALID, now, Note(Reason.BAD_CHARACTERS))
    cards.strike(cards.field, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert editor.isVisible()
    assert cards.sees("The text contains characters that can't be sent. Remove them.")


def test_blank_texts_cannot_be_approved_and_long_ones_go_in_parts(cards):
    cards.press(cards.approvals.list, Key.Key_E, "e")
    editor = cards.approvals.editor
    cards.field.setPlainText("   ")
    assert hand.button(editor, "Approve edited text") is None
    cards.field.setPlainText("😄" * 2049)
    assert cards.sees("4,098 characters: 2 messages")
    assert hand.button(editor, "Approve edited text")
    cards.field.setPlainText("ok")
    assert cards.sees("2 of 4,096")


def test_after_the_last_rejection_nothing_waits(cards):
    pane = cards.approvals
    supersede(cards, 2)
    cards.settle()
    cards.press(pane.list, Key.Key_R, "r")
    supersede(cards, 1)  # the card goes while its desk is still open
    cards.settle()
    assert not cards.sees("All caught up", pane)
    cards.click(cards.button("Back", pane.editor))
    assert cards.sees("All caught up", pane)


@pytest.mark.whole_window
def test_without_cards_a_reached_cap_is_named_and_leads_to_the_costs(cards):
    pane = cards.approvals
    supersede(cards, 2)
    supersede(cards, 1)
    cards.settle()
    cap = CapDay(EVERYTHING, 0.5, spent_usd=0.5, waiting=1)
    cards.api.caps.put_cap(cap)
    cards.settle()
    assert not cards.sees("All caught up", pane)
    assert pane._empty.accessibleName() == (
        "Planning is paused. A daily cap is reached. 1 chat waits unanswered. You decide how to continue."
    )
    asked: list[object] = []
    cards.window.requests.sent.connect(asked.append)
    cards.click(cards.button("Open Costs", pane))
    assert asked == [ShowCosts()]
    cards.window.show_pane("approvals")
    cards.api.caps.put_cap(replace(cap, key=CapKey(CapScope.CHAT, "1"), waiting=2))
    cards.api.caps.put_cap(replace(cap, waiting=0))
    cards.settle()
    assert cards.sees("2 chats are paused", pane)
    cards.api.caps.put_cap(replace(cap, key=CapKey(CapScope.CHAT, "1"), waiting=0))
    cards.settle()
    assert cards.sees("All caught up", pane)


def test_a_reason_may_begin_with_any_letter(cards, qtbot):
    cards.press(cards.approvals.list, Key.Key_R, "r")
    editor = cards.approvals.editor
    cards.press(QApplication.focusWidget(), Key.Key_R, "R", modifiers=Qt.KeyboardModifier.ShiftModifier)
    assert QApplication.focusWidget() is cards.field
    qtbot.keyClicks(cards.field, "ude")
    cards.strike(cards.field, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert cards.decisions() == [(FIRST, Reject("Rude"))]
    cards.press(cards.approvals.list, Key.Key_R, "r")
    cards.press(QApplication.focusWidget(), Key.Key_Escape)
    assert not editor.isVisible()


@pytest.mark.parametrize("text", [{}, {"text": "Other words"}], ids=["same text", "other text"])
def test_a_reason_asked_for_one_version_rejects_no_other(cards, text):
    editor, before = cards.approvals.editor, cards.api.approvals[FIRST]
    cards.press(cards.approvals.list, Key.Key_R, "r")
    cards.field.setPlainText("Rude")
    cards.put_approval(replace(before, version=before.version + 1, **text))
    cards.strike(cards.field, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert cards.api.approvals[FIRST].task_status is TaskStatus.AWAITING_DECISION
    assert cards.api.calls[-1].expected_version == before.version
    assert not editor.isVisible()
    assert cards.models.actions.explanation_of(FIRST) == "The draft changed meanwhile; nothing was decided."
    cards.press(cards.approvals.list, Key.Key_R, "r")
    cards.strike(cards.field, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert cards.decisions() == [(FIRST, Reject("Rude"))] * 2, "the typed reason is still there"
    assert cards.api.approvals[FIRST].task_status is TaskStatus.SKIPPED


def test_a_changed_conversation_must_be_acknowledged_before_it_can_be_approved(cards):
    changed = replace(cards.api.approvals[FIRST], reasons=(AskReason.CHANGED,), changed_at=5)
    cards.put_approval(changed)
    view = cards.approvals.list
    approve, again, tick = view.buttons.bar.buttons["A"], view.buttons.bar.buttons["G"], view.buttons.tick
    assert not approve.isEnabled()
    assert "Confirm the changes first" in approve.accessibleDescription()
    assert (again._kind, approve._kind) == (Kind.PRIMARY, Kind.PLAIN)
    cards.press(view, Key.Key_A, "a")
    assert cards.decisions() == []
    assert QApplication.focusWidget() is tick
    cards.strike(tick, Key.Key_Space)
    assert approve.isEnabled()
    cards.press(tick, Key.Key_A, "a")
    assert cards.decisions() == [(FIRST, Approve())]
    assert cards.api.calls[-1].seen_up_to == 5


def test_a_screen_reader_ticks_what_was_read_without_a_click(cards):
    changed = replace(cards.api.approvals[FIRST], reasons=(AskReason.CHANGED,), changed_at=5)
    cards.put_approval(changed)
    buttons = cards.approvals.list.buttons
    cards.turn(buttons.tick)
    assert buttons.bar.buttons["A"].isEnabled()


def test_an_edit_of_a_changed_conversation_needs_two_presses(cards):
    changed = replace(cards.api.approvals[FIRST], reasons=(AskReason.CHANGED,), changed_at=5)
    cards.put_approval(changed)
    cards.press(cards.approvals.list, Key.Key_E, "e")
    field = cards.field
    cards.strike(field, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert cards.decisions() == []
    assert cards.sees("Press again")
    cards.strike(field, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert cards.decisions() == [(FIRST, ApproveEdited("First draft"))]


def test_the_cursor_stays_on_its_id_when_rows_come_and_go(cards):
    view = cards.approvals.list
    cards.press(view, Key.Key_J, "j")
    cards.put_approval(approval(7, "Older", created_at=NOON.replace(hour=9)))
    assert view.current().approval_id == SECOND
    supersede(cards, 1)
    cards.settle()
    assert view.current().approval_id == SECOND


def test_a_press_meant_for_a_card_that_has_just_gone_decides_nothing(cards, qtbot, monkeypatch):
    """A replan takes the card away in the very moment of the press: the next card must not be approved for it."""
    supersede(cards)
    cards.settle()
    view = cards.approvals.list
    assert view.current().approval_id == SECOND
    cards.press(view, Key.Key_A, "a")
    cards.click(view.buttons.bar.buttons["A"])
    assert cards.decisions() == []
    monkeypatch.setattr(cursor_list, "SLIP_GUARD_MS", 0)
    qtbot.waitUntil(lambda: view._slipped.hasExpired(0))
    cards.press(view, Key.Key_A, "a")
    assert cards.decisions() == [(SECOND, Approve())]


@pytest.mark.parametrize("whole", [False, True])
def test_another_version_that_comes_where_it_is_not_shown_is_told_and_leads_to_its_card(cards, whole):
    if whole:
        cards.window.requests.send(MaximizePane("approvals"))
        cards.approvals.list.select(SECOND)
        cards.settle()
    cards.api.plans.put_variant(cards.api.approvals[FIRST], 9, "shorter", "First")
    cards.settle()
    toast = cards.models.toasts.current
    assert ("New version" in toast.text, toast.action_text) == (True, "Show")
    cards.models.toasts.act()
    cards.settle()
    assert cards.approvals.card_actions.shows_whole_card
    assert cards.approvals.list.current().approval_id == FIRST
    cards.api.plans.put_variant(cards.api.approvals[FIRST], 10, "longer", "First of all")
    cards.settle()
    assert cards.models.toasts.current is None  # it is seen on the card


def test_the_focus_is_not_taken_from_where_the_operator_types_when_cards_come_and_go(cards):
    view = cards.approvals.list
    view.buttons.tick.setFocus()  # the buttons had it once
    cards.conversations.tree.setFocus()
    supersede(cards, 1)
    cards.settle()
    assert QApplication.focusWidget() is cards.conversations.tree
    supersede(cards, 2)
    cards.put_approval(approval(4))
    assert view.current().approval_id == BIG + 4
    assert QApplication.focusWidget() is cards.conversations.tree


def test_the_empty_state_and_the_counts(cards, qtbot):
    supersede(cards, 1)
    assert cards.window.top_bar.queue.accessibleName() == "2 waiting oldest 1 min"
    supersede(cards, 2)
    cards.settle()
    assert cards.sees("All caught up", cards.approvals)
    assert cards.window.top_bar.queue.accessibleName() == "Nothing to approve"
    rail = cards.window.rail.buttons["approvals"]
    qtbot.waitUntil(lambda: rail.accessibleName() == "Approvals")  # counts are told a few times a second at most


def test_the_only_card_may_give_its_place_to_another_version(cards):
    supersede(cards)
    cards.approvals.list.setFocus()
    old, new = cards.api.approvals[SECOND], approval(3, "A new version")
    supersede(cards, 2)
    cards.put_approval(new)
    cards.approvals._own.queue.take_place(new, old)
    cards.settle()
    assert not cards.sees("All caught up", cards.approvals)
    assert cards.approvals.list.hasFocus()


def test_a_failure_stays_until_it_is_put_away(cards, qtbot):
    cards.put_approval(
        replace(
            cards.api.approvals[FIRST],
            task_status=TaskStatus.FAILED,
            note=Note(NoteKind.REFUSED, "USER_IS_BLOCKED"),
        )
    )
    qtbot.mouseClick(cards.approvals.list.buttons.bar.buttons["dismiss"], Qt.MouseButton.LeftButton)
    assert cards.models.approvals.row_of(FIRST) == -1


def test_neither_menu_nor_tick_meant_for_a_card_that_has_just_gone_is_for_the_next(cards, monkeypatch):
    changed = replace(cards.api.approvals[SECOND], reasons=(AskReason.CHANGED,), changed_at=5)
    cards.api.put_approval(changed)
    supersede(cards)
    cards.settle()
    view, asked = cards.approvals.list, []
    view.menu_wanted.connect(lambda action, approval, _place: asked.append((action, approval.approval_id)))
    view.buttons.tick.click()
    view.buttons.bar.buttons["more"].click()
    cards.settle()
    assert asked == []
    assert not cards.models.actions.is_acknowledged(cards.api.approvals[SECOND])
    assert not view.buttons.tick.isChecked()


def test_a_double_click_is_one_press(cards, qtbot):
    """Else it would both ask and confirm what cannot be taken back."""
    block = replace(cards.api.approvals[FIRST], kind=TaskKind.BLOCK, text="", reasons=(AskReason.IRREVERSIBLE,))
    cards.put_approval(block)
    button = cards.approvals.list.buttons.bar.buttons["A"]
    assert button.text().startswith("Block")
    for event in (qtbot.mousePress, qtbot.mouseRelease, qtbot.mouseDClick, qtbot.mouseRelease):
        event(button, Qt.MouseButton.LeftButton)
    cards.settle()
    assert cards.decisions() == []
    assert button.text().startswith("Press again")


def test_after_a_release_what_asked_anyway_waits_as_before():
    waited = approval(reasons=(AskReason.HELD, AskReason.REVIEW))
    assert [label.word for label in labels_of(waited, "Waits for you")] == ["Waits for you", "Review"]
    usual = labels_of(waited, "Waits for you", usual=True)
    assert [label.word for label in usual] == ["Waits for you"]
    counted_down = approval(reasons=(AskReason.HELD,))
    assert [label.word for label in labels_of(counted_down, "Waits for you")] == ["Held earlier"]


def rejects(desktop, view):
    desktop.press(view, Qt.Key.Key_R, "r")
    desktop.press(QApplication.focusWidget(), Qt.Key.Key_R, "r")


@pytest.mark.parametrize(("keys", "cause", "words"), [("2", "wrong tone", ""), ("6no", "other", "no"), ("r", None, "")])
def test_a_rejection_takes_a_reason_of_the_short_list_or_own_words(desktop, keys, cause, words):
    view = desktop.approvals.list
    view.setFocus()
    desktop.press(view, Qt.Key.Key_R, "r")
    for key in keys:
        desktop.press(QApplication.focusWidget(), Qt.Key(ord(key.upper())), key)
    if words:
        desktop.approvals.editor._do_submit()
        desktop.settle()
    (decision,) = [call.decision for call in desktop.api.calls if isinstance(call.decision, Reject)]
    assert (decision.cause, decision.reason) == (cause, words)


@pytest.mark.parametrize("by", ["key", "line", "toast"])
def test_a_rejection_is_told_and_taken_back(desktop, qtbot, by):
    one_plan = desktop.api.approvals[FIRST].graph_id
    desktop.api.put_approval(replace(desktop.api.approvals[SECOND], graph_id=one_plan))
    desktop.settle()
    view = desktop.approvals.list
    view.setFocus()
    if by == "toast":
        desktop.window.hide()
        desktop.models.actions.reject(desktop.models.approvals.find(FIRST))
        desktop.settle()
        toast = desktop.models.toasts.current
        assert (toast.text, toast.action_text) == ("Rejected for \u2068Marta Oliveira\u2069", "Undo")
        desktop.models.toasts.act()
    else:
        rejects(desktop, view)
        assert desktop.models.approvals.find(FIRST).task_status is TaskStatus.SKIPPED
        assert desktop.models.approvals.status_words_of(desktop.models.approvals.find(FIRST)) == "Rejected"
        assert view.current().approval_id == SECOND
        assert desktop.models.toasts.current is None, "the line is in sight"
        if by == "line":
            view.select(FIRST)
            view.buttons.bar.buttons["Z"].click()
        else:
            qtbot.wait_until(lambda: view._meant() is not None)
            desktop.press(view, Qt.Key.Key_Z, "z")
    desktop.settle()
    assert desktop.api.plans.calls == [("send anyway", FIRST)]
    assert desktop.models.toasts.current is None
    assert desktop.models.approvals.find(FIRST) is None
    assert (view.current().text, view.currentIndex().row()) == ("First draft", 0), "where it was"
    assert view.current().task_status is TaskStatus.AWAITING_DECISION
    desktop.press(view, Qt.Key.Key_Z, "z")
    assert desktop.api.plans.calls == [("send anyway", FIRST)]


def test_the_last_rejection_is_taken_back_where_nothing_waits_any_more(desktop, qtbot):
    pane = desktop.approvals
    pane.list.setFocus()
    for _ in range(2):
        qtbot.wait_until(lambda: pane.list._meant() is not None)
        rejects(desktop, pane.list)
    desktop.press(pane.list, Qt.Key.Key_Z, "z")
    assert desktop.api.plans.calls == [("send anyway", SECOND)]
    assert pane.list.current().text == "Second draft"


def test_once_its_line_has_gone_nobody_takes_a_rejection_back_by_accident(desktop):
    view = desktop.approvals.list
    view.setFocus()
    rejects(desktop, view)
    desktop.time += timedelta(seconds=10)
    desktop.models.approvals._sweep()
    assert desktop.models.approvals.find(FIRST) is None
    desktop.press(view, Qt.Key.Key_Z, "z")
    assert desktop.api.plans.calls == []


def test_the_rail_tells_how_old_the_oldest_is_and_warns_of_it(cards, qtbot):
    button = cards.window.rail.buttons["approvals"]
    cards.time += timedelta(minutes=5)
    cards.models.clock.ticked.emit()
    qtbot.waitUntil(lambda: "waiting, oldest" in button.accessibleName())
    assert button.toolTip().endswith(button.accessibleName().removeprefix("Approvals, "))
    young = button.grab().toImage()
    cards.time += timedelta(hours=2)
    cards.models.clock.ticked.emit()
    assert button.accessibleName().endswith("oldest 2 h")
    colours = {young.pixel(x, y) for x in range(young.width()) for y in range(young.height() - 14, young.height())}
    amber = cards.window.theme.color("attention").rgb()
    old = button.grab().toImage()
    assert amber not in colours
    assert amber in {old.pixel(x, y) for x in range(old.width()) for y in range(old.height() - 20, old.height())}


def test_the_card_under_the_cursor_stays_whole_when_its_dock_changes_size(cards):
    view, dock = cards.approvals.list, cards.window.docks["approvals"]
    for number in range(3, 12):
        cards.put_approval(approval(number, "words and more words of this text " * 12))
    cards.window.resize(1280, 900)
    view.select(BIG + 6)
    for width, height in ((1280, 720), (1100, 720), (1280, 600), (1440, 700), (1280, 800), (1280, 620)):
        cards.window.resize(width, height)  # below 1180 px the dock is out of sight
        cards.settle()
        assert width < 1180 or view.is_card_in_view(), (width, height)
        for dock_width in (500, 340):
            cards.window.resizeDocks([dock], [dock_width], Qt.Orientation.Horizontal)
            cards.settle()
            assert width < 1180 or view.is_card_in_view(), (width, height, dock_width)
    view.verticalScrollBar().setValue(0)
    cards.window.resize(1280, 700)
    cards.settle()
    assert not view.is_card_in_view(), "what the operator has scrolled away stays away"


def keys_in_sight(bar):
    """Return the actions whose button is in sight; assert that each has its keycap, and words or a tool tip."""
    row = [action for action in bar.buttons if bar.buttons[action].isVisibleTo(bar) and action in KEYS]
    for button in map(bar.buttons.get, row):
        assert button._shows_key
        assert button.width() >= button.sizeHint().width()
        assert bar.rect().contains(button.geometry())
        assert button.text() or button.toolTip()
    return row


def test_in_a_long_language_a_countdown_keeps_its_buttons_and_keys_in_the_dock(longer, cards):
    due = NOON + timedelta(seconds=47)
    cards.put_approval(approval(7, task_status=TaskStatus.APPROVED, decided_by=Rule.COUNTDOWN_TRUST, due_at=due))
    cards.window.resize(1280, 720)
    cards.approvals.list.select(BIG + 7)
    cards.settle()
    bar = cards.approvals.list.buttons.bar
    assert keys_in_sight(bar) == [Action.APPROVE, Action.EDIT, Action.REJECT, Action.HOLD]
    assert not bar.buttons[Action.EDIT].text()


@pytest.mark.parametrize("width", [1180, 1280, 1440, 1900])
def test_the_keys_stand_on_a_card_and_on_reasons_in_every_dock(cards, width):
    bar, editor = cards.approvals.list.buttons.bar, cards.approvals.editor
    due = NOON + timedelta(seconds=47)
    cards.put_approval(approval(7, task_status=TaskStatus.APPROVED, decided_by=Rule.COUNTDOWN_TRUST, due_at=due))
    cards.put_approval(approval(8, "", kind=TaskKind.BLOCK))
    cards.window.resize(width, 800)
    for number in (1, 7, 8):
        cards.approvals.list.select(BIG + number)
        if number == 8:
            cards.models.actions.acknowledge(cards.approvals.list.current(), seen=True)
        cards.settle()
        keyed = [bar.buttons[action] for action in keys_in_sight(bar)]
        assert {"Reject"} <= {one.accessibleName().partition(":")[0] for one in keyed}
        assert number != 7 or keys_in_sight(bar) == [Action.APPROVE, Action.EDIT, Action.REJECT, Action.HOLD]
    cards.press(cards.approvals.list, Key.Key_R, "r")
    cards.settle()
    for cause in editor.fields.causes.buttons():
        assert cause.width() >= cause.sizeHint().width()
        assert editor.rect().contains(QRect(cause.mapTo(editor, QPoint()), cause.size()))
