"""Thirty planned messages of every kind in ten chats, what is to be done with each, and the books at the end."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chimein_gui import ui_driver as hand
from chimein_gui.directories import Directories
from chimein_gui.domain.approvals import Approval, Approve, AskReason, Rule
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import ApprovalState, TaskKind, TaskStatus
from chimein_gui.program import SANDBOX, Program, live
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.model.script import ModelCall, ScriptedReply
from chimein_gui.sandbox.model.talk.responder import Responder
from chimein_gui.sandbox.seeds.people import (
    DEDE,
    JULE,
    KETTLE,
    MARTA,
    MIO,
    NORA,
    OSKAR,
    OTTO,
    PLAIFAH,
    RIM,
    SALMA,
    SORA,
    TIAGO,
    YADA,
)
from chimein_gui.sandbox_api import FaultKind, FaultRule

if TYPE_CHECKING:
    import pytest

CALM = Preferences(debounce_s=0.05, undo_s=0.3, typing_base_s=0, typing_s_per_60=0, countdown_s=600)
OPERATOR = "operator"
EDITED = "Ok."
INSTRUCTION = "Shorter."
MEANWHILE = "And then?"
SHORTER = "shorter: "
"""How every reply to an instruction begins."""


class Action(Enum):
    """What the operator wants of an item."""

    APPROVE = "approve"
    REJECT = "reject"
    EDIT = "edit"
    REGENERATE = "regenerate"
    BATCH = "batch"


@dataclass(frozen=True)
class Talk:
    """One chat: its account, its partner and what is planned there, each with what is to become of it."""

    account: int
    partner: int
    planned: tuple[tuple[str, Action], ...]


A, R = Action.APPROVE, Action.REJECT
COUNTDOWNS = (Talk(NORA, MARTA, (("count one", A),)), Talk(OTTO, JULE, (("count two", R),)))
CHANGED = tuple(
    Talk(account, partner, ((f"changed {number}", action),))
    for number, (account, partner, action) in enumerate([(SORA, MIO, A), (YADA, PLAIFAH, R), (RIM, SALMA, A)])
)
UNKNOWN = Talk(NORA, KETTLE, (("perhaps there", A),))
BLOCKING = Talk(NORA, TIAGO, (("well 0", A), ("well 1", A), ("well 2", R), ("", A)))
EDITS = Talk(RIM, DEDE, (("edit 0", Action.EDIT), ("edit 1", Action.EDIT), *((f"then {n}", A) for n in range(4))))
REGENERATED = Talk(SORA, OSKAR, (("too long", Action.REGENERATE),))
MANY = Talk(
    YADA,
    KETTLE,
    (*((f"batch {n}", Action.BATCH) for n in range(5)), *((f"rest {n}", R if n % 4 == 3 else A) for n in range(8))),
)
TALKS = (*COUNTDOWNS, *CHANGED, UNKNOWN, BLOCKING, EDITS, REGENERATED, MANY)


def longer(talks: tuple[Talk, ...], by: int) -> tuple[Talk, ...]:
    """Return talks of which the two longest go on, with as many more items together; every third is no approval."""
    actions = (A, Action.EDIT, A, A, R, A)
    longest = sorted(talks, key=lambda talk: len(talk.planned))[-2:]
    more = {talk: tuple((f"more {n}", actions[n % 6]) for n in range(at, by, 2)) for at, talk in enumerate(longest)}
    return tuple(replace(talk, planned=(*talk.planned, *more.get(talk, ()))) for talk in talks)


def reply_of(talk: Talk) -> str:
    """The reply of the model: a block an item, as it is or a message; the one without a text blocks the partner."""
    return "\n".join(
        text if text.startswith("# «") else f"# «send»\n{text}" if text else "# «block»" for text, _ in talk.planned
    )


@dataclass
class Day:
    """The running program and its books."""

    program: Program
    talks: tuple[Talk, ...] = TALKS
    before: dict[int, list[str]] = field(default_factory=dict)

    @property
    def console(self) -> Any:
        """The sandbox of this process."""
        return self.program.running.sandbox

    @property
    def engine(self) -> Any:
        """The engine of the program."""
        return self.program.running.engine

    async def until(self, condition: Callable[[], Awaitable[bool]]) -> None:
        """Wait until something holds; it is looked at after every event of the engine."""
        changed = asyncio.Event()
        stop = self.engine.subscribe(lambda _event: changed.set())
        try:
            async with asyncio.timeout(hand.PATIENCE_S):
                while True:
                    changed.clear()
                    if await condition():
                        return
                    await changed.wait()
        finally:
            stop()

    async def waiting(self) -> tuple[Approval, ...]:
        """All that waits for the operator."""
        return (await self.engine.queries.approvals()).rows

    async def mailbox(self, partner: int) -> list[str]:
        """What a partner has received, oldest first."""
        return [delivery.text for delivery in await self.console.mailbox(partner)]

    async def received(self, partner: int) -> list[str]:
        """What a partner has received since the operator began."""
        return (await self.mailbox(partner))[len(self.before[partner]) :]

    async def arrange(self) -> None:
        """Let everybody write, and make three drafts outdated, two leave by themselves and one get lost."""
        for talk in COUNTDOWNS:
            await self.engine.chat_settings.set_trust(await self._chat_of(talk), TrustLevel.COUNTDOWN)
        said = {}
        for number, talk in enumerate(self.talks):
            self.before[talk.partner] = []
            said[talk] = await self.console.speak(talk.partner, talk.account, f"cue {number}")

        async def all_there() -> bool:
            return len(await self.waiting()) == sum(len(talk.planned) for talk in self.talks)

        await self.until(all_there)
        for partner in self.before:
            self.before[partner] = await self.mailbox(partner)
        people = self.console.people
        for talk in CHANGED:
            people._world.edit(talk.partner, said[talk], "I meant something else", ())
            people._hub.settle()
        await self._lose(UNKNOWN)

        async def all_outdated() -> bool:
            rows = await self.waiting()
            return len([row for row in rows if row.is_stale]) >= len(CHANGED)

        await self.until(all_outdated)
        rows = await self.waiting()
        mix = (
            len({row.chat_id for row in rows}),
            sum(row.decided_by == Rule.COUNTDOWN_TRUST for row in rows),
            sum(row.is_stale for row in rows) - 1,  # the lost one is outdated, too
            sum(AskReason.IRREVERSIBLE in row.reasons for row in rows),
            sum(AskReason.NOT_DELIVERED in row.reasons for row in rows),
        )
        assert mix == (10, 2, 3, 1, 1), "chats, countdowns, changed, irreversible, unknown"

    async def _lose(self, talk: Talk) -> None:
        """Approve a draft whose request never arrives, so that nobody can say whether the partner has it."""
        draft = await self._draft_of(talk)
        await self.console.inject(FaultRule(FaultKind.DROP_BEFORE, "messages.sendMessage", talk.account))
        await self.console.inject(FaultRule(FaultKind.FLOOD_WAIT, "messages.getHistory", talk.account, seconds=2))
        await self.engine.decisions.decide(
            draft.approval_id,
            expected_version=draft.version,
            decision=Approve(),
            seen_up_to=draft.seen_up_to,
            client_id=OPERATOR,
        )

        async def is_unknown() -> bool:
            rows = await self.waiting()
            return any(row.text == draft.text and row.task_status is TaskStatus.UNKNOWN for row in rows)

        await self.until(is_unknown)
        await self.console.speak(talk.partner, talk.account, MEANWHILE)

        async def is_back() -> bool:
            return (await self._draft_of(talk)).task_status is TaskStatus.AWAITING_DECISION

        await self.until(is_back)

    async def _draft_of(self, talk: Talk) -> Approval:
        [(text, _)] = talk.planned
        [draft] = [row for row in await self.waiting() if row.text == text]
        return draft

    async def _chat_of(self, talk: Talk) -> int:
        rows = (await self.engine.queries.chats()).rows
        [chat] = [one for one in rows if (one.info.peer_id, one.info.account_id) == (talk.partner, talk.account)]
        return int(chat.chat_id)

    def action_for(self, text: str) -> Action:
        """What is wanted of the item of this text."""
        for talk in self.talks:
            for planned, action in talk.planned:
                if planned == text:
                    return action
        return Action.APPROVE

    def expected(self, partner: int) -> list[str]:
        """What a partner receives of all that was decided, by plan order."""
        return [text for talk in self.talks if talk.partner == partner for text in self._leaving(talk)]

    @staticmethod
    def _leaving(talk: Talk) -> list[str]:
        kinds = {Action.EDIT: EDITED, Action.REGENERATE: None}
        found = []
        for text, expected in talk.planned:
            if expected is not R and text:
                found.append(SHORTER + text if expected is Action.REGENERATE else (kinds.get(expected) or text))
        return found

    async def agree(self) -> None:
        """Wait until the mailboxes hold exactly what was decided; the store says that the operator decided it."""

        async def all_there() -> bool:
            got = [len(await self.received(partner)) >= len(self.expected(partner)) for partner in self.before]
            decided = (await self.engine.queries.recent_decisions(limit=200)).rows
            blocked = any(row.kind is TaskKind.BLOCK and row.task_status is TaskStatus.DONE for row in decided)
            return not await self.waiting() and all(got) and blocked

        await self.until(all_there)
        for partner in self.before:
            got, expected = sorted(await self.received(partner)), sorted(self.expected(partner))
            assert got == expected, f"{partner}: {got} instead of {expected}"
        for talk in self.talks:
            leaving, received = self._leaving(talk), await self.received(talk.partner)
            assert [text for text in received if text in leaving] == leaving, "in the order of the plan"
        decisions = (await self.engine.queries.recent_decisions(limit=200)).rows
        passed = [row for row in decisions if row.state is ApprovalState.APPROVED]
        assert {row.decided_by for row in passed} == {OPERATOR}


class TalkingDay(Day):
    """A day on which somebody writes and drafts come; what is decided of them is not what it is about."""

    async def arrange(self) -> None:
        self.before = {}

    async def agree(self) -> None:
        """Nothing was to be decided."""

    async def draft_after(self, said: Awaitable[object]) -> str:
        """Let something be said, and return the text of the draft that follows."""
        before = {card.approval_id for card in await self.waiting()}
        await said
        found: list[str] = []

        async def is_there() -> bool:
            found[:] = [card.text for card in await self.waiting() if card.approval_id not in before]
            return bool(found)

        await self.until(is_there)
        return found[-1]


def answering(monkeypatch: pytest.MonkeyPatch, talks: tuple[Talk, ...] = TALKS) -> None:
    """Let the sandbox's model plan what the talks say, and something shorter where an instruction is given."""
    usual = Responder.answer

    async def answer(responder: Responder, call: ModelCall, *more: Any) -> Any:
        said = str(call.contents)
        cues = re.findall(r"cue (\d+)", said)
        if not cues:  # on a slow machine a chat comes to rest meanwhile, and what to remember of it is asked for
            return await usual(responder, call, *more)
        talk = talks[int(cues[-1])]
        if MEANWHILE in said:
            return ScriptedReply("# «think»\nNothing more to say.")
        reply = reply_of(talk)
        if INSTRUCTION in str(call.contents[-1]):
            reply = reply.replace("# «send»\n", f"# «send»\n{SHORTER}")
        return ScriptedReply(reply)

    monkeypatch.setattr(Responder, "answer", answer)


async def run(
    folder: Path,
    operator: Callable[[Day], Awaitable[None]],
    talks: tuple[Talk, ...] = TALKS,
    kind: type[Day] = Day,
    preferences: Preferences = CALM,
    config: Path | None = None,
) -> None:
    """Run the whole program in the sandbox, with the samples or `config`; `operator` decides all that waits."""

    async def script(program: Program) -> int:
        program.window.activateWindow()
        day = kind(program, talks)
        agents = program.window.pane("agents").list  # type: ignore[attr-defined]
        for name in ("Nora Vale", "Otto Brandt", "Sora Kitano", "Yada Thongkam", "Rim Saadoun"):
            await hand.until(f"{name} online", lambda name=name: hand.row_with(agents, f"{name}, Online"))  # type: ignore[misc]
        await day.arrange()
        await operator(day)
        await day.agree()
        return 0

    where = Directories((config or resource_path("samples"),), folder / "state")
    assert await live(SANDBOX, where, script, preferences) == 0
