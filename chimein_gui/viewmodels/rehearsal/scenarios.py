"""The scenarios as rows; the one that plays has its progress."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.viewmodels.core.keyed_list import KeyedListModel
from chimein_gui.viewmodels.core.sanitize import spoken

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from chimein_gui.sandbox_api import Scenario, ScenarioProgress
    from chimein_gui.viewmodels.rehearsal.rehearsal import RehearsalModel

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class ScenarioRow:
    """One scenario.

    Attributes:
        place: Its place in the sandbox's order.
        scenario: The scenario.
        progress: Its progress if it plays or played last; else None.
    """

    place: int
    scenario: Scenario
    progress: ScenarioProgress | None = None


class ScenarioListModel(KeyedListModel[ScenarioRow]):
    """The scenarios of the sandbox, in its order."""

    def __init__(self, rehearsal: RehearsalModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rehearsal = rehearsal
        rehearsal.cast_changed.connect(self.refresh)
        rehearsal.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Update the rows."""
        now = self._rehearsal.scenario
        self.fill(
            ScenarioRow(place, one, now if now is not None and now.name == one.name else None)
            for place, one in enumerate(self._rehearsal.cast.scenarios)
        )

    def key_of(self, item: ScenarioRow) -> str:
        return item.scenario.name

    def order_of(self, item: ScenarioRow) -> int:
        return item.place

    def sentence_of(self, item: ScenarioRow) -> str:
        parts = [spoken(item.scenario.title), self.state_of(item), item.scenario.summary]
        return ", ".join(part for part in parts if part)

    def state_of(self, item: ScenarioRow) -> str:
        """Return a scenario's progress in words; its length if it does not play, empty if that is unknown."""
        now = item.progress
        if now is None:
            lines = item.scenario.lines
            return translate("ScenarioListModel", "%n step(s)", "", lines) if lines else ""
        if now.problem:
            return self.tr("Stopped early")
        if now.finished:
            return self.tr("Finished")
        if now.stopped:
            return self.tr("Stopped")
        of = self.tr("{done} of {all}").format(done=now.done, all=item.scenario.lines)
        return self.tr("Paused, {of}").format(of=of) if now.paused else self.tr("Playing, {of}").format(of=of)
