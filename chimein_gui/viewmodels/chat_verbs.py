"""What the operator does with a whole chat: how much leaves by itself, and the end of a takeover."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.chats import TrustLevel
from chimein_gui.viewmodels.verb_sender import VerbSender

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ChatId

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


class ChatVerbs(VerbSender):
    """Each verb is one call down; the chat changes when the engine reports."""

    def set_trust(self, chat_id: ChatId, level: TrustLevel | None, *, for_an_hour: bool = False) -> None:
        """Change how much of a chat leaves by itself; None = as the agent says."""
        if self._console is not None:
            for_s = AUTO_FOR_S if for_an_hour else None
            verb = self._console.chat_settings.set_trust(chat_id, level, for_s=for_s)
            self._send(verb, f"set trust {chat_id} {level} {for_s}")

    def resume(self, chat_id: ChatId) -> None:
        """End the pause of a takeover."""
        if self._console is not None:
            self._send(self._console.chat_settings.resume(chat_id), f"resume {chat_id}")
