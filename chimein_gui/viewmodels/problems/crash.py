"""The crash report of the last run as a bar, shown once by the next start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.viewmodels.problems.words import Problem, ProblemAction, ProblemCommand, Severity

if TYPE_CHECKING:
    from chimein_gui.reporting.crash_reports import CrashReport
    from chimein_gui.viewmodels.core.clock import ClockFace


CRASH = "crash"
"""Key of the bar."""

translate = QCoreApplication.translate


def crash_bars(crash: CrashReport | None, clock: ClockFace) -> list[Problem]:
    """Return the bar for the last run's crash report; empty without one."""
    if crash is None:
        return []
    cause = (
        translate("Bars", "Chimein ended unexpectedly.")
        if crash.ended
        else translate("Bars", "Chimein recovered from an internal error.")
    )
    when = translate("Bars", "{day} at {time}.").format(day=clock.day(crash.at), time=clock.clock(crash.at))
    looked_up = translate(
        "Bars", "Nothing is lost. What was being sent is checked in Telegram before it is sent again."
    )
    stays = looked_up if crash.ended else translate("Bars", "Messages and planned messages are saved.")
    where = translate("Bars", "Report: {path}").format(path=crash.path)
    actions = (
        ProblemAction(ProblemCommand.DETAILS, translate("Bars", "Show report"), f"{crash.path}\n\n{crash.text}"),
        ProblemAction(ProblemCommand.OPEN_FOLDER, translate("Bars", "Open folder"), str(crash.path)),
    )
    return [Problem(CRASH, Severity.WAITS, "info", cause, f"{when} {stays} {where}", actions)]
