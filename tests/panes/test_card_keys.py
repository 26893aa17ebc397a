"""The guards of the single keys: in view, frozen order, never while typing, can be switched off."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMenu

from chimein_gui.domain.approvals import Approve, Reject, Rule, Undo
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.dialogs.key_help import KeyHelp
from chimein_gui.ui.widgets.rows import in_view
from chimein_gui.ui.widgets.rows.in_view import is_bare
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.viewmodels.approvals.queue import CardSort
from tests.fakes.engine_api import BIG, NOON, approval

Key = Qt.Key
FIRST, SECOND = BIG + 1, BIG + 2


def test_a_card_must_have_been_in_view_for_a_moment(cards, monkeypatch):
    monkeypatch.setattr(in_view, "IN_VIEW_MS", 60_000)
    view = cards.approvals.list
    cards.press(view, Key.Key_J, "j")
    cards.press(view, Key.Key_A, "a")
    assert cards.decisions() == []
    assert view.buttons.bar.buttons["A"].text() == "Press A again"
    monkeypatch.setattr(in_view, "IN_VIEW_MS", 0)
    cards.press(view, Key.Key_A, "a")
    assert cards.decisions() == [(SECOND, Approve())]


def test_behind_another_tab_no_card_is_in_view(cards, monkeypatch):
    """What comes meanwhile can't have been read."""
    cards.window.show_pane("agents")
    QApplication.processEvents()
    view = cards.approvals.list
    assert not view.isVisible()
    assert not view.is_card_in_view()
    monkeypatch.setattr(in_view, "IN_VIEW_MS", 60_000)
    cards.window.show_pane("approvals")
    cards.press(view, Key.Key_A, "a")
    assert cards.decisions() == []


def test_behind_a_dialog_no_card_is_in_view(cards):
    view, dialog = cards.approvals.list, QDialog(cards.window)
    assert view.is_card_in_view()
    dialog.open()
    assert not view.is_card_in_view()
    assert is_bare(dialog)
    dialog.close()
    assert view.is_card_in_view()


def test_another_text_on_the_same_card_must_have_been_in_view_too(cards, monkeypatch):
    view = cards.approvals.list
    cards.press(view, Key.Key_J, "j")
    monkeypatch.setattr(in_view, "IN_VIEW_MS", 60_000)
    now = cards.api.approvals[SECOND]
    cards.put_approval(replace(now, text="Other words", version=now.version + 1))
    cards.press(view, Key.Key_A, "a")
    assert cards.decisions() == []
    monkeypatch.setattr(in_view, "IN_VIEW_MS", 0)
    cards.press(view, Key.Key_A, "a")
    assert cards.decisions() == [(SECOND, Approve())]


def test_a_click_is_for_the_version_that_is_painted(cards, qtbot):
    view = cards.approvals.list
    view.repaint()
    view.viewport().setUpdatesEnabled(False)
    now = cards.api.approvals[FIRST]
    cards.put_approval(replace(now, text="Other words", version=now.version + 1))
    view.buttons.bar.buttons["A"].click()
    assert cards.decisions() == []
    view.viewport().setUpdatesEnabled(True)
    qtbot.waitUntil(lambda: view._painted.text == "Other words")
    view.buttons.bar.buttons["A"].click()
    assert cards.decisions() == [(FIRST, Approve())]


def test_a_click_that_itself_paints_a_new_version_is_for_the_one_before(cards, qtbot):
    view = cards.approvals.list
    button = view.buttons.bar.buttons["A"]
    view.window().repaint()
    view.window().setUpdatesEnabled(False)
    now = cards.api.approvals[FIRST]
    cards.put_approval(replace(now, text="Other words", version=now.version + 1))
    view.window().setUpdatesEnabled(True)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert view._painted.text == "Other words"
    assert cards.decisions() == []
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert cards.decisions() == [(FIRST, Approve())]


def test_the_first_press_on_a_card_out_of_sight_only_brings_it_back(cards):
    view = cards.approvals.list
    for number in range(3, 30):
        cards.api.put_approval(approval(number, created_at=NOON - timedelta(seconds=10 - number / 10)))
    cards.settle()
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
    assert not view.is_card_in_view()
    cards.press(view, Key.Key_A, "a")
    assert cards.decisions() == []
    assert view.is_card_in_view()
    assert view.current().approval_id == FIRST
    cards.press(view, Key.Key_A, "a")
    assert cards.decisions() == [(FIRST, Approve())]


def test_single_keys_can_be_switched_off(cards):
    view = cards.approvals.list
    cards.models.single_keys.set_enabled(False)
    assert not cards.approvals._legend.isVisible()
    for key, text in ((Key.Key_A, "a"), (Key.Key_R, "r"), (Key.Key_J, "j"), (Key.Key_G, "g")):
        cards.press(view, key, text)
    assert cards.decisions() == []
    assert view.current().approval_id == FIRST
    assert not cards.approvals.editor.isVisible()
    cards.press(view, Key.Key_Down)
    assert view.current().approval_id == SECOND
    cards.models.single_keys.set_enabled(True)
    cards.press(view, Key.Key_A, "a")
    assert cards.decisions() == [(SECOND, Approve())]


@pytest.mark.qt_log_ignore("plugin does not support")  # a dialog is a window of its own
@pytest.mark.parametrize("key", [Key.Key_Question, Key.Key_ssharp])
def test_a_question_mark_shows_the_keys_on_every_layout(cards, key):
    cards.press(cards.approvals.list, key, "?", modifiers=Qt.KeyboardModifier.ShiftModifier)
    (help_dialog,) = cards.approvals.findChildren(KeyHelp)
    cut = [one.text() for one in help_dialog.findChildren(PlainLabel) if one.height() < one.heightForWidth(one.width())]
    assert cut == []
    assert help_dialog.isVisible()
    assert help_dialog.switch.accessibleName() == "Single-key shortcuts"
    help_dialog.switch.click()
    assert not cards.models.single_keys.enabled
    help_dialog.close()


def test_what_comes_between_the_cards_waits_behind_a_banner(cards, qtbot):
    pane = cards.approvals
    pane.list.select(FIRST)
    cards.put_approval(approval(7, "Older", created_at=NOON - timedelta(hours=1)))
    line = pane.findChild(type(pane._arrivals))
    assert line.button.text() == "1 new"
    assert line.isVisible()
    assert cards.of_approvals.queue.items()[0].approval_id == FIRST
    qtbot.mouseClick(line.button, Qt.MouseButton.LeftButton)
    assert cards.of_approvals.queue.items()[0].approval_id == BIG + 7
    assert not line.isVisible()
    assert pane.list.current().approval_id == FIRST


def test_the_keys_act_on_the_selected_id_wherever_its_card_has_gone(cards):
    cards.of_approvals.queue.arrange(sort_by=CardSort.NEWEST)
    view = cards.approvals.list
    view.select(FIRST)
    cards.put_approval(replace(cards.api.approvals[FIRST], version=2, text="Other words"))
    cards.press(view, Key.Key_R, "r")
    cards.press(QApplication.focusWidget(), Key.Key_R, "r")
    assert cards.decisions() == [(FIRST, Reject(""))]


@pytest.mark.parametrize(("key", "decided"), [("A", [Undo(), Approve()]), ("Z", [Undo()]), ("E", [Undo()])])
def test_a_countdown_takes_the_same_keys_on_its_card_as_in_its_chat(cards, key, decided):
    counting = approval(
        7, task_status=TaskStatus.APPROVED, decided_by=Rule.COUNTDOWN_TRUST, due_at=NOON + timedelta(seconds=47)
    )
    cards.put_approval(counting)
    view = cards.approvals.list
    view.select(counting.approval_id)
    cards.settle()
    shown = [action for action, button in view.buttons.bar.buttons.items() if button.isVisible()]
    assert shown == ["A", "E", "R", "hold"], "where the words do not fit, Edit has its icon and its key"
    assert view.buttons.bar.buttons["A"].text() == "Send now"
    cards.press(view, Qt.Key[f"Key_{key}"], key.lower())
    cards.settle()
    assert [decision for _, decision in cards.decisions()] == decided
    assert (cards.approvals.editor.target is not None) is (key == "E")


@pytest.mark.qt_log_ignore("propagateSizeHints", "plugin does not support")
def test_the_menu_key_opens_the_menu_of_the_current_card(cards):
    view = cards.approvals.list
    cards.press(view, Key.Key_J, "j")
    cards.settle()
    place = view.visualRect(view.currentIndex()).center()  # where Qt asks for the key
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, place, view.viewport().mapToGlobal(place))
    QApplication.sendEvent(view.viewport(), asked)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert menu.accessibleName().startswith("Nora Vale to ")
    assert "Show in chat" in [one.text() for one in menu.actions()]
    menu.close()


@pytest.mark.parametrize("scrolled_away", [False, True])
def test_a_card_that_grows_under_the_cursor_stays_in_sight(desktop, scrolled_away):
    view, last = desktop.approvals.list, approval(20, "Newest", created_at=NOON)
    for number in range(3, 20):
        desktop.api.put_approval(approval(number, created_at=NOON - timedelta(minutes=1)))
    desktop.put_approval(last)
    view.select(last.approval_id)
    if scrolled_away:
        view.verticalScrollBar().setValue(0)
    height = view.visualRect(view.currentIndex()).height()
    desktop.put_approval(replace(last, note=Note(NoteKind.SERVER_WAIT)))
    card = view.visualRect(view.currentIndex())
    assert card.height() > height
    assert (card.bottom() < view.viewport().height()) is not scrolled_away


def test_a_card_taller_than_its_list_is_read_to_its_end_by_its_own_key(cards, qtbot):
    view = cards.approvals.list
    view.setFixedHeight(view.visualRect(view.currentIndex()).height() - 20)
    cards.settle()
    view.select(FIRST)
    view.verticalScrollBar().setValue(0)

    def is_decided() -> bool:
        cards.press(view, Key.Key_A, "a")
        return bool(cards.decisions())

    assert not is_decided()
    qtbot.waitUntil(is_decided)
    assert cards.decisions() == [(FIRST, Approve())]
