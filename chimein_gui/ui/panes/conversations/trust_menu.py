"""How much of a chat leaves without the operator: the sign, and the choice behind it (SPEC §6)."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from chimein_gui.domain.chats import Chat, TrustLevel
from chimein_gui.ui.widgets.marks import Sign
from chimein_gui.viewmodels.chat_verbs import ChatVerbs, trust_word

_LOOKS = {
    TrustLevel.OFF: ("stop", "text3"),
    TrustLevel.OBSERVE: ("search", "text3"),
    TrustLevel.REVIEW: ("shield", "text3"),
    TrustLevel.COUNTDOWN: ("hourglass", "info"),
    TrustLevel.AUTO: ("bolt", "info"),
}


def _tr(text: str) -> str:
    return QCoreApplication.translate("Trust", text)


def trust_sign(trust: TrustLevel) -> Sign:
    """Return how much leaves without the operator, as a sign."""
    icon, token = _LOOKS[trust]
    return Sign(icon, trust_word(trust), token)


def _offers() -> tuple[tuple[str, TrustLevel | None, bool], ...]:
    """Return every choice: its words, the level, and whether it lasts an hour."""
    return (
        (_tr("Off: store only"), TrustLevel.OFF, False),
        (_tr("Observe: plan, send nothing"), TrustLevel.OBSERVE, False),
        (_tr("Review: everything waits for you"), TrustLevel.REVIEW, False),
        (_tr("Countdown: leaves after 30 s unless stopped"), TrustLevel.COUNTDOWN, False),
        (_tr("Auto: leaves by itself"), TrustLevel.AUTO, False),
        (_tr("Auto for 1 hour"), TrustLevel.AUTO, True),
        (_tr("As the agent says"), None, False),
    )


def open_trust_menu(chat: Chat, verbs: ChatVerbs, parent: QWidget, place: QPoint) -> QMenu:
    """Offer the levels at a place on the screen; the one that is set has a tick."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    settings = chat.settings
    for words, level, for_an_hour in _offers():
        action = QAction(words, menu)
        action.setCheckable(True)
        boxed = settings.trust_until is not None and level is TrustLevel.AUTO
        action.setChecked(level is settings.trust and for_an_hour == boxed)
        action.triggered.connect(
            lambda _checked=False, chosen=level, boxed=for_an_hour: verbs.set_trust(
                chat.chat_id, chosen, for_an_hour=boxed
            )
        )
        menu.addAction(action)
    menu.popup(place)
    return menu
