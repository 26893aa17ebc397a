"""The parts of a bubble: each knows its size, paints itself, and tells what a click on it does."""

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
    """What a click in a bubble does."""

    LINK = "link"
    """Open an address."""
    SECRET = "secret"
    """Show a spoiler."""
    WHOLE = "whole"
    """Unfold a text."""
    PARENT = "parent"
    """Go to the message that is replied to."""
    MEDIA = "media"
    """Open the file of a message."""
    STEP = "step"
    """Show a step in its plan."""


@dataclass(frozen=True, slots=True)
class Hit:
    """The target of a click.

    Attributes:
        kind: What the click does.
        target: The real address of a link.
        message: The message whose file is meant, one of several in an album.
    """

    kind: HitKind
    target: str = ""
    message: Message | None = None


@dataclass(frozen=True, slots=True)
class Canvas:
    """The painter of a part, and what it needs to know.

    Attributes:
        painter: The painter.
        theme: Colours and fonts.
        out: The bubble is one of ours.
        words: Search words to highlight.
        mirrored: The layout is right-to-left.
        waiting: Messages whose pictures are still being loaded; the parts append to it.
    """

    painter: QPainter
    theme: Theme
    out: bool
    words: tuple[str, ...] = ()
    mirrored: bool = False
    waiting: list[Message] = field(default_factory=list)

    def lead(self, rect: QRectF, width: float, inset: float = 0) -> float:
        """Return the x of something `width` wide at the leading edge of a rectangle."""
        return rect.right() - inset - width if self.mirrored else rect.left() + inset

    def line(self, face: Face, token: str | QColor, box: QRectF, text: str, *, trail: bool = False) -> None:
        """Paint one line, elided and vertically centred, at the leading edge of a box, or at the trailing one."""
        metrics = self.theme.metrics(face)
        shown = elided(metrics, text, box.width())
        width = min(metrics.horizontalAdvance(shown), box.width())
        left = box.left() if trail is self.mirrored else box.right() - width
        color = token if isinstance(token, QColor) else self.theme.color(token)
        marks.draw_line(self.painter, self.theme.font(face), color, QPointF(left, box.center().y()), shown)


class Part:
    """One part of a bubble.

    Attributes:
        width: Preferred width, px; it gets at least that, unless the bubble is narrower.
        height: Needed height, px.
        gap: Space below it, px.
        bleeds: It extends nearly to the edge of the bubble.
    """

    width = 0.0
    height = 0.0
    gap = 0.0
    bleeds = False

    def beside(self, inner: float, meta: float) -> float | None:
        """Return the inner width at which the time fits beside the part's last line; None if it can't."""
        return None

    def settle(self, theme: Theme, inner: float) -> None:
        """Adapt to the final inner width of the bubble."""

    def paint(self, canvas: Canvas, rect: QRectF) -> None:
        """Paint the part into `rect`."""

    def hit(self, at: QPointF, rect: QRectF) -> Hit | None:
        """Return what a click at a point does, in the coordinates of `rect`; None for nothing."""
        return None


class NamePart(Part):
    """The sender, or where the message was forwarded from."""

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
    """The message that is replied to: a bar, a name, one line; a click goes there."""

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
    """The text of a message, or the caption of a picture."""

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
        """Whether only a part of the text is shown."""
        return self.rich.folded

    def beside(self, inner: float, meta: float) -> float | None:
        if self.rich.rtl or not self.rich.placed or self.rich.last_width + meta > self.limit:
            return None
        return max(inner, self.rich.last_width + meta)

    def settle(self, theme: Theme, inner: float) -> None:
        if self.rich.has_rtl:
            self.rich = self._lay_out(theme, inner)  # right-aligned lines depend on the width

    def paint(self, canvas: Canvas, rect: QRectF) -> None:
        ink = canvas.theme.color("text2" if self._faint else "text1")
        rich_text.draw(canvas.painter, canvas.theme, self.rich, rect, ink, canvas.words)

    def hit(self, at: QPointF, rect: QRectF) -> Hit | None:
        found = rich_text.stretch_at(self.rich, at - rect.topLeft())
        if found is None:
            return None
        return Hit(HitKind.SECRET) if found.hidden else Hit(HitKind.LINK, found.target)


class MorePart(Part):
    """The link below a folded text, which unfolds it."""

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
    """The reactions as chips; ours have a frame."""

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
