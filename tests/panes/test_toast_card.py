"""The toast at the bottom left."""

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QAccessible, QEnterEvent
from PySide6.QtWidgets import QApplication


@pytest.fixture
def toasting(desktop):
    yield desktop
    desktop.models.toasts.detach()


def enter(card):
    QApplication.sendEvent(card, QEnterEvent(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5)))


def test_it_says_what_happened_and_offers_one_thing(toasting, qtbot):
    done = []
    toasting.models.toasts.show("Sent to Marta", "Undo", lambda: done.append(1), detail="as Nora Vale")
    card = toasting.window.toast
    assert card.isVisible()
    assert card.accessibleName() == "Sent to Marta. as Nora Vale"
    assert card.height() >= 52
    assert card.button.text() == "Undo"
    facts = toasting.window.facts
    assert card.geometry().bottom() < facts.geometry().top()
    assert card.geometry().left() >= toasting.window.rail.geometry().right()
    qtbot.mouseClick(card.button, Qt.MouseButton.LeftButton)
    assert done == [1]
    assert not card.isVisible()


def test_its_clock_stands_under_the_pointer_and_the_focus(toasting):
    toasts, card = toasting.models.toasts, toasting.window.toast
    toasts.show("Sent to Marta", "Undo", lambda: None)
    enter(card)
    assert toasts.is_paused()
    QApplication.sendEvent(card, QEvent(QEvent.Type.Leave))
    assert not toasts.is_paused()
    card.button.setFocus()
    assert toasts.is_paused()
    toasting.window.panes["conversations"].focus_widget().setFocus()
    assert not toasts.is_paused()


def test_escape_closes_it(toasting):
    toasts, card = toasting.models.toasts, toasting.window.toast
    toasts.show("Sent to Marta", "Undo", lambda: None)
    card.button.setFocus()
    toasting.press(card.button, Qt.Key.Key_Escape)
    assert not card.isVisible()
    assert toasts.current is None


def test_a_screen_reader_hears_an_alert(toasting):
    QAccessible.setActive(True)
    toasting.models.toasts.show("Sent to Marta")
    role = QAccessible.queryAccessibleInterface(toasting.window.toast).role()
    QAccessible.setActive(False)
    assert role is QAccessible.Role.AlertMessage
