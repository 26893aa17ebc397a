"""The index in the head of the Memory pane: by what memories are found, how far that is, Stop and Rebuild."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.text.tips import give_tip
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.memory.index_status import IndexState, make_index_status

if TYPE_CHECKING:
    from chimein_gui.ui.pane import PaneContext

_SIGNS = {
    IndexState.UP_TO_DATE: ("ok-circle", "ok"),
    IndexState.READING: ("spinner", "info"),
    IndexState.EMBEDDING: ("spinner", "info"),
    IndexState.STOPPED: ("pause-circle", "attention"),
    IndexState.INCOMPLETE: ("warning", "attention"),
    IndexState.BROKEN: ("alert", "danger"),
}
"""Icon and colour of each state."""


class IndexStatus(QWidget):
    """Hidden where there is no index."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        theme = context.theme
        self.model = context.own(make_index_status)
        self.title = ElidedLabel(theme, "", Face.SMALL, "text2")
        self.chip = StateChip(theme)
        self.job = ActionButton(theme, "", kind=Kind.QUIET)
        self.rebuild = ActionButton(theme, self.tr("Rebuild"), icon="refresh", kind=Kind.QUIET)
        self.rebuild.setAccessibleName(self.tr("Rebuild the index of memories"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.title, 1)
        for part in (self.chip, self.job, self.rebuild):
            row.addWidget(part)
        self.job.clicked.connect(self._change_job)
        self.rebuild.clicked.connect(lambda _checked=False: self.model.rebuild())
        self.model.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the index as it is."""
        model, status = self.model, self.model.status
        self.setVisible(status is not None)
        if status is None:
            return
        state, words = model.state, foreign_text.line(model.details(), 400)
        self.title.setText(foreign_text.line(model.title(), 200))
        icon, token = _SIGNS[state]
        self.chip.say(IconLabel(icon, foreign_text.line(model.state_words(), 80), token))
        self.chip.setAccessibleDescription(words)
        for part in (self.title, self.chip):
            give_tip(part, words or self.title.text())
        is_reading = state is IndexState.READING
        self.rebuild.allow(self.tr("The files are being read") if is_reading else "")
        if state is IndexState.EMBEDDING:
            self.job.set_look(self.tr("Stop"), "stop", kind=Kind.QUIET)
        elif state is IndexState.STOPPED:
            self.job.set_look(self.tr("Continue"), "play", kind=Kind.QUIET)
        else:
            self.job.set_look(self.tr("Try again"), "refresh", kind=Kind.QUIET)
        self.job.setVisible(state not in {IndexState.UP_TO_DATE, IndexState.READING})
        self.job.setAccessibleDescription(words)

    def _change_job(self, _checked: bool = False) -> None:
        if self.model.state is IndexState.EMBEDDING:
            self.model.stop()
        else:
            self.model.go_on()
