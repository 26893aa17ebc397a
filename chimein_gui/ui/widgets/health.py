"""How an account is doing: icon, word, colour."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.agents import Agent, Health
from chimein_gui.ui.widgets.marks import Sign
from chimein_gui.viewmodels.clock_face import ClockFace


def _tr(text: str) -> str:
    return QCoreApplication.translate("Health", text)


def health_sign(agent: Agent, clock: ClockFace) -> Sign:
    """Return the sign of an agent's health; a wait says how long it still takes."""
    left = clock.left(agent.next_try_at) if agent.next_try_at is not None else ""
    signs = {
        Health.ONLINE: Sign("ok-circle", _tr("Online"), "ok"),
        Health.CONNECTING: Sign("spinner", _tr("Connecting"), "info"),
        Health.WAITING: Sign("hourglass", _tr("Waits {time}").format(time=left) if left else _tr("Waits"), "info"),
        Health.PROXY_TROUBLE: Sign("plug", _tr("Proxy trouble {time}").format(time=left).strip(), "danger"),
        Health.LOGGED_OUT: Sign("sign-out", _tr("Logged out"), "danger"),
        Health.REVOKED: Sign("sign-out", _tr("Session ended"), "danger"),
        Health.BANNED: Sign("block", _tr("Closed by Telegram"), "danger"),
        Health.FAULTY_FILE: Sign("file-x", _tr("File has errors"), "danger"),
    }
    return signs.get(agent.health, Sign("pause-circle", _tr("Stopped"), "text3"))
