"""The decision log of the small engine, and the rows that revoking a rule needs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from heapq import nlargest
from typing import TYPE_CHECKING, Any

from chimein_gui.domain.approvals import OPERATOR, Rule
from chimein_gui.domain.cards import TrustSource
from chimein_gui.domain.ids import AgentId, ApprovalId, ChatId, MessageId
from chimein_gui.domain.plans.decision_log import (
    DecisionFilter,
    DecisionKind,
    DecisionShare,
    DecisionTotals,
    LoggedDecision,
    LogPage,
    LogPosition,
    RuleInForce,
)

if TYPE_CHECKING:
    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.ids import AccountId
    from chimein_gui.engine.ports import DecisionRecord
    from tests.fakes.engine_api import FakeEngineApi


def decided(number: int, kind: DecisionKind = DecisionKind.APPROVED, **changes: Any) -> LoggedDecision:
    """Return a line of the log that is `number` minutes old."""
    at = datetime(2026, 11, 20, 14, 30, tzinfo=UTC) - timedelta(minutes=number)
    rule = RuleInForce(Rule.AUTO_TRUST, TrustSource.CHAT) if kind is DecisionKind.BY_RULE else None
    one = LoggedDecision(
        f"{number:06}",
        at,
        kind,
        ApprovalId(number),
        ChatId(1),
        AgentId(1),
        "Nora Vale",
        "Marta Oliveira",
        1,
        OPERATOR if rule is None else rule.name,
        f"text {number}",
        f"text {number}",
        rule=rule,
    )
    return replace(one, **changes)


class DecidedRows:
    """What was decided through it, and the lines in `FakeEngineApi.decided`, read as from the store."""

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api
        self._log: dict[str, DecisionRecord] = {}

    def add(self, record: DecisionRecord) -> None:
        self._log[record.client_id] = record

    def of_client(self, client_id: str) -> DecisionRecord | None:
        return self._log.get(client_id)

    def page(self, wanted: DecisionFilter, after: LogPosition | None, limit: int) -> LogPage:
        if self._api.fail is not None:
            raise self._api.fail
        end = None if after is None else (after.at, after.kind, after.client_id)
        rows = [one for one in self._api.decided if wanted.holds(one) and (end is None or _place(one) < end)]
        shown = tuple(nlargest(limit, rows, key=_place))
        return LogPage(shown, shown[-1].position if len(rows) > limit else None)

    def of_message(self, chat_id: ChatId, message_id: MessageId) -> LoggedDecision | None:
        mine = (one for one in self._api.decided if (one.chat_id, one.message_id) == (chat_id, message_id))
        return next(mine, None)

    def totals(self, wanted: DecisionFilter) -> DecisionTotals:
        return _totals([one for one in self._api.decided if wanted.holds(one)])

    def shares(self, wanted: DecisionFilter) -> tuple[DecisionShare, ...]:
        by_chat: dict[int, list[LoggedDecision]] = {}
        for one in self._api.decided:
            if wanted.agent_id in (None, one.agent_id) and wanted.chat_id in (None, one.chat_id):
                by_chat.setdefault(one.chat_id, []).append(one)
        return tuple(
            DecisionShare(rows[0].agent_id, rows[0].agent_name, _totals(rows), rows[0].chat_id, rows[0].chat_title)
            for rows in by_chat.values()
        )


class AgentRows:
    """The agents of a test."""

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api

    def owner_of(self, account_id: AccountId) -> Agent | None:
        return next((one for one in self._api.agents.values() if one.account_id == account_id), None)


def _place(one: LoggedDecision) -> tuple[datetime, str, str]:
    return one.at, one.kind, one.client_id


def _totals(rows: list[LoggedDecision]) -> DecisionTotals:
    count = Counter(one.kind for one in rows)
    rejected = count[DecisionKind.REJECTED] + count[DecisionKind.PLAN_REJECTED]
    return DecisionTotals(
        count[DecisionKind.APPROVED], count[DecisionKind.EDITED], rejected, count[DecisionKind.BY_RULE]
    )
