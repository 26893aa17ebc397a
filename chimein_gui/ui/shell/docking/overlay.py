"""In a narrow window the panes at the trailing edge are shown over the transcript, one at a time and on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, QPropertyAnimation, QRect, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout

from chimein_gui.ui.shell.docking.docks import trailing_side
from chimein_gui.ui.shell.docking.layout_memory import LAYOUT_VERSION
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.surfaces.pane_title import PaneTitle
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import MOTION_MS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QMainWindow

    from chimein_gui.ui.pane import Pane
    from chimein_gui.ui.shell.docking.docks import PaneDock
    from chimein_gui.ui.shell.docking.maximize import MaximizeController
    from chimein_gui.ui.widgets.theme.theme import Theme

NARROW_BELOW = 1180
"""Width of the window in px below which panes beside the transcript are shown in the overlay."""

WIDTH, LEFT_FREE = 380, 80
_MOVES = {QEvent.Type.Resize, QEvent.Type.Move}


class PaneOverlay(Surface):
    """Takes a pane from its dock to show it, and returns it later.

    Attributes:
        closed: The operator or the window has closed it, so that the central pane is in use.
        maximise_pressed: The pane with this id shall be maximized.
        pane_id: The pane that is shown; empty if none is.
    """

    closed = Signal()
    maximise_pressed = Signal(str)

    def __init__(
        self,
        window: QMainWindow,
        theme: Theme,
        panes: Mapping[str, Pane],
        docks: Mapping[str, PaneDock],
        maximizer: MaximizeController,
    ) -> None:
        super().__init__(theme, "pane", frame="line_strong")  # the pane covers all of it but the leading edge
        self.setParent(window)
        self.setObjectName("overlay")
        self._window, self._panes, self._all_docks, self._maximizer = window, panes, docks, maximizer
        self.pane_id = ""
        self._before = QByteArray()
        self._docks: tuple[PaneDock, ...] = ()
        self._slide = QPropertyAnimation(self, QByteArray(b"pos"), self)
        self._slide.setDuration(MOTION_MS)
        self._widths: list[int] = []
        self._title = PaneTitle(theme, "")
        self._all_the_room = ActionButton(theme, "", icon="maximise", kind=Kind.QUIET)
        self._close = ActionButton(theme, "", icon="x", kind=Kind.QUIET)
        for button, name in (
            (self._all_the_room, self.tr("Maximize this pane")),
            (self._close, self.tr("Close this pane (Esc)")),
        ):
            button.setAccessibleName(name)
            button.setToolTip(foreign_text.tool_tip(name))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setFixedWidth(28)
            self._title.add_button(button)
        self._all_the_room.clicked.connect(lambda: self.maximise_pressed.emit(self.pane_id))
        self._close.clicked.connect(self.close_pane)
        self._column = QVBoxLayout(self)
        set_rtl_margins(self._column, 1, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self._title)
        maximizer.central.installEventFilter(self)
        maximizer.taking.connect(self.leave)
        self.hide()

    @property
    def is_on(self) -> bool:
        """Whether the panes beside the chat are shown in the overlay."""
        return bool(self._docks)

    def takes(self, pane_id: str) -> bool:
        """Tell whether a pane is shown in the overlay when it is requested."""
        return any(dock.spec.pane_id == pane_id for dock in self._docks)

    def plain_state(self) -> QByteArray:
        """Return the layout in a wide window."""
        return self._before

    def follow_width(self) -> None:
        """Take over the panes beside the chat in a narrow window, or return them in a wide one."""
        if self._maximizer.pane_id:
            return
        if self._window.width() < NARROW_BELOW:
            docks = tuple(dock for dock in self._all_docks.values() if self._stands_beside(dock))
            if docks:
                self._before = self._window.saveState(LAYOUT_VERSION)
                self._widths = [dock.width() for dock in docks]
                self._docks = (*self._docks, *(dock for dock in docks if dock not in self._docks))
                for dock in docks:
                    dock.hide()
        else:
            self.leave()

    def open_pane(self, pane_id: str) -> None:
        """Show a pane in the overlay."""
        if pane_id != self.pane_id:
            self._return_pane()
            self.pane_id = pane_id
            dock, pane = self._all_docks[pane_id], self._panes[pane_id]
            self._title.title.setText(dock.word)
            self._column.addWidget(pane, 1)
            pane.show()
            self._place()
        comes = self.isHidden()
        self.show()
        self.raise_()
        if comes and not self._theme.reduced_motion and self._window.isVisible():
            self._slide_in()

    def close_pane(self) -> None:
        """Close the overlay."""
        if self.pane_id:
            self._return_pane()
            self.hide()
            self.closed.emit()

    def leave(self) -> None:
        """Return all panes to their docks, and show the docks."""
        shown, docks, self._docks = self.pane_id, self._docks, ()
        self._return_pane()
        self.hide()
        for dock in docks:
            dock.show()
        if docks:
            front = next((dock for dock in docks if dock.spec.pane_id == shown), docks[0])
            front.raise_()
            self._window.resizeDocks([front], [max(self._widths)], Qt.Orientation.Horizontal)
        for dock in docks:
            dock.fold_title()  # only now are all docks tabbed again

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close the overlay on an Esc that the pane did not handle."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_pane()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _MOVES:
            self._place()
        return super().eventFilter(watched, event)

    def _stands_beside(self, dock: PaneDock) -> bool:
        is_beside = self._window.dockWidgetArea(dock) is trailing_side(self._window)
        return is_beside and not dock.isFloating() and not dock.isHidden()

    def _return_pane(self) -> None:
        if self.pane_id:
            dock, self.pane_id = self._all_docks[self.pane_id], ""
            dock.setWidget(dock.pane)

    def _slide_in(self) -> None:
        from PySide6.QtCore import QEasingCurve  # late: its enums are large

        place = self.pos()
        self._slide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._slide.setStartValue(place + QPoint(self.width(), 0))
        self._slide.setEndValue(place)
        self._slide.start()

    def _place(self) -> None:
        self._slide.stop()
        room = self._maximizer.central.geometry()
        width = min(WIDTH, room.width() - LEFT_FREE)
        left = room.left() if self.isRightToLeft() else room.right() - width + 1
        self.setGeometry(QRect(left, room.top(), width, room.height()))
