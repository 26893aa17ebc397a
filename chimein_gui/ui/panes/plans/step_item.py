"""A step of a plan as a box in the picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from chimein_gui.domain.tasks import PLANNED_KINDS, TaskKind, TaskStatus
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.theme import Face, Theme

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.viewmodels.plans.step_view import StepView

WIDTH, PAD = 300.0, 12.0
ICON_BOX, ICON, MARK, STICKER = 34.0, 18.0, 15.0, 44.0


@dataclass(frozen=True, slots=True)
class StepLooks:
    """What the boxes need to know besides their steps.

    Attributes:
        left: Returns the time until a step continues, in words; empty for none.
        sticker: Returns the picture of a step's sticker; None while it is missing.
    """

    left: Callable[[StepView], str]
    sticker: Callable[[StepView], QImage | None]


def height_of(theme: Theme, view: StepView) -> float:
    """Return the height of a step's box, px; it depends on its kind only, so that a new state moves nothing."""
    lines = 3 if view.step.kind in PLANNED_KINDS and view.text else 2
    return float(round(lines * theme.metrics(Face.SMALL).height() + 12 + 4 * lines))


class StepItem(QGraphicsItem):
    """One step: icon or sticker, title and text at the left, state in words and icon at the right, facts below."""

    def __init__(self, theme: Theme, view: StepView, looks: StepLooks) -> None:
        super().__init__()
        self._theme, self._looks, self._height = theme, looks, height_of(theme, view)
        self.view = view
        self.is_current = False
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self.setToolTip(foreign_text.line(view.sentence, 400))

    def show_view(self, view: StepView) -> None:
        """Show another state of the same step."""
        if view != self.view:
            self.view = view
            self.setToolTip(foreign_text.line(view.sentence, 400))
            self.update()

    def mark(self, *, current: bool) -> None:
        """Draw it as the selected step, or not."""
        if current is not self.is_current:
            self.is_current = current
            self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(-3, -3, WIDTH + 6, self._height + 6)

    def box(self) -> QRectF:
        """Return the box without its selection frame."""
        return QRectF(0, 0, WIDTH, self._height)

    def state_words(self) -> str:
        """Return its state, with the time that is left of it."""
        left = self._looks.left(self.view)
        return f"{self.view.state} {left}" if left else self.view.state

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, view, box = self._theme, self.view, self.box()
        asks = view.tone == "attention"
        frame = theme.color("attention_line" if asks else "line_strong")
        is_cancelled = view.step.status is TaskStatus.CANCELLED
        painter.setPen(QPen(frame, 1, Qt.PenStyle.DashLine if is_cancelled else Qt.PenStyle.SolidLine))
        painter.setBrush(theme.color("draft" if asks else "pane" if view.is_over else "card"))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)
        if self.is_current:
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(-2, -2, 2, 2), 12, 12)
        self._paint_words(painter, box, self._paint_icon(painter, box))

    def _paint_icon(self, painter: QPainter, box: QRectF) -> float:
        """Paint the sticker, or the icon of the kind; returns where the words begin."""
        theme, view, left, middle = self._theme, self.view, box.left() + PAD, box.center().y()
        image = self._looks.sticker(view) if view.step.kind is TaskKind.STICKER else None
        if image is not None and not image.isNull():
            side = min(STICKER, box.height() - 8)
            shown = image.size().scaled(round(side), round(side), Qt.AspectRatioMode.KeepAspectRatio)
            place = QRectF(0, 0, shown.width(), shown.height())
            place.moveCenter(QPointF(left - 4 + side / 2, middle))
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(place, image)
            return left + side + 4
        painter.setPen(Qt.PenStyle.NoPen)
        if view.text:
            painter.setBrush(theme.color("raised"))
            painter.drawRoundedRect(QRectF(left, middle - ICON_BOX / 2, ICON_BOX, ICON_BOX), 8, 8)
        icon = QRectF(left + (ICON_BOX - ICON) / 2, middle - ICON / 2, ICON, ICON)
        icons.draw(painter, view.icon, theme.color("text3" if view.is_over else "text2"), icon)
        return left + ICON_BOX + PAD - 2

    def _paint_words(self, painter: QPainter, box: QRectF, left: float) -> None:
        theme, view, tone = self._theme, self.view, self._theme.color(self.view.tone)
        below = [(text, "text2") for text in (foreign_text.line(view.text, 120),) if text]
        below += [(text, "text3") for text in (foreign_text.line(view.facts, 200),) if text]
        line = theme.metrics(Face.SMALL).height() + 3
        baseline = box.center().y() + line * 0.28 - line * len(below) / 2
        state, right = self.state_words(), box.right() - PAD
        wide = theme.metrics(Face.SMALL_STRONG).horizontalAdvance(state)
        self._draw(painter, Face.SMALL_STRONG, tone, QPointF(right - wide, baseline), state, wide + 2)
        mark = QRectF(right - wide - MARK - 5, baseline - line * 0.28 - MARK / 2, MARK, MARK)
        icons.draw(painter, view.status_icon, tone, mark)
        ink = theme.color("text2" if view.is_over else "text1")
        self._draw(painter, Face.SMALL_STRONG, ink, QPointF(left, baseline), view.title, mark.left() - 8 - left)
        for place, (text, token) in enumerate(below, start=1):
            spot = QPointF(left, baseline + place * line)
            face = Face.SMALL if token == "text2" else Face.META
            self._draw(painter, face, theme.color(token), spot, text, right - left)

    def _draw(self, painter: QPainter, face: Face, color: QColor, at: QPointF, text: str, room: float) -> None:
        painter.setFont(self._theme.font(face))
        painter.setPen(color)
        painter.drawText(at, elided(self._theme.metrics(face), text, room))
