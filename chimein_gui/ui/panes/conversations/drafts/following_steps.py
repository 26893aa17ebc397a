"""The line below a draft that shows the further steps of its plan."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from chimein_gui.ui.pane import PaneContext
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.drafts.plan_chain import Then

ICON = 14.0
GAP = 5.0
ARROW = 12.0
SHOWN = 24


class FollowingSteps(QWidget):
    """One line of icons and words with arrows between; screen readers get it as one sentence."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._theme = context.theme
        self._chain: tuple[Then, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self.update)
        self.hide()

    def show_chain(self, chain: tuple[Then, ...]) -> None:
        """Show the further steps; hidden if there are none."""
        if chain != self._chain:
            self._chain = chain
            words = [_words(step) for step in chain]
            self.setAccessibleName(self.tr("then {steps}").format(steps=", ".join(words)) if words else "")
            self.update()
        self.setVisible(bool(chain))

    def sizeHint(self) -> QSize:
        return QSize(200, round(self._theme.metrics(Face.SMALL).height() + 6))

    def heightForWidth(self, _width: int) -> int:
        return self.sizeHint().height()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        metrics, middle = theme.metrics(Face.SMALL), self.height() / 2
        first = self.tr("then")
        widths = [ICON + GAP + theme.metrics(_face(step)).horizontalAdvance(_words(step)) for step in self._chain]
        between = ARROW + 2 * 7.0
        whole = metrics.horizontalAdvance(first) + 9 + sum(widths) + between * (len(widths) - 1)
        x = max(0.0, self.width() - whole - 2)
        x += marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), QPointF(x, middle), first) + 9
        for place, step in enumerate(self._chain):
            if place:
                box = QRectF(x + 7, middle - ARROW / 2, ARROW, ARROW)
                icons.draw(painter, "arrow-right", theme.color("text3"), box)
                x += between
            color = theme.color("attention" if step.asks else "text2")
            icons.draw(painter, step.icon, color, QRectF(x, middle - ICON / 2, ICON, ICON))
            face = _face(step)
            words = elided(theme.metrics(face), _words(step), self.width() - x - ICON - GAP)
            marks.draw_line(painter, theme.font(face), color, QPointF(x + ICON + GAP, middle), words)
            x += ICON + GAP + theme.metrics(face).horizontalAdvance(words)
        painter.end()


def _face(step: Then) -> Face:
    return Face.SMALL_STRONG if step.asks else Face.SMALL


def _words(step: Then) -> str:
    it = foreign_text.isolated(foreign_text.short(step.foreign, SHOWN)) if step.foreign else ""
    return step.words.format(it=it)
