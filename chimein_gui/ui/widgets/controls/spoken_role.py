"""Roles of painted widgets for screen readers; without one Qt reports them as a plain widget."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QLabel, QWidget

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QItemSelection, QObject
    from PySide6.QtWidgets import QAbstractItemView

_PROPERTY = "spoken_role"
_PART = "part"
_SILENT = "silent"
_LABEL = "label"
_HIDDEN = "spoken_hidden"
_ROLES = {"alert": QAccessible.Role.Notification, "words": QAccessible.Role.StaticText, "place": QAccessible.Role.Pane}

_MISNAMED = {"QStackedWidget": QAccessible.Role.Client, "QSplitterHandle": QAccessible.Role.Separator}
"""What Qt tells as a layered pane, and as something unknown."""

_ISOLATES = dict.fromkeys(range(0x2066, 0x206A))
"""The marks around foreign names: they keep directions apart on a screen, but a Braille line shows them as signs."""


class SpokenHost(QWidget):
    """A widget that reports further accessible children: controls that lie on a view, which itself has only rows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _install()
        self.guests: list[SpokenGuest] = []

    def take_in(self, guest: SpokenGuest) -> None:
        """Report a guest as the last accessible child."""
        self.guests.append(guest)
        guest.host = self


class SpokenGuest(QWidget):
    """A group of controls on a view. It is created without a parent, so that Qt asks for its role at creation.

    Attributes:
        host: The widget that reports it as a child.
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


class _PlaceRole(QAccessibleWidget):
    """A pane that may lie where nobody sees it."""

    def __init__(self, place: QWidget, is_hidden: Callable[[], bool]) -> None:
        super().__init__(place, QAccessible.Role.Pane)
        self._is_hidden = is_hidden

    def state(self) -> QAccessible.State:
        state = super().state()
        if self._is_hidden():
            state.invisible = True
        return state


class _SilentRole(QAccessibleWidget):
    """A widget of which nothing is told."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget, QAccessible.Role.Client)

    def state(self) -> QAccessible.State:
        state = super().state()
        state.invisible = True
        return state

    def text(self, kind: QAccessible.Text) -> str:
        return ""


class _LabelRole(QAccessibleWidget):
    """A label that is not there while it has no words."""

    def __init__(self, label: QWidget) -> None:
        super().__init__(label, QAccessible.Role.StaticText)

    def state(self) -> QAccessible.State:
        state = super().state()
        if not self.text(QAccessible.Text.Name):
            state.invisible = True
        return state

    def text(self, kind: QAccessible.Text) -> str:
        said, label = super().text(kind), self.object()
        if said or kind is not QAccessible.Text.Name or not isinstance(label, QLabel):
            return said
        return label.text()


class _PlainRole(QAccessibleWidget):
    """Painted words or a group, by what the widget has when it is asked: a name, and children in sight."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget, QAccessible.Role.Client)

    def state(self) -> QAccessible.State:
        state = super().state()
        # It keeps no reference to its widget, which would outlive what Qt deletes.
        widget = self.object()
        if state.focused and isinstance(widget, QWidget) and widget.focusProxy() is not None:
            state.focused = 0  # the focus is in a field within, which tells so itself
        return state

    def text(self, kind: QAccessible.Text) -> str:
        return spoken(super().text(kind))

    def role(self) -> QAccessible.Role:
        if not self.text(QAccessible.Text.Name):
            return QAccessible.Role.Client
        children = (self.child(place) for place in range(self.childCount()))
        holds = any(not child.state().invisible for child in children)
        return QAccessible.Role.Grouping if holds else QAccessible.Role.StaticText


class _PartRole(QAccessibleWidget):
    """The role of a view's viewport, header or scroll bar, reported as a sibling of the view."""

    def __init__(self, part: QWidget) -> None:
        super().__init__(part, QAccessible.Role.Client)
        self._part = part

    def parent(self) -> QAccessibleInterface:
        view = self._part.parentWidget()
        return super().parent() if view is None else QAccessible.queryAccessibleInterface(view).parent()


def speak_rows_only(view: QAbstractItemView) -> None:
    """Report only the rows of a view.

    Qt's interface does not list viewport, header and scroll bars, and logs warnings.
    """
    for part in view.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
        _speak_as(part, _PART)


def make_selected_current(view: QAbstractItemView) -> None:
    """Make a row current when a screen reader selects it, which leaves the current row where it was.

    Call it again if the view gets another model.
    """

    def follow(selected: QItemSelection, _deselected: QItemSelection) -> None:
        if selected.indexes() and selected.indexes()[0] != view.currentIndex():
            view.setCurrentIndex(selected.indexes()[0])

    view.selectionModel().selectionChanged.connect(follow)


def speak_as_alert(widget: QWidget) -> None:
    """Give a widget the role of a notification: screen readers read its name when it is shown."""
    _speak_as(widget, "alert")


def speak_as_words(widget: QWidget) -> None:
    """Give a painted widget the role of static text: its name is read."""
    _speak_as(widget, "words")


def speak_as_place(widget: QWidget, is_hidden: Callable[[], bool] | None = None) -> None:
    """Give a widget the role of a pane with children, such as an area that is scrolled by keyboard.

    Args:
        widget: The pane.
        is_hidden: Tells that nobody sees it, although Qt calls it visible.
    """
    _speak_as(widget, "place")
    if is_hidden is not None:
        widget.setProperty(_HIDDEN, is_hidden)


def speak_nothing(widget: QWidget) -> None:
    """Tell screen readers nothing of a widget: it is decoration, or what it shows is said elsewhere."""
    _speak_as(widget, _SILENT)


def speak_if_filled(label: QLabel) -> None:
    """Tell screen readers of a label only while it has a text. For labels of plain text that name no field."""
    _speak_as(label, _LABEL)


def spoken(text: str) -> str:
    """Return a text for the name of a widget: without the invisible marks around foreign names."""
    return text.translate(_ISOLATES)


def announce(widget: QWidget, words: str = "", *, at_once: bool = False) -> None:
    """Let screen readers say something, wherever the focus is.

    An event of the kind `Alert` would not do: on Linux Qt tells nobody of it.

    Args:
        widget: Where it comes from; it may be hidden.
        words: What is said; by default the widget's name.
        at_once: It interrupts what is being said.
    """
    words = spoken(words or widget.accessibleName())
    if words and QAccessible.isActive():
        event = QAccessibleAnnouncementEvent(widget, words)
        kind = QAccessible.AnnouncementPoliteness
        event.setPoliteness(kind.Assertive if at_once else kind.Polite)
        QAccessible.updateAccessibility(event)


def _speak_as(widget: QWidget, role: str) -> None:
    # With the name Qt makes what screen readers know of the widget, and they keep the role that it has then.
    assert not widget.accessibleName(), "a widget gets its role before its name"
    _install()
    widget.setProperty(_PROPERTY, role)
    if QAccessible.isActive():
        # Qt has created its interface with the widget or its name, before it had this role.
        QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(QAccessible.queryAccessibleInterface(widget)))


def tell_plain_widgets() -> None:
    """Report every plain widget with a name as words, or as a group if it has children. Call it before the window."""
    _install()


@cache
def _install() -> None:
    # Factories are global in Qt; this one handles only marked widgets.
    QAccessible.installFactory(_made)


def _made(key: str, thing: QObject | None) -> QAccessibleWidget | None:
    if isinstance(thing, SpokenHost):
        return _HostRole(thing)
    if isinstance(thing, SpokenGuest):
        return _GuestRole(thing)
    if not isinstance(thing, QWidget):
        return None
    kind = thing.property(_PROPERTY)
    is_hidden = thing.property(_HIDDEN)
    if is_hidden is not None:
        return _PlaceRole(thing, is_hidden)
    if kind is None:
        return _unmarked(key, thing)
    special = {_PART: _PartRole, _SILENT: _SilentRole, _LABEL: _LabelRole}.get(kind)
    return special(thing) if special is not None else QAccessibleWidget(thing, _ROLES[kind])


def _unmarked(key: str, widget: QWidget) -> QAccessibleWidget | None:
    # Qt asks for the name of each base class in turn: at this one it has nothing better to tell.
    if key == "QWidget":
        return _PlainRole(widget)
    return QAccessibleWidget(widget, _MISNAMED[key]) if key in _MISNAMED else None
