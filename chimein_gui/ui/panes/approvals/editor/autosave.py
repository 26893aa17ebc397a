"""What is typed on a draft is kept by the engine a second later: no crash and no other plan loses it."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from chimein_gui.domain.approvals import Approval, Outcome, Verdict
from chimein_gui.ui.pane import PaneContext
from chimein_gui.viewmodels.approvals.store import waits_for_operator

PAUSE_MS = 1000
"""How long the hand rests before what it typed is kept."""


class Journal(QObject):
    """Follows one open editor; each text that is kept makes a new version of the card.

    Attributes:
        original: The text of the card when its editor was opened.
    """

    def __init__(self, context: PaneContext, parent: QObject) -> None:
        super().__init__(parent)
        self._approvals, self._actions = context.models.approvals, context.models.actions
        self._card: Approval | None = None
        self._wanted = self.original = ""
        self._own: set[str] = set()
        self._carried: frozenset[str] = frozenset()
        self._open = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self._send)
        self._actions.edit_kept.connect(self._answered)
        self._actions.about_to_approve.connect(self._keep_first)
        self._actions.ending.connect(self._keep_now)

    def begin(self, card: Approval) -> None:
        """An editor was opened on a card."""
        self._timer.stop()
        self._card, self._wanted, self.original = card, card.text, card.text
        self._own, self._open = {card.text}, True
        self._carried = frozenset()

    def move_to(self, card: Approval, text: str) -> None:
        """What is typed goes on, on the draft that took the card's place: what was kept of it goes when it leaves."""
        old = frozenset() if self._card is None else self._carried | self._own - {self._card.draft_text}
        self.begin(card)
        self._carried = old
        self._actions.carry(card.approval_id, old)
        self.note(text)

    def go_back(self) -> None:
        """The draft's own text is wanted again: what was carried over is not what will be sent."""
        if self._card is not None:
            self._carried = frozenset()
            self._actions.carry(self._card.approval_id, self._carried)

    def note(self, text: str) -> None:
        """Something was typed."""
        if self._card is not None and text != self._wanted:
            self._wanted = text
            self._timer.start()

    def rest(self) -> None:
        """Keep nothing for now: what stands in the editor is being decided on."""
        self._timer.stop()

    def end(self) -> None:
        """The editor is closed, or turns to another card; what was typed on this one stays."""
        self._open = False
        self._keep_now()

    def give_up(self) -> None:
        """The operator left the draft as it was: the card says so too."""
        self._timer.stop()
        self.go_back()
        self._open, self._wanted = False, self.original
        self._send()

    def is_own(self, card: Approval) -> bool:
        """Tell whether a card that has changed only says what was typed here; it may be stored after that is over."""
        return self._card is not None and self._card.approval_id == card.approval_id and card.text in self._own

    def _send(self) -> None:
        now = self._approvals.find(self._card.approval_id) if self._card is not None else None
        if now is None or not waits_for_operator(now) or now.text == self._wanted or not self.is_own(now):
            return
        self._own.add(self._wanted)
        if not self._actions.keep_edit(now, self._wanted):
            self._timer.start()  # another decision is on its way

    def _keep_now(self) -> None:
        """What was typed within the last second is kept without a rest: the program ends, or the editor closes."""
        if self._timer.isActive():
            self._timer.stop()
            self._send()

    def _keep_first(self, card: Approval) -> None:
        """Its own button is pressed beside the open editor: never the text from before what was typed."""
        if self._open and self._card is not None and self._card.approval_id == card.approval_id:
            self._timer.stop()
            self._send()

    def _answered(self, outcome: Outcome) -> None:
        card = self._card
        if card is None or card.approval_id != outcome.approval.approval_id or self._timer.isActive():
            return
        if outcome.verdict in (Verdict.ACCEPTED, Verdict.OUTDATED):
            self._send()  # more was typed, or given up, meanwhile
