"""A small engine for tests of the window: rows in dicts, the engine's own rules for decisions and holds, no I/O.

What a test puts into it is published at once; `tests/models/test_fake_agrees.py` compares it with the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any

from chimein_gui.domain import events as ev
from chimein_gui.domain.agents import Agent, AgentSpec, FileProblem, Health
from chimein_gui.domain.approvals import Approval, AskReason, Decision, Outcome, SavedEdit
from chimein_gui.domain.chats import (
    Chat,
    ChatInfo,
    ChatKind,
    ChatSettings,
    ContextPin,
    PinKind,
    QuietHours,
    TriggerMode,
    TrustLevel,
)
from chimein_gui.domain.events import EngineEvent
from chimein_gui.domain.ids import (
    AccountId,
    AgentId,
    ApprovalId,
    ChatId,
    GraphId,
    MessageId,
    PeerId,
    Revision,
    TaskId,
    UserId,
)
from chimein_gui.domain.loaded import Loaded
from chimein_gui.domain.messages import Message, MessageKey
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.plans.decision_log import LoggedDecision
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import ApprovalState, TaskStatus
from chimein_gui.engine.core.clock import SystemClock
from chimein_gui.engine.core.commits import UnitOfWork
from chimein_gui.engine.core.environment import LivePreferences, TransactionEnvironment
from chimein_gui.engine.core.event_bus import EventBus
from chimein_gui.engine.operator.decision_log import DecisionLog
from chimein_gui.engine.operator.decisions import DecisionService
from chimein_gui.engine.operator.resend import SendAnyway
from chimein_gui.engine.operator.saved_edits import SavedEditsService
from chimein_gui.engine.operator.trust_rules import TrustRules
from chimein_gui.engine.policy.trust import default_trust
from chimein_gui.engine.ports import FrameRenderer
from chimein_gui.viewmodels.engine_api.memory import ExtractionService, MemoryIndexService, RecallService
from tests.fakes.api_accounts import FakeAgentFiles, FakeCharacterCards, FakeKeys, FakePreferences, FakeProxies
from tests.fakes.api_cards import FakeCards, FakeVariants
from tests.fakes.api_composer import FakeComposer, FakeSent, FakeStickers
from tests.fakes.api_costs import FakeCosts
from tests.fakes.api_diagnostics import FakeDiagnostics
from tests.fakes.api_holds import FakeHolds
from tests.fakes.api_logins import FakeLogins
from tests.fakes.api_media import FakeDescribing, FakeMedia
from tests.fakes.api_media_files import FakeMediaFiles
from tests.fakes.api_memories import FakeOrders, memories_of
from tests.fakes.api_people import FakePeople
from tests.fakes.api_plans import FakeContexts, FakeDryRuns, FakePlanPages, FakePrompts
from tests.fakes.api_review import FakeReview
from tests.fakes.api_rows import FakeStore
from tests.fakes.api_sources import sources_of
from tests.fakes.api_traces import FakeTraces
from tests.fakes.api_transcripts import FakeTranscripts
from tests.fakes.frames import FakeFrameRenderer

if TYPE_CHECKING:
    from chimein_gui.engine.operator.decisions import TogetherWith

NOON = datetime(2026, 11, 20, 14, 30, tzinfo=UTC)
BIG = 2**40
"""Telegram's ids do not fit 32 bits; neither do these."""


@dataclass
class Call:
    """One received decision."""

    approval_id: int
    expected_version: int
    decision: Decision
    seen_up_to: int
    client_id: str


class FakeEngineApi:
    """The engine as the window sees it."""

    memory_recall: RecallService | None = None
    extraction: ExtractionService | None = None
    memory_index: MemoryIndexService | None = None

    def __init__(self, now: Callable[[], datetime] = lambda: NOON) -> None:
        self.now = now
        self.revision = 1_000  # it starts high, because tests choose small numbers for seen revisions
        self.bus = EventBus()
        self.store = FakeStore(self)
        self.live = LivePreferences(Preferences())
        self.environment = TransactionEnvironment(
            self.live, now, lambda _agent: UTC, lambda _account: True, lambda: None, lambda chat: chat in self.editing
        )
        self.unit = UnitOfWork(self.store, self.bus, SystemClock())
        self.rules = DecisionService(self.unit, self.environment)
        self.decisions, self.queries, self.editors = FakeDecisions(self), FakeQueries(self), FakeEditors(self)
        self.directory = self.accounts = FakeAccounts(self)
        self.agents: dict[int, Agent] = {}
        self.problems: tuple[FileProblem, ...] = ()
        self.allowed_links: list[str] = []
        self.chats: dict[int, Chat] = {}
        self.messages: dict[int, dict[int, Message]] = {}
        self.approvals: dict[int, Approval] = {}
        self.calls: list[Call] = []
        self.started: list[int] = []
        self.stopped: list[int] = []
        self.holds = self.backlog = FakeHolds(self)
        self.chat_settings = self.takeovers = FakeChatSettings(self)
        self.agent_settings = FakeAgentSettings(self)
        self.plans = self.variants = self.resend = FakePlans(self)
        self.plan_history = self.plan_edits = self.upcoming = FakePlanPages()
        self.contexts = FakeContexts()
        self.prompts, self.dry_runs = FakePrompts(), FakeDryRuns(self)
        self.composer = FakeComposer(self)
        self.saved_edits = FakeSavedEdits(self)
        self.cards = FakeCards(self)
        self.decision_log = DecisionLog(self.store, called_now)
        self.trust_rules = TrustRules(self.unit, self.environment, self.agent_settings)
        self.costs = self.caps = FakeCosts(self)
        self.diagnostics, self.traces = FakeDiagnostics(), FakeTraces(self)
        self.sent = FakeSent(self)
        self.stickers = FakeStickers()
        self.preferences_service = FakePreferences(self)
        self.keys = self.key_check = FakeKeys()
        self.proxies = FakeProxies(self)
        self.agent_files = FakeAgentFiles(self)
        self.character_cards = FakeCharacterCards(self)
        self.sources, self.memory_editor, self.memory_review = sources_of(self), memories_of(self), FakeReview(self)
        self.people, self.media_files, self.media_library = FakePeople(), FakeMediaFiles(), FakeMedia(self)
        self.memories, self.transcripts = FakeOrders(), FakeTranscripts(self)
        self.logins = FakeLogins(self)
        self.frames: FrameRenderer = FakeFrameRenderer()
        self.recent: tuple[Approval, ...] = ()
        self.decided: list[LoggedDecision] = []
        self.editing: list[int] = []
        self.refuse: Outcome | None = None
        self.fail: Exception | None = None

    # --- the engine as the window sees it

    @cached_property
    def media_requests(self) -> FakeDescribing:
        return FakeDescribing(self.media_library)

    @property
    def review_list(self) -> FakeReview:
        return self.memory_review

    @property
    def preferences(self) -> Preferences:
        return self.live.now

    @preferences.setter
    def preferences(self, preferences: Preferences) -> None:
        self.live.change(preferences)

    def subscribe(self, subscriber: Callable[[EngineEvent], None]) -> Callable[[], None]:
        return self.bus.subscribe(subscriber)

    # --- what a test does to it -----------------------------------------------------------------------------------

    def publish(self, event: EngineEvent) -> None:
        self.bus.publish(event)

    def put_agent(self, agent: Agent) -> None:
        self.agents[agent.agent_id] = agent
        self.publish(ev.AgentChanged(agent, self._next()))

    def put_chat(self, chat: Chat) -> None:
        self.chats[chat.chat_id] = chat
        self.publish(ev.ChatChanged(chat, self._next()))

    def put_message(self, chat_id: int, message: Message) -> None:
        self.messages.setdefault(chat_id, {})[message.key.message_id] = message
        self.publish(ev.MessageStored(ChatId(chat_id), message, self._next()))

    def put_approval(self, approval: Approval) -> None:
        self.approvals[approval.approval_id] = approval
        self.publish(ev.TaskStatusChanged(approval, self._next()))

    def put_fault(self, key: str, cause: str, remedy: str = "") -> None:
        self.publish(ev.FaultReported(key, worded(cause), worded(remedy), self._next()))

    def put_typing(self, chat_id: int, seconds: float = 5) -> None:
        self.publish(ev.PartnerTyping(ChatId(chat_id), self.now() + timedelta(seconds=seconds), self._next()))

    def put_problems(self, *problems: FileProblem) -> None:
        self.problems = problems
        self.publish(ev.FileProblemsChanged(problems, self._next()))

    def _next(self) -> Revision:
        self.revision += 1
        return Revision(self.revision)

    def loaded(self, rows: tuple[Any, ...]) -> Loaded[Any]:
        return Loaded(rows, Revision(self.revision))


class FakeQueries:
    """Rows that panes fetch when they open."""

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api

    async def chats(self) -> Loaded[Chat]:
        return self._api.loaded(tuple(sorted(self._api.chats.values(), key=_age)))

    async def approvals(self) -> Loaded[Approval]:
        rows = self._api.approvals.values()
        return self._api.loaded(tuple(row for row in rows if row.task_status is not TaskStatus.PARKED))

    async def recent_decisions(self, *, limit: int) -> Loaded[Approval]:
        return self._api.loaded(self._api.recent)


class FakeDecisions(DecisionService):
    """The engine's own decisions, recorded; a test may set the answer."""

    def __init__(self, api: FakeEngineApi) -> None:
        super().__init__(api.unit, api.environment)
        self._api = api

    async def decide(
        self,
        approval_id: ApprovalId,
        *,
        expected_version: int,
        decision: Decision,
        seen_up_to: Revision,
        client_id: str,
        together_with: TogetherWith | None = None,
    ) -> Outcome:
        api = self._api
        api.calls.append(Call(approval_id, expected_version, decision, seen_up_to, client_id))
        if api.fail is not None:
            raise api.fail
        if api.refuse is not None:
            refused, api.refuse = api.refuse, None
            return refused
        return await super().decide(
            approval_id,
            expected_version=expected_version,
            decision=decision,
            seen_up_to=seen_up_to,
            client_id=client_id,
            together_with=together_with,
        )


class FakeEditors:
    """Counts open editors."""

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api

    def begin(self, chat_id: ChatId) -> None:
        self._api.editing.append(chat_id)

    def end(self, chat_id: ChatId) -> None:
        self._api.editing.remove(chat_id)


class FakeAccounts:
    """All agents, and their connections."""

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api

    async def load(self) -> Loaded[Agent]:
        return self._api.loaded(tuple(self._api.agents.values()))

    def start(self, agent_id: AgentId) -> None:
        self._api.started.append(agent_id)
        self._api.put_agent(replace(self._api.agents[agent_id], health=Health.CONNECTING))

    async def stop(self, agent_id: AgentId) -> None:
        self._api.stopped.append(agent_id)
        self._api.put_agent(replace(self._api.agents[agent_id], health=Health.STOPPED))

    async def clear_limited(self, agent_id: AgentId) -> None:
        self._api.put_agent(replace(self._api.agents[agent_id], limited=""))


class FakeChatSettings:
    """The settings of chats."""

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api
        self.calls: list[tuple[int, TrustLevel | None, float | None]] = []

    async def set_trust(self, chat_id: ChatId, trust: TrustLevel | None, *, for_s: float | None = None) -> None:
        self.calls.append((chat_id, trust, for_s))
        now, chat = self._api.now(), self._api.chats[chat_id]
        until = now + timedelta(seconds=for_s) if trust is TrustLevel.AUTO and for_s is not None else None
        settings = replace(chat.settings, trust=trust, trust_until=until, trust_since=None if trust is None else now)
        self._api.put_chat(replace(chat, settings=settings, trust=trust or TrustLevel.REVIEW))

    async def set_triggers(self, chat_id: ChatId, triggers: TriggerMode | None) -> None:
        self._set(chat_id, triggers=triggers)

    async def set_quiet_hours(self, chat_id: ChatId, quiet_hours: QuietHours | None) -> None:
        self._set(chat_id, quiet_hours=quiet_hours)

    async def allow_bots(self, chat_id: ChatId, *, allowed: bool) -> None:
        self._set(chat_id, allow_bots=allowed)

    async def allow_agents(self, chat_id: ChatId, *, allowed: bool) -> None:
        self._set(chat_id, allow_agents=allowed)

    async def pin(self, chat_id: ChatId, message_id: MessageId, kind: PinKind | None) -> None:
        others = [one for one in self._api.chats[chat_id].settings.pins if one.message_id != message_id]
        made = [] if kind is None else [ContextPin(message_id, kind)]
        self._set(chat_id, pins=tuple(sorted((*others, *made))))

    async def begin(self, chat_id: ChatId) -> None:
        until = self._api.now() + timedelta(minutes=30)
        self._api.put_chat(replace(self._api.chats[chat_id], takeover_until=until))

    async def resume(self, chat_id: ChatId) -> None:
        self._api.put_chat(replace(self._api.chats[chat_id], takeover_until=None))

    def _set(self, chat_id: ChatId, **settings: Any) -> None:
        chat = self._api.chats[chat_id]
        changed: ChatSettings = replace(chat.settings, **settings)
        self._api.put_chat(replace(chat, settings=changed))


class FakeAgentSettings:
    """The operator's confirmations for agents."""

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api

    async def confirm_trust(
        self, agent_id: AgentId, *, confirmed: bool = True, level: TrustLevel | None = None
    ) -> None:
        assert level in {None, self._api.agents[agent_id].spec.trust}
        self._api.put_agent(replace(self._api.agents[agent_id], trust_confirmed=confirmed))
        for one in tuple(self._api.chats.values()):
            if one.agent_id == agent_id and one.settings.trust is None:
                self._api.put_chat(replace(one, trust=default_trust(self._api.agents[agent_id])))


class FakePlans(FakeVariants):
    """Steps of plans, and the operator's actions on them."""

    def __init__(self, api: FakeEngineApi) -> None:
        super().__init__(api)
        self._api = api
        self._anyway = SendAnyway(api.unit, api.environment)
        self.steps: tuple[ev.StepChanged, ...] = ()
        self.calls: list[tuple[str, int]] = []
        self.takes_up = True

    async def load(self, chat_id: ChatId) -> Loaded[ev.StepChanged]:
        mine = tuple(step for step in self.steps if step.chat_id == chat_id)
        return Loaded(mine, Revision(self._api.revision))

    async def let_wait_begin(self, task_id: TaskId) -> None:
        self.calls.append(("let wait", task_id))
        self._end(task_id, TaskStatus.WAITING)

    async def skip_wait(self, task_id: TaskId) -> None:
        self.calls.append(("skip", task_id))
        self._end(task_id, TaskStatus.SKIPPED)

    async def retry(self, chat_id: ChatId, *, without_pages: bool = False) -> None:
        self.calls.append(("retry without pages" if without_pages else "retry", chat_id))
        self._api.put_chat(replace(self._api.chats[chat_id], planning_problem=None))

    async def reject(self, graph_id: GraphId, reason: str = "") -> None:
        del reason
        self.calls.append(("reject", graph_id))

    async def ask(self, approval_id: ApprovalId, *, client_id: str) -> Approval | None:
        self.calls.append(("send anyway", approval_id))
        if not self.takes_up:
            return None
        return await self._anyway.ask(approval_id, client_id=client_id)

    async def cancel_planning(self, task_id: TaskId) -> None:
        self.calls.append(("cancel planning", task_id))
        self._end(task_id, TaskStatus.CANCELLED)

    def put(self, step: ev.StepChanged) -> None:
        self.steps = (*(one for one in self.steps if one.task_id != step.task_id), step)
        self._api.publish(replace(step, revision=Revision(self._api.revision + 1)))

    def _end(self, task_id: TaskId, status: TaskStatus) -> None:
        step = next(one for one in self.steps if one.task_id == task_id)
        self.put(replace(step, status=status))


class FakeSavedEdits(SavedEditsService):
    """Kept edits of chats."""

    def __init__(self, api: FakeEngineApi) -> None:
        # Through the engine API, which records decisions and refuses those that a test names.
        super().__init__(api.unit, api.decisions, api.composer.engine)
        self._api = api
        self.edits: tuple[SavedEdit, ...] = ()

    def put(self, *edits: SavedEdit) -> None:
        self.edits = edits
        self._api.publish(ev.SavedEditsChanged(ChatId(1), edits, Revision(self._api.revision + 1)))


def _age(chat: Chat) -> tuple[float, int]:
    """Return the sort key that puts the newest message first, as the store lists chats."""
    return 0.0 if chat.last_at is None else -chat.last_at.timestamp(), chat.chat_id


def run_now(job: Coroutine[Any, Any, None], *, name: str) -> None:
    """Run a job at once; a spawn for jobs that never wait."""
    try:
        job.send(None)
    except StopIteration:
        return
    raise AssertionError(f"{name} waits for something; use a loop")


async def called_now(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function at once; stands for a thread in jobs that never wait."""
    return function(*arguments)


def agent(number: int = 1, name: str = "Nora Vale", **changes: Any) -> Agent:
    spec = AgentSpec(name, f"+99966{number:05}", "Be kind.", ("Person",), ("You are a person.",))
    made = Agent(AgentId(number), spec, AccountId(BIG + number), number - 1, Health.ONLINE)
    return replace(made, **changes)


def chat(number: int = 1, title: str = "Marta Oliveira", agent_number: int = 1, **changes: Any) -> Chat:
    info = ChatInfo(AccountId(BIG + agent_number), PeerId(BIG + 1000 + number), ChatKind.DM, title)
    made = Chat(ChatId(number), AgentId(agent_number), info, last_at=NOON - timedelta(minutes=number))
    return replace(made, **changes)


def message(
    message_id: int, text: str, *, out: bool = False, chat_number: int = 1, minutes_ago: float = 5, **changes: Any
) -> Message:
    key = MessageKey(AccountId(BIG + 1), PeerId(BIG + 1000 + chat_number), MessageId(message_id))
    who = "Nora Vale" if out else "Marta Oliveira"
    made = Message(key, UserId(BIG + 7), who, out, NOON - timedelta(minutes=minutes_ago), text)
    return replace(made, **changes)


STATES = {
    TaskStatus.AWAITING_DECISION: ApprovalState.OPEN,
    TaskStatus.PARKED: ApprovalState.OPEN,
    TaskStatus.OBSERVED: ApprovalState.OBSERVED,
    TaskStatus.SKIPPED: ApprovalState.REJECTED,
    TaskStatus.CANCELLED: ApprovalState.SUPERSEDED,
}
"""The decision by the state of a planned send; in all other states it was approved."""


def approval(number: int = 1, text: str = "It opened again on 2 November.", **changes: Any) -> Approval:
    made = Approval(
        ApprovalId(BIG + number),
        TaskId(number),
        GraphId(number),
        ChatId(1),
        AgentId(1),
        AccountId(BIG + 1),
        PeerId(BIG + 1001),
        "Nora Vale",
        "Marta Oliveira",
        ApprovalState.OPEN,
        TaskStatus.AWAITING_DECISION,
        1,
        text,
        text,
        None,
        (AskReason.REVIEW,),
        Revision(1),
        NOON - timedelta(minutes=1),
    )
    status = changes.get("task_status", TaskStatus.AWAITING_DECISION)
    return replace(made, **({"state": STATES.get(status, ApprovalState.APPROVED)} | changes))


def worded(words: str) -> Note | None:
    """Return a note with exactly this text."""
    return Note(NoteKind.OTHER, words) if words else None
