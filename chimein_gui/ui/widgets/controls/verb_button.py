"""The button of a verb: icon, word, and the key that does the same."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QEnterEvent, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.keycaps import cap_height, cap_width, key_name
from chimein_gui.ui.widgets.theme.mirror import follow_layout, is_turned, mirror
from chimein_gui.ui.widgets.theme.theme import Face, Theme, blend

_PAD = 11
_GAP = 7
_ICON = 15
_MOST_HINTS = 16


class Kind(StrEnum):
    """How loud a button is."""

    PRIMARY = "primary"
    PLAIN = "plain"
    QUIET = "quiet"
    LINK = "link"
    DANGER = "danger"
    UNREAL = "unreal"


class VerbButton(QPushButton):
    """A painted push button; the keycap is decoration, the key is in the accessible description."""

    _is_centred = False

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
        self._hovered, self._shows_key = False, True
        self._why_not: str | None = None
        self._hints: dict[tuple[str, str, bool], QSize] = {}
        """Layouts ask again and again, and measuring letters costs more than all the rest of an answer."""
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
        self.setShortcut("")  # Qt makes a key of the & in a name

    def center_words(self) -> None:
        """Put icon and words in the middle of a button that is wider than they are."""
        self._is_centred = True

    def allow(self, why_not: str = "") -> None:
        """Let it be pressed; or not, and say why to the eye and the ear."""
        if why_not == self._why_not and self.isEnabled() is not bool(why_not):
            return  # Qt tells of a tool tip also when it is the same again
        self._why_not = why_not
        self.setEnabled(not why_not)
        key = self.tr("Key {key}").format(key=key_name(self._key)) if self._key else ""
        self.setAccessibleDescription(why_not or key)
        # Qt reads a tool tip as markup where it looks like it; ours never do.
        self.setToolTip(foreign_text.tool_tip(why_not) if "<" in why_not or "&" in why_not else why_not)

    def set_look(self, text: str, *, icon: str = "", kind: Kind = Kind.PLAIN) -> None:
        """Change word, icon and loudness at once."""
        if (text, icon, kind) == (self.text(), self._icon, self._kind):
            return
        self._icon, self._kind = icon, kind
        self.setText(text)
        self.updateGeometry()
        self.update()

    def set_key(self, key: str) -> None:
        """Let another key do the same."""
        if key != self._key:
            self._key = key
            self._hints.clear()
            self.setAccessibleDescription(self.tr("Key {key}").format(key=key_name(key)))
            self.updateGeometry()
            self.update()

    def show_key(self, *, shown: bool) -> None:
        """Draw the keycap, or not; the key works all the same."""
        if shown is not self._shows_key:
            self._shows_key = shown
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        return self.hint_for(self.text(), self._icon, key=self._shows_key)

    def width_if(self, *, key: bool) -> int:
        """Return how wide it would like to be with its keycap or without; logical pixels."""
        return self.hint_for(self.text(), self._icon, key=key).width()

    def hint_for(self, text: str, icon: str, *, key: bool = True) -> QSize:
        """Return how large it would like to be with another word and icon, with its keycap or without."""
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
        """Return presses the button with the focus, as Space does; a key that is held down presses once."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():
            self.click()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._hovered = True
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = False
        super().leaveEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The second half of a double click is no press: it would confirm what the first one only asked."""
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fill, edge, ink = self._colours()
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(edge, 1) if edge.alpha() else Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawRoundedRect(frame, 6, 6)
        if self.hasFocus():
            filled = self._kind in (Kind.PRIMARY, Kind.UNREAL) and self.isEnabled()
            painter.setPen(QPen(ink if filled else self._theme.color("accent"), 1.6))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(frame.adjusted(2, 2, -2, -2), 4.5, 4.5)
        follow_layout(painter, self)
        self._paint_content(painter, ink)
        painter.end()

    def _measure(self, text: str, icon: str, *, key: bool) -> QSize:
        metrics = QFontMetricsF(self.font())
        width = 2 * _PAD + metrics.horizontalAdvance(text)
        if icon:
            width += _ICON + (_GAP if text else 0)
        if self._key and key:
            width += _GAP + self._cap_width() - 4
        return QSize(round(width), max(28, round(metrics.height() * 1.75)))

    def _paint_content(self, painter: QPainter, ink: QColor) -> None:
        metrics = QFontMetricsF(self.font())
        x = float(_PAD if self.text() else (self.width() - _ICON) / 2)
        if self._is_centred and self.text():
            x += max(0.0, (self.width() - self.sizeHint().width()) / 2)
        if self._icon:
            icons.draw(painter, self._icon, ink, QRectF(x, (self.height() - _ICON) / 2, _ICON, _ICON))
            x += _ICON + _GAP
        painter.setFont(self.font())
        painter.setPen(ink)
        has_room = self.width() >= self.sizeHint().width()
        words = self.text() if has_room else elided(metrics, self.text(), self.width() - x - _PAD)
        width = metrics.horizontalAdvance(words)
        marks.draw_words(painter, QRectF(x, 0, width + 2, self.height()), words)
        if self._key and self._shows_key and has_room:
            self._paint_cap(painter, x + width + _GAP, ink)

    def _cap_width(self) -> float:
        return cap_width(self._theme, self._key)

    def _paint_cap(self, painter: QPainter, left: float, ink: QColor) -> None:
        height = cap_height(self._theme)
        cap = QRectF(left, (self.height() - height) / 2, self._cap_width(), height)
        primary = self._kind is Kind.PRIMARY and self.isEnabled()
        edge = blend(ink, self._colours()[0], 0.45) if primary else self._theme.color("line_strong")
        painter.setPen(QPen(edge, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(cap.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setPen(ink if primary else self._theme.color("text2"))
        painter.setFont(self._theme.font(Face.META))
        if is_turned(painter):
            mirror(painter, cap)
        painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, key_name(self._key))

    def _colours(self) -> tuple[QColor, QColor, QColor]:
        """Return fill, edge and ink."""
        color = self._theme.color
        none = QColor(0, 0, 0, 0)
        if not self.isEnabled():
            return color("raised"), color("line"), color("text3")
        pressed = self.isDown()
        if self._kind in (Kind.PRIMARY, Kind.UNREAL):
            fill = color("accent" if self._kind is Kind.PRIMARY else "unreal")
            fill = blend(fill, color("text1"), 0.18 if pressed else 0.09 if self._hovered else 0.0)
            ink = color("on_accent") if self._kind is Kind.PRIMARY or not self._theme.tokens.dark else QColor("#1B1330")
            return fill, none, ink
        ground = color("raised") if self._hovered or pressed else color("card")
        if self._kind is Kind.DANGER:
            return ground, color("danger"), color("danger")
        if self._kind is Kind.LINK:
            return (ground if self._hovered or pressed else none), none, color("accent_text")
        if self._kind is Kind.QUIET:
            return (ground if self._hovered or pressed else none), none, color("text2")
        return ground, color("line_strong"), color("text1")
