"""What a bubble consists of, from the top: strips that know their size, paint themselves and say what a click means."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from chimein_gui.ui.messages import rich_text
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.theme import Face, Theme

if TYPE_CHECKING:
    from chimein_gui.domain.messages import Message, Reaction
    from chimein_gui.ui.messages.rich_text import RichText


class HitKind(StrEnum):
    """What a click in a bubble asks for."""

    LINK = "link"
    """Open an address."""
    SECRET = "secret"
    """Show what is hidden."""
    WHOLE = "whole"
    """Show all of a folded text."""
    PARENT = "parent"
    """Jump to the message that is answered."""
    MEDIA = "media"
    """Open the file of a message."""


@dataclass(frozen=True, slots=True)
class Hit:
    """What lies under the mouse.

    Attributes:
        kind: What a click does.
        target: Of a link its real address.
        message: The message whose file it is, in an album one of several.
    """

    kind: HitKind
    target: str = ""
    message: Message | None = None


@dataclass(frozen=True, slots=True)
class Canvas:
    """Where and how a part paints.

    Attributes:
        painter: The painter.
        theme: Colours and fonts.
        out: On a bubble of ours.
        words: What is searched, to be marked.
        mirrored: The window runs from right to left.
        waiting: Messages whose picture was not there yet.
    """

    painter: QPainter
    theme: Theme
    out: bool
    words: tuple[str, ...] = ()
    mirrored: bool = False
    waiting: list[Message] = field(default_factory=list)

    def lead(self, rect: QRectF, width: float, inset: float = 0) -> float:
        """Return where something begins that stands at the leading edge of a rectangle."""
        return rect.right() - inset - width if self.mirrored else rect.left() + inset

    def line(self, face: Face, token: str | QColor, box: QRectF, text: str, *, trail: bool = False) -> None:
        """Paint one line, elided, vertically centred, at the leading edge of a box or at its other one."""
        metrics = self.theme.metrics(face)
        shown = elided(metrics, text, box.width())
        width = min(metrics.horizontalAdvance(shown), box.width())
        left = box.left() if trail is self.mirrored else box.right() - width
        color = token if isinstance(token, QColor) else self.theme.color(token)
        marks.draw_line(self.painter, self.theme.font(face), color, QPointF(left, box.center().y()), shown)


class Part:
    """One strip of a bubble.

    Attributes:
        width: What it wishes; it gets at least that, unless the bubble is narrower.
        height: What it needs.
        gap: Room below it.
        bleeds: It reaches nearly to the edge of the bubble.
    """

    width = 0.0
    height = 0.0
    gap = 0.0
    bleeds = False

    def beside(self, inner: float, meta: float) -> float | None:
        """Return how wide the bubble must be inside so that the time fits beside its last line, or None."""
        return None

    def settle(self, theme: Theme, inner: float) -> None:
        """Take the width the bubble has."""

    def paint(self, canvas: Canvas, rect: QRectF) -> None:
        """Paint it."""

    def hit(self, at: QPointF, rect: QRectF) -> Hit | None:
        """Return what lies at a point of the same coordinates as `rect`."""
        return None


class NamePart(Part):
    """Who wrote it, or where it was forwarded from."""

    def __init__(self, theme: Theme, words: str, color: QColor, icon: str = "") -> None:
        self._words, self._color, self._icon = words, color, icon
        metrics = theme.metrics(Face.SMALL_STRONG)
        self.width = metrics.horizontalAdvance(words) + 4 + (18 if icon else 0)
        self.height = round(metrics.height() + 2)
        self.words = words
        self.color = color

    def paint(self, canvas: Canvas, rect: QRectF) -> None:
        lead = 0.0
        if self._icon:
            lead = 18.0
            x = canvas.lead(rect, 14)
            icons.draw(canvas.painter, self._icon, self._color, QRectF(x, rect.center().y() - 7, 14, 14))
        box = rect.adjusted(0, 0, -lead, 0) if canvas.mirrored else rect.adjusted(lead, 0, 0, 0)
        canvas.line(Face.SMALL_STRONG, self._color, box, self._words)


class QuotePart(Part):
    """What a message answers: a bar, a name, one line; a click goes there."""

    gap = 7.0

    def __init__(self, theme: Theme, who: str, text: str, color: QColor, *, can_jump: bool = True) -> None:
        self.who, self.text, self.color, self._can_jump = who, text, color, can_jump
        metrics = theme.metrics(Face.SMALL)
        strong = theme.metrics(Face.SMALL_STRONG)
        self.width = max(strong.horizontalAdvance(who), metrics.horizontalAdvance(text), 136.0) + 24
        self.height = round(metrics.height() * (2 if who else 1) + 8)

    def paint(self, canvas: Canvas, rect: QRectF) -> None:
        painter, box = canvas.painter, rect.adjusted(-2, 1, 2, 1)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(rich_text.shade(canvas.theme))
        painter.drawRoundedRect(box, 4, 4)
        painter.setBrush(self.color)
        painter.drawRect(QRectF(canvas.lead(box, 3), box.top(), 3, box.height()))
        line = canvas.theme.metrics(Face.SMALL).height()
        inside = box.adjusted(9, 4, -11, 0) if canvas.mirrored else box.adjusted(11, 4, -9, 0)
        first = QRectF(inside.left(), inside.top(), inside.width(), line)
        if self.who:
            canvas.line(Face.SMALL_STRONG, self.color, first, self.who)
            first = first.translated(0, line)
        canvas.line(Face.SMALL, "text2", first, self.text)

    def hit(self, at: QPointF, rect: QRectF) -> Hit | None:
        return Hit(HitKind.PARENT) if self._can_jump else None


class TextPart(Part):
    """The text of a message, or of a picture below it."""

    def __init__(
        self, theme: Theme, message: Message, limit: float, *, secrets: bool, whole: bool, faint: bool = False
    ) -> None:
        self._message, self._secrets, self._whole, self._faint = message, secrets, whole, faint
        self.limit = limit
        self.rich = self._lay_out(theme, limit)
        self.width, self.height = self.rich.width, self.rich.height

    def _lay_out(self, theme: Theme, width: float) -> RichText:
        message = self._message
        return rich_text.lay_out(theme, message, width, out=message.out, secrets=self._secrets, whole=self._whole)

    @property
    def folded(self) -> bool:
        """Tell whether there is more of it."""
        return self.rich.folded

    def beside(self, inner: float, meta: float) -> float | None:
        if self.rich.rtl or not self.rich.placed or self.rich.last_width + meta > self.limit:
            return None
        return max(inner, self.rich.last_width + meta)

    def settle(self, theme: Theme, inner: float) -> None:
        if self.rich.has_rtl:
            self.rich = self._lay_out(theme, inner)  # right-aligned lines must know where right is

    def paint(self, canvas: Canvas, rect: QRectF) -> None:
        ink = canvas.theme.color("text2" if self._faint else "text1")
        rich_text.draw(canvas.painter, canvas.theme, self.rich, rect, ink, canvas.words)

    def hit(self, at: QPointF, rect: QRectF) -> Hit | None:
        found = rich_text.stretch_at(self.rich, at - rect.topLeft())
        if found is None:
            return None
        return Hit(HitKind.SECRET) if found.hidden else Hit(HitKind.LINK, found.target)


class MorePart(Part):
    """Shows all of a folded text."""

    gap = 2.0

    def __init__(self, theme: Theme, words: str) -> None:
        self._words = words
        metrics = theme.metrics(Face.SMALL_STRONG)
        self.width = metrics.horizontalAdvance(words) + 20
        self.height = round(metrics.height() + 6)

    def paint(self, canvas: Canvas, rect: QRectF) -> None:
        color = canvas.theme.color("accent_text")
        icons.draw(canvas.painter, "caret-down", color, QRectF(canvas.lead(rect, 14), rect.center().y() - 7, 14, 14))
        box = rect.adjusted(0, 0, -18, 0) if canvas.mirrored else rect.adjusted(18, 0, 0, 0)
        canvas.line(Face.SMALL_STRONG, color, box, self._words)

    def hit(self, at: QPointF, rect: QRectF) -> Hit | None:
        return Hit(HitKind.WHOLE)


CHIP_GAP = 5.0
MOST_CHIPS = 12


class ReactionsPart(Part):
    """What people gave a message, as chips; ours have an edge."""

    def __init__(self, theme: Theme, reactions: tuple[Reaction, ...], limit: float) -> None:
        self._chips: list[tuple[QRectF, str, bool]] = []
        metrics = theme.metrics(Face.SMALL)
        high = round(metrics.height() + 7)
        x = y = 0.0
        for one in reactions[:MOST_CHIPS]:
            words = f"{foreign_text.name(one.emoji) or '★'} {one.count}"
            wide = min(limit, metrics.horizontalAdvance(words) + 16)
            if x and x + wide > limit:
                x, y = 0.0, y + high + CHIP_GAP
            self._chips.append((QRectF(x, y, wide, high), words, one.mine))
            x += wide + CHIP_GAP
            self.width = max(self.width, x - CHIP_GAP)
        self._last, self._limit = x, limit
        self.height = y + high

    def beside(self, inner: float, meta: float) -> float | None:
        return max(inner, self._last + meta) if self._last + meta <= self._limit else None

    def paint(self, canvas: Canvas, rect: QRectF) -> None:
        painter, theme = canvas.painter, canvas.theme
        for box, words, mine in self._chips:
            x = canvas.lead(rect, box.width(), box.left())
            chip = QRectF(x, rect.top() + box.top(), box.width(), box.height()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.setPen(QPen(theme.color("accent"), 1) if mine else Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent_soft") if mine else rich_text.shade(theme))
            painter.drawRoundedRect(chip, chip.height() / 2, chip.height() / 2)
            token = "accent_text" if mine else "text2"
            middle = QPointF(chip.left() + 8, chip.center().y())
            marks.draw_line(painter, theme.font(Face.SMALL), theme.color(token), middle, words, chip.width() - 10)
