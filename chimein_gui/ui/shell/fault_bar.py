"""One bar under the top bar: what happened, what it means for messages, what to do."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolBar, QWidget

from chimein_gui.ui.widgets import foreign_text, icons
from chimein_gui.ui.widgets.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme import Face, Theme
from chimein_gui.ui.widgets.verb_button import Kind, VerbButton
from chimein_gui.viewmodels.faults import FaultModel


class _Strip(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumHeight(44)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("danger_soft"))
        painter.fillRect(0, 0, 4, self.height(), self._theme.color("danger"))
        icons.draw(painter, "alert", self._theme.color("danger"), QRectF(20, self.height() / 2 - 9, 18, 18))
        painter.end()


class FaultBar(QToolBar):
    """Shows the newest fault; never goes away by itself while the fault lasts."""

    def __init__(self, theme: Theme, faults: FaultModel) -> None:
        super().__init__()
        self._faults = faults
        self.setObjectName("fault_bar")
        self.setWindowTitle(self.tr("Problems"))
        self.setMovable(False)
        self.setFloatable(False)
        self.toggleViewAction().setEnabled(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._strip = _Strip(theme)
        self._cause = PlainLabel(theme, "", Face.STRONG, "danger")
        self._remedy = ElidedLabel(theme, "", Face.BODY, "text1")
        self._number = PlainLabel(theme, "", Face.SMALL, "text2")
        self._close = VerbButton(theme, "", icon="x", kind=Kind.QUIET)
        self._close.setAccessibleName(self.tr("Put this problem away"))
        self._close.clicked.connect(self._dismiss)
        row = QHBoxLayout(self._strip)
        row.setContentsMargins(48, 0, 10, 0)
        row.setSpacing(10)
        row.addWidget(self._cause)
        row.addWidget(self._remedy, 1)
        row.addWidget(self._number)
        row.addWidget(self._close)
        self.addWidget(self._strip)
        faults.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show what is newest, or nothing."""
        faults = self._faults.faults
        self.setVisible(bool(faults))
        if not faults:
            return
        cause, remedy = foreign_text.line(faults[0].cause, 160), foreign_text.line(faults[0].remedy, 300)
        self._cause.setText(cause)
        self._remedy.setText(remedy)
        self._remedy.setToolTip(foreign_text.tool_tip(f"{faults[0].cause} {faults[0].remedy}"))
        self._number.setText(self.tr("1 of {n}").format(n=len(faults)) if len(faults) > 1 else "")
        self._strip.setAccessibleName(self.tr("Problem: {cause} {remedy}").format(cause=cause, remedy=remedy))

    def _dismiss(self) -> None:
        if self._faults.faults:
            self._faults.dismiss(self._faults.faults[0].key)
