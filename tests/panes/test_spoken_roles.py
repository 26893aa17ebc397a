"""Roles that Python gives to painted widgets: they stay while the widget does."""

import gc

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QHBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.spoken_role import (
    SpokenGuest,
    SpokenHost,
    speak_as_alert,
    speak_as_place,
    speak_as_words,
)

ROLES = {
    speak_as_alert: QAccessible.Role.AlertMessage,
    speak_as_words: QAccessible.Role.StaticText,
    speak_as_place: QAccessible.Role.Pane,
}


@pytest.fixture
def heard(qapp):
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


def churn() -> list[bytearray]:
    """Collect, and use the memory of whatever went for something else."""
    gc.collect()
    return [bytearray(256) for _ in range(2_000)]


@pytest.mark.usefixtures("heard")
def test_what_python_made_for_a_screen_reader_outlives_every_collection(qtbot):
    whole = QWidget()
    qtbot.addWidget(whole)
    column = QHBoxLayout(whole)
    widgets = []
    for number, speak in enumerate(list(ROLES) * 20):
        widget = QWidget()
        speak(widget)
        widget.setAccessibleName(f"number {number}")
        column.addWidget(widget)
        widgets.append((widget, ROLES[speak], f"number {number}"))
    for _ in range(20):
        churn()
        for widget, role, name in widgets:
            interface = QAccessible.queryAccessibleInterface(widget)
            assert (interface.role(), interface.text(QAccessible.Text.Name)) == (role, name)
            assert interface.object() is widget


@pytest.mark.usefixtures("heard")
def test_a_host_tells_its_guests_after_every_collection(qtbot):
    host = SpokenHost()
    qtbot.addWidget(host)
    guests = [SpokenGuest() for _ in range(5)]
    for guest in guests:
        guest.setParent(host)
        host.take_in(guest)
    host.show()
    for _ in range(20):
        churn()
        interface = QAccessible.queryAccessibleInterface(host)
        assert interface.childCount() >= len(guests)
        for guest in guests:
            assert QAccessible.queryAccessibleInterface(guest).parent().object() is host
