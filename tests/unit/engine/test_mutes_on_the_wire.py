"""Mutes that are set on the phone, and look-ups that are slow or fail: the whole engine before the sandbox's server."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from telethon.tl import functions, types

from chimein_gui.domain.approvals import Approval, Approve, AskReason, Edit
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.events import StepChanged
from chimein_gui.domain.notes import Note
from chimein_gui.domain.tasks import CancelReason, TaskKind, TaskStatus
from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.fakes.telegram import FakeTelegram
from tests.support.wired_room import Wired, reopened, wired_room
from tests.unit.adapters.telegram.support import MARTA, NORA, Stage, stage, tap

LOOK_UP = "account.getNotifySettings"
FOR_EVER = 2**31 - 1
TWO = "# «send»\nfirst\n# «send»\nsecond"


def mutes(it: Stage, until: int = FOR_EVER) -> None:
    """The account's owner mutes Marta on his phone, or un-mutes her (0)."""
    it.world.settings.set_notify(NORA, MARTA, types.PeerNotifySettings(mute_until=until))
    it.settle()


def cancelled(wired: Wired, text: str) -> bool:
    """Tell whether a plan was ended for the mute, in the making or as the draft that it had become."""
    steps = [event for event in wired.room.events if isinstance(event, StepChanged)]
    in_the_making = any(step.kind is TaskKind.RECEIVED and step.reason == Note(CancelReason.MUTED) for step in steps)
    return in_the_making or wired.statuses().get(text) is TaskStatus.CANCELLED


async def answered_once(wired: Wired) -> None:
    """An automatic answer leaves: until now the chat was known as not muted."""
    await wired.trust(TrustLevel.AUTO)
    await wired.marta_says("hello")
    await wired.until(TaskStatus.DONE, "answer 1")


async def test_a_mute_set_on_the_phone_just_now_counts_at_once(wired: Wired) -> None:
    await answered_once(wired)
    mutes(wired.stage)
    await wired.marta_says("are you there?")
    await wired.room.until(lambda: cancelled(wired, "answer 2") or wired.statuses().get("answer 2") == "done")
    assert await wired.stage.mailbox() == ["answer 1"]
    assert wired.statuses().get("answer 2") in {None, TaskStatus.CANCELLED}
    chat = await wired.chat()
    assert chat.unread == 1
    coming = (await wired.room.engine.upcoming.load()).rows
    assert [one.reason for one in coming if one.chat_id == chat.chat_id] == [Note(CancelReason.MUTED)]


async def test_the_defaults_of_all_chats_drop_what_was_known_of_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = tap(monkeypatch, functions.account.GetNotifySettingsRequest)
    async with wired_room(tmp_path) as wired:
        await answered_once(wired)
        await wired.marta_says("again")
        await wired.until(TaskStatus.DONE, "answer 2")
        assert len(looks) == 1
        news = types.UpdateNotifySettings(types.NotifyUsers(), types.PeerNotifySettings(silent=True))
        wired.stage.world.post.tell(NORA, news)
        wired.stage.settle()
        await wired.marta_says("and again")
        await wired.until(TaskStatus.DONE, "answer 3")
        assert len(looks) == 2


async def test_nothing_leaves_before_a_slow_answer_and_a_muted_chat_gets_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = tap(monkeypatch, functions.messages.ReadHistoryRequest)
    typings = tap(monkeypatch, functions.messages.SetTypingRequest)
    async with wired_room(tmp_path, before=mutes) as wired:
        await wired.trust(TrustLevel.AUTO)
        await wired.stage.server.console.inject(FaultRule(FaultKind.SLOW, LOOK_UP, seconds=0.7))
        await wired.marta_says("hello")
        room = wired.room
        await room.until(lambda: wired.statuses().get("answer 1") in {TaskStatus.CANCELLED, TaskStatus.DONE})
        assert await wired.stage.mailbox() == []
        [draft] = room.approvals()
        assert draft.note == Note(CancelReason.MUTED)
        assert reads + typings == [], "nothing that others see either"


@pytest.mark.parametrize(
    "rule",
    [
        FaultRule(FaultKind.RPC_ERROR, LOOK_UP, code=500, message="INTERNAL", times=0),
        FaultRule(FaultKind.FLOOD_WAIT, LOOK_UP, seconds=40),
        FaultRule(FaultKind.NO_ANSWER, LOOK_UP, times=0),
    ],
    ids=["an error", "a wait", "no answer"],
)
async def test_a_look_up_that_fails_lets_nothing_leave_by_itself(wired: Wired, rule: FaultRule) -> None:
    await wired.trust(TrustLevel.AUTO)
    await wired.stage.server.console.inject(rule)
    await wired.marta_says("hello")
    room = wired.room
    await room.until(lambda: "answer 1" in wired.statuses())
    draft = await room.reach(lambda: room.find(TaskStatus.AWAITING_DECISION) or room.find(TaskStatus.DONE))
    assert draft.reasons == (AskReason.MUTE_UNKNOWN,)
    assert await wired.stage.mailbox() == []
    await room.decide(draft, Approve())
    await wired.until(TaskStatus.DONE, "answer 1")  # the operator decides, whatever is known


async def test_what_waits_in_review_is_taken_back_and_told(wired: Wired) -> None:
    wired.room.model.script.append(TWO)
    await wired.marta_says("hello")
    await wired.until(TaskStatus.AWAITING_DECISION, "first", "second")
    mutes(wired.stage)
    await wired.until(TaskStatus.CANCELLED, "first", "second")
    assert {draft.note for draft in wired.room.approvals()} == {Note(CancelReason.MUTED)}
    chat = await wired.chat()
    steps = await wired.room.engine.transcripts.steps(chat.chat_id, since_id=chat.newest_in_id, limit=9)
    assert [step.reason for step in steps.rows] == [Note(CancelReason.MUTED)] * 2
    assert chat.planned_up_to < chat.newest_in_id


async def three_drafts(wired: Wired) -> Approval:
    """Have a plan of three messages made; returns the second."""
    wired.room.model.script.append(f"{TWO}\n# «send»\nthird")
    await wired.marta_says("hello")
    await wired.until(TaskStatus.AWAITING_DECISION, "first", "second", "third")
    return await wired.room.approval(TaskStatus.AWAITING_DECISION, "second")


async def test_what_the_operator_edited_stays_with_what_stands_before_it(wired: Wired) -> None:
    await wired.room.decide(await three_drafts(wired), Edit("second, in my words"))
    mutes(wired.stage)
    await wired.until(TaskStatus.CANCELLED, "third")
    await wired.until(TaskStatus.AWAITING_DECISION, "first", "second, in my words")
    mutes(wired.stage, 0)
    await wired.room.worked_off()
    await wired.until(TaskStatus.AWAITING_DECISION, "first", "second, in my words")
    assert len(wired.room.model.prompts) == 1, "what waits for the operator is not planned anew"


async def test_what_the_operator_approved_leaves(wired: Wired) -> None:
    await wired.room.decide(await three_drafts(wired), Approve())
    mutes(wired.stage)
    await wired.until(TaskStatus.CANCELLED, "third")
    await wired.room.decide(await wired.room.approval(TaskStatus.AWAITING_DECISION, "first"), Approve())
    await wired.until(TaskStatus.DONE, "first", "second")
    assert await wired.stage.mailbox() == ["first", "second"]


async def test_an_open_editor_keeps_its_draft_and_nothing_leaves_by_itself(wired: Wired) -> None:
    await wired.trust(TrustLevel.COUNTDOWN)
    await wired.marta_says("hello")
    await wired.until(TaskStatus.APPROVED, "answer 1")
    chat, room = await wired.chat(), wired.room
    room.engine.editors.begin(chat.chat_id)
    mutes(wired.stage)
    draft = await room.reach(lambda: room.find(TaskStatus.AWAITING_DECISION))
    assert draft.reasons == (AskReason.MUTED,)
    room.engine.editors.end(chat.chat_id)
    await room.pass_time(65)
    assert wired.statuses() == {"answer 1": TaskStatus.AWAITING_DECISION}
    assert await wired.stage.mailbox() == []


async def test_unmuting_plans_once_what_came_meanwhile_and_what_was_taken_back(wired: Wired) -> None:
    """Whoever un-mutes a chat wants it heard: the agent answers what is unanswered there, in one plan."""
    room = wired.room
    await wired.marta_says("hello")
    await wired.until(TaskStatus.AWAITING_DECISION, "answer 1")
    mutes(wired.stage)
    await wired.until(TaskStatus.CANCELLED, "answer 1")
    await wired.marta_says("nobody there?")
    await room.until(lambda: cancelled(wired, "answer 2"))
    await room.worked_off()
    prompts = len(room.model.prompts)
    mutes(wired.stage, 0)
    await room.until(lambda: room.find(TaskStatus.AWAITING_DECISION))
    assert len(room.model.prompts) == prompts + 1
    words = [part for turn in room.model.prompts[-1].turns for part in turn.parts]
    assert any("hello" in part for part in words)
    assert any("nobody there?" in part for part in words)
    wired.stage.world.settings.set_notify(NORA, MARTA, types.PeerNotifySettings(silent=True))
    wired.stage.settle()
    await room.worked_off()
    assert len(room.model.prompts) == prompts + 1, "another sound is no reason for another plan"


async def test_after_a_restart_the_claim_looks_before_it_lets_leave(tmp_path: Path) -> None:
    async with stage(tmp_path) as it:
        async with reopened(tmp_path, it) as wired:
            await wired.trust(TrustLevel.COUNTDOWN)
            await wired.marta_says("hello")
            await wired.until(TaskStatus.APPROVED, "answer 1")
            clock = wired.room.clock
        it.world.settings.set_notify(NORA, MARTA, types.PeerNotifySettings(mute_until=FOR_EVER))
        clock.advance(timedelta(seconds=120).total_seconds())
        async with reopened(tmp_path, it, telegram=FakeTelegram(clock)) as wired:
            room = wired.room
            await room.until(lambda: wired.statuses().get("answer 1"))
            await room.until(lambda: wired.statuses()["answer 1"] in {TaskStatus.CANCELLED, TaskStatus.DONE})
            assert await it.mailbox() == []
