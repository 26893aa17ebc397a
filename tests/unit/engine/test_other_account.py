"""The story: another account is logged in under the same agent, with the whole engine."""

from __future__ import annotations

from pathlib import Path

from chimein_gui.domain.agents import AgentSpec, Health
from chimein_gui.domain.approvals import Approve, Verdict
from chimein_gui.domain.errors import AccountLimitedError
from chimein_gui.domain.events import FaultReported
from chimein_gui.domain.ids import AccountId
from chimein_gui.domain.notes import Note
from chimein_gui.domain.tasks import ApprovalState, CancelReason, TaskStatus
from chimein_gui.viewmodels.words.notes import note_sentence
from tests.fakes.clock import VirtualClock
from tests.fakes.group import FakeGroup
from tests.fakes.telegram import FakeTelegram
from tests.support.engine_room import Room, engine_room

FIRST, SECOND, PAUL = AccountId(2**40 + 7), AccountId(2**40 + 8), 2**40 + 9
NORA = AgentSpec("Nora Vale", "+9996621001", "You are {{char}}.", (), (), aliases=("Nora",))


def told_of_accounts(room: Room) -> list[str]:
    return [
        note_sentence(event.cause)
        for event in room.events
        if isinstance(event, FaultReported) and "account" in event.key
    ]


async def test_another_account_under_the_same_agent(tmp_path: Path) -> None:
    clock = VirtualClock()
    group = FakeGroup(clock, {NORA.name: FIRST})
    group.says("welcome", PAUL)
    async with engine_room(tmp_path, telegram=group, agents=(NORA,)) as room:
        group.says("Nora, how are you?", PAUL)
        await room.reach(lambda: room.find(TaskStatus.AWAITING_DECISION))
        draft = room.find(TaskStatus.AWAITING_DECISION)
        assert draft is not None
    group.accounts[NORA.name] = SECOND
    async with engine_room(tmp_path, telegram=group, agents=(NORA,)) as room:
        cancelled = await room.approval(TaskStatus.CANCELLED)
        assert (cancelled.approval_id, cancelled.state) == (draft.approval_id, ApprovalState.SUPERSEDED)
        assert cancelled.note == Note(CancelReason.ACCOUNT_CHANGED)
        [cause] = told_of_accounts(room)
        assert "of the old account will not be sent" in cause  # its plural form is the translation of English
        outcome = await room.decide(draft, Approve())
        assert outcome.verdict is Verdict.CLOSED
        await room.pass_time(60)
        assert room.model.prompts == [], "what was asked of the old account is not asked of the new one"
        [chat] = (await room.engine.queries.chats()).rows
        assert (chat.info.account_id, chat.chat_id != draft.chat_id) == (SECOND, True)
        assert chat.pending == 0
        group.says("Nora, are you there?", PAUL)
        await room.reach(lambda: room.find(TaskStatus.AWAITING_DECISION))
        fresh = room.find(TaskStatus.AWAITING_DECISION)
        assert fresh is not None
        assert fresh.account_id == SECOND
    async with engine_room(tmp_path, telegram=group, agents=(NORA,)) as room:
        assert told_of_accounts(room) == [], "it is shown once"
        assert (await room.engine.queries.approvals()).rows[0].approval_id == fresh.approval_id
    assert group.requests == []


async def test_the_history_of_the_other_account_is_fetched_though_both_have_the_same_partners(tmp_path: Path) -> None:
    """The ids of partners are the same for all accounts; what one account knows of a chat says nothing of another's."""
    clock = VirtualClock()
    group = FakeGroup(clock, {NORA.name: FIRST})
    for text in ("welcome", "so this is the lake", "it is"):
        group.says(text, PAUL)
    async with engine_room(tmp_path, telegram=group, agents=(NORA,)) as room:
        assert await room.transcript() == ["welcome", "so this is the lake", "it is"]
    group.accounts[NORA.name] = SECOND
    async with engine_room(tmp_path, telegram=group, agents=(NORA,)) as room:
        [chat] = (await room.engine.queries.chats()).rows
        assert chat.info.account_id == SECOND
        assert await room.transcript() == ["welcome", "so this is the lake", "it is"]


async def test_an_account_that_telegram_limited_says_so_until_the_operator_clears_it(tmp_path: Path) -> None:
    telegram = FakeTelegram()
    async with engine_room(tmp_path, telegram=telegram) as room:
        telegram.script.append(AccountLimitedError("Telegram thinks that this account sends spam.", "PEER_FLOOD"))
        await room.approved()
        await room.reach(lambda: any(agent.limited for agent in room.engine._services.accounts.directory.agents()))
    async with engine_room(tmp_path, telegram=telegram) as room:
        [agent] = (await room.engine.directory.load()).rows
        assert (agent.health, agent.limited) == (Health.ONLINE, "PEER_FLOOD"), "a restart lifts nothing"
        await room.engine._services.accounts.clear_limited(agent.agent_id)
        [agent] = (await room.engine.directory.load()).rows
        assert agent.limited == ""
