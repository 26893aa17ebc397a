"""Gives painted widgets a role for screen readers; Qt alone would say "a widget"."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface
from PySide6.QtWidgets import QAbstractItemView, QAccessibleWidget, QWidget

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

_PROPERTY = "spoken_role"
_PART = "part"
_ROLES = {"alert": QAccessible.Role.AlertMessage, "words": QAccessible.Role.StaticText, "place": QAccessible.Role.Pane}


class SpokenHost(QWidget):
    """A widget that a screen reader finds more in than its layout holds: what lies on a view, which has only rows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _install()
        self.guests: list[SpokenGuest] = []

    def take_in(self, guest: SpokenGuest) -> None:
        """Let a guest be read behind everything else that is here."""
        self.guests.append(guest)
        guest.host = self


class SpokenGuest(QWidget):
    """A group of controls that lies on a view; begins without a parent, so that Qt asks for its role when it is made.

    Attributes:
        host: Where a screen reader finds it.
    """

    def __init__(self) -> None:
        super().__init__()
        _install()
        self.host: SpokenHost | None = None


class _HostRole(QAccessibleWidget):
    def __init__(self, host: SpokenHost) -> None:
        super().__init__(host, QAccessible.Role.Pane)
        self._host = host

    def _guests(self) -> list[SpokenGuest]:
        return [guest for guest in self._host.guests if not guest.isHidden()]

    def childCount(self) -> int:
        return super().childCount() + len(self._guests())

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        own, guests = super().childCount(), self._guests()
        if index < own:
            return super().child(index)
        return QAccessible.queryAccessibleInterface(guests[index - own]) if index - own < len(guests) else None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        thing, guests = child.object(), self._guests()
        return super().childCount() + guests.index(thing) if thing in guests else super().indexOfChild(child)


class _GuestRole(QAccessibleWidget):
    def __init__(self, guest: SpokenGuest) -> None:
        super().__init__(guest, QAccessible.Role.Grouping)
        self._guest = guest

    def parent(self) -> QAccessibleInterface:
        host = self._guest.host
        return super().parent() if host is None else QAccessible.queryAccessibleInterface(host)


class _PartRole(QAccessibleWidget):
    """A bare part of a view. It is told of whenever it is shown: who asks where it belongs finds it beside the view."""

    def __init__(self, part: QWidget) -> None:
        super().__init__(part, QAccessible.Role.Client)
        self._part = part

    def parent(self) -> QAccessibleInterface:
        view = self._part.parentWidget()
        return super().parent() if view is None else QAccessible.queryAccessibleInterface(view).parent()


def speak_rows_only(view: QAbstractItemView) -> None:
    """Let a view have its rows only: Qt's own interface denies viewport, header and scroll bars, and warns of them."""
    for part in view.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
        _speak_as(part, _PART)
        if QAccessible.isActive():
            # Qt has asked while the view was being made, when nothing was known of it.
            QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(QAccessible.queryAccessibleInterface(part)))


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
    if isinstance(thing, SpokenHost):
        return _HostRole(thing)
    if isinstance(thing, SpokenGuest):
        return _GuestRole(thing)
    kind = thing.property(_PROPERTY) if isinstance(thing, QWidget) else None
    if not isinstance(thing, QWidget) or kind is None:
        return None
    return _PartRole(thing) if kind == _PART else QAccessibleWidget(thing, _ROLES[kind])
