"""Saves the text of a draft to the engine a second after the last key, so that a crash or a new plan can't lose it."""

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
"""Time after the last key until the text is saved, ms."""


@dataclass(slots=True)
class _Typed:
    """What was typed on one card.

    Attributes:
        card: The card when its editor was opened.
        wanted: The text to store.
        own: The texts that this editor has stored or found; any other text on the card comes from somebody else.
    """

    card: Approval
    wanted: str
    own: set[str]


class DraftAutosave(QObject):
    """Saves the text of one open editor; each saved text makes a new version of the card.

    Attributes:
        original: The text of the card when its editor was opened.
    """

    def __init__(self, context: PaneContext, parent: QObject) -> None:
        super().__init__(parent)
        self._approvals, self._actions = context.models.approvals, context.models.actions
        self._typed: _Typed | None = None
        self._left: dict[ApprovalId, _Typed] = {}  # cards whose editor is closed, while a decision is in flight
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
        """Start saving for a card whose editor was opened."""
        self._timer.stop()
        before = self._typed
        if before is not None and self._actions.is_in_flight(before.card.approval_id):
            self._left[before.card.approval_id] = before
        again = self._left.pop(card.approval_id, None)
        self._typed = _Typed(card, card.text, {card.text} | (again.own if again is not None else set()))
        self.original, self._open = card.text, True
        self._carried = frozenset()

    def move_to(self, card: Approval, text: str) -> None:
        """Continue on the draft that replaced the card.

        Texts saved on the old card are deleted once the new one is sent.
        """
        typed = self._typed
        old = frozenset() if typed is None else self._carried | typed.own - {typed.card.draft_text}
        self.begin(card)
        self._carried = old
        self._actions.carry(card.approval_id, old)
        self.note(text)

    def resume(self, left: str) -> None:
        """Continue a text that was left beside its draft; that one is deleted once the draft is approved edited."""
        if self._typed is not None:
            self._carried = frozenset({left})
            self._actions.carry(self._typed.card.approval_id, self._carried)

    def go_back(self) -> None:
        """Keep the texts saved on a replaced card: the draft's own text was restored, so they will not be sent."""
        if self._typed is not None:
            self._carried = frozenset()
            self._actions.carry(self._typed.card.approval_id, self._carried)

    def note(self, text: str) -> None:
        """Save this text after `PAUSE_MS` without further changes."""
        if self._typed is not None and text != self._typed.wanted:
            self._typed.wanted = text
            self._timer.start()

    def rest(self) -> None:
        """Save nothing until the next edit: the text is being submitted."""
        self._timer.stop()

    def end(self) -> None:
        """Save at once what was not saved yet: the editor is closed or opens another card."""
        self._open = False
        self._keep_now()

    def give_up(self) -> None:
        """Store the original text again: the operator cancelled the edit."""
        self._timer.stop()
        self.go_back()
        self._open = False
        if self._typed is not None:
            self._typed.wanted = self.original
        self._send()

    def is_own(self, card: Approval) -> bool:
        """Tell whether a changed card only has a text that this editor has saved, perhaps just before it was closed."""
        typed = self._typed
        return typed is not None and typed.card.approval_id == card.approval_id and card.text in typed.own

    def _send(self) -> None:
        if self._typed is not None and not self._store(self._typed):
            self._timer.start()  # another decision is in flight

    def _store(self, typed: _Typed) -> bool:
        """Save a card's text if that is still possible and needed; False if another decision is in flight."""
        now = self._approvals.find(typed.card.approval_id)
        if now is None or not waits_for_operator(now) or now.text == typed.wanted or now.text not in typed.own:
            return True
        typed.own.add(typed.wanted)
        return self._actions.keep_edit(now, typed.wanted)

    def _keep_now(self) -> None:
        """Save without waiting for the pause: the program ends, or the editor closes."""
        if self._timer.isActive():
            self._timer.stop()
            self._send()

    def _keep_first(self, card: Approval) -> None:
        """Save before an approval by the card's own button, so that it approves what was typed."""
        if self._open and self._typed is not None and self._typed.card.approval_id == card.approval_id:
            self._timer.stop()
            self._send()

    def _answered(self, outcome: Outcome) -> None:
        typed = self._typed
        if typed is None or typed.card.approval_id != outcome.approval.approval_id:
            self._look_after(outcome)
        elif not self._timer.isActive() and outcome.verdict in (Verdict.ACCEPTED, Verdict.OUTDATED):
            self._send()  # the text was edited or cancelled meanwhile

    def _forget_failed(self) -> None:
        """Drop the texts of closed editors that could not be saved.

        The operator was told, and does not expect a later save.
        """
        self._left = {key: typed for key, typed in self._left.items() if self._actions.is_in_flight(key)}

    def _look_after(self, outcome: Outcome) -> None:
        """Save the last text of a closed editor, which had to wait for the answer to another decision."""
        typed = self._left.get(outcome.approval.approval_id)
        if typed is None:
            return
        if outcome.verdict in (Verdict.ACCEPTED, Verdict.OUTDATED):
            self._store(typed)
        if not self._actions.is_in_flight(outcome.approval.approval_id):
            del self._left[outcome.approval.approval_id]
