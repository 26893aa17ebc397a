"""Shows in the editor that the draft has changed, and what can be done with the typed text."""

from __future__ import annotations

from PySide6.QtCore import Signal

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.surfaces.inline_message import InlineMessage
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.theme import Theme


class Banner(InlineMessage):
    """What happened to the draft; the operator must decide.

    Attributes:
        used: Use the text on the new draft.
        discarded: Discard the text.
    """

    used = Signal()
    discarded = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.offers_new_draft = False
        self.blocks = False
        self._use = ActionButton(theme, self.tr("Use my text on the new draft"), kind=Kind.PLAIN)
        self._discard = ActionButton(theme, self.tr("Discard"), kind=Kind.QUIET)
        self._use.clicked.connect(self.used)
        self._discard.clicked.connect(self.discarded)
        self.add_below(self._use, self._discard)
        self.dismiss()

    def show_replaced(self, has_successor: bool, now: Approval | None) -> None:
        """Show that the draft is gone or was decided; `now` is its current state, None if it is gone."""
        if has_successor:
            words = self.tr("A new plan replaced this draft. Your edit is saved.")
        elif now is not None and now.task_status is not TaskStatus.AWAITING_DECISION:
            words = self.tr("This draft was decided without your edit, which is saved here.")
        else:
            words = self.tr("This draft is gone and there is no new one yet. Your edit is saved here.")
        self._tell(words, offers=has_successor, blocks=True)

    def show_rewritten(self) -> None:
        """Show that the draft's text was changed elsewhere."""
        self._tell(self.tr("The draft changed while you typed. Your edit is saved."), offers=True, blocks=True)

    def show_changed(self, explanation: str) -> None:
        """Show that there are newer messages, so that sending needs a second press."""
        words = explanation or self.tr("The conversation moved on after this was planned.")
        self._tell(self.tr("{what} Press again to send anyway.").format(what=words), offers=False, blocks=False)

    def buttons(self) -> tuple[ActionButton, ...]:
        """Return both buttons, hidden ones included."""
        return self._use, self._discard

    def dismiss(self) -> None:
        """Hide the banner."""
        self.offers_new_draft = self.blocks = False
        self.say(None)

    def _tell(self, words: str, *, offers: bool, blocks: bool) -> None:
        self.offers_new_draft, self.blocks = offers, blocks
        self._use.setVisible(offers)
        self._discard.setVisible(blocks)
        self.say(IconLabel("warning", words, "attention"))
