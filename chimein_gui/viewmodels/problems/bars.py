"""The bars under the top bar: everything the operator should know of, in words, the most severe first.

What lasts stays: a bar goes when its cause is over, or when the operator puts it away, until the cause is another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from chimein_gui.domain.agents import TRIES_AGAIN
from chimein_gui.domain.notes import PlanningProblem
from chimein_gui.viewmodels.problems.crash import CRASH, crash_bars
from chimein_gui.viewmodels.problems.sources import (
    agents_bars,
    backlog_bars,
    file_bars,
    plan_bars,
    reason_of,
    reported_bars,
)
from chimein_gui.viewmodels.problems.words import Problem

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.reporting.crash_reports import CrashReport
    from chimein_gui.viewmodels.accounts.agents import AgentListModel
    from chimein_gui.viewmodels.chats.chats import ChatTreeModel
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.holds import HoldModel
    from chimein_gui.viewmodels.problems.faults import FaultModel
    from chimein_gui.viewmodels.rehearsal.model_choice import ModelChoiceModel

GATHER_MS = 50
"""A storm of changes is looked through once."""


class ProblemModel(QObject):
    """Gathers what is wrong; shows one bar of many.

    Attributes:
        changed: `bars` or `place` changed.
    """

    changed = Signal()

    def __init__(
        self,
        faults: FaultModel,
        agents: AgentListModel,
        chats: ChatTreeModel,
        holds: HoldModel,
        clock: ClockFace,
        parent: QObject,
        model_choice: ModelChoiceModel,
    ) -> None:
        super().__init__(parent)
        self._holds, self._model_choice = holds, model_choice
        self._faults, self._agents, self._chats, self._clock = faults, agents, chats, clock
        self._problems: dict[ChatId, tuple[PlanningProblem, str]] = {}
        self._put_away: dict[str, Problem] = {}
        self._crash: CrashReport | None = None
        self.bars: tuple[Problem, ...] = ()
        self.place = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(GATHER_MS)
        self._timer.timeout.connect(self.gather)
        faults.changed.connect(self.gather)
        agents.problems_changed.connect(self.gather)
        agents.summary_changed.connect(self._soon)
        chats.chats_changed.connect(self._look_at_chats)
        holds.standing_changed.connect(self._soon)
        holds.changed.connect(self._soon)
        clock.ticked.connect(self._tick)
        model_choice.changed.connect(self._soon)

    def current(self) -> Problem | None:
        """Return the bar in sight."""
        return self.bars[self.place] if self.bars else None

    def tell_of_crash(self, crash: CrashReport | None) -> None:
        """Say what the run before has left to tell, if anything, until the operator puts it away."""
        self._crash = crash
        self.gather()

    def step(self, step: int) -> None:
        """Show the next or the previous bar."""
        if self.bars:
            self.place = (self.place + step) % len(self.bars)
            self.changed.emit()

    def put_away(self, bar: Problem) -> None:
        """Put a bar away until its cause is another."""
        if bar.key.startswith("fault "):
            self._faults.dismiss(bar.key.removeprefix("fault "))
            return
        if bar.key == CRASH:
            self._crash = None  # said once; the day in its words will be another one
        self._put_away[bar.key] = bar
        self.gather()

    def detach(self) -> None:
        """Come to rest."""
        self._timer.stop()

    def gather(self) -> None:
        """Look at everything anew."""
        self._timer.stop()
        found = [
            *reported_bars(self._faults.faults),
            *agents_bars(self._agents.items(), self._clock),
            *backlog_bars(self._holds.standing()),
            *plan_bars(self._problems, real_model_in_sandbox=self._model_choice.is_real),
            *file_bars(self._agents.problems),
            *crash_bars(self._crash, self._clock),
        ]
        here = {bar.key: bar for bar in found}
        # A cause that is over may come back, and is told again then.
        self._put_away = {key: bar for key, bar in self._put_away.items() if key in here and _same(bar, here[key])}
        bars = tuple(sorted((bar for bar in found if bar.key not in self._put_away), key=lambda bar: bar.severity))
        if bars == self.bars:
            return
        shown, known = self.current(), {bar.key for bar in self.bars}
        self.bars = bars
        keys = [bar.key for bar in bars]
        # What is new and not less severe is the answer to what was done just now.
        news = bool(keys) and keys[0] not in known
        self.place = keys.index(shown.key) if shown is not None and shown.key in keys and not news else 0
        self.changed.emit()

    def _soon(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _tick(self) -> None:
        if any(agent.health in TRIES_AGAIN for agent in self._agents.items()):
            self.gather()

    def _look_at_chats(self, touched: frozenset[ChatId]) -> None:
        changed = False
        for chat_id in touched:
            chat = self._chats.chat(chat_id)
            problem = reason_of(chat.planning_problem) if chat is not None else None
            told = (problem, chat.info.title) if chat is not None and problem is not None else None
            if told != self._problems.get(chat_id):
                changed = True
                if told is None:
                    del self._problems[chat_id]
                else:
                    self._problems[chat_id] = told
        if changed:
            self._soon()


def _same(old: Problem, new: Problem) -> bool:
    """Tell whether a bar that was put away still says the same; a countdown in its words is no news."""
    return old.key == new.key and (old.key == "waiting" or (old.cause, old.consequence) == (new.cause, new.consequence))
