"""The trust level of a chat as icon, word and colour."""

from __future__ import annotations

from chimein_gui.domain.chats import TrustLevel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.viewmodels.words.trust import trust_word

_LOOKS = {
    TrustLevel.OFF: ("stop", "text3"),
    TrustLevel.OBSERVE: ("eye", "text3"),
    TrustLevel.REVIEW: ("shield", "text3"),
    TrustLevel.COUNTDOWN: ("timer", "info"),
    TrustLevel.AUTO: ("bolt", "info"),
}


def trust_icon(trust: TrustLevel) -> IconLabel:
    """Return icon, word and colour of a trust level."""
    icon, token = _LOOKS[trust]
    return IconLabel(icon, trust_word(trust), token)
