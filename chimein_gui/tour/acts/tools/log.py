"""The Log pane: what was logged during the tour, and what to do about it."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.tour.driver import looks, still
from chimein_gui.ui.panes.log.pane import LogPane
from chimein_gui.ui.requests import ClosePane, ShowLog

if TYPE_CHECKING:
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

WARNINGS = 2
"""Place of the button for warnings and errors."""


TROUBLES = (
    ("key-rejected", "The API key for"),
    ("session-revoked", "The session was revoked"),
    ("flood-wait", "FloodWait 420 s"),
    ("plan-failed", "The model call failed for good"),
)
"""Name of the picture, and the line that is chosen."""


async def play_log(tour: Tour, program: Program) -> None:
    """Look at it; a run that keeps no log shows that instead."""
    window = program.window
    window.requests.send(ShowLog())
    pane = window.pane("log")
    assert isinstance(pane, LogPane)
    async with tour.step("the log tells what happened, and what to do about it"):
        await hand.until("its lines", lambda: not pane.model.is_kept or pane.model.rowCount() > 1)
        if pane.model.rowCount():
            pane.list.setFocus()
            pane.list.choose(pane.model.rowCount() - 2)
            await hand.until("its details", pane.detail.isVisible)
        await _picture(tour, program, pane, "log")
    async with tour.step("warnings alone, words that nobody logged, and a file for somebody else"):
        pane.head.level.buttons()[WARNINGS].click()
        await _picture(tour, program, pane, "log-warnings")
        pane.show_all()
        pane.head.words.setText("nobody logged this")
        if pane.model.is_kept:
            await hand.until("no lines", lambda: not pane.model.rowCount())
        await _picture(tour, program, pane, "log-none")
        pane.show_all()
        if pane.model.rowCount():
            with tempfile.TemporaryDirectory() as folder:
                pane.exporter.save(pane.model.lines(), Path(folder) / "chimein-log.jsonl")
                await hand.until("that it is written", pane.news.isVisible)
                await _picture(tour, program, pane, "log-exported")
            pane.news.say(None)
        window.requests.send(ClosePane("log"))


async def play_log_troubles(tour: Tour, program: Program) -> None:
    """Look at what went wrong in the acts before: the last lines, one part, and the newest as they come."""
    window = program.window
    window.requests.send(ShowLog())
    pane = window.pane("log")
    assert isinstance(pane, LogPane)
    async with tour.step("the last lines, with what one of them is about"):
        await hand.until("its lines", lambda: pane.model.rowCount() > 1)
        pane.list.setFocus()
        pane.list.choose(pane.model.rowCount() - 1)
        await hand.until("its details", pane.detail.isVisible)
        await _picture(tour, program, pane, "log-last")
    async with tour.step("the key was rejected, a session ended, Telegram told to wait, and a plan failed"):
        pane.head.level.buttons()[WARNINGS].click()
        for name, words in TROUBLES:
            await hand.until(words, partial(_choose, pane, words))
            await _picture(tour, program, pane, f"log-{name}")
        pane.show_all()
    async with tour.step("one part of the program, and the lines as they come"):
        pane.head.part.setCurrentIndex(pane.head.part.count() - 1)
        await hand.until("its lines", lambda: pane.model.rowCount() and not pane.model.wanted.is_open)
        await _picture(tour, program, pane, "log-part")
        pane.show_all()
        pane.list.follow(True)  # noqa: FBT003 - the signal of a check box has this argument
        await hand.until("the end", lambda: pane.list.follows)
        await _picture(tour, program, pane, "log-following")
        window.requests.send(ClosePane("log"))


def _choose(pane: LogPane, words: str) -> bool:
    """Choose the newest line with these words; returns whether there is one."""
    rows = [row for row, line in enumerate(pane.model.lines()) if words in line.text]
    if rows:
        pane.list.choose(rows[-1])
    return bool(rows)


async def _picture(tour: Tour, program: Program, pane: LogPane, name: str) -> None:
    for look in looks(tour, program):
        await still(pane)
        await hand.until("its counts", lambda: not pane.model.counting.isActive())
        tour.picture(program.window, f"{name}-{look}")
