"""The lines of the program's log, kept in step with what is written.

Any thread may log. Its lines lie in a handler until a timer of the window takes them, some at a time; so a storm of
lines costs each frame a bounded time.
"""

from __future__ import annotations

import logging
from collections import Counter, deque
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt, QTimer, Signal

from chimein_gui.domain.ids import ChatId
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.reporting.log_lines import LogLine, earlier_lines, recent_lines
from chimein_gui.reporting.logs import KEPT_FILES, MAX_BYTES, log_file
from chimein_gui.viewmodels.core.roles import Index, ItemRole
from chimein_gui.viewmodels.log.density import Density
from chimein_gui.viewmodels.log.filter import LogFilter
from chimein_gui.viewmodels.log.new_lines import NewLines
from chimein_gui.viewmodels.log.words import line_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.approvals.store import ApprovalStore
    from chimein_gui.viewmodels.chats.chats import ChatTreeModel
    from chimein_gui.viewmodels.engine_api.prompts import PromptsService
    from chimein_gui.viewmodels.window import WindowModels

MOST = 10_000
"""Lines that are kept: for each that comes, the oldest one is dropped."""

_HELD = frozenset({TaskStatus.AWAITING_DECISION, TaskStatus.APPROVED})

COUNTED_MS = 225
"""Milliseconds from new lines to their counts: at a time at which no lines are shown, and none are painted."""


class LogApi(Protocol):
    """What this model asks of the engine."""

    @property
    def prompts(self) -> PromptsService: ...


class _PlansMade:
    """Which plans came of the steps that asked for them: a plan has no number while it is made."""

    def __init__(self) -> None:
        self._plans: dict[int, int] = {}

    def learn(self, lines: Sequence[LogLine]) -> set[int]:
        """Take it from lines that tell of both; returns their plans."""
        made: dict[int, int] = {}
        for line in lines:
            about = line.about
            if about.task_id is not None and about.graph_id is not None:
                made[about.task_id] = about.graph_id
        self._plans |= made
        while len(self._plans) > MOST:
            del self._plans[next(iter(self._plans))]
        return set(made.values())

    def with_plan(self, line: LogLine) -> LogLine:
        """Return a line that was written while a plan was made with the plan, once that has a number."""
        about = line.about
        if about.task_id is None or about.graph_id is not None or about.task_id not in self._plans:
            return line
        return replace(line, about=replace(about, graph_id=self._plans[about.task_id]))


class LogModel(QAbstractListModel):
    """The lines that the filter takes, oldest first.

    Attributes:
        changed: Other lines are shown, or those of an earlier run have come.
        grown: Lines were written meanwhile.
        counted: The counts of lines that were written are due: they are told less often than lines.
        levels: Number of lines of each level among those that the rest of the filter takes.
        parts: Number of kept lines of each part of the program.
        dropping: So many rows are removed at the top now, before the views know.
        new: Lines that are not shown yet.
        counting: Runs while lines are shown that are not counted yet.
    """

    changed = Signal()
    grown = Signal()
    counted = Signal()
    dropping = Signal(int)

    def __init__(self, models: WindowModels) -> None:
        super().__init__(models)
        self._models = models
        self._all: deque[LogLine] = deque()
        self._shown: list[LogLine] = []
        self._matching: deque[LogLine] = deque()  # what would be shown at all levels
        self.wanted = LogFilter()
        self.density = Density()
        self.levels: Counter[int] = Counter()
        self.parts: Counter[str] = Counter()
        self._plans = _PlansMade()
        self._api: LogApi | None = None
        self._spawn: Spawn | None = None
        self._has_earlier = False
        self.new = NewLines(self)
        self.new.due.connect(self._show)
        self.counting = QTimer(self)
        self.counting.setSingleShot(True)
        self.counting.setInterval(COUNTED_MS)
        self.counting.timeout.connect(self.counted)

    # --- following ------------------------------------------------------------------------------------------------

    def attach(self, api: LogApi, spawn: Spawn) -> None:
        """Lines come without the engine; only those of an earlier run are read by a thread of it."""
        self._api, self._spawn = api, spawn
        if self.new.is_active:
            self._read_earlier()

    def detach(self) -> None:
        """Stop looking for new lines."""
        self.new.stop()
        self.counting.stop()
        self._api = self._spawn = None

    def watch(self, *, watched: bool) -> None:
        """Take new lines while the log is shown."""
        if watched:
            self.take_new()
            self._read_earlier()
            self.new.start()
        else:
            self.new.stop()
            self.new.show()

    def take_new(self) -> None:
        """Show some of the lines that were written meanwhile at once; the next turn takes more."""
        self.new.take()

    def _show(self, lines: list[LogLine]) -> None:
        self._drop_oldest(len(self._all) + len(lines) - MOST)
        self._all += lines
        plans = self._plans.learn(lines)
        taken = self._taken(lines)
        if taken:
            first = len(self._shown)
            self.beginInsertRows(QModelIndex(), first, first + len(taken) - 1)
            self._shown += taken
            self.endInsertRows()
            self.density.add(taken)
        if self.wanted.graph_id in plans:  # what was written before the plan had a number is about it, too
            self._rebuild()
        elif plans and self._shown:
            self.dataChanged.emit(self.index(0), self.index(len(self._shown) - 1))
        self.grown.emit()  # once for both: the view lays out all rows
        if not self.counting.isActive():
            self.counting.start()

    def _read_earlier(self) -> None:
        file = log_file()
        if not self._has_earlier and file is not None and self._api is not None and self._spawn is not None:
            self._has_earlier = True
            self._spawn(self._load_earlier(self._api, Path(file.baseFilename)), name="read the log")

    async def _load_earlier(self, api: LogApi, path: Path) -> None:
        began = self._all[0].at if self._all else self._models.clock.now().timestamp()
        lines = await api.prompts.compute(lambda: earlier_lines(path, began))
        self._models.bridge.deliver(lambda: self._put_before(lines))

    def _put_before(self, lines: Sequence[LogLine]) -> None:
        room = MOST - len(self._all)
        kept = list(lines[-room:]) if room > 0 else []
        if not kept:
            return
        self._all.extendleft(reversed(kept))
        self._plans.learn(kept)
        taken = self._taken(kept, before=True)
        if taken:  # as rows of their own: a line that is chosen meanwhile stays so
            self.beginInsertRows(QModelIndex(), 0, len(taken) - 1)
            self._shown[:0] = taken
            self.endInsertRows()
            self.density.add(taken)
        self.changed.emit()

    def _drop_oldest(self, number: int) -> None:
        if number <= 0:
            return
        old = [self._all.popleft() for _ in range(number)]
        gone = {id(line) for line in old}
        for line in old:
            self.parts[line.part] -= 1
        while self._matching and id(self._matching[0]) in gone:
            self.levels[_counted_as(self._matching.popleft())] -= 1
        count = 0
        while count < len(self._shown) and id(self._shown[count]) in gone:
            count += 1
        if count:
            self.dropping.emit(count)
            self.density.remove(self._shown[:count])
            self.beginRemoveRows(QModelIndex(), 0, count - 1)
            del self._shown[:count]
            self.endRemoveRows()

    def _taken(self, lines: Sequence[LogLine], *, before: bool = False) -> list[LogLine]:
        """Count further lines, above the others or below them, and return those that are shown."""
        self.density.whole = (self._all[0].at, self._all[-1].at) if self._all else None
        matching = [line for line in lines if self.wanted.matches(self._plans.with_plan(line), self.agent_of)]
        self.parts.update(line.part for line in lines)
        self.levels.update(map(_counted_as, matching))
        if before:
            self._matching.extendleft(reversed(matching))
        else:
            self._matching += matching
        return [line for line in matching if line.level >= self.wanted.level]

    # --- the filter -----------------------------------------------------------------------------------------------

    def choose(self, wanted: LogFilter) -> None:
        """Show other lines."""
        if wanted != self.wanted:
            self.wanted = wanted
            self._rebuild()

    def _rebuild(self) -> None:
        self.beginResetModel()
        self._matching = deque(
            line for line in self._all if self.wanted.matches(self._plans.with_plan(line), self.agent_of)
        )
        self._shown = [line for line in self._matching if line.level >= self.wanted.level]
        self.levels = Counter(map(_counted_as, self._matching))
        self.density.clear()
        self.density.add(self._shown)
        self.endResetModel()
        self.changed.emit()

    # --- what is there --------------------------------------------------------------------------------------------

    @property
    def is_kept(self) -> bool:
        """Whether this run keeps a log at all."""
        return recent_lines() is not None

    @property
    def total(self) -> int:
        """Number of kept lines, whatever the filter says."""
        return len(self._all)

    def file_facts(self) -> tuple[str, int, int, int]:
        """Return path and size of the log file in bytes, its limit, and how many files are kept; empty without one."""
        file = log_file()
        if file is None:
            return "", 0, MAX_BYTES, KEPT_FILES
        return file.baseFilename, file.size, MAX_BYTES, KEPT_FILES

    def agent_of(self, line: LogLine) -> int | None:
        """Return the agent that a line is about, also by its chat."""
        about = line.about
        if about.agent_id is not None or about.chat_id is None:
            return about.agent_id
        chat = self._models.chats.chat(ChatId(about.chat_id))
        return chat.agent_id if chat is not None else None

    def agent_name(self, line: LogLine) -> str:
        """Return the name of the agent that a line is about, or an empty text; foreign."""
        agent_id = self.agent_of(line)
        agent = self._models.agents.find(agent_id) if agent_id is not None else None
        return agent.spec.name if agent is not None else ""

    def same_before(self, line: LogLine) -> int:
        """Return how many of the kept lines before this one say the same of the same agent."""
        agent_id, count = self.agent_of(line), 0
        for one in self._all:
            if one.at == line.at and self._plans.with_plan(one) == line:
                break
            count += one.text == line.text and one.source == line.source and self.agent_of(one) == agent_id
        return count

    def lines(self) -> tuple[LogLine, ...]:
        """Return the shown lines."""
        return tuple(map(self._plans.with_plan, self._shown))

    def line_at(self, row: int) -> LogLine | None:
        """Return a line; None if there is none."""
        return self._plans.with_plan(self._shown[row]) if 0 <= row < len(self._shown) else None

    def row_at(self, at: float) -> int:
        """Return the first row at or after a time, or the last row."""
        low, high = 0, len(self._shown)
        while low < high:
            middle = (low + high) // 2
            if self._shown[middle].at < at:
                low = middle + 1
            else:
                high = middle
        return min(low, len(self._shown) - 1)

    def next_error(self, row: int, by: int = 1) -> int:
        """Return the next row after (or before) one that is an error, or -1."""
        row += by
        while 0 <= row < len(self._shown):
            if self._shown[row].level >= logging.ERROR:
                return row
            row += by
        return -1

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        line = self.line_at(index.row()) if index.isValid() else None
        if line is None:
            return None
        if role == ItemRole:
            return line
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return line_sentence(line, self.agent_name(line), chat_title(self._models.chats, line))
        return None


def chat_title(chats: ChatTreeModel, line: LogLine) -> str:
    """Return the name of the chat that a line is about, or an empty text; foreign."""
    chat_id = line.about.chat_id
    chat = chats.chat(ChatId(chat_id)) if chat_id is not None else None
    return chat.info.title if chat is not None else ""


def held_of(approvals: ApprovalStore, agent_id: int | None) -> int:
    """Return how many drafts of an agent wait to be decided or sent."""
    drafts = approvals.items() if agent_id is not None else ()
    return sum(one.agent_id == agent_id and one.task_status in _HELD for one in drafts)


def _counted_as(line: LogLine) -> int:
    return min(line.level, logging.ERROR)


def make_log(models: WindowModels) -> LogModel:
    """Create the model when the pane is first shown; the lines of the run so far are kept by the handler."""
    model = LogModel(models)
    models.register(model)
    return model
