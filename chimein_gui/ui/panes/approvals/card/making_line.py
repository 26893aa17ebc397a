"""Shows that another version is being generated, with its instruction and the elapsed time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout

from chimein_gui.ui.panes.approvals.card.changed_block import ThemedIcon
from chimein_gui.ui.panes.approvals.card.section import SoftBlock
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.theme import CONTROL, ControlStyle, Face

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.ui.pane import PaneContext

LIMIT_S = 60
"""Time in seconds at which the progress bar is full: the longest model call."""


class MakingLine(SoftBlock):
    """Hidden while no version is being generated."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context.theme, "info_soft", "line")
        self._context = context
        self._approval: Approval | None = None
        self._words = ElidedLabel(context.theme, "", Face.SMALL)
        self._time = PlainLabel(context.theme, "", Face.SMALL, "text2")
        self._time.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._bar = QProgressBar()
        self._bar.setRange(0, LIMIT_S)
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(3)
        self._bar.setAccessibleName(self.tr("Time since the model was asked"))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(ThemedIcon(context.theme, "refresh", "info"))
        row.addWidget(self._words, 1)
        row.addWidget(self._time)
        column = QVBoxLayout(self)
        column.setContentsMargins(22, 9, 22, 10)
        column.setSpacing(7)
        column.addLayout(row)
        column.addWidget(self._bar)
        self._bar.setProperty(CONTROL, ControlStyle.LINE.value)
        self.hide()

    def show_card(self, approval: Approval) -> None:
        """Show whether another version of a card's plan is being generated."""
        self._approval = approval
        making = self._context.models.regenerations.making_of(approval.graph_id)
        self.setVisible(making is not None)
        if making is not None:
            asked = foreign_text.line(making.instruction, 160)
            self._words.setText(f"“{asked}”" if asked else self.tr("Writing another version"))
            self.setAccessibleName(self.tr("Writing another version: {words}").format(words=asked))
            self.tick()

    def tick(self) -> None:
        """Update the elapsed time; called each second."""
        approval = self._approval
        making = self._context.models.regenerations.making_of(approval.graph_id) if approval is not None else None
        if making is not None:
            seconds = max(0, int((self._context.models.clock.now() - making.since).total_seconds()))
            self._time.setText(self.tr("{n} s").format(n=seconds))
            self._bar.setValue(min(LIMIT_S, seconds))
