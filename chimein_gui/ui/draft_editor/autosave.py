"""What is typed on a draft is kept by the engine a second later: no crash and no other plan loses it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from chimein_gui.domain.approvals import Approval, Outcome, Verdict
from chimein_gui.ui.pane import PaneContext
from chimein_gui.viewmodels.approvals.store import waits_for_operator

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ApprovalId

PAUSE_MS = 1000
"""How long the hand rests before what it typed is kept."""


@dataclass(slots=True)
class _Typed:
    """What was typed on one card.

    Attributes:
        card: The card as its editor found it.
        wanted: What it shall say.
        own: What it may say because of this editor; any other text on it is somebody else's.
    """

    card: Approval
    wanted: str
    own: set[str]


class DraftAutosave(QObject):
    """Follows one open editor; each text that is kept makes a new version of the card.

    Attributes:
        original: The text of the card when its editor was opened.
    """

    def __init__(self, context: PaneContext, parent: QObject) -> None:
        super().__init__(parent)
        self._approvals, self._actions = context.models.approvals, context.models.actions
        self._typed: _Typed | None = None
        self._left: dict[ApprovalId, _Typed] = {}  # cards whose editor is closed, while an answer is on its way
        self.original = ""
        self._carried: frozenset[str] = frozenset()
        self._open = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self._send)
        self._actions.edit_kept.connect(self._answered)
        self._actions.decision_answered.connect(self._look_after)
        self._actions.failed.connect(lambda _reason: self._forget_failed())
        self._actions.about_to_approve.connect(self._keep_first)
        self._actions.ending.connect(self._keep_now)

    def begin(self, card: Approval) -> None:
        """An editor was opened on a card."""
        self._timer.stop()
        before = self._typed
        if before is not None and self._actions.is_in_flight(before.card.approval_id):
            self._left[before.card.approval_id] = before
        again = self._left.pop(card.approval_id, None)
        self._typed = _Typed(card, card.text, {card.text} | (again.own if again is not None else set()))
        self.original, self._open = card.text, True
        self._carried = frozenset()

    def move_to(self, card: Approval, text: str) -> None:
        """What is typed goes on, on the draft that took the card's place: what was kept of it goes when it leaves."""
        typed = self._typed
        old = frozenset() if typed is None else self._carried | typed.own - {typed.card.draft_text}
        self.begin(card)
        self._carried = old
        self._actions.carry(card.approval_id, old)
        self.note(text)

    def go_back(self) -> None:
        """The draft's own text is wanted again: what was carried over is not what will be sent."""
        if self._typed is not None:
            self._carried = frozenset()
            self._actions.carry(self._typed.card.approval_id, self._carried)

    def note(self, text: str) -> None:
        """Something was typed."""
        if self._typed is not None and text != self._typed.wanted:
            self._typed.wanted = text
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
        self._open = False
        if self._typed is not None:
            self._typed.wanted = self.original
        self._send()

    def is_own(self, card: Approval) -> bool:
        """Tell whether a card that has changed only says what was typed here; it may be stored after that is over."""
        typed = self._typed
        return typed is not None and typed.card.approval_id == card.approval_id and card.text in typed.own

    def _send(self) -> None:
        if self._typed is not None and not self._store(self._typed):
            self._timer.start()  # another decision is on its way

    def _store(self, typed: _Typed) -> bool:
        """Let a card say what was typed on it, if that is still to be done; False if it has to wait."""
        now = self._approvals.find(typed.card.approval_id)
        if now is None or not waits_for_operator(now) or now.text == typed.wanted or now.text not in typed.own:
            return True
        typed.own.add(typed.wanted)
        return self._actions.keep_edit(now, typed.wanted)

    def _keep_now(self) -> None:
        """What was typed within the last second is kept without a rest: the program ends, or the editor closes."""
        if self._timer.isActive():
            self._timer.stop()
            self._send()

    def _keep_first(self, card: Approval) -> None:
        """Its own button is pressed beside the open editor: never the text from before what was typed."""
        if self._open and self._typed is not None and self._typed.card.approval_id == card.approval_id:
            self._timer.stop()
            self._send()

    def _answered(self, outcome: Outcome) -> None:
        typed = self._typed
        if typed is None or typed.card.approval_id != outcome.approval.approval_id:
            self._look_after(outcome)
        elif not self._timer.isActive() and outcome.verdict in (Verdict.ACCEPTED, Verdict.OUTDATED):
            self._send()  # more was typed, or given up, meanwhile

    def _forget_failed(self) -> None:
        """What could not be stored was told; nothing of it is stored later, when nobody expects it."""
        self._left = {key: typed for key, typed in self._left.items() if self._actions.is_in_flight(key)}

    def _look_after(self, outcome: Outcome) -> None:
        """Store what is still to be stored of a card whose editor was closed, or turned to another, too soon."""
        typed = self._left.get(outcome.approval.approval_id)
        if typed is None:
            return
        if outcome.verdict in (Verdict.ACCEPTED, Verdict.OUTDATED):
            self._store(typed)
        if not self._actions.is_in_flight(outcome.approval.approval_id):
            del self._left[outcome.approval.approval_id]
