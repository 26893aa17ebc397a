"""The operator's pins of the chat in sight, and another plan with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal

from chimein_gui.domain.tasks import ApprovalState
from chimein_gui.viewmodels.core.commands import CommandRunner

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import ChatId, GraphId, MessageId
    from chimein_gui.viewmodels.window import WindowModels

translate = QCoreApplication.translate


class ContextPins(CommandRunner):
    """Pins messages in or out, takes that back, and asks for another version of a plan.

    Attributes:
        changed: The pins of the chat changed.
        chat_id: The chat, or None.
        pins: Whether each pinned message is pinned in.
    """

    changed = Signal()

    def __init__(self, models: WindowModels) -> None:
        super().__init__(models.bridge, models)
        self._models = models
        self._undo: list[tuple[ChatId, MessageId, bool | None]] = []
        self.chat_id: ChatId | None = None
        self.pins: dict[MessageId, bool] = {}
        models.chats.chats_changed.connect(lambda _chats: self._look())

    def follow(self, chat_id: ChatId | None) -> None:
        """Follow another chat; what was done in the one before is no longer taken back."""
        if chat_id != self.chat_id:
            self.chat_id = chat_id
            self._undo.clear()
            self._look()

    def pin(self, message_id: MessageId, *, is_in: bool | None) -> None:
        """Pin a message in or out for every later plan; None removes the pin."""
        before = self.pins.get(message_id)
        if self.chat_id is not None and self._console is not None and before is not is_in:
            self._undo.append((self.chat_id, message_id, before))
            self._pin(self.chat_id, message_id, is_in)

    def undo(self) -> None:
        """Take back the last pin, or its removal."""
        if self._undo:
            self._pin(*self._undo.pop())

    @property
    def can_undo(self) -> bool:
        """Whether there is a pin to take back."""
        return bool(self._undo)

    def _pin(self, chat_id: ChatId, message_id: MessageId, is_in: bool | None) -> None:
        if self._console is not None:
            verb = self._console.chat_settings.pin(chat_id, message_id, is_in=is_in)
            self._send(verb, f"pin {chat_id} {message_id} {is_in}")

    def card_of(self, graph_id: GraphId | str | None) -> Approval | None:
        """Return a card of a plan that still waits for a decision."""
        cards = self._models.approvals.of_chat(self.chat_id) if self.chat_id is not None else ()
        return next((one for one in cards if one.graph_id == graph_id and one.state is ApprovalState.OPEN), None)

    def why_not_again(self, graph_id: GraphId | str | None) -> str:
        """Return why a plan can't be made again; empty if it can."""
        card = self.card_of(graph_id)
        if card is None:
            return translate("Context", "No draft of this plan waits for a decision.")
        if self._models.regenerations.making_of(card.graph_id) is not None:
            return translate("Context", "Another version of this plan is being written.")
        return ""

    def plan_again(self, graph_id: GraphId | str | None) -> Approval | None:
        """Ask for another version of a plan, with the pins of now; returns the card that will offer it."""
        card = self.card_of(graph_id)
        return card if card is not None and self._models.regenerations.regenerate(card) else None

    def _look(self) -> None:
        chat = self._models.chats.chat(self.chat_id) if self.chat_id is not None else None
        now = {pin.message_id: pin.is_in for pin in chat.settings.pins} if chat is not None else {}
        if now != self.pins:
            self.pins = now
            self.changed.emit()
