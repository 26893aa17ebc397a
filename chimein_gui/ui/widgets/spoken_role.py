"""Roles that a painted widget has for a screen reader, where Qt would only say "a widget"."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QAccessibleWidget, QWidget

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

_PROPERTY = "spoken_role"
_ROLES = {"alert": QAccessible.Role.AlertMessage, "words": QAccessible.Role.StaticText, "place": QAccessible.Role.Pane}


def speak_as_alert(widget: QWidget) -> None:
    """Let a widget be an alert: a screen reader tells its name as soon as `announce` is called."""
    _speak_as(widget, "alert")


def speak_as_words(widget: QWidget) -> None:
    """Let a painted widget be plain words: its name is read, and nothing can be done with it."""
    _speak_as(widget, "words")


def speak_as_place(widget: QWidget) -> None:
    """Let a widget be a place with things in it, such as an area that scrolls by keys."""
    _speak_as(widget, "place")


def announce(widget: QWidget) -> None:
    """Tell a screen reader that an alert has something new to say."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleEvent(widget, QAccessible.Event.Alert))


def _speak_as(widget: QWidget, role: str) -> None:
    _install()
    widget.setProperty(_PROPERTY, role)


@cache
def _install() -> None:
    # One for the whole process, which is how Qt knows them; it answers only for marked widgets.
    QAccessible.installFactory(_made)


def _made(_key: str, thing: QObject | None) -> QAccessibleWidget | None:
    role = _ROLES.get(thing.property(_PROPERTY)) if isinstance(thing, QWidget) else None
    return QAccessibleWidget(thing, role) if isinstance(thing, QWidget) and role is not None else None
