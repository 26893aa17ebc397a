"""The labels of trust levels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

if TYPE_CHECKING:
    from chimein_gui.domain.chats import TrustLevel

_LABELS = {
    "off": QT_TRANSLATE_NOOP("Trust", "Off"),
    "observe": QT_TRANSLATE_NOOP("Trust", "Observe"),
    "review": QT_TRANSLATE_NOOP("Trust", "Review"),
    "countdown": QT_TRANSLATE_NOOP("Trust", "Countdown"),
    "auto": QT_TRANSLATE_NOOP("Trust", "Auto"),
}
"""Translated one by one: rows ask for them with every paint."""


def trust_word(level: TrustLevel) -> str:
    """Return the label of a trust level."""
    return trust_label(level.value)


def trust_label(level: str) -> str:
    """Return the label of a trust level by its stored name; the name itself if there is no such level."""
    label = _LABELS.get(level)
    return level if label is None else QCoreApplication.translate("Trust", str(label))
