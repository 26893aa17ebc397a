"""The Costs pane: what calls cost in a period, by agent, chat, purpose or model, and the caps on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.costs import DRY_RUN, EXTRACTION
from chimein_gui.domain.events import CapsChanged, ModelCallBooked
from chimein_gui.domain.ids import AgentId, ChatId
from chimein_gui.domain.spending.caps import cap_of_agent, cap_of_chat
from chimein_gui.domain.spending.days import day_begins
from chimein_gui.domain.spending.sums import Grouping, Sums, days_by, sums_by, total_of
from chimein_gui.domain.traces.summaries import TraceFilter, TraceKind
from chimein_gui.viewmodels.core.commands import CommandRunner
from chimein_gui.viewmodels.core.throttle import Throttle
from chimein_gui.viewmodels.costs import make_costs
from chimein_gui.viewmodels.costs.cap_edits import CapEdits
from chimein_gui.viewmodels.costs.csv_file import csv_of
from chimein_gui.viewmodels.costs.words import group_words
from chimein_gui.viewmodels.engine_api.costs import CostsApi
from chimein_gui.viewmodels.saved_files import file_problem

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.spending.caps import CapDay, CapKey
    from chimein_gui.domain.spending.sums import CostRow, GroupKey, PlanCosts
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.accounts.agents import AgentListModel
    from chimein_gui.viewmodels.window import WindowModels

_OF_COSTS = frozenset({ModelCallBooked, CapsChanged})

TOTAL_MS = 1000
"""Shortest time between two updates because calls were booked, ms: each computes all that is shown."""

LEAST_BETWEEN = timedelta(seconds=2)
"""Shortest time between two reads while calls are booked."""

MOST_STACKED = 8
"""Groups that the chart tells apart; the cheaper ones are one."""

REST = "rest"
"""Key of all groups that the chart does not tell apart."""


KINDS: Mapping[GroupKey, TraceKind] = {
    "plan": TraceKind.PLAN,
    "regenerate": TraceKind.VARIANT,
    DRY_RUN: TraceKind.DRY_RUN,
}
"""The kind of all traces with calls for a purpose; for others there are traces of plans with such calls."""

OF_NO_PLAN = frozenset({EXTRACTION})
"""Purposes of calls that are in no trace."""


class Period(StrEnum):
    """The days that are shown."""

    MONTH = "30 days"
    THIS_MONTH = "month"
    WEEK = "week"
    TODAY = "today"


DAYS = {Period.MONTH: 30, Period.WEEK: 7, Period.TODAY: 1}
"""Days of the periods that do not depend on the calendar."""


@dataclass(frozen=True, slots=True)
class CostLine:
    """One row of the table.

    Attributes:
        key: The group.
        name: Its name; foreign text.
        sums: What it cost.
        cap_key: What its cap is for; None where there is none.
        cap: Its cap today, or None.
        identity: Number of its colour.
        agent_id: The agent to show for it, or None.
        chat_id: The chat to show for it, or None.
        is_group: The chat is a group; None if it is no chat.
    """

    key: GroupKey
    name: str
    sums: Sums
    cap_key: CapKey | None = None
    cap: CapDay | None = None
    identity: int = 0
    agent_id: AgentId | None = None
    chat_id: ChatId | None = None
    is_group: bool | None = None


@dataclass(frozen=True, slots=True)
class DearestChat:
    """The chat whose calls cost the most on a day.

    Attributes:
        name: Its name; foreign text.
        calls: Number of its calls.
    """

    name: str
    calls: int


class CostsPaneModel(CommandRunner[CostsApi]):
    """Reads the sums while it is watched.

    Attributes:
        changed: Anything that is shown has changed.
        saved: A file was written; carries its path.
        caps: Changes caps.
        plans: What single plans of the period cost; None until it was read.
    """

    changed = Signal()
    saved = Signal(object)

    def __init__(self, models: WindowModels) -> None:
        super().__init__(models.bridge, models)
        self._models = models
        self.today = models.own(make_costs)
        self.caps = models.register(CapEdits(models.bridge, self.today, self))
        self.period, self.grouping, self.is_tokens = Period.MONTH, Grouping.AGENT, False
        self.day: date | None = None
        self.rows: tuple[CostRow, ...] = ()
        self.plans: PlanCosts | None = None
        self.is_read = False
        self._watched = self._is_old = False
        self._read_at: datetime | None = None
        models.bridge.batch_ready.connect(self._receive)
        models.clock.ticked.connect(self._tick)
        self._soon = Throttle(TOTAL_MS, self.changed.emit, self)
        self.today.changed.connect(self._soon.ask)
        self.today.caps_changed.connect(self.changed)

    def attach(self, api: CostsApi, spawn: Spawn) -> None:
        """Keep the engine to query, and read if it is watched already."""
        super().attach(api, spawn)
        if self._watched:
            self.read()

    def watch(self, *, watched: bool) -> None:
        """Read now and from time to time while the pane is in sight."""
        self._watched = watched
        if watched:
            self.read()

    def choose(
        self, *, period: Period | None = None, grouping: Grouping | None = None, is_tokens: bool | None = None
    ) -> None:
        """Show other days, other groups, or tokens instead of money."""
        if period is not None and period is not self.period:
            self.period, self.plans = period, None
            self.read()
        self.grouping = self.grouping if grouping is None else grouping
        self.is_tokens = self.is_tokens if is_tokens is None else is_tokens
        if self.day not in self.days():
            self.day = None
        self.changed.emit()

    def choose_day(self, day: date | None) -> None:
        """Show one day in the table; None shows all."""
        if day != self.day:
            self.day = day
            self.changed.emit()

    def step(self, step: int) -> None:
        """Show the next or an earlier day in the table."""
        days = self.days()
        place = days.index(self.day) + step if self.day in days else (len(days) - 1 if step < 0 else 0)
        self.choose_day(days[max(0, min(place, len(days) - 1))])

    # --- what is shown --------------------------------------------------------------------------------------------

    def last_day(self) -> date:
        """Return the current day."""
        return self._models.clock.now().astimezone().date()

    def days(self) -> tuple[date, ...]:
        """Return the days of the period, oldest first."""
        last = self.last_day()
        count = DAYS.get(self.period, last.day)
        return tuple(last - timedelta(days=back) for back in reversed(range(count)))

    def shown(self) -> tuple[CostRow, ...]:
        """Return the rows of the period."""
        days = set(self.days())
        return tuple(row for row in self.rows if row.day in days)

    def month(self) -> tuple[CostRow, ...]:
        """Return the rows of the calendar month."""
        first = self.last_day().replace(day=1)
        return tuple(row for row in self.rows if row.day >= first)

    def lines(self) -> tuple[CostLine, ...]:
        """Return the rows of the table, the dearest first."""
        rows = [row for row in self.shown() if self.day is None or row.day == self.day]
        places = {key: place for place, key in enumerate(sums_by(self.shown(), self.grouping))}  # as in the chart
        return tuple(self._line(key, sums, places[key]) for key, sums in sums_by(rows, self.grouping).items())

    def stacks(self) -> tuple[tuple[tuple[GroupKey, str, int], ...], Mapping[date, Mapping[GroupKey, float]]]:
        """Return the groups of the chart with names and colours, and their values a day: dollars, or tokens."""
        rows = self.shown()
        grouped = sums_by(rows, self.grouping)
        named = list(grouped)[:MOST_STACKED]
        found: dict[date, dict[GroupKey, float]] = {}
        for day, groups in days_by(rows, self.grouping).items():
            values = found[day] = {}
            for key, sums in groups.items():
                into = key if key in named else REST
                values[into] = values.get(into, 0.0) + (sums.tokens if self.is_tokens else sums.usd)
        lines = [self._line(key, grouped[key], place) for place, key in enumerate(named)]
        legend = [(line.key, line.name, line.identity) for line in lines]
        if len(grouped) > len(named):
            legend.append((REST, self.tr("Others"), -1))
        return tuple(legend), found

    def dearest_chat(self, day: date) -> DearestChat | None:
        """Return the chat that cost the most on a day; None without calls in chats."""
        grouped = sums_by((row for row in self.rows if row.day == day and row.chat_id), Grouping.CHAT)
        for key, sums in grouped.items():
            return DearestChat(chat_name(self._models, ChatId(int(key))), sums.calls)
        return None

    def traces_of(self, line: CostLine) -> TraceFilter | None:
        """Return the filter of the traces whose calls a row sums up; None for calls that belong to no plan.

        Calls for descriptions and embeddings that were made outside of a plan are in no trace.
        """
        days = self.days() if self.day is None else (self.day,)
        wanted = TraceFilter(since=day_begins(days[0]), until=day_begins(days[-1] + timedelta(days=1)))
        match self.grouping:
            case Grouping.AGENT if line.agent_id is not None:
                return replace(wanted, agent_id=line.agent_id)
            case Grouping.CHAT if line.chat_id:
                return replace(wanted, chat_id=line.chat_id)
            case Grouping.PURPOSE if line.key in KINDS:
                return replace(wanted, kind=KINDS[line.key])
            case Grouping.PURPOSE if line.key not in OF_NO_PLAN:
                return replace(wanted, purpose=str(line.key))
            case Grouping.MODEL:
                return replace(wanted, model=str(line.key))
        return None

    def total(self) -> Sums:
        """Return the sum of the period."""
        return total_of(self.shown())

    def asking(self) -> tuple[CapDay, ...]:
        """Return the caps that ask, and the models without a price that plans wait for."""
        return tuple(cap for cap in self.today.caps if cap.asks)

    def name_of(self, key: CapKey) -> str:
        """Return the name of an agent, chat or model that a cap is for; empty for everything. It is foreign text."""
        return cap_name(self._models, key)

    def _line(self, key: GroupKey, sums: Sums, place: int) -> CostLine:
        if self.grouping is Grouping.AGENT and isinstance(key, int):
            agent_id = AgentId(key)
            cap_key = cap_of_agent(agent_id)
            identity = self._models.agents.identity_of(agent_id) if key else place
            name = agent_name(self._models.agents, agent_id)
            return CostLine(key, name, sums, cap_key, self.today.cap(cap_key), identity, agent_id if key else None)
        if self.grouping is Grouping.CHAT and isinstance(key, int) and key:
            chat_id = ChatId(key)
            name, cap_key = chat_name(self._models, chat_id), cap_of_chat(chat_id)
            chat = self._models.chats.chat(chat_id)
            is_group = None if chat is None else chat.info.kind is not ChatKind.DM
            return CostLine(key, name, sums, cap_key, self.today.cap(cap_key), place, None, chat_id, is_group)
        return CostLine(key, group_words(self.grouping, key), sums, identity=place)

    # --- what is done ---------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write the rows of the period as CSV."""
        models = self._models
        text = csv_of(
            self.shown(),
            lambda agent_id: agent_name(models.agents, AgentId(agent_id)),
            lambda chat_id: chat_name(models, ChatId(chat_id)),
        )
        if self._api is not None:
            self._send(self._write(self._api, path, text), "export costs")

    async def _write(self, api: CostsApi, path: Path, text: str) -> None:
        try:
            await api.costs.write(path, text)
        except OSError as error:
            words = file_problem(error)
            self._bridge.deliver(lambda: self.failed.emit(words))
        else:
            self._bridge.deliver(lambda: self.saved.emit(path))

    # --- reading --------------------------------------------------------------------------------------------------

    def read(self) -> None:
        """Read the sums."""
        if self._api is not None:
            self._read_at, self._is_old = self._models.clock.now(), False
            last = self.last_day()
            first = min(last.replace(day=1), last - timedelta(days=DAYS[Period.MONTH] - 1))
            self._send(self._load(self._api, first, last, self.days()), "load sums of costs")

    async def _load(self, api: CostsApi, first: date, last: date, days: tuple[date, ...]) -> None:
        rows = await api.costs.sums(first, last)
        plans = await api.costs.plans(days[0], days[-1])
        self._bridge.deliver(lambda: self._install(rows, plans, days))

    def _install(self, rows: tuple[CostRow, ...], plans: PlanCosts, days: tuple[date, ...]) -> None:
        self.is_read = True
        self.rows = rows
        self.plans = plans if days == self.days() else self.plans
        self.changed.emit()

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        self._is_old = self._is_old or not _OF_COSTS.isdisjoint(map(type, events))

    def _tick(self) -> None:
        if not self._watched or self._read_at is None:
            return
        now = self._models.clock.now()
        is_new_day = now.astimezone().date() != self._read_at.astimezone().date()
        if is_new_day or (self._is_old and now - self._read_at >= LEAST_BETWEEN):
            self.read()


def agent_name(agents: AgentListModel, agent_id: AgentId) -> str:
    """Return the name of an agent; foreign text."""
    agent = agents.find(agent_id)
    return agent.spec.name if agent is not None else group_words(Grouping.AGENT, int(agent_id))


def chat_name(models: WindowModels, chat_id: ChatId) -> str:
    """Return agent and title of a chat; foreign text."""
    chat = models.chats.chat(chat_id)
    if chat is None:
        return group_words(Grouping.CHAT, int(chat_id))
    return f"{agent_name(models.agents, chat.agent_id)} → {chat.info.title}"


def cap_name(models: WindowModels, key: CapKey) -> str:
    """Return the name of what a cap is for; foreign text."""
    match key.scope.value:
        case "agent":
            return agent_name(models.agents, AgentId(int(key.target)))
        case "chat":
            return chat_name(models, ChatId(int(key.target)))
        case _:
            return key.target


def make_costs_pane(models: WindowModels) -> CostsPaneModel:
    """Return the model of the pane, registered with the engine."""
    return models.register(CostsPaneModel(models))
