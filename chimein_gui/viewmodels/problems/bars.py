"""The problem bars under the top bar, in words, the most severe first.

A bar stays until its cause is over, or until the operator dismisses it; it comes back when the cause changes.
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
"""Milliseconds in which changes are collected before the bars are built again."""


class ProblemModel(QObject):
    """Collects all problems; the window shows one of them at a time.

    Attributes:
        changed: `bars` or `place` changed.
        bars: The problems that are not dismissed.
        place: Index of the one that is shown.
        in_pane: Key of a bar whose question a pane in sight asks, with more answers; empty for none.
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
        self._dismissed: dict[str, Problem] = {}
        self._crash: CrashReport | None = None
        self.bars: tuple[Problem, ...] = ()
        self.place = 0
        self.in_pane = ""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(GATHER_MS)
        self._timer.timeout.connect(self.gather)
        faults.changed.connect(self.gather)
        agents.problems_changed.connect(self.gather)
        agents.summary_changed.connect(self._soon)
        chats.feed.chats_changed.connect(self._look_at_chats)
        holds.standing_changed.connect(self._soon)
        holds.changed.connect(self._soon)
        clock.ticked.connect(self._tick)
        model_choice.changed.connect(self._soon)

    def current(self) -> Problem | None:
        """Return the bar that is shown; None if there is none."""
        return self.bars[self.place] if self.bars else None

    def tell_of_crash(self, crash: CrashReport | None) -> None:
        """Show the crash report of the last run until the operator dismisses it; None shows none."""
        self._crash = crash
        self.gather()

    def leave_to_pane(self, key: str) -> None:
        """Note which bar's question a pane in sight asks; empty for none."""
        if key != self.in_pane:
            self.in_pane = key
            self.changed.emit()

    def step(self, step: int) -> None:
        """Show another bar, so many places further; it wraps around."""
        if self.bars:
            self.place = (self.place + step) % len(self.bars)
            self.changed.emit()

    def dismiss(self, bar: Problem) -> None:
        """Dismiss a bar until its cause changes."""
        if bar.key.startswith("fault "):
            self._faults.dismiss(bar.key.removeprefix("fault "))
            return
        if bar.key == CRASH:
            self._crash = None  # shown once: its words, such as the day, would change and bring it back
        self._dismissed[bar.key] = bar
        self.gather()

    def detach(self) -> None:
        """Stop the timer."""
        self._timer.stop()

    def gather(self) -> None:
        """Build the bars again from all sources."""
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
        # A dismissed bar whose cause is over is forgotten, so that it is shown if the cause comes back.
        self._dismissed = {key: bar for key, bar in self._dismissed.items() if key in here and _same(bar, here[key])}
        bars = tuple(sorted((bar for bar in found if bar.key not in self._dismissed), key=lambda bar: bar.severity))
        if bars == self.bars:
            return
        shown, known = self.current(), {bar.key for bar in self.bars}
        self.bars = bars
        keys = [bar.key for bar in bars]
        # A new bar that is the most severe is shown: it is probably the result of what the operator just did.
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
            shown = (problem, chat.info.title) if chat is not None and problem is not None else None
            if shown != self._problems.get(chat_id):
                changed = True
                if shown is None:
                    del self._problems[chat_id]
                else:
                    self._problems[chat_id] = shown
        if changed:
            self._soon()


def _same(old: Problem, new: Problem) -> bool:
    """Tell whether a dismissed bar is unchanged; the countdown in the words of a waiting account does not count."""
    return old.key == new.key and (old.key == "waiting" or (old.cause, old.consequence) == (new.cause, new.consequence))
