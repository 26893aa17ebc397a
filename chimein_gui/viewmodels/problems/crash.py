"""What the run before has left to tell, as a bar: said once, by the next start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.viewmodels.problems.words import BarVerb, Problem, ProblemAction, Severity

if TYPE_CHECKING:
    from chimein_gui.reporting.crash_reports import CrashReport
    from chimein_gui.viewmodels.core.clock import ClockFace


CRASH = "crash"
"""Key of the bar."""


def _tr(text: str) -> str:
    return QCoreApplication.translate("Bars", text)


def crash_bars(crash: CrashReport | None, clock: ClockFace) -> list[Problem]:
    """Return what is to be said of the run before: nothing if it ended in order."""
    if crash is None:
        return []
    cause = _tr("Chimein ended unexpectedly.") if crash.ended else _tr("Chimein went on after a fault of its own.")
    when = _tr("{day} at {time}.").format(day=clock.day(crash.at), time=clock.clock(crash.at))
    looked_up = _tr("Nothing is lost; what was being sent is looked up, not repeated blindly.")
    stays = looked_up if crash.ended else _tr("Messages and planned sends are stored as ever.")
    where = _tr("Report: {path}").format(path=crash.path)
    actions = (
        ProblemAction(BarVerb.DETAILS, _tr("Show report"), f"{crash.path}\n\n{crash.text}"),
        ProblemAction(BarVerb.OPEN_FOLDER, _tr("Open folder"), str(crash.path)),
    )
    return [Problem(CRASH, Severity.WAITS, "info", cause, f"{when} {stays} {where}", actions)]
