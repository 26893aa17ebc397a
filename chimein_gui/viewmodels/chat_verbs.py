"""What the operator does with a whole chat: how much leaves by itself, and the end of a takeover."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.errors import ChimeinError

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from chimein_gui.domain.ids import ChatId
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.bridge import EngineBridge
    from chimein_gui.viewmodels.console import ChatSettingsConsole, Console

AUTO_FOR_S = 3600.0
"""How long "Auto for 1 hour" lasts (SPEC §6)."""


def trust_word(level: TrustLevel) -> str:
    """Return what a level is called."""
    return {
        TrustLevel.OFF: QCoreApplication.translate("Trust", "Off"),
        TrustLevel.OBSERVE: QCoreApplication.translate("Trust", "Observe"),
        TrustLevel.REVIEW: QCoreApplication.translate("Trust", "Review"),
        TrustLevel.COUNTDOWN: QCoreApplication.translate("Trust", "Countdown"),
        TrustLevel.AUTO: QCoreApplication.translate("Trust", "Auto"),
    }[level]


class ChatVerbs(QObject):
    """Each verb is one call down; the chat changes when the engine reports.

    Attributes:
        failed: A verb could not be carried out; why.
    """

    failed = Signal(str)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._desk: ChatSettingsConsole | None = None
        self._spawn: Spawn | None = None

    def attach(self, console: Console, spawn: Spawn) -> None:
        """Remember whom to ask."""
        self._desk, self._spawn = console.chat_settings, spawn

    def set_trust(self, chat_id: ChatId, level: TrustLevel | None, *, for_an_hour: bool = False) -> None:
        """Change how much of a chat leaves by itself; None = as the agent says."""
        if self._desk is not None:
            for_s = AUTO_FOR_S if for_an_hour else None
            self._do(self._desk.set_trust(chat_id, level, for_s=for_s), f"set trust {chat_id}")

    def resume(self, chat_id: ChatId) -> None:
        """End the pause of a takeover."""
        if self._desk is not None:
            self._do(self._desk.resume(chat_id), f"resume {chat_id}")

    def _do(self, verb: Coroutine[Any, Any, None], name: str) -> None:
        async def job() -> None:
            try:
                await verb
            except (ChimeinError, LookupError) as error:
                reason = str(error)
                self._bridge.deliver(lambda: self.failed.emit(reason))

        if self._spawn is not None:
            self._spawn(job(), name=name)
