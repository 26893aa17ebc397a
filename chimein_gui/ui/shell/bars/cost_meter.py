"""The costs of today, in the top bar; with a limit, also the used share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy

from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_ring, state_of
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face, Theme

if TYPE_CHECKING:
    from chimein_gui.viewmodels.costs import CostModel
    from chimein_gui.viewmodels.rehearsal.model_choice import ModelChoiceModel

translate = QCoreApplication.translate

ALMOST = 0.8
"""Share of the limit from which on the progress bar is amber."""

_PAD, _GAP, _BAR = 6.0, 5.0, 3.0


class CostMeter(QPushButton):
    """Shows the sum as text, and a progress bar if there is a limit.

    Attributes:
        known: Whether there is anything to show.
    """

    _costs: CostModel
    _model_choice: ModelChoiceModel

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self.known = theme, False
        self._sum = self._rest = ""
        self._share: float | None = None
        self._look: tuple[object, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFlat(True)
        theme.changed.connect(self.update)

    def follow(self, costs: CostModel, model_choice: ModelChoiceModel) -> None:
        """Show the values of these models from now on."""
        self._costs, self._model_choice = costs, model_choice
        costs.changed.connect(self.refresh)
        model_choice.changed.connect(self.refresh)
        self.refresh()

    def words(self) -> str:
        """Return the shown text, such as "$1.84 of $6.00 today"."""
        return f"{self._sum} {self._rest}"

    def refresh(self) -> None:
        """Update the text."""
        from chimein_gui.viewmodels.core.numbers import limit_words
        from chimein_gui.viewmodels.costs import dollars
        from chimein_gui.viewmodels.costs.words import spent_words

        today = self._costs.today
        self.known = today is not None
        if today is None:
            return
        before = self.sizeHint()
        limit = today.limit_usd
        self._sum = dollars(today.usd) if limit is None or limit >= 1 else spent_words(today.usd, limit)
        of_limit = self.tr("of {limit} today")
        self._rest = self.tr("today") if limit is None else of_limit.format(limit=limit_words(limit))
        self._share = None if not limit else min(1.0, today.usd / limit)
        count = today.calls
        calls = translate("CostMeter", "%n model call(s)", "", count)
        unpriced = self.tr("{n} of unknown price").format(n=today.unpriced) if today.unpriced else ""
        as_if = self.tr("an estimate as if Gemini had written the answers; nothing is charged")
        pretended = as_if if self._model_choice.is_here else ""
        self.setToolTip(", ".join(part for part in (calls, unpriced, pretended) if part))
        self.setAccessibleName(self.tr("Cost: {words}").format(words=self.words()))
        self.setAccessibleDescription(self.toolTip())
        look = self._sum, self._rest, self._share
        if look != self._look:
            self._look = look
            self.update()
        if self.sizeHint() != before:  # else each model call would cause a layout of the whole window
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        width = self._theme.metrics(Face.STRONG).horizontalAdvance(self._sum)
        width += _GAP + self._theme.metrics(Face.SMALL).horizontalAdvance(self._rest) + 2 * _PAD + 4
        return QSize(round(width), max(28, round(self._theme.metrics(Face.STRONG).height() * 1.75)))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        theme, color = self._theme, self._theme.color
        ring = colours_of(theme, Role.BARE, state_of(self))
        draw_ring(painter, ring, QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 1)
        middle = self.height() / 2 - (2 if self._share is not None else 0)
        width = marks.draw_line(painter, theme.font(Face.STRONG), color("text1"), QPointF(_PAD, middle), self._sum)
        at = QPointF(_PAD + width + _GAP, middle)
        marks.draw_line(painter, theme.font(Face.SMALL), color("text2"), at, self._rest)
        if self._share is not None:
            bar = QRectF(_PAD, self.height() - _BAR - 2, self.width() - 2 * _PAD, _BAR)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color("track"))
            painter.drawRoundedRect(bar, 1.5, 1.5)
            painter.setBrush(color("attention" if self._share >= ALMOST else "text2"))
            painter.drawRoundedRect(
                QRectF(bar.topLeft(), QPointF(bar.left() + bar.width() * self._share, bar.bottom())), 1.5, 1.5
            )
        painter.end()
