"""The menu that changes the trust level of a chat."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from chimein_gui.domain.chats import Chat, TrustLevel
from chimein_gui.ui.pane import ALSO
from chimein_gui.ui.widgets.surfaces.menus import make_exclusive, open_menu
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.viewmodels.chats.commands import ChatCommands
from chimein_gui.viewmodels.core.bilingual import search_words, translate


def _offers(countdown_s: int) -> tuple[tuple[str, TrustLevel | None, bool], ...]:
    """Return all choices: words, level, and whether it is limited to an hour."""
    countdown = translate("Trust", "Countdown: send after {n} s unless you stop it").format(n=countdown_s)
    return (
        (translate("Trust", "Off: don't plan"), TrustLevel.OFF, False),
        (translate("Trust", "Observe: plan, send nothing"), TrustLevel.OBSERVE, False),
        (translate("Trust", "Review: messages wait for you"), TrustLevel.REVIEW, False),
        (countdown, TrustLevel.COUNTDOWN, False),
        (translate("Trust", "Auto: send without asking"), TrustLevel.AUTO, False),
        (translate("Trust", "Auto for 1 hour"), TrustLevel.AUTO, True),
        (translate("Trust", "Agent's default"), None, False),
    )


def open_trust_menu(chat: Chat, commands: ChatCommands, parent: QWidget, place: QPoint, countdown_s: int = 30) -> QMenu:
    """Open a menu of the levels at a position on the screen; the current one is checked."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    add_levels(menu, chat, commands, countdown_s)
    return open_menu(menu, place, translate("Trust", "Trust of {who}").format(who=foreign_text.name(chat.info.title)))


def add_levels(menu: QMenu, chat: Chat, commands: ChatCommands, countdown_s: int = 30) -> None:
    """Add the levels to a menu."""
    settings, levels = chat.settings, []
    for words, level, for_an_hour in _offers(countdown_s):
        action = QAction(words, menu)
        action.setProperty(ALSO, search_words(words))
        action.setCheckable(True)
        boxed = settings.trust_until is not None and level is TrustLevel.AUTO
        action.setChecked(level is settings.trust and for_an_hour == boxed)
        action.triggered.connect(
            lambda _checked=False, chosen=level, boxed=for_an_hour: commands.set_trust(
                chat.chat_id, chosen, for_an_hour=boxed
            )
        )
        menu.addAction(action)
        levels.append(action)
    make_exclusive(menu, levels)
