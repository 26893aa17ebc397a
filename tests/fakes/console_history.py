"""The decision log of the small engine, and what revoking a rule needs of its rows."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from chimein_gui.domain.plans.decision_log import (
    DecisionFilter,
    DecisionKind,
    DecisionShare,
    DecisionTotals,
    LoggedDecision,
    LogPage,
    LogPosition,
)

if TYPE_CHECKING:
    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.ids import AccountId
    from tests.fakes.console import FakeConsole


class DecidedRows:
    """What a test has put into `FakeConsole.decided`, as the store reads it."""

    def __init__(self, console: FakeConsole) -> None:
        self._console = console

    def page(self, wanted: DecisionFilter, after: LogPosition | None, limit: int) -> LogPage:
        if self._console.fail is not None:
            raise self._console.fail
        newest_first = sorted(self._console.decided, key=lambda one: one.position, reverse=True)
        rows = [one for one in newest_first if wanted.holds(one) and (after is None or one.position < after)]
        shown = tuple(rows[:limit])
        return LogPage(shown, shown[-1].position if len(rows) > limit else None)

    def totals(self, wanted: DecisionFilter) -> DecisionTotals:
        return _totals([one for one in self._console.decided if wanted.holds(one)])

    def shares(self, wanted: DecisionFilter) -> tuple[DecisionShare, ...]:
        by_chat: dict[int, list[LoggedDecision]] = {}
        for one in self._console.decided:
            if wanted.agent_id in (None, one.agent_id) and wanted.chat_id in (None, one.chat_id):
                by_chat.setdefault(one.chat_id, []).append(one)
        return tuple(
            DecisionShare(rows[0].agent_id, rows[0].agent_name, _totals(rows), rows[0].chat_id, rows[0].chat_title)
            for rows in by_chat.values()
        )


class AgentRows:
    """The agents of a test."""

    def __init__(self, console: FakeConsole) -> None:
        self._console = console

    def owner_of(self, account_id: AccountId) -> Agent | None:
        return next((one for one in self._console.agents.values() if one.account_id == account_id), None)


def _totals(rows: list[LoggedDecision]) -> DecisionTotals:
    count = Counter(one.kind for one in rows)
    rejected = count[DecisionKind.REJECTED] + count[DecisionKind.PLAN_REJECTED]
    return DecisionTotals(
        count[DecisionKind.APPROVED], count[DecisionKind.EDITED], rejected, count[DecisionKind.BY_RULE]
    )
