"""The operator's pins of the chat in sight, and another plan with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from PySide6.QtCore import QCoreApplication, Signal

from chimein_gui.domain.chats import PinKind
from chimein_gui.domain.tasks import ApprovalState
from chimein_gui.viewmodels.core.commands import CommandRunner

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import ChatId, GraphId, MessageId
    from chimein_gui.viewmodels.engine_api.engine import ChatSettingsService
    from chimein_gui.viewmodels.window import WindowModels

translate = QCoreApplication.translate


class ContextPinsApi(Protocol):
    """What this model asks of the engine."""

    @property
    def chat_settings(self) -> ChatSettingsService:
        """The settings of chats."""
        ...


class _Done(NamedTuple):
    """What the operator did to a message, for undo."""

    message_id: MessageId
    before: PinKind | None
    made: PinKind | None


class ContextPins(CommandRunner[ContextPinsApi]):
    """Pins messages in or out, takes that back, and asks for another version of a plan.

    Attributes:
        changed: The pins of the chat changed.
        chat_id: The chat, or None.
        pins: How each pinned message is pinned.
    """

    changed = Signal()

    def __init__(self, models: WindowModels) -> None:
        super().__init__(models.bridge, models)
        self._models = models
        self._undo: list[_Done] = []
        self.chat_id: ChatId | None = None
        self.pins: dict[MessageId, PinKind] = {}
        models.chats.feed.chats_changed.connect(lambda _chats: self._look())

    def follow(self, chat_id: ChatId | None) -> None:
        """Follow another chat; what was done in the one before is no longer taken back."""
        if chat_id != self.chat_id:
            self.chat_id = chat_id
            self._undo.clear()
            self._look()

    def pin(self, message_id: MessageId, kind: PinKind | None) -> None:
        """Pin a message in or out for later plans, or in for the next one; None removes the pin."""
        before = self.pins.get(message_id)
        if self.chat_id is not None and self._api is not None and before is not kind:
            self._undo.append(_Done(message_id, before, kind))
            self._pin(message_id, kind)

    def undo(self) -> None:
        """Take back the last pin, or its removal."""
        if self._undo:
            done = self._undo.pop()
            self._pin(done.message_id, done.before)

    @property
    def can_undo(self) -> bool:
        """Whether there is a pin to take back."""
        return bool(self._undo)

    def _pin(self, message_id: MessageId, kind: PinKind | None) -> None:
        if self._api is not None and self.chat_id is not None:
            command = self._api.chat_settings.pin(self.chat_id, message_id, kind)
            self._send(command, f"pin {self.chat_id} {message_id} {kind}")

    def card_of(self, graph_id: GraphId | str | None) -> Approval | None:
        """Return a card of a plan that still waits for a decision."""
        cards = self._models.approvals.of_chat(self.chat_id) if self.chat_id is not None else ()
        return next((one for one in cards if one.graph_id == graph_id and one.state is ApprovalState.OPEN), None)

    @property
    def _is_unplanned(self) -> bool:
        """Whether the chat's newest plan failed, or is going to be tried again."""
        chat = self._models.chats.chat(self.chat_id) if self.chat_id is not None else None
        problem = chat.planning_problem if chat is not None else None
        return problem is not None and (problem.is_given_up or problem.is_retried)

    def why_not_again(self, graph_id: GraphId | str | None) -> str:
        """Return why a plan can't be made again; empty if it can."""
        card = self.card_of(graph_id)
        if card is None and self._is_unplanned:
            return ""
        if card is None:
            return translate("Context", "No draft of this plan waits for a decision.")
        if self._models.regenerations.making_of(card.graph_id) is not None:
            return translate("Context", "Another version of this plan is being written.")
        return ""

    def plan_again(self, graph_id: GraphId | str | None) -> Approval | None:
        """Ask for another version of a plan, with the pins of now; returns the card that will offer it.

        If the chat's plan failed, it is made again, and there is no card yet.
        """
        card = self.card_of(graph_id)
        if card is None and self._is_unplanned and self.chat_id is not None:
            self._models.waits.plan_now(self.chat_id)
        return card if card is not None and self._models.regenerations.regenerate(card) else None

    def _look(self) -> None:
        chat = self._models.chats.chat(self.chat_id) if self.chat_id is not None else None
        now = {pin.message_id: pin.kind for pin in chat.settings.pins} if chat is not None else {}
        if now != self.pins:
            self._forget_used(now)
            self.pins = now
            self.changed.emit()

    def _forget_used(self, now: dict[MessageId, PinKind]) -> None:
        """Forget the one-time pins that a plan has used: there is nothing to take back."""
        used = {number for number, kind in self.pins.items() if kind is PinKind.ONCE and number not in now}
        newest = {done.message_id: done for done in self._undo}
        self._undo = [
            done
            for done in self._undo
            if not (done.message_id in used and done.made is PinKind.ONCE and done is newest[done.message_id])
        ]
