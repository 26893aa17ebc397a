"""A small engine for the window: holds rows, answers decisions, publishes events. Real behaviour, no I/O."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from chimein_gui.domain import events as ev
from chimein_gui.domain.agents import Agent, AgentSpec, FileProblem, Health
from chimein_gui.domain.approvals import (
    Approval,
    Approve,
    ApproveEdited,
    AskReason,
    Decision,
    Outcome,
    Reject,
    Undo,
    Verdict,
)
from chimein_gui.domain.chats import Chat, ChatInfo, ChatKind
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
from chimein_gui.domain.messages import Message, MessageKey
from chimein_gui.domain.tasks import ApprovalState, TaskStatus
from chimein_gui.viewmodels.console import Loaded

NOON = datetime(2026, 11, 20, 14, 30, tzinfo=UTC)
BIG = 2**40
"""Telegram's ids do not fit 32 bits; neither do these."""


@dataclass
class Call:
    """One decision as it arrived."""

    approval_id: int
    expected_version: int
    decision: Decision
    seen_up_to: int
    client_id: str


class FakeConsole:
    """The engine as the window sees it."""

    def __init__(self, now: Callable[[], datetime] = lambda: NOON) -> None:
        self.now = now
        self.revision = 1
        self.agents: dict[int, Agent] = {}
        self.problems: tuple[FileProblem, ...] = ()
        self.chats: dict[int, Chat] = {}
        self.messages: dict[int, dict[int, Message]] = {}
        self.approvals: dict[int, Approval] = {}
        self.calls: list[Call] = []
        self.started: list[int] = []
        self.stopped: list[int] = []
        self.refuse: Outcome | None = None
        self.fail: Exception | None = None
        self._subscribers: list[Callable[[EngineEvent], None]] = []

    # --- Console --------------------------------------------------------------------------------------------------

    def subscribe(self, subscriber: Callable[[EngineEvent], None]) -> Callable[[], None]:
        self._subscribers.append(subscriber)
        return lambda: self._subscribers.remove(subscriber) if subscriber in self._subscribers else None

    async def load_agents(self) -> Loaded[Agent]:
        return self._loaded(tuple(self.agents.values()))

    async def load_file_problems(self) -> Loaded[FileProblem]:
        return self._loaded(self.problems)

    async def load_chats(self) -> Loaded[Chat]:
        return self._loaded(tuple(self.chats.values()))

    async def load_transcript(self, chat_id: ChatId, *, before_id: MessageId | None, limit: int) -> Loaded[Message]:
        ids = sorted(key for key in self.messages.get(chat_id, {}) if before_id is None or key < before_id)
        return self._loaded(tuple(self.messages[chat_id][key] for key in ids[-limit:]))

    async def load_approvals(self) -> Loaded[Approval]:
        return self._loaded(tuple(self.approvals.values()))

    async def load_recent_decisions(self, *, limit: int) -> Loaded[Approval]:
        return self._loaded(())

    async def decide(
        self,
        approval_id: ApprovalId,
        *,
        expected_version: int,
        decision: Decision,
        seen_up_to: MessageId,
        client_id: str,
    ) -> Outcome:
        self.calls.append(Call(approval_id, expected_version, decision, seen_up_to, client_id))
        if self.fail is not None:
            raise self.fail
        if self.refuse is not None:
            refused, self.refuse = self.refuse, None
            return refused
        now = self.approvals[approval_id]
        if now.version != expected_version:
            return Outcome(Verdict.OUTDATED, now, "The text changed meanwhile.")
        decided = self._decided(now, decision)
        self.put_approval(decided)
        return Outcome(Verdict.ACCEPTED, decided)

    async def start_agent(self, agent_id: AgentId) -> None:
        self.started.append(agent_id)
        self.put_agent(replace(self.agents[agent_id], health=Health.CONNECTING))

    async def stop_agent(self, agent_id: AgentId) -> None:
        self.stopped.append(agent_id)
        self.put_agent(replace(self.agents[agent_id], health=Health.STOPPED))

    # --- what a test does to it -----------------------------------------------------------------------------------

    def publish(self, event: EngineEvent) -> None:
        for subscriber in tuple(self._subscribers):
            subscriber(event)

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
        self.publish(ev.FaultReported(key, cause, remedy, self._next()))

    def put_typing(self, chat_id: int, seconds: float = 5) -> None:
        self.publish(ev.PartnerTyping(ChatId(chat_id), self.now() + timedelta(seconds=seconds), self._next()))

    def put_problems(self, *problems: FileProblem) -> None:
        self.problems = problems
        self.publish(ev.FileProblemsChanged(problems, self._next()))

    def _next(self) -> Revision:
        self.revision += 1
        return Revision(self.revision)

    def _loaded(self, rows: tuple[Any, ...]) -> Loaded[Any]:
        return Loaded(rows, Revision(self.revision))

    def _decided(self, approval: Approval, decision: Decision) -> Approval:
        approved = replace(
            approval,
            state=ApprovalState.APPROVED,
            task_status=TaskStatus.APPROVED,
            due_at=self.now() + timedelta(seconds=5),
            decided_at=self.now(),
            decided_by="operator",
            version=approval.version + 1,
        )
        match decision:
            case Approve():
                return approved
            case ApproveEdited(text=text):
                return replace(approved, text=text)
            case Reject():
                return replace(approval, state=ApprovalState.REJECTED, task_status=TaskStatus.SKIPPED)
            case Undo():
                return replace(
                    approval,
                    state=ApprovalState.OPEN,
                    task_status=TaskStatus.AWAITING_DECISION,
                    due_at=None,
                    decided_at=None,
                    version=approval.version + 1,
                )


def run_now(job: Coroutine[Any, Any, None], *, name: str) -> None:
    """A spawn for jobs that never really wait."""
    try:
        job.send(None)
    except StopIteration:
        return
    raise AssertionError(f"{name} waits for something; use a loop")


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
        MessageId(1),
        NOON - timedelta(minutes=1),
    )
    return replace(made, **changes)
