"""All plain text on the screen or read out, and what a hostile text has changed in it."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QModelIndex, QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenu,
    QTextEdit,
    QWidget,
)

from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from tests.support import hostile


def walk(view: QAbstractItemView, parent: QModelIndex) -> Iterator[QModelIndex]:
    model = view.model()
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        yield index
        yield from walk(view, index)


def entries(menu: QMenu) -> dict[str, QAction]:
    """Return the entries of a menu and its submenus, by their texts."""
    found = dict[str, QAction]()
    for action in menu.actions():
        inside = QMenu.menuInAction(action)
        if inside is not None:
            found |= entries(inside)
        if action.text():
            found[action.text()] = action
    return found


def everything(root: QWidget | None = None) -> Iterator[QWidget]:
    for window in QApplication.topLevelWidgets() if root is None else [root]:
        yield window
        yield from window.findChildren(QWidget)


def shown_texts(root: QWidget | None = None) -> Iterator[tuple[str, str]]:
    """Yield (where, text) for all plain text on the screen or read out."""
    for widget in everything(root):
        where = type(widget).__name__
        yield f"{where}.windowTitle", widget.windowTitle()
        yield f"{where}.accessibleName", widget.accessibleName()
        yield f"{where}.accessibleDescription", widget.accessibleDescription()
        if isinstance(widget, QLabel | QAbstractButton):
            yield f"{where}.text", widget.text()
        if isinstance(widget, QLineEdit):
            yield f"{where}.placeholder", widget.placeholderText()
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            for index in walk(widget, widget.rootIndex()):
                yield f"{where} row", str(index.data(Qt.ItemDataRole.AccessibleTextRole) or "")
        for action in widget.actions():
            yield f"{where} action", action.text()


def troubles(root: QWidget | None = None) -> list[str]:
    """Return all that a hostile text did to the widgets of a part, or of all windows."""
    found = [f"{where}: {what}" for where, text in shown_texts(root) for what in hostile.troubles(text)]
    for widget in everything(root):
        where = f"{type(widget).__name__} {widget.accessibleName()[:40]!r}"
        guesses = isinstance(widget, QLabel) and widget.textFormat() is not Qt.TextFormat.PlainText
        if isinstance(widget, QLabel) and guesses and widget.text():
            found.append(f"{where} guesses rich text: {widget.text()[:60]!r}")
        if isinstance(widget, QTextEdit):
            found.append(f"{where} takes rich text")
        found += [f"{where} tool tip: {what}" for what in hostile.tool_tip_troubles(widget.toolTip())]
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            tips = (str(index.data(Qt.ItemDataRole.ToolTipRole) or "") for index in walk(widget, widget.rootIndex()))
            found += [f"{where} row's tool tip: {what}" for tip in tips for what in hostile.tool_tip_troubles(tip)]
    return sorted(set(found))


def cut_off(root: QWidget) -> list[str]:
    """Return the visible widgets that are smaller than their text, or larger than their container."""
    found = []
    for widget in everything(root):
        if not widget.isVisible() or widget.objectName().startswith("qt_"):
            continue
        wanted, words = _room_for(widget)
        holder = widget.parentWidget()
        inside = holder is None or widget.isWindow() or _holds(holder, widget)
        if not inside or widget.width() < wanted.width() or widget.height() < wanted.height():
            where = f"{type(widget).__name__} {(words or widget.accessibleName())[:60]!r}"
            at, wants = widget.geometry(), f"wants {wanted.width()} × {wanted.height()}"
            has = f"{at.x()} {at.y()} {at.width()} × {at.height()}{'' if inside else ', reaches out'}"
            found.append(f"{where}: {has}, {wants}")
    return found


def _room_for(widget: QWidget) -> tuple[QSize, str]:
    line = widget.fontMetrics().height()
    if isinstance(widget, ElidedLabel):
        return QSize(0, line), widget.text()
    if isinstance(widget, QLabel) and widget.wordWrap():
        return QSize(0, widget.heightForWidth(widget.width())), widget.text()
    if isinstance(widget, QLabel):
        return widget.minimumSizeHint(), widget.text()
    if isinstance(widget, QAbstractButton):  # some end in … where there is no room; the actions never do
        wanted = widget.sizeHint() if isinstance(widget, ActionButton) else widget.minimumSizeHint()
        return QSize(wanted.width(), line) if widget.text() else QSize(), widget.text()
    if isinstance(widget, QLineEdit | QComboBox):
        return QSize(0, line), ""
    return QSize(), ""


def _holds(holder: QWidget, widget: QWidget) -> bool:
    # Hidden widgets of a window of docks are placed above its upper left corner.
    scrolls = isinstance(holder.parentWidget(), QAbstractScrollArea) or isinstance(holder, QMainWindow)
    return scrolls or holder.rect().contains(widget.geometry())
