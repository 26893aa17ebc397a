"""The push button of the window: icon, text, and a keycap with its shortcut."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from chimein_gui.ui.widgets.controls.spoken_role import spoken
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import Colours, Role, colours_of, draw_ground, draw_ring, state_of
from chimein_gui.ui.widgets.theme.keycaps import cap_width, draw_cap, key_name
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face, Theme

_PAD = 11
_GAP = 7
_ICON = 15
_MOST_HINTS = 16


class Kind(StrEnum):
    """How prominent a button is."""

    PRIMARY = Role.PRIMARY.value
    PLAIN = Role.PLAIN.value
    QUIET = Role.QUIET.value
    LINK = Role.LINK.value
    DANGER = Role.DANGER.value
    UNREAL = Role.UNREAL.value


class ActionButton(QPushButton):
    """A painted push button. The shortcut on the keycap is also in the accessible description."""

    _is_centred = False
    _said = ""
    """The name that it has of its text, if that has invisible marks."""

    def __init__(
        self,
        theme: Theme,
        text: str,
        *,
        icon: str = "",
        key: str = "",
        kind: Kind = Kind.PLAIN,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._icon, self._key, self._kind = theme, icon, key, kind
        self._shows_key = True
        self._why_not: str | None = None
        self._description = ""
        self._hints: dict[tuple[str, str, bool], QSize] = {}
        """Cached size hints: layouts ask often, and measuring the text is slow."""
        self.setText(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.apply(self, Face.STRONG)
        self.setAutoDefault(False)
        if key:
            self.setAccessibleDescription(self.tr("Key {key}").format(key=key_name(key)))
        theme.changed.connect(self.update)

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setShortcut("")  # Qt makes a shortcut of an & in the text
        said = spoken(text)
        named = said if said != text else ""
        if named != self._said and self.accessibleName() == self._said:  # it has no other name
            self._said = named
            super().setAccessibleName(named)

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(spoken(name))

    def setAccessibleDescription(self, description: str) -> None:
        """Set the description; while the button has the focus, only once it has gone.

        Screen readers read each new description of what has the focus: also a reason that lasts for a moment.
        """
        self._description = spoken(description)
        self._tell_description()

    def _tell_description(self) -> None:
        if not self.hasFocus() and self._description != self.accessibleDescription():
            super().setAccessibleDescription(self._description)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self._description != self.accessibleDescription():
            # Screen readers hear of the new focus after this event; until then this button has it.
            QTimer.singleShot(0, self, self._tell_description)

    def center_words(self) -> None:
        """Centre icon and text if the button is wider than they are."""
        self._is_centred = True

    def allow(self, why_not: str = "") -> None:
        """Enable the button; or disable it, with the reason as tool tip and accessible description."""
        if why_not == self._why_not and self.isEnabled() is not bool(why_not):
            return  # Qt reports a new tool tip even if it is the same
        self._why_not = why_not
        key = self.tr("Key {key}").format(key=key_name(self._key)) if self._key else ""
        self.setAccessibleDescription(why_not or key)
        self.setEnabled(not why_not)  # after the description: a disabled button has no focus
        # Qt interprets a tool tip that looks like markup; plain text needs no escapes.
        self.setToolTip(foreign_text.tool_tip(why_not) if "<" in why_not or "&" in why_not else why_not)

    def set_look(self, text: str, icon: str = "", *, kind: Kind = Kind.PLAIN) -> None:
        """Set text, icon and kind at once."""
        if (text, icon, kind) == (self.text(), self._icon, self._kind):
            return
        self._icon, self._kind = icon, kind
        self.setText(text)
        self.updateGeometry()
        self.update()

    def set_key(self, key: str) -> None:
        """Set the shortcut on the keycap and in the accessible description."""
        if key != self._key:
            self._key = key
            self._hints.clear()
            self.setAccessibleDescription(self.tr("Key {key}").format(key=key_name(key)))
            self.updateGeometry()
            self.update()

    def show_key(self, *, shown: bool) -> None:
        """Draw the keycap, or not; the shortcut works in any case."""
        if shown is not self._shows_key:
            self._shows_key = shown
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        return self.hint_for(self.text(), self._icon, key=self._shows_key)

    def width_if(self, *, key: bool) -> int:
        """Return the preferred width with or without the keycap, logical pixels."""
        return self.hint_for(self.text(), self._icon, key=key).width()

    def hint_for(self, text: str, icon: str, *, key: bool = True) -> QSize:
        """Return the preferred size with another text and icon, with or without the keycap."""
        look = (text, icon, key)
        known = self._hints.get(look)
        if known is None:
            if len(self._hints) >= _MOST_HINTS:
                self._hints.clear()
            known = self._hints[look] = self._measure(text, icon, key=key)
        return QSize(known)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._hints.clear()
        super().changeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return presses the focused button, as Space does. Auto-repeat is ignored."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():
            self.click()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Ignore the second click of a double click: it would confirm the question that the first one asked."""
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = colours_of(self._theme, Role(self._kind.value), state_of(self))
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        draw_ground(painter, colours, frame, 6)
        draw_ring(painter, colours, frame.adjusted(2, 2, -2, -2), 4.5)
        follow_layout(painter, self)
        self._paint_content(painter, colours)
        painter.end()

    def _measure(self, text: str, icon: str, *, key: bool) -> QSize:
        metrics = QFontMetricsF(self.font())
        width = 2 * _PAD + metrics.horizontalAdvance(text)
        if icon:
            width += _ICON + (_GAP if text else 0)
        if self._key and key:
            width += _GAP + self._cap_width() - 4
        return QSize(round(width), max(28, round(metrics.height() * 1.75)))

    def _paint_content(self, painter: QPainter, colours: Colours) -> None:
        metrics = QFontMetricsF(self.font())
        has_room = self.width() >= self.sizeHint().width()
        has_cap = bool(self._key) and self._shows_key and has_room
        x = float(_PAD if self.text() or has_cap else (self.width() - _ICON) / 2)
        if self._is_centred and self.text():
            x += max(0.0, (self.width() - self.sizeHint().width()) / 2)
        if self._icon:
            icons.draw(painter, self._icon, colours.ink, QRectF(x, (self.height() - _ICON) / 2, _ICON, _ICON))
            x += _ICON + (_GAP if self.text() else 0)
        painter.setFont(self.font())
        painter.setPen(colours.ink)
        words = self.text() if has_room else elided(metrics, self.text(), self.width() - x - _PAD)
        width = metrics.horizontalAdvance(words)
        marks.draw_words(painter, QRectF(x, 0, width + 2, self.height()), words)
        if has_cap:
            draw_cap(painter, self._theme, x + width + _GAP, self.height() / 2, self._key, colours)

    def _cap_width(self) -> float:
        return cap_width(self._theme, self._key)
