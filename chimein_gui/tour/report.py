"""What the tour leaves behind: tour.json after every step, and the pictures."""

from __future__ import annotations

import itertools
import json
import time
import traceback
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent

from chimein_gui.ui.widgets.rows.arrivals import RowArrivals, WidgetArrivals
from chimein_gui.ui.widgets.rows.paint_budget import BUDGET

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

MOST_FRAMES = 250
"""Most frames in a second of a step; what is animated has 60. What is painted because it was painted has thousands."""

SHORTEST_S = 0.5
"""Shortest step whose frames are counted, seconds."""


@dataclass
class Tour:
    """What has been done so far.

    Attributes:
        folder: Where everything is written.
        one_look: Most pictures are taken in one colour and size, not in all.
        acts: Those that are played, of all.
        steps: Name, success, duration and frames of each step, and its error where it failed.
        pictures: File names, in the order they were taken.
        mailbox: What the partner of the main job has received, oldest first.
        failed: A step did not succeed.
    """

    folder: Path
    one_look: bool = False
    acts: Collection[object] = ()
    steps: list[dict[str, object]] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    mailbox: list[str] = field(default_factory=list)
    failed: bool = False

    @asynccontextmanager
    async def step(self, name: str) -> AsyncIterator[None]:
        """Time a step and note whether it succeeded; after a failure the rest is left out.

        Raises:
            AssertionError: The window was painted again and again.
        """
        began, painted = time.monotonic(), BUDGET.frame
        entry: dict[str, object] = {"name": name, "ok": False, "ms": 0}
        self.steps.append(entry)
        try:
            yield
            _check_rest(BUDGET.frame - painted, time.monotonic() - began)
            entry["ok"] = True
        except Exception as error:
            self.failed = True
            entry["error"] = "".join(traceback.format_exception_only(error)).strip()
            raise
        finally:
            entry["ms"] = round((time.monotonic() - began) * 1000)
            entry["frames"] = BUDGET.frame - painted
            self.write()

    def write(self) -> None:
        """Leave the report, also after every single step: a tour that hangs still says where."""
        report = {"steps": self.steps, "pictures": self.pictures, "mailbox": self.mailbox}
        (self.folder / "tour.json").write_text(
            json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
        )

    def picture(self, widget: QWidget, name: str) -> None:
        """Save what a widget looks like now."""
        window = widget.window()
        rows, widgets = window.findChildren(RowArrivals), window.findChildren(WidgetArrivals)
        for moving in itertools.chain[RowArrivals | WidgetArrivals](rows, widgets):
            moving.finish()  # in the middle of its motion a draft looks like one that is switched off
        # What has only just come into sight is laid out by events that are still on their way.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        path = self.folder / f"{name}.png"
        if not widget.grab().save(str(path)):
            raise OSError(f"{path} could not be written")
        self.pictures.append(path.name)


def _check_rest(frames: int, seconds: float) -> None:
    """Check that the window was painted because something had changed.

    Raises:
        AssertionError: It was painted again and again.
    """
    if seconds > SHORTEST_S and frames > MOST_FRAMES * seconds:
        raise AssertionError(f"the window was painted {frames} times in {seconds:.1f} s")
