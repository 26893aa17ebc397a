"""The hands of an operator without a mouse: keys, sent to whatever has the focus, and eyes that read the window."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAccessible, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from chimein_gui import ui_driver as hand

NONE = Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
MOST_TABS = 60
PRESS_AGAIN_S = 0.45
"""A card must have been in view for a moment: until then a press only asks for another one."""


def be_a_desktop() -> None:
    """Give the main window the keys back after a dialog, as a desktop does; offscreen nobody does."""
    if QApplication.activeWindow() is None:
        for window in QApplication.topLevelWidgets():
            if isinstance(window, QMainWindow) and window.isVisible():
                window.activateWindow()


def focus() -> QWidget:
    """Where keys go: an open menu, else what has the focus."""
    be_a_desktop()
    found = QApplication.activePopupWidget() or QApplication.focusWidget()
    assert found is not None, f"nothing has the focus in {QApplication.activeWindow()}"
    return found


def press(code: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
    """Press and release a key."""
    QTest.keyClick(focus(), code, modifiers)


def write(text: str) -> None:
    """Type a text; each letter goes where the one before it has led."""
    for letter in text:
        if letter.isascii():
            QTest.keyClicks(focus(), letter)
            continue
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):  # QTest knows no key for it
            QApplication.sendEvent(focus(), QKeyEvent(kind, Qt.Key.Key_unknown, NONE, letter))


def name_in_focus() -> str:
    """What a screen reader would call the place where keys go."""
    be_a_desktop()
    found = QApplication.focusWidget()
    spoken = QAccessible.queryAccessibleInterface(found) if found is not None else None
    return hand.seen(spoken.text(QAccessible.Text.Name)) if spoken is not None else ""


async def tab_to(beginning: str, modifiers: Qt.KeyboardModifier = NONE) -> None:
    """Walk with Tab, or with Shift+Tab, until the focus is on something whose name begins like this."""
    names = []
    for _ in range(MOST_TABS):
        await until_focus("")
        names.append(name_in_focus())
        if names[-1].startswith(beginning):
            return
        press(Qt.Key.Key_Backtab if modifiers == SHIFT else Qt.Key.Key_Tab, modifiers)
    raise AssertionError(f"{beginning} cannot be reached from {names[0]}: {names}")


async def until_focus(beginning: str) -> None:
    """Wait until the focus is there; an empty beginning is anywhere."""

    def is_there() -> bool:
        return name_in_focus().startswith(beginning) and QApplication.focusWidget() is not None

    await hand.until(f"the focus on {beginning}", is_there)


async def press_until(code: Qt.Key, what: str, done: Callable[[], object]) -> None:
    """Press a key, and once more after a moment, until what it is pressed for has happened."""
    last = 0.0

    def pressed() -> object:
        nonlocal last
        if found := done():
            return found
        if time.monotonic() - last > PRESS_AGAIN_S:
            last = time.monotonic()
            press(code)
        return done()

    await hand.until(what, pressed)


async def choose(*words: str) -> None:
    """Walk through an open menu and its sub-menus to the entry of these words, and take it."""
    for depth, word in enumerate(words):
        menu = await hand.until("a menu", QApplication.activePopupWidget)
        for _ in range(30):
            action = menu.activeAction()  # type: ignore[attr-defined]
            if action is not None and action.text().startswith(word):
                break
            press(Qt.Key.Key_Down)
        else:
            raise AssertionError(f"{word} is not in {[action.text() for action in menu.actions()]}")
        press(Qt.Key.Key_Right if depth < len(words) - 1 else Qt.Key.Key_Return)
    await until_focus("")
