"""The decision log for the window: what was decided, by the operator or which rule, and what was changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from chimein_gui.domain.approvals import RejectionCause
from chimein_gui.domain.cards import TrustSource
from chimein_gui.domain.ids import AgentId, ApprovalId, ChatId, GraphId, MessageId
from chimein_gui.domain.tasks import TaskKind


class DecisionKind(StrEnum):
    """What was decided."""

    APPROVED = "approved"
    EDITED = "edited"
    """Approved with a text that differs from the model's."""
    REJECTED = "rejected"
    PLAN_REJECTED = "plan rejected"
    POSTPONED = "postponed"
    UNDONE = "undone"
    BY_RULE = "by rule"
    WRITTEN = "written"
    """The operator's own message."""
    SENT_ANYWAY = "sent anyway"
    REGENERATED = "regenerated"


@dataclass(frozen=True, slots=True)
class RuleInForce:
    """The rule of an automatic send, as it was at the approval.

    Attributes:
        name: Name of the rule, as in `domain.approvals.Rule`.
        source: Who had set the trust level.
        since: When the operator set it for the chat, aware UTC; None if unknown.
        until: When it was to end, aware UTC; None for no end.
    """

    name: str
    source: TrustSource
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class LoggedDecision:
    """One line of the log.

    Attributes:
        client_id: Key of the line.
        at: Aware UTC.
        kind: What was decided.
        approval_id: The planned send.
        chat_id: Its chat.
        agent_id: The chat's agent.
        agent_name: Name of the agent.
        chat_title: Name of the partner or group, foreign text.
        version: Version of the card that was decided on.
        by: ``operator``, or the name of the rule.
        draft: What the model wrote.
        text: The approved text; for a rejection or a regenerate the draft at that time.
        words: The words of a rejection, or the instruction of a regenerate.
        cause: The picked reason of a rejection.
        rule: The rule of an automatic send, else None.
        message_id: The message that was sent; None without one.
        what: What the planned send does.
        graph_id: The plan that it belongs to; None if that is not known.
    """

    client_id: str
    at: datetime
    kind: DecisionKind
    approval_id: ApprovalId
    chat_id: ChatId
    agent_id: AgentId
    agent_name: str
    chat_title: str
    version: int
    by: str
    draft: str
    text: str
    words: str = ""
    cause: RejectionCause | None = None
    rule: RuleInForce | None = None
    message_id: MessageId | None = None
    what: TaskKind = TaskKind.SEND
    graph_id: GraphId | None = None

    @property
    def position(self) -> LogPosition:
        """Return its position in the log."""
        return LogPosition(self.at, self.kind.value, self.client_id)

    @property
    def is_edited(self) -> bool:
        """Return whether the operator changed the model's text."""
        return self.kind is DecisionKind.EDITED


@dataclass(frozen=True, slots=True, order=True)
class LogPosition:
    """A position in the log; the newest is the largest."""

    at: datetime
    kind: str = ""
    client_id: str = ""


@dataclass(frozen=True, slots=True)
class DecisionFilter:
    """Filter of the decision log; None and empty match everything.

    Attributes:
        agent_id: Only this agent.
        chat_id: Only this chat.
        kind: Only this kind.
        since: Not earlier than this; aware UTC.
        until: Earlier than this; aware UTC.
        text: Only decisions whose texts or chat title contain this; case is ignored.
    """

    agent_id: AgentId | None = None
    chat_id: ChatId | None = None
    kind: DecisionKind | None = None
    since: datetime | None = None
    until: datetime | None = None
    text: str = ""

    def holds(self, one: LoggedDecision) -> bool:
        """Return whether a decision matches agent, chat, kind and text; times are not compared here."""
        return (
            self.agent_id in (None, one.agent_id)
            and self.chat_id in (None, one.chat_id)
            and self.kind in (None, one.kind)
            and (not self.text or self._is_in(one))
        )

    def _is_in(self, one: LoggedDecision) -> bool:
        wanted = self.text.casefold()
        return any(wanted in text.casefold() for text in (one.text, one.draft, one.words, one.chat_title))


@dataclass(frozen=True, slots=True)
class LogPage:
    """A page of the log, newest first.

    Attributes:
        rows: Matching decisions; may be empty although there are more.
        rest: Position at which the next page begins; None at the end.
    """

    rows: tuple[LoggedDecision, ...]
    rest: LogPosition | None


@dataclass(frozen=True, slots=True)
class DecisionTotals:
    """Numbers of decisions by their result."""

    approved: int = 0
    edited: int = 0
    rejected: int = 0
    by_rule: int = 0

    @property
    def edit_rate(self) -> float | None:
        """Return the share of the operator's approvals that they edited; None before the first."""
        approvals = self.approved + self.edited
        return self.edited / approvals if approvals else None

    def __add__(self, other: DecisionTotals) -> DecisionTotals:
        """Return the sum of both."""
        return DecisionTotals(
            self.approved + other.approved,
            self.edited + other.edited,
            self.rejected + other.rejected,
            self.by_rule + other.by_rule,
        )


@dataclass(frozen=True, slots=True)
class DecisionShare:
    """Numbers of decisions for an agent, or in one of its chats.

    Attributes:
        agent_id: The agent.
        agent_name: Its name.
        totals: The numbers.
        chat_id: The chat; None for the agent with all its chats.
        chat_title: Name of the partner or group, foreign text; empty for the agent.
    """

    agent_id: AgentId
    agent_name: str
    totals: DecisionTotals
    chat_id: ChatId | None = None
    chat_title: str = ""


def with_agents(chats: Iterable[DecisionShare], most: int) -> tuple[DecisionShare, ...]:
    """Return each agent with its sum, followed by its chats with the most decisions.

    Args:
        chats: The shares of chats.
        most: Maximum of chats per agent.
    """
    by_agent: dict[AgentId, list[DecisionShare]] = {}
    for one in chats:
        by_agent.setdefault(one.agent_id, []).append(one)
    agents = [
        replace(mine[0], totals=sum((one.totals for one in mine), DecisionTotals()), chat_id=None, chat_title="")
        for mine in by_agent.values()
    ]
    shown: list[DecisionShare] = []
    for agent in sorted(agents, key=_weight):
        shown += [agent, *sorted(by_agent[agent.agent_id], key=_weight)[:most]]
    return tuple(shown)


def _weight(one: DecisionShare) -> tuple[int, str, str]:
    totals = one.totals
    return -(totals.approved + totals.edited + totals.rejected + totals.by_rule), one.agent_name, one.chat_title
