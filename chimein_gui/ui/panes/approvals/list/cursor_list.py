"""A list whose current row stays on the same id when rows are added or removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from chimein_gui.domain.approvals import Approval
from chimein_gui.ui.pane import Pane
from chimein_gui.ui.widgets.controls.spoken_role import speak_rows_only
from chimein_gui.ui.widgets.rows.in_view import is_bare
from chimein_gui.ui.widgets.rows.list_window import ListWindow
from chimein_gui.ui.widgets.rows.opaque_ground import fill, make_opaque
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.roles import Index, ItemRole
from chimein_gui.viewmodels.panes.approvals import make_approvals

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QMouseEvent, QPaintEvent, QResizeEvent

    from chimein_gui.ui.pane import PaneContext

SLIP_GUARD_MS = 300
"""How long key presses and clicks are ignored on a card that became current by itself, ms."""


class CursorList(SpokenListView):
    """A view of the card queue, which shows a part of it at a time.

    Attributes:
        painted: Some of the list has been painted.
    """

    painted = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context = context
        self._approvals, self._queue = context.models.approvals, context.own(make_approvals).queue
        self._window = ListWindow(self, self._queue)
        self._slipped = QElapsedTimer()
        self._painted: Approval | None = None
        self._is_chosen = False
        self._keeps_in_sight = False
        self._is_laying_out = False

    def _dress(self) -> None:
        """Set the view's properties; a subclass calls it at the end, because each of them causes a layout."""
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.verticalScrollBar().setSingleStep(24)
        self.verticalScrollBar().valueChanged.connect(self._follow_scrolling)
        make_opaque(self)
        speak_rows_only(self)

    def current(self) -> Approval | None:
        """Return the current approval, or None."""
        approval = self.currentIndex().data(ItemRole) if self.currentIndex().isValid() else None
        return approval if isinstance(approval, Approval) else None

    def card_at(self, place: QPoint) -> Approval | None:
        """Return the approval at a point of the viewport, or None."""
        return self._queue.item_at(self.indexAt(place).row())

    def _meant(self) -> Approval | None:
        """Return the current card.

        None just after it replaced another one, for which a press was probably meant, and as long as its new version is
        not painted.
        """
        if self._slipped.isValid() and not self._slipped.hasExpired(SLIP_GUARD_MS):
            return None
        meant, painted = self.current(), self._painted
        if meant is None or painted is None or meant.approval_id != painted.approval_id:
            return meant
        return meant if meant.version == painted.version else None

    def _follow_top(self) -> None:
        """Let the most urgent card be current until the operator has chosen one or is at work in the pane."""
        if not self._queue.rowCount():
            self._is_chosen = False
        elif not (self._is_chosen or self._is_in_use()):
            self._go_to_top()

    def _is_in_use(self) -> bool:
        """Tell whether the mouse or the focus is in the pane, where the current card or its buttons may be meant."""
        pane: QWidget | None = self
        while pane is not None and not isinstance(pane, Pane):
            pane = pane.parentWidget()
        pane = pane or self
        return pane.underMouse() or pane.isAncestorOf(pane.window().focusWidget() or pane.window())

    def _go_to_top(self) -> None:
        top = self._queue.index(0, 0)
        if top != self.currentIndex():
            self.setCurrentIndex(top)
            self._is_chosen = False  # not by the operator
            self._slipped.start()

    def select(self, approval_id: object) -> None:
        """Make a card current, even if it is far from the loaded rows or hidden by a filter."""
        self._is_chosen = True
        self._slipped.invalidate()
        self._queue.show(approval_id)
        self._queue.reveal(approval_id)
        index = self._queue.index_of(approval_id)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def give_way_to(self, approval_id: object) -> None:
        """Make a card current after the former one was decided; key presses are ignored for `SLIP_GUARD_MS`."""
        self.select(approval_id)
        self._slipped.start()

    @property
    def has_slipped(self) -> bool:
        """Whether the current card was not chosen by the operator, but replaced one that was removed."""
        return self._slipped.isValid()

    def move_by(self, step: int) -> None:
        """Move the current row by `step` rows."""
        self._is_chosen = True
        self._window.make_room(step)
        row = self.currentIndex().row() + step
        if 0 <= row < self._queue.rowCount():
            self.setCurrentIndex(self._queue.index(row, 0))

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        self._is_chosen = True
        target = self._window.target_of(action)
        return super().moveCursor(action, modifiers) if target is None else target

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._is_chosen = True
        super().mousePressEvent(event)

    def shows(self, approval_id: object) -> bool:
        """Tell whether a part of a card is visible in the list."""
        place = self.visualRect(self._queue.index_of(approval_id))
        return self.isVisible() and not place.isEmpty() and self.viewport().rect().intersects(place)

    def is_card_in_view(self) -> bool:
        """Tell whether the current card can be read in the list."""
        card, viewport = self.visualRect(self.currentIndex()), self.viewport()
        if not is_bare(viewport) or card.isEmpty():
            return False
        if card.height() > viewport.height():  # then its end must be visible, where the buttons are
            return 0 <= card.bottom() <= viewport.height()
        return lies_in(viewport, card)

    def _scroll_on(self) -> None:
        """Bring the current card into view; one that is taller than the list, a part in each turn down to its end."""
        card, height = self.visualRect(self.currentIndex()), self.viewport().height()
        if card.height() > height and card.top() <= 0 < card.bottom() - height:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + min(card.bottom() - height + 1, height - bar.singleStep()))
        else:
            self.scrollTo(self.currentIndex())

    def rowsAboutToBeRemoved(self, parent: Index, start: int, end: int) -> None:
        slips = start <= self.currentIndex().row() <= end
        super().rowsAboutToBeRemoved(parent, start, end)  # changes the current row
        if slips:
            self._slipped.start()

    def scrollTo(
        self, index: Index, hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible
    ) -> None:
        super().scrollTo(index, hint)
        if index == self.currentIndex():
            self._keeps_in_sight = True

    def _follow_scrolling(self) -> None:
        if not self._is_laying_out:
            self._keeps_in_sight = lies_in(self.viewport(), self.visualRect(self.currentIndex()))

    def updateGeometries(self) -> None:
        """Keep the current card in sight when it, the cards above it or the list change their size.

        A card that the operator has scrolled out of sight stays there.
        """
        self._is_laying_out = True
        try:
            super().updateGeometries()
            self._window.restore()
            self._bring_back()
        finally:
            self._is_laying_out = False

    def _bring_back(self) -> None:
        if self._keeps_in_sight and not lies_in(self.viewport(), self.visualRect(self.currentIndex())):
            self.scrollTo(self.currentIndex())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._is_laying_out = True
        try:
            super().resizeEvent(event)
            self._bring_back()
        finally:
            self._is_laying_out = False
        if event.oldSize().width() != event.size().width():
            self.scheduleDelayedItemsLayout()

    def paintEvent(self, event: QPaintEvent) -> None:
        fill(self, event, self._context.theme, "pane")
        super().paintEvent(event)
        if not self._queue.rowCount():  # postponed cards are shown below
            theme, words = self._context.theme, self.tr("Nothing else waits")
            painter = QPainter(self.viewport())
            painter.setFont(theme.font(Face.SMALL))
            painter.setPen(theme.color("text3"))
            painter.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter, words)
            painter.end()
        self._painted = self.current()
        self.painted.emit()


def lies_in(viewport: QWidget, card: QRect) -> bool:
    """Tell whether a whole card is visible."""
    return card.top() >= 0 and card.bottom() < viewport.height()
