"""The labels of trust levels."""

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.chats import TrustLevel


def trust_word(level: TrustLevel) -> str:
    """Return the label of a trust level."""
    return {
        TrustLevel.OFF: QCoreApplication.translate("Trust", "Off"),
        TrustLevel.OBSERVE: QCoreApplication.translate("Trust", "Observe"),
        TrustLevel.REVIEW: QCoreApplication.translate("Trust", "Review"),
        TrustLevel.COUNTDOWN: QCoreApplication.translate("Trust", "Countdown"),
        TrustLevel.AUTO: QCoreApplication.translate("Trust", "Auto"),
    }[level]
