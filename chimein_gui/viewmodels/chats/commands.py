"""Commands on a whole chat: trust level, which messages trigger plans, hold and takeover."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Signal

from chimein_gui.domain.chats import TrustLevel
from chimein_gui.viewmodels.core.commands import CommandRunner

if TYPE_CHECKING:
    from chimein_gui.domain.chats import QuietHours, TriggerMode
    from chimein_gui.domain.holds import HoldScope
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.viewmodels.engine_api.engine import ChatSettingsService, HoldsService, TakeoversService

AUTO_FOR_S = 3600.0
"""How long "Auto for 1 hour" lasts."""


class ChatCommandsApi(Protocol):
    """What this model asks of the engine."""

    @property
    def chat_settings(self) -> ChatSettingsService:
        """The settings of chats."""
        ...

    @property
    def holds(self) -> HoldsService:
        """Holds, and their release."""
        ...

    @property
    def takeovers(self) -> TakeoversService:
        """Takeovers of chats."""
        ...


class ChatCommands(CommandRunner[ChatCommandsApi]):
    """Each command is one engine call; the chat changes when the engine reports it.

    Attributes:
        taken_over: The operator takes a chat over and is about to write there; its id.
    """

    taken_over = Signal(object)

    def set_trust(self, chat_id: ChatId, level: TrustLevel | None, *, for_an_hour: bool = False) -> None:
        """Set a chat's trust level; None takes the agent's level."""
        if self._api is not None:
            for_s = AUTO_FOR_S if for_an_hour else None
            command = self._api.chat_settings.set_trust(chat_id, level, for_s=for_s)
            self._send(command, f"set trust {chat_id} {level} {for_s}")

    def set_triggers(self, chat_id: ChatId, triggers: TriggerMode | None) -> None:
        """Set which messages trigger a plan; None takes the default of the chat's kind."""
        if self._api is not None:
            self._send(self._api.chat_settings.set_triggers(chat_id, triggers), f"triggers {chat_id} {triggers}")

    def set_quiet_hours(self, chat_id: ChatId, hours: QuietHours | None) -> None:
        """Set the hours in which nothing is sent automatically; None sets none."""
        if self._api is not None:
            self._send(self._api.chat_settings.set_quiet_hours(chat_id, hours), f"quiet {chat_id} {hours}")

    def allow(self, chat_id: ChatId, *, bots: bool | None = None, agents: bool | None = None) -> None:
        """Set whether messages of bots, or of the operator's other agents, may trigger a plan; None changes nothing."""
        if self._api is None:
            return
        settings = self._api.chat_settings
        if bots is not None:
            self._send(settings.allow_bots(chat_id, allowed=bots), f"allow bots {chat_id} {bots}")
        if agents is not None:
            self._send(settings.allow_agents(chat_id, allowed=agents), f"allow agents {chat_id} {agents}")

    def hold(self, scope: HoldScope, target: int, reason: str = "") -> None:
        """Hold one chat or one account; planning goes on."""
        if self._api is not None:
            self._send(self._api.holds.hold(scope, target, reason), f"hold {scope} {target}")

    def take_over(self, chat_id: ChatId) -> None:
        """Pause the agent in a chat while the operator writes there."""
        if self._api is not None:
            self._send(self._api.takeovers.begin(chat_id), f"take over {chat_id}")
            self.taken_over.emit(chat_id)

    def resume(self, chat_id: ChatId) -> None:
        """End the pause of a takeover."""
        if self._api is not None:
            self._send(self._api.takeovers.resume(chat_id), f"resume {chat_id}")
