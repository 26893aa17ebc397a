"""What a plan waits for now that its trace does not hold: account, chat and cards do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto
from typing import TYPE_CHECKING

from chimein_gui.domain.agents import NEEDS_LOG_IN
from chimein_gui.domain.notes import PlanningKind
from chimein_gui.domain.tasks import METHODS, TaskKind, TaskStatus
from chimein_gui.domain.traces.summaries import LEAVING, Standings, TraceKind, TraceState

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.notes import PlanningProblem
    from chimein_gui.domain.traces.steps import Trace
    from chimein_gui.domain.traces.summaries import TraceSummary
    from chimein_gui.viewmodels.window import WindowModels

_SENDS = frozenset({METHODS[TaskKind.SEND]})
"""Methods of a plan of which only the row is known: most plans send texts."""

MAY_WAIT = LEAVING | {TraceState.WAITING, TraceState.RETRYING}
"""States of which there is more to say than the word; most rows have another, and each asks with every paint."""


class WaitsFor(Enum):
    """Who has to do something, or what has to pass."""

    LOG_IN = auto()
    """The account has to be logged in."""
    TELEGRAM = auto()
    """Telegram asks the account to wait."""
    MODEL = auto()
    """The model's service asks for a wait."""
    OPERATOR = auto()
    """The operator postponed the decision on all of its cards."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What a plan waits for, and until when (aware UTC); None where nobody knows."""

    waits_for: WaitsFor
    until: datetime | None = None


def standing_of(
    row: TraceSummary,
    agent: Agent | None,
    problem: PlanningProblem | None,
    now: datetime,
    methods: Collection[str] = _SENDS,
    cards: Collection[Approval] = (),
) -> Standing | None:
    """Return what a plan waits for; None if its state says all.

    Args:
        row: The row of its trace.
        agent: The agent as it is now, or None.
        problem: Why its chat has no plan now, or None.
        now: Aware UTC.
        methods: The methods of its planned sends.
        cards: Its planned sends that are not closed, as they are now.
    """
    if row.kind is TraceKind.DRY_RUN:
        return None
    if row.state is TraceState.WAITING:
        asked = [one for one in cards if one.task_status is TaskStatus.AWAITING_DECISION]
        ends = [one.postponed_until for one in asked if one.postponed_until is not None and one.is_postponed(now)]
        return Standing(WaitsFor.OPERATOR, min(ends)) if asked and len(ends) == len(asked) else None
    if row.state in LEAVING and agent is not None:
        if agent.health in NEEDS_LOG_IN:
            return Standing(WaitsFor.LOG_IN)
        until = max((one.until for one in agent.waits if one.method in methods and one.until > now), default=None)
        return Standing(WaitsFor.TELEGRAM, until) if until is not None else None
    if row.state is TraceState.RETRYING and problem is not None and problem.kind is PlanningKind.ASKED_TO_WAIT:
        until = row.ended_at + timedelta(seconds=problem.wait_s)
        return Standing(WaitsFor.MODEL, until) if until > now else None
    return None


def standings_in(models: WindowModels) -> Standings:
    """Return what plans wait for now, so that filters and counts say the same as the rows."""
    now, agents, postponed = models.clock.now(), models.agents.items(), models.approvals.postponed.items.values()
    asked = {
        card.graph_id
        for chat_id in {one.chat_id for one in postponed}
        for card in models.approvals.of_chat(chat_id)
        if card.task_status is TaskStatus.AWAITING_DECISION and not card.is_postponed(now)
    }
    return Standings(
        frozenset(one.graph_id for one in postponed) - asked,
        frozenset(one.agent_id for one in agents if one.health in NEEDS_LOG_IN),
        frozenset(one.agent_id for one in agents if any(w.method in _SENDS and w.until > now for w in one.waits)),
    )


def standing_in(models: WindowModels, row: TraceSummary, trace: Trace | None = None) -> Standing | None:
    """Return what a plan waits for now, of an open trace by the sends that it plans."""
    if row.state not in MAY_WAIT:
        return None
    chat = models.chats.chat(row.chat_id)
    problem = chat.planning_problem if chat is not None else None
    cards = [block.approval for block in trace.blocks if block.approval is not None] if trace is not None else []
    methods = {METHODS.get(card.kind, "") for card in cards if card.task_status is TaskStatus.APPROVED}
    of_chat = models.approvals.of_chat(row.chat_id) if row.state is TraceState.WAITING else ()
    mine = [one for one in of_chat if one.graph_id == row.graph_id]
    return standing_of(row, models.agents.find(row.agent_id), problem, models.clock.now(), methods or _SENDS, mine)
