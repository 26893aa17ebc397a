"""Shows in the editor that the draft has changed, and what can be done with the typed text."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme


class Banner(Surface):
    """An amber banner; the operator must decide.

    Attributes:
        used: Use the text on the new draft.
        discarded: Discard the text.
    """

    used = Signal()
    discarded = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "attention_soft", frame="attention_line", radius=6)
        self.offers_new_draft = False
        self.blocks = False
        self._words = PlainLabel(theme, "", Face.SMALL, "attention")
        self._words.setWordWrap(True)
        self._use = ActionButton(theme, self.tr("Use my text on the new draft"), kind=Kind.PLAIN)
        self._discard = ActionButton(theme, self.tr("Discard"), kind=Kind.QUIET)
        self._use.clicked.connect(self.used)
        self._discard.clicked.connect(self.discarded)
        row = QHBoxLayout()
        row.addWidget(self._use)
        row.addWidget(self._discard)
        row.addStretch(1)
        column = QVBoxLayout(self)
        set_rtl_margins(column, 11, 8, 9, 8)
        column.setSpacing(7)
        column.addWidget(self._words)
        column.addLayout(row)
        self.dismiss()

    def show_replaced(self, has_successor: bool, now: Approval | None) -> None:
        """Show that the draft is gone or was decided; `now` is its current state, None if it is gone."""
        if has_successor:
            words = self.tr("A new plan replaced this draft. Your edit is saved.")
        elif now is not None and now.task_status is not TaskStatus.AWAITING_DECISION:
            words = self.tr("This draft was decided without your edit, which is saved here.")
        else:
            words = self.tr("This draft is gone and there is no new one yet. Your edit is saved here.")
        self._show(words, offers=has_successor, blocks=True)

    def show_rewritten(self) -> None:
        """Show that the draft's text was changed elsewhere."""
        self._show(self.tr("The draft changed while you typed. Your edit is saved."), offers=True, blocks=True)

    def show_changed(self, explanation: str) -> None:
        """Show that there are newer messages, so that sending needs a second press."""
        words = explanation or self.tr("The conversation moved on after this was planned.")
        self._show(self.tr("{what} Press again to send anyway.").format(what=words), offers=False, blocks=False)

    def buttons(self) -> tuple[ActionButton, ...]:
        """Return both buttons, hidden ones included."""
        return self._use, self._discard

    def dismiss(self) -> None:
        """Hide the banner."""
        self.offers_new_draft = self.blocks = False
        self.hide()

    def _show(self, words: str, *, offers: bool, blocks: bool) -> None:
        self.offers_new_draft, self.blocks = offers, blocks
        self._words.setText(words)
        self._use.setVisible(offers)
        self._discard.setVisible(blocks)
        self.setAccessibleName(words)
        self.show()
