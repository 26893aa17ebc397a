"""The decision log in words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.approvals import RejectionCause

translate = QCoreApplication.translate


def cause_words(cause: RejectionCause) -> str:
    """Return what a reason of the short list is called."""
    return {
        RejectionCause.WRONG_FACTS: translate("Decisions", "Wrong facts"),
        RejectionCause.WRONG_TONE: translate("Decisions", "Wrong tone"),
        RejectionCause.TOO_LONG: translate("Decisions", "Too long"),
        RejectionCause.NOT_NOW: translate("Decisions", "Not now"),
        RejectionCause.WRONG_PERSON: translate("Decisions", "Wrong person"),
        RejectionCause.OTHER: translate("Decisions", "Other"),
    }[cause]
