"""How much of every prompt is the same, and what that costs: a bar of shares with a legend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.domain.agent_files.fixed_part import FixedKind
from chimein_gui.ui.widgets.controls.spoken_role import speak_as_words
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout, set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, blend
from chimein_gui.viewmodels.core.numbers import count_words
from chimein_gui.viewmodels.sources.fixed_part import kind_words, spoken_words, total_words

if TYPE_CHECKING:
    from PySide6.QtGui import QColor, QPaintEvent, QResizeEvent

    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.sources.fixed_part import FixedPartModel

BAR_HEIGHT, SWATCH, GAP, SIDE = 8, 8, 14, 14
_HUES = {FixedKind.MODEL: 0, FixedKind.ROLES: 7, FixedKind.INSTRUCTIONS: 5, FixedKind.STICKERS: 1, FixedKind.OURS: 2}
"""The hues that the parts have in the Prompt pane."""


class FixedPartCard(Surface):
    """Follows the model; hidden while there is no estimate."""

    def __init__(self, theme: Theme, model: FixedPartModel) -> None:
        super().__init__(theme, "card", frame="line", radius=8)
        self._model = model
        self.total = PlainLabel(theme, "", Face.STRONG, "text1")
        self._bar = _Shares(theme, model)
        self._head = head = QHBoxLayout()
        self._title = PlainLabel(theme, self.tr("Fixed part of every prompt"), Face.STRONG, "text2")
        for part in (self._title, self.total):  # both wrap: the form is as narrow as its narrowest field lets it be
            part.setWordWrap(True)
            head.addWidget(part, 1)
        column = QVBoxLayout(self)
        set_rtl_margins(column, SIDE, 10, SIDE, 10)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self._bar)
        speak_as_words(self)
        model.changed.connect(self._show)
        theme.fonts_changed.connect(self._share)
        self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        """Share the width by what each text needs for one line; where it is too narrow for both, one is below."""
        wanted = [part.fontMetrics().horizontalAdvance(part.text()) + 2 for part in (self._title, self.total)]
        for place, width in enumerate(wanted):
            self._head.setStretch(place, width)
        fits = sum(wanted) + self._head.spacing() <= self.contentsRect().width() - 2 * SIDE
        way = QBoxLayout.Direction
        self._head.setDirection(way.LeftToRight if fits else way.TopToBottom)
        side = Qt.AlignmentFlag.AlignTrailing if fits else Qt.AlignmentFlag.AlignLeading
        self.total.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)

    def _show(self) -> None:
        part = self._model.part
        self.setVisible(bool(part.tokens))
        self.total.setText(total_words(part))
        self._share()
        self.setAccessibleName(self.tr("Fixed part of every prompt: {parts}").format(parts=spoken_words(part)))
        self._bar.updateGeometry()
        self._bar.update()


class _Shares(QWidget):
    """The bar, and below it swatch, word and tokens of each part, in as many lines as they need."""

    def __init__(self, theme: Theme, model: FixedPartModel) -> None:
        super().__init__()
        self._theme, self._model = theme, model
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self.update)
        theme.fonts_changed.connect(self.updateGeometry)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        lines = self._places(width)[-1][1] + 1 if self._model.part.tokens else 1
        return BAR_HEIGHT + 8 + lines * self._line()

    def sizeHint(self) -> QSize:
        return QSize(240, self.heightForWidth(max(240, self.width())))

    def _line(self) -> int:
        return round(self._theme.metrics(Face.SMALL).height()) + 4

    def _words(self, kind: FixedKind, count: int) -> str:
        return f"{kind_words(kind)} {count_words(count)}"

    def _places(self, width: int) -> list[tuple[float, int]]:
        """Return the left edge and the line of each entry of the legend."""
        metrics, left, line = self._theme.metrics(Face.SMALL), 0.0, 0
        found = []
        for kind, count in self._model.part.tokens:
            advance = SWATCH + 6 + metrics.horizontalAdvance(self._words(kind, count))
            if left and left + advance > width:
                left, line = 0.0, line + 1
            found.append((left, line))
            left += advance + GAP
        return found

    def _color(self, kind: FixedKind) -> QColor:
        hue = self._theme.identity(_HUES[kind])
        return blend(hue, self._theme.color("card"), 0.12) if kind is FixedKind.OURS else hue

    def paintEvent(self, event: QPaintEvent) -> None:
        part, theme = self._model.part, self._theme
        painter = QPainter(self)
        follow_layout(painter, self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        clip = QPainterPath()
        clip.addRoundedRect(QRectF(0, 0, self.width(), BAR_HEIGHT), 4, 4)
        painter.setClipPath(clip)
        left = 0.0
        for kind, count in part.tokens:
            width = self.width() * count / part.total
            painter.fillRect(QRectF(left, 0, max(1.0, width - 1), BAR_HEIGHT), self._color(kind))
            left += width
        painter.setClipping(False)
        font, ink = theme.font(Face.SMALL), theme.color("text2")
        for (kind, count), (x, line) in zip(part.tokens, self._places(self.width()), strict=True):
            middle = BAR_HEIGHT + 8 + (line + 0.5) * self._line()
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._color(kind))
            painter.drawRoundedRect(QRectF(x, middle - SWATCH / 2, SWATCH, SWATCH), 2, 2)
            marks.draw_line(painter, font, ink, QPointF(x + SWATCH + 6, middle), self._words(kind, count))
        painter.end()
