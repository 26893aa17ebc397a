"""The window's tests talk to a small engine: it answers and tells as the real one does."""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

import pytest

from chimein_gui.domain import events as ev
from chimein_gui.domain.approvals import (
    Approval,
    Approve,
    ApproveEdited,
    Decision,
    DecisionRequest,
    Edit,
    Outcome,
    Postpone,
    Reject,
    RejectPlan,
    Undo,
)
from chimein_gui.domain.chats import Unsent
from chimein_gui.domain.errors import NotFoundError, RefusedError
from chimein_gui.domain.ids import ApprovalId, ChatId, GraphId, MessageId, Revision
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.engine import Engine
from chimein_gui.engine.operator.composer import Written
from chimein_gui.engine.ports import GraphStanding
from chimein_gui.engine.settings.setup import Setup
from chimein_gui.viewmodels.engine_api.engine import EngineApi
from tests.fakes.clock import VirtualClock
from tests.fakes.engine_api import FakeEngineApi, agent, approval, chat, message
from tests.fakes.frames import FakeFrameRenderer
from tests.fakes.model import FakeModel
from tests.fakes.telegram import FakeTelegram
from tests.support.decision_room import DecisionRoom, decision_room

SLOW = Preferences(undo_s=5, typing_base_s=1, typing_s_per_60=0)

_TOLD = (
    ev.ApprovalRequested,
    ev.ApprovalResolved,
    ev.TaskStatusChanged,
    ev.ChatChanged,
    ev.HoldsChanged,
    ev.BacklogOpened,
    ev.SavedEditsChanged,
    ev.TaskGraphReplaced,
)


class Side(Protocol):
    """One engine with one chat, in which the account has written before."""

    clock: VirtualClock

    @property
    def api(self) -> EngineApi:
        """The engine as the window sees it."""
        ...

    async def plan(self, *texts: str) -> list[Approval]:
        """Store a plan; each text waits for a decision."""
        ...

    async def change(self, shown: Approval, **changes: Any) -> None:
        """Change a card behind everybody's back."""
        ...

    async def version(self, of: Approval, instruction: str, *texts: str) -> GraphId:
        """Store another version of a plan beside it, as a regenerate does."""
        ...


class Real:
    """The engine on a real store; nothing is started, so nothing happens by itself."""

    def __init__(self, room: DecisionRoom, jobs: JobRunner) -> None:
        self.clock = room.clock
        telegram = FakeTelegram(room.clock)
        self.api = Engine(
            Setup(room.store, telegram.factory, FakeModel(), room.clock, jobs, SLOW, (), frames=FakeFrameRenderer())
        )
        self._room = room

    async def plan(self, *texts: str) -> list[Approval]:
        return await self._room.plan(*texts)

    async def change(self, shown: Approval, **changes: Any) -> None:
        await self._room.change(shown, **changes)

    async def version(self, of: Approval, instruction: str, *texts: str) -> GraphId:
        standing, base = GraphStanding.VARIANT, of.graph_id
        cards = await self._room.plan(*texts, standing=standing, variant_of=base, instruction=instruction)
        return cards[0].graph_id


class Fake:
    """The small engine of the window's tests."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.api = FakeEngineApi(self.clock.now)
        self.api.preferences = SLOW
        self.api.agents[1] = agent()
        self.api.chats[1] = chat()
        self.api.messages[1] = {1: message(1, "hi", out=True)}
        self._numbers = itertools.count(1)
        self._graphs = itertools.count(1)

    async def plan(self, *texts: str) -> list[Approval]:
        graph_id, now = GraphId(next(self._graphs)), self.clock.now()
        made = [approval(next(self._numbers), text, graph_id=graph_id, created_at=now) for text in texts]
        for one in made:
            self.api.put_approval(one)
        return made

    async def change(self, shown: Approval, **changes: Any) -> None:
        self.api.approvals[shown.approval_id] = replace(self.api.approvals[shown.approval_id], **changes)

    async def version(self, of: Approval, instruction: str, *texts: str) -> GraphId:
        return self.api.plans.put_variant(of, next(self._graphs), instruction, *texts).graph_id


class Teller:
    """Does what the operator does, and writes down what can be seen of it: no ids, and times from now."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.seen: list[object] = []
        self._events: list[ev.EngineEvent] = []
        self._presses = itertools.count()
        side.api.subscribe(self._hear)

    def _hear(self, event: ev.EngineEvent) -> None:
        self._events.append(event)

    async def plan(self, *texts: str) -> list[Approval]:
        made = await self.side.plan(*texts)
        self._events.clear()
        return made

    async def press(self, shown: Approval, decision: Decision, **changes: Any) -> Approval:
        """Decide on a card as it is shown; returns the card as it is now."""
        arguments: dict[str, Any] = {
            "expected_version": shown.version,
            "seen_up_to": shown.seen_up_to,
            "client_id": f"press {next(self._presses)}",
        }
        outcome = await self.side.api.decisions.decide(shown.approval_id, decision=decision, **(arguments | changes))
        self.tell(type(decision).__name__, self._outcome(outcome))
        return outcome.approval

    async def now(self, shown: Approval) -> Approval:
        """Return a card as it is now, as the window would load it."""
        rows = (await self.side.api.queries.approvals()).rows
        return next(row for row in rows if row.approval_id == shown.approval_id)

    def written(self, action: str, written: Written) -> None:
        """Write down what became of a message of the operator's."""
        self.tell(action, written.explanation, written.asks, written.approval and self.card(written.approval))

    def tell(self, action: str, *what: object) -> None:
        """Write an action down, with what came of it and all that was told since."""
        told = [self._event(event) for event in self._events if isinstance(event, _TOLD)]
        self._events.clear()
        self.seen.append((action, *what, told))

    def card(self, shown: Approval) -> tuple[object, ...]:
        return (
            shown.state.value,
            shown.task_status.value,
            shown.version,
            shown.text,
            shown.draft_text,
            tuple(reason.value for reason in shown.reasons),
            self._in(shown.due_at),
            self._in(shown.postponed_until),
            self._in(shown.decided_at),
            shown.decided_by,
            shown.note,
            tuple(part.state.value for part in shown.parts),
            shown.origin.value,
        )

    def _in(self, moment: datetime | None) -> float | None:
        return None if moment is None else (moment - self.side.clock.now()).total_seconds()

    def _outcome(self, outcome: Outcome) -> tuple[object, ...]:
        return outcome.verdict.value, outcome.explanation, self.card(outcome.approval)

    def _event(self, event: ev.EngineEvent) -> tuple[object, ...]:
        match event:
            case ev.ApprovalRequested() | ev.ApprovalResolved() | ev.TaskStatusChanged():
                told: object = self.card(event.approval)
            case ev.ChatChanged():
                told = event.chat.pending
            case ev.HoldsChanged():
                told = [(hold.scope.value, hold.target, hold.reason) for hold in event.holds]
            case ev.BacklogOpened():
                cards = [(self.card(item.approval), item.ticked) for item in event.backlog.items]
                told = cards, [one.pending for one in event.backlog.chats]
            case ev.SavedEditsChanged():
                told = [(kept.base, kept.mine, kept.paired_with is not None) for kept in event.edits]
            case _:
                told = None
        return type(event).__name__, told


async def approvals(it: Teller) -> None:
    """Approve, undo with the version of before, edit, approve with other words."""
    [shown] = await it.plan("hello")
    approved = await it.press(shown, Approve())
    await it.press(approved, Approve())
    it.side.clock.advance(2)
    back = await it.press(shown, Undo())
    await it.press(back, Undo())
    await it.press(shown, Approve())
    await it.press(back, Edit("  half a thou"))
    await it.press(await it.now(back), ApproveEdited("  "))
    edited = await it.press(await it.now(back), ApproveEdited(" half a thought "))
    await it.press(edited, ApproveEdited("another"))
    await it.press(edited, Undo())
    await it.press(await it.now(edited), Approve())


async def rejections(it: Teller) -> None:
    """Reject, take the rejection back, reject what came back."""
    [shown] = await it.plan("hello")
    rejected = await it.press(shown, Reject("too pushy"))
    await it.press(rejected, Approve())
    await it.press(rejected, Undo())
    card = await it.side.api.resend.ask(shown.approval_id, client_id="anyway")
    assert card is not None
    it.tell("send anyway", it.card(card))
    assert await it.side.api.resend.ask(shown.approval_id, client_id="anyway") == card
    it.tell("the same press", it.card(card))
    it.tell("twice", await it.side.api.resend.ask(shown.approval_id, client_id="again"))
    await it.press(card, Reject())


async def postponements(it: Teller) -> None:
    """Postpone, take it back, postpone into the past, and with an old version."""
    [shown] = await it.plan("hello")
    now = it.side.clock.now()
    await it.press(shown, Postpone(now + timedelta(minutes=5)))
    await it.press(shown, Postpone(None))
    await it.press(shown, Postpone(now))
    await it.press(shown, Postpone(now - timedelta(minutes=5)))
    await it.side.change(shown, version=4)
    await it.press(shown, Postpone(None))
    await it.press(shown, Approve())


async def repeated_and_late_presses(it: Teller) -> None:
    """A press that is repeated, a card that does not exist, one that grew old, one that was changed."""
    first, second = await it.plan("hello", "and more")
    await it.press(first, Approve(), client_id="once")
    await it.press(first, Approve(), client_id="once")
    await it.press(second, Approve(), client_id="once")
    try:
        await it.press(replace(first, approval_id=ApprovalId(99)), Approve())
    except NotFoundError:
        it.tell("there is no such card")
    it.side.clock.advance(13 * 3600)
    await it.press(second, Approve())
    await it.press(await it.now(second), Approve())
    await it.press(await it.now(second), Approve(), seen_up_to=Revision(10**6))
    await it.press(second, Edit("mine"))


async def whole_plans(it: Teller) -> None:
    """Steps behind each other: approve in any order, edit and reject one, reject the rest."""
    first, second, third = await it.plan("one", "two", "three")
    await it.press(second, Approve())
    await it.press(first, ApproveEdited("mine"))
    await it.press(first, Undo())
    await it.press(await it.now(first), Reject("no"))
    await it.press(third, Approve())
    await it.press(await it.now(third), RejectPlan("enough"))
    for card in await it.plan("one", "two"):
        await it.press(card, RejectPlan())


async def batches(it: Teller) -> None:
    """Approve a plan in one press, one card of it outdated, and again."""
    first, second = await it.plan("one", "two")
    await it.side.change(second, version=3)
    for press in ("a", "a", "b"):
        outcomes = await it.side.api.decisions.decide_many(
            [
                DecisionRequest(one.approval_id, one.version, Approve(), one.seen_up_to, f"{press}/{one.approval_id}")
                for one in (first, second)
            ]
        )
        it.tell("approve plan", [it._outcome(outcome) for outcome in outcomes])


async def holds(it: Teller) -> None:
    """Hold, approve under hold, release, confirm what was ticked."""
    early, late, undecided = [(await it.plan(text))[0] for text in ("early", "late", "undecided")]
    await it.press(early, Approve())
    holds, review = it.side.api.holds, it.side.api.backlog
    it.side.clock.advance(1)
    await holds.hold(reason="lunch")
    it.tell("hold")
    await holds.hold(reason="a long lunch")
    it.tell("hold again", len((await holds.load()).rows))
    await it.press(late, Approve())
    await it.press(undecided, Edit("mine"))
    backlog = await holds.release()
    it.tell("release", [(it.card(item.approval), item.ticked) for item in backlog.items])
    assert await holds.load_backlog() == backlog
    await holds.release()
    it.tell("release again")
    ticked = tuple(item.approval for item in backlog.items if item.ticked)
    outcomes = await review.confirm(late.account_id, ticked, client_id="confirmed")
    it.tell("confirm", [it._outcome(outcome) for outcome in outcomes])


async def own_messages(it: Teller) -> None:
    """The operator writes himself: blank, twice with one press, an answer, under hold, and what he has not sent."""
    composer, chat_id = it.side.api.composer, ChatId(1)
    [draft] = await it.plan("a draft")
    it.written("blank", await composer.write(chat_id, " \n ", client_id="blank"))
    for press in ("a", "a"):
        it.written("write", await composer.write(chat_id, " Hello ", client_id=press, reply_to_id=MessageId(1)))
    it.written("the press of another", await composer.write(chat_id, "Not this", client_id="a"))
    it.written("an unknown answer", await composer.write(chat_id, "And", client_id="b", reply_to_id=MessageId(77)))
    await composer.keep(Unsent(chat_id, "half a tho"))
    assert [one.text for one in await composer.load_kept()] == ["half a tho"]
    await it.side.api.holds.hold(reason="lunch")
    it.written("held", await composer.write(chat_id, "Later", client_id="c"))
    it.written("held, all the same", await composer.write(chat_id, "Later", client_id="d", confirm=True))
    assert await composer.load_kept() == ()
    it.tell("the draft", it.card(await it.now(draft)))


async def versions(it: Teller) -> None:
    """Another version is thrown away; one is chosen: the operator's edit is saved beside it and used."""
    variants, saved_edits, chat_id = it.side.api.variants, it.side.api.saved_edits, ChatId(1)
    [draft] = await it.plan("a draft")
    edited = (await it.press(draft, Edit("my draft"))).approval_id
    shown = replace(await it.now(draft), approval_id=edited)
    away, other, best = [await it.side.version(draft, words, words) for words in ("away", "other", "best")]
    for graph_id in (away, away):
        it.tell("discard", await variants.discard(graph_id))
    it.tell("choose what is away", await variants.choose(away))
    it.tell("choose", await variants.choose(best))
    it.tell("too late", await variants.choose(other))
    await it.press(shown, Approve())
    [kept] = (await saved_edits.load(chat_id)).rows
    rows = (await it.side.api.queries.approvals()).rows
    [chosen] = [row for row in rows if row.approval_id == kept.paired_with]
    for press, version in (("an old view", chosen.version + 7), ("now", chosen.version)):
        outcome = await saved_edits.apply(
            kept.saved_edit_id, expected_version=version, seen_up_to=chosen.seen_up_to, client_id=press
        )
        it.tell(f"apply {press}", it._outcome(outcome))
    assert (await saved_edits.load(chat_id)).rows == ()


async def saved_edits(it: Teller) -> None:
    """An edit whose draft is gone is thrown away or becomes a message, under hold only when he confirms."""
    variants, saved_edits, chat_id = it.side.api.variants, it.side.api.saved_edits, ChatId(1)
    cards = await it.plan("one", "two", "three")
    for card in cards[1:]:
        await it.press(card, Edit(f"my {card.text}"))
    it.tell("choose", await variants.choose(await it.side.version(cards[0], "shorter", "all in one")))
    second, third = (await saved_edits.load(chat_id)).rows
    with pytest.raises(RefusedError):
        await saved_edits.apply(second.saved_edit_id, expected_version=1, seen_up_to=Revision(0), client_id="apply")
    await saved_edits.discard(second.saved_edit_id)
    it.tell("discard")
    await it.side.api.holds.hold(reason="lunch")
    it.written("as a message", await saved_edits.use_as_message(third.saved_edit_id, client_id="use"))
    it.written("all the same", await saved_edits.use_as_message(third.saved_edit_id, client_id="used", confirm=True))
    with pytest.raises(NotFoundError):
        await saved_edits.discard(third.saved_edit_id)


STORIES: tuple[Callable[[Teller], Awaitable[None]], ...] = (
    approvals,
    rejections,
    postponements,
    repeated_and_late_presses,
    whole_plans,
    batches,
    holds,
    own_messages,
    versions,
    saved_edits,
)


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
async def test_small_and_real_engine_tell_the_same_story(
    tmp_path: Path, story: Callable[[Teller], Awaitable[None]]
) -> None:
    fake = Teller(Fake())
    async with decision_room(tmp_path) as room:
        jobs = JobRunner()
        real = Teller(Real(room, jobs))
        await story(real)
        await jobs.aclose()
    await story(fake)
    assert fake.seen == real.seen
