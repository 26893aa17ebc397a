"""The labels of trust levels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    from chimein_gui.domain.chats import TrustLevel


def trust_word(level: TrustLevel) -> str:
    """Return the label of a trust level."""
    return trust_label(level.value)


def trust_label(level: str) -> str:
    """Return the label of a trust level by its stored name; the name itself if there is no such level."""
    return {
        "off": QCoreApplication.translate("Trust", "Off"),
        "observe": QCoreApplication.translate("Trust", "Observe"),
        "review": QCoreApplication.translate("Trust", "Review"),
        "countdown": QCoreApplication.translate("Trust", "Countdown"),
        "auto": QCoreApplication.translate("Trust", "Auto"),
    }.get(level, level)
