"""The state of an account as icon, word and colour."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.agents import TRIES_AGAIN, Agent, Health
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.viewmodels.accounts.words import health_words
from chimein_gui.viewmodels.core.clock import ClockFace
from chimein_gui.viewmodels.holds import HoldModel

_LOOKS = {
    Health.STOPPED: ("pause-circle", "text3"),
    Health.CONNECTING: ("spinner", "info"),
    Health.ONLINE: ("ok-circle", "ok"),
    Health.WAITING: ("hourglass", "info"),
    Health.LOGGED_OUT: ("sign-out", "danger"),
    Health.REVOKED: ("sign-out", "danger"),
    Health.BANNED: ("block", "danger"),
    Health.FROZEN: ("lock", "danger"),
    Health.PROXY_TROUBLE: ("plug", "danger"),
    Health.FAULTY_FILE: ("file-x", "danger"),
}


def health_look(health: Health) -> tuple[str, str]:
    """Return the icon and the colour of a state."""
    return _LOOKS[health]


def health_label(agent: Agent, clock: ClockFace) -> IconLabel:
    """Return icon, word and colour of an agent's health; a rate limit includes the remaining time."""
    icon, token = _LOOKS[agent.health]
    until = agent.next_try_at if agent.health in TRIES_AGAIN else None
    left = clock.left(until) if until is not None and until > clock.now() else ""  # over: it is tried now
    return IconLabel(icon, f"{health_words(agent.health)} {left}".strip(), token)


def agent_label(agent: Agent, holds: HoldModel, clock: ClockFace) -> IconLabel:
    """Return the health of an account, or that it is held."""
    if holds.of_account(agent.account_id) is not None:
        return IconLabel("pause", QCoreApplication.translate("ChatRows", "Held by you"), "text2")
    return health_label(agent, clock)
