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
    match agent.health:
        case Health.ONLINE:
            return Sign("ok-circle", _tr("Online"), "ok")
        case Health.CONNECTING:
            return Sign("spinner", _tr("Connecting"), "info")
        case Health.WAITING:
            left = clock.left(agent.next_try_at) if agent.next_try_at is not None else ""
            return Sign("hourglass", (_tr("Waits {time}").format(time=left) if left else _tr("Waits")), "info")
        case Health.LOGGED_OUT:
            return Sign("sign-out", _tr("Logged out"), "danger")
        case Health.FAULTY_FILE:
            return Sign("file-x", _tr("File has errors"), "danger")
        case _:
            return Sign("pause-circle", _tr("Stopped"), "text3")
