"""The one visible switch of *Hold everything*: its state, its reason, and the review that a release opens."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from chimein_gui.domain.holds import Backlog
from chimein_gui.ui.dialogs.backlog import BacklogDialog
from chimein_gui.ui.shell.chip import Chip
from chimein_gui.ui.widgets import foreign_text
from chimein_gui.ui.widgets.marks import Sign
from chimein_gui.ui.widgets.theme import Theme
from chimein_gui.viewmodels.holds import HoldModel

SHOWN_REASON = 60
"""Characters of a reason in the bar; the tool tip has the rest."""


class HoldSwitch(Chip):
    """Amber while everything is held."""

    def __init__(self, theme: Theme, holds: HoldModel) -> None:
        super().__init__(theme)
        self._holds = holds
        self.clicked.connect(self.press)
        holds.changed.connect(self.refresh)
        self.refresh()

    def press(self) -> None:
        """Hold everything, or let go."""
        if self._holds.everything() is None:
            self._holds.hold()
        else:
            self._holds.release()

    def refresh(self) -> None:
        """Show the state and its reason."""
        held = self._holds.everything()
        if held is not None:
            reason = foreign_text.line(held.reason, SHOWN_REASON)
            self.say(Sign("hand", self.tr("Everything is held"), "attention"), reason, "attention_soft")
            self.setToolTip(foreign_text.tool_tip(self.tr("Press to release (F8). {why}").format(why=held.reason)))
            return
        others = len(self._holds.holds)
        more = self.tr("{n} in part").format(n=others) if others else ""
        self.say(Sign("hand", self.tr("Hold everything"), "text2"), more)
        self.setToolTip(self.tr("Nothing leaves until you release it (F8)"))


class BacklogOpener(QObject):
    """Opens the review of what lived through a hold."""

    def __init__(self, theme: Theme, holds: HoldModel, switch: HoldSwitch) -> None:
        super().__init__(switch)
        self._theme, self._holds, self._switch = theme, holds, switch
        holds.backlog_opened.connect(self._open)

    def _open(self, backlog: Backlog) -> None:
        # Not inside the drain of events: a window that opens takes the focus and paints.
        QTimer.singleShot(0, self, lambda: self._show(backlog))

    def _show(self, backlog: Backlog) -> None:
        BacklogDialog(self._theme, self._holds, backlog, self._switch.window()).open()
