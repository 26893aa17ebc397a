"""Rows of the list of traces, its filter and its figures."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.ids import AccountId, AgentId, ChatId, GraphId
    from chimein_gui.domain.notes import Note

TraceId = NewType("TraceId", int)
"""Row id of a trace; later ones are larger."""

SLOW_S = 15.0
"""From how many seconds of work on a plan its trace counts as slow; waiting does not count."""

EXPENSIVE_USD = 0.01
"""From how many US dollars a trace counts as expensive."""


class TraceKind(StrEnum):
    """What was made."""

    PLAN = "plan"
    VARIANT = "variant"
    """Another version of a plan, for the operator to choose."""
    DRY_RUN = "dry run"
    """A what-if of the operator's; nothing of it can be sent."""


class TraceState(StrEnum):
    """What became of a plan. The database keeps the values."""

    RETRYING = "retrying"
    """An attempt failed, and the next one is due; `problem` says why."""
    BEGUN_ANEW = "begun anew"
    """Something came meanwhile, so that the plan is made once more; the work so far was discarded."""
    NO_KEY = "no key"
    """It waits until the key of the model is changed."""
    CAPPED = "capped"
    """It waits because a cap on costs is reached."""
    STOPPED = "stopped"
    """It was interrupted and is not made again: the program was closed, or the operator stopped it."""
    UNNEEDED = "unneeded"
    """The chat was answered meanwhile, so the plan was dropped."""
    NO_ANSWER = "no answer"
    """The model chose to say nothing."""
    OBSERVED = "observed"
    WAITING = "waiting"
    """It waits for the operator's decision."""
    APPROVED = "approved"
    """It is approved and will be sent."""
    SENDING = "sending"
    UNKNOWN = "unknown"
    """It was handed over, and it is not known whether it arrived."""
    SENT = "sent"
    REJECTED = "rejected"
    REPLACED = "replaced"
    """A newer plan took its place before it was sent."""
    CANCELLED = "cancelled"
    FAILED = "failed"
    """The plan could not be made, or something of it could not be sent."""
    REFUSED = "refused"
    """The model refused the prompt."""
    PARKED = "parked"
    """A variant that can be chosen."""
    ANSWERED = "answered"
    """A dry run that got its answer."""


NEEDS_YOU = frozenset({TraceState.WAITING, TraceState.CAPPED, TraceState.NO_KEY})
"""States that the operator ends; a cap is one, because nothing is lost and a press goes on."""

LEAVING = frozenset({TraceState.APPROVED, TraceState.SENDING})
"""States of plans that are sent unless their account can't."""

PROBLEMS = frozenset(
    {
        TraceState.RETRYING,
        TraceState.NO_KEY,
        TraceState.UNKNOWN,
        TraceState.FAILED,
        TraceState.REFUSED,
    }
)
"""States that are problems by themselves."""


class TraceGroup(StrEnum):
    """Traces of several states, some of them only by what they wait for now; see `Standings`."""

    NEEDS_YOU = "needs you"
    """Those in `NEEDS_YOU` but for the postponed ones, and what waits for an account that must be logged in."""
    PROBLEMS = "problems"
    """Those in `PROBLEMS`, and what waits for a log-in or for Telegram."""


@dataclass(frozen=True, slots=True)
class Standings:
    """What plans wait for now that no trace says.

    Attributes:
        postponed: The plans of which the operator has postponed every decision.
        logged_out: The agents whose accounts must be logged in again.
        asked_to_wait: The agents of which Telegram takes no message now.
    """

    postponed: frozenset[GraphId] = frozenset()
    logged_out: frozenset[AgentId] = frozenset()
    asked_to_wait: frozenset[AgentId] = frozenset()

    def groups_of(self, row: TraceSummary) -> frozenset[TraceGroup]:
        """Return the groups of a trace."""
        is_leaving = row.state in LEAVING
        is_out, waits = (is_leaving and row.agent_id in some for some in (self.logged_out, self.asked_to_wait))
        needs_you = row.state in NEEDS_YOU and not (row.state is TraceState.WAITING and row.graph_id in self.postponed)
        found = (
            (TraceGroup.NEEDS_YOU, needs_you or is_out),
            (TraceGroup.PROBLEMS, row.state in PROBLEMS or is_out or waits),
        )
        return frozenset(group for group, is_one in found if is_one)


NO_STANDINGS = Standings()
"""Nothing is postponed, and every account can send."""

OPEN = frozenset(
    {
        TraceState.RETRYING,
        TraceState.BEGUN_ANEW,
        TraceState.NO_KEY,
        TraceState.CAPPED,
        TraceState.WAITING,
        TraceState.APPROVED,
        TraceState.SENDING,
        TraceState.UNKNOWN,
        TraceState.PARKED,
    }
)
"""States that something still follows; retention leaves them alone."""


@dataclass(frozen=True, slots=True)
class TraceSummary:
    """One row of the list.

    Attributes:
        trace_id: Row id.
        kind: What was made.
        chat_id: The conversation.
        account_id: The account of its agent.
        agent_id: The agent.
        agent_name: Its name now.
        chat_title: The name of the partner or group now, foreign text.
        is_group: The conversation is a group.
        began_at: When its first step began, aware UTC.
        ended_at: When the plan was made, or its last attempt ended, aware UTC.
        state: What became of it.
        problem: Why it failed or waits, or None.
        first_words: The beginning of the message that it answers, foreign text; for a dry run of the answer.
        usd: US dollars of its calls with a price, discarded ones included; None if no call has a price.
        unpriced: Number of its calls without a known price.
        tokens_in: Tokens of all prompts.
        tokens_out: Tokens of all replies, thinking included.
        tokens_cached: Of those of the prompts, the ones that were billed lower.
        model_calls: Number of calls, however they ended.
        pages: Number of pages that were fetched.
        refused_pages: Number of addresses that were refused.
        attempts: How often it was tried.
        work_s: Seconds of work; waiting does not count.
        is_kept: The operator keeps it; retention never deletes it.
        is_edited: The operator changed a text before it was sent.
        is_rejected: The operator rejected at least one step.
        is_slow: See `SLOW_S`.
        is_expensive: See `EXPENSIVE_USD`.
        graph_id: The plan that came of it; None without one.
        size: Bytes in the database.
    """

    trace_id: TraceId
    kind: TraceKind
    chat_id: ChatId
    account_id: AccountId
    agent_id: AgentId
    agent_name: str
    chat_title: str
    is_group: bool
    began_at: datetime
    ended_at: datetime
    state: TraceState
    problem: Note | None = None
    first_words: str = ""
    usd: float | None = None
    unpriced: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    model_calls: int = 0
    pages: int = 0
    refused_pages: int = 0
    attempts: int = 1
    work_s: float = 0.0
    is_kept: bool = False
    is_edited: bool = False
    is_rejected: bool = False
    is_slow: bool = False
    is_expensive: bool = False
    graph_id: GraphId | None = None
    size: int = 0


@dataclass(frozen=True, slots=True)
class TraceFilter:
    """Filter of the list; None, False and empty match everything.

    Attributes:
        agent_id: Only this agent.
        chat_id: Only this chat.
        states: Only these states.
        group: Only this group.
        kind: Only this kind; `TraceKind.DRY_RUN` is the filter *what-if*.
        slow: Only slow ones.
        expensive: Only expensive ones.
        edited: Only with an edited text.
        rejected: Only with a rejected step.
        kept: Only those that the operator keeps.
        words: Only those in which all these words stand, or begin a word: in messages answered, replies, texts of
            pages, addresses, names of chat and agent.
        since: Not earlier than this; aware UTC.
        until: Earlier than this; aware UTC.
        purpose: Only with a call for this, as in the cost ledger.
        model: Only with a call of this model; with a purpose, for that.
    """

    agent_id: AgentId | None = None
    chat_id: ChatId | None = None
    states: frozenset[TraceState] = frozenset()
    group: TraceGroup | None = None
    kind: TraceKind | None = None
    slow: bool = False
    expensive: bool = False
    edited: bool = False
    rejected: bool = False
    kept: bool = False
    words: str = ""
    since: datetime | None = None
    until: datetime | None = None
    purpose: str = ""
    model: str = ""


EVERYTHING = TraceFilter()


@dataclass(frozen=True, slots=True)
class TraceCounts:
    """How many traces match a filter, in all and by what they are.

    Attributes:
        all: In all.
        waiting: In the group `TraceGroup.NEEDS_YOU`.
        problems: In the group `TraceGroup.PROBLEMS`.
        what_if: Dry runs.
    """

    all: int = 0
    waiting: int = 0
    problems: int = 0
    what_if: int = 0


@dataclass(frozen=True, slots=True)
class TraceSizes:
    """How much is kept; sizes in bytes.

    Attributes:
        traces: Number of traces.
        trace_bytes: Their size, pages and replies included.
        prompts: Number of prompts.
        prompt_bytes: Their size.
        kept: Number of traces that the operator keeps.
        limit_bytes: The operator's limit for traces and prompts together; None for no limit.
        days: For how many days they are kept; None for no end.
    """

    traces: int = 0
    trace_bytes: int = 0
    prompts: int = 0
    prompt_bytes: int = 0
    kept: int = 0
    limit_bytes: int | None = None
    days: int | None = None

    @property
    def all_bytes(self) -> int:
        """Return the size of all that counts for the limit."""
        return self.trace_bytes + self.prompt_bytes


class ExportFormat(StrEnum):
    """A form of a file with traces."""

    JSON = "json"
    """Chimein's own, with everything that the pane shows."""
    OTLP = "otlp"
    """OpenTelemetry's JSON, for Langfuse, Phoenix and others."""


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What an export holds.

    Attributes:
        form: The form of the file.
        with_content: Messages, prompts, replies and pages are in it; they are personal data. Otherwise only names,
            times, tokens and costs are.
    """

    form: ExportFormat = ExportFormat.JSON
    with_content: bool = False
