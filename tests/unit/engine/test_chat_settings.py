"""What the operator sets for one chat."""

from __future__ import annotations

from dataclasses import replace
from datetime import time, timedelta
from pathlib import Path

import pytest

from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.approvals import Approve
from chimein_gui.domain.chats import Chat, ChatSettings, QuietHours, TriggerMode, TrustLevel
from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.events import AgentChanged, ChatChanged
from chimein_gui.domain.ids import ChatId
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import ApprovalState, TaskKind, TaskStatus
from tests.support.engine_room import NORA, Room, engine_room

SLOW = Preferences(debounce_s=0, undo_s=60, typing_base_s=0, typing_s_per_60=0)


async def the_chat(room: Room) -> Chat:
    return (await room.engine.queries.chats()).rows[0]


async def with_draft(room: Room) -> ChatId:
    """Let the partner write, and return the chat with its draft."""
    room.telegram.partner_writes("hello")
    return (await room.approval(TaskStatus.AWAITING_DECISION)).chat_id


async def test_a_time_boxed_auto_ends_by_itself(room: Room) -> None:
    chat_id = await with_draft(room)
    await room.decide(room.approvals()[0], Approve())
    await room.approval(TaskStatus.DONE)
    await room.engine.chat_settings.set_trust(chat_id, TrustLevel.AUTO, for_s=3600)
    assert (await the_chat(room)).settings.trust_until == room.clock.now() + timedelta(hours=1)
    room.telegram.partner_writes("more")
    await room.approval(TaskStatus.DONE, "answer 2")
    room.clock.advance(3600)
    await room.drafted("even more", "answer 3")


@pytest.mark.parametrize("level", [TrustLevel.OFF, TrustLevel.OBSERVE])
async def test_switching_to_off_or_observe_makes_open_drafts_observed(tmp_path: Path, level: TrustLevel) -> None:
    async with engine_room(tmp_path, preferences=SLOW) as room:
        room.model.script.append("# «send»\none\n# «wait»\n5\n# «send»\ntwo")
        chat_id = await with_draft(room)
        await room.decide(room.approvals()[0], Approve())
        await room.engine.chat_settings.set_trust(chat_id, level)
        for approval in room.approvals():
            assert (approval.task_status, approval.state) == (TaskStatus.OBSERVED, ApprovalState.OBSERVED)
        await room.pass_time(90)
        assert room.telegram.requests == []
        assert (await the_chat(room)).pending == 0
        steps = await room.store.read(lambda tx: tx.tasks.of_graph(room.approvals()[0].graph_id))
        assert [step.status for step in steps if step.kind is TaskKind.WAIT] == [TaskStatus.SKIPPED]


async def test_between_two_silent_levels_nothing_happens_and_back_to_review_new_drafts_ask(room: Room) -> None:
    chat_id = await with_draft(room)
    await room.engine.chat_settings.set_trust(chat_id, TrustLevel.OBSERVE)
    await room.engine.chat_settings.set_trust(chat_id, TrustLevel.OFF)
    room.telegram.partner_writes("nobody plans this")
    await room.worked_off()
    assert len(room.model.prompts) == 1
    await room.engine.chat_settings.set_trust(chat_id, TrustLevel.REVIEW)
    await room.drafted("but this", "answer 2")


async def test_every_other_setting_is_kept_beside_it(tmp_path: Path) -> None:
    async with engine_room(tmp_path) as room:
        chat_id = await with_draft(room)
        editor, hours = room.engine.chat_settings, QuietHours(time(22), time(7))
        await editor.set_trust(chat_id, TrustLevel.COUNTDOWN)
        await editor.set_triggers(chat_id, TriggerMode.NEVER)
        await editor.set_quiet_hours(chat_id, hours)
        await editor.allow_bots(chat_id, allowed=True)
        await editor.allow_agents(chat_id, allowed=True)
        expected = ChatSettings(
            trust=TrustLevel.COUNTDOWN,
            triggers=TriggerMode.NEVER,
            quiet_hours=hours,
            allow_bots=True,
            allow_agents=True,
            trust_since=room.clock.now(),
        )
        assert (await the_chat(room)).settings == expected
        room.telegram.partner_writes("never")
        await room.worked_off()
        assert len(room.model.prompts) == 1
    async with engine_room(tmp_path, telegram=room.telegram) as room:
        assert (await the_chat(room)).settings == expected


async def with_a_quiet_send(room: Room, now_to: QuietHours) -> ChatId:
    """Have a send that a rule has approved and that waits for the end of the quiet hours."""
    chat_id = await with_draft(room)
    await room.decide(room.approvals()[0], Approve())
    await room.approval(TaskStatus.DONE)
    await room.engine.chat_settings.set_trust(chat_id, TrustLevel.AUTO)
    await room.engine.chat_settings.set_quiet_hours(chat_id, now_to)
    room.telegram.partner_writes("more")
    await room.approval(TaskStatus.APPROVED, "answer 2")
    await room.worked_off()
    return chat_id


def hours_from_now(room: Room, hours: float) -> QuietHours:
    now = room.clock.now()
    return QuietHours((now - timedelta(hours=1)).time(), (now + timedelta(hours=hours)).time())


async def test_without_its_quiet_hours_what_waited_for_their_end_leaves(room: Room) -> None:
    chat_id = await with_a_quiet_send(room, hours_from_now(room, 2))
    assert room.telegram.delivered() == ["answer 1"]
    await room.engine.chat_settings.set_quiet_hours(chat_id, None)
    await room.approval(TaskStatus.DONE, "answer 2")


async def test_with_longer_quiet_hours_it_leaves_at_their_new_end(room: Room) -> None:
    now = room.clock.now()
    chat_id = await with_a_quiet_send(room, hours_from_now(room, 2))
    await room.engine.chat_settings.set_quiet_hours(chat_id, hours_from_now(room, 4))
    await room.approval(TaskStatus.APPROVED, "answer 2")
    assert room.newest(room.approvals()[1]).due_at == now + timedelta(hours=4)
    await room.pass_time(4 * 3600, 1800)
    await room.approval(TaskStatus.DONE, "answer 2")


AUTO_NORA: AgentSpec = replace(NORA, trust=TrustLevel.AUTO)


async def test_the_trust_of_a_file_counts_once_it_is_confirmed(tmp_path: Path) -> None:
    async with engine_room(tmp_path, agents=(AUTO_NORA,)) as room:
        await with_draft(room)
        agent = (await room.engine.directory.load()).rows[0]
        assert (agent.trust_confirmed, (await the_chat(room)).trust) == (False, TrustLevel.REVIEW)
        await room.engine.agent_settings.confirm_trust(agent.agent_id)
        assert (await the_chat(room)).trust is TrustLevel.AUTO
        assert (await room.engine.directory.load()).rows[0].trust_confirmed
        assert any(isinstance(e, AgentChanged) and e.agent.trust_confirmed for e in room.events)
        assert any(isinstance(e, ChatChanged) and e.chat.trust is TrustLevel.AUTO for e in room.events)
        await room.engine.agent_settings.confirm_trust(agent.agent_id, confirmed=False)
        assert (await the_chat(room)).trust is TrustLevel.REVIEW


async def test_a_revoked_rule_sends_nothing_more_and_comes_back_as_it_was(tmp_path: Path) -> None:
    async with engine_room(tmp_path, preferences=replace(SLOW, countdown_s=60)) as room:
        rules = room.engine.trust_rules
        chat_id = await with_draft(room)
        await room.decide(room.approvals()[0], Approve())
        await room.pass_time(60)
        await room.engine.chat_settings.set_trust(chat_id, TrustLevel.COUNTDOWN)
        set_before = (await the_chat(room)).settings
        room.telegram.partner_writes("more")
        await room.approval(TaskStatus.APPROVED, "answer 2")
        with pytest.raises(RefusedError):
            await rules.revoke(chat_id, TrustLevel.AUTO)
        revoked = await rules.revoke(chat_id, TrustLevel.COUNTDOWN)
        await room.pass_time(90)
        await room.approval(TaskStatus.AWAITING_DECISION, "answer 2")
        assert ((await the_chat(room)).settings.trust, room.telegram.delivered()) == (None, ["answer 1"])
        await rules.restore(revoked)
        assert (await the_chat(room)).settings == set_before
        await room.engine.chat_settings.set_trust(chat_id, TrustLevel.REVIEW)
        with pytest.raises(RefusedError):
            await rules.restore(revoked)


@pytest.mark.parametrize("level", [TrustLevel.OBSERVE, TrustLevel.OFF])
async def test_without_a_chats_own_rule_its_drafts_follow_an_agent_that_only_observes(
    tmp_path: Path, level: TrustLevel
) -> None:
    async with engine_room(tmp_path, agents=(replace(NORA, trust=level),)) as room:
        room.telegram.partner_writes("hello")
        await room.chat(lambda chat: chat.trust is level)
        await room.worked_off()
        chat_id = (await the_chat(room)).chat_id
        await room.engine.chat_settings.set_trust(chat_id, TrustLevel.AUTO)
        room.telegram.partner_writes("more")
        card = await room.approval(TaskStatus.AWAITING_DECISION)
        await room.engine.trust_rules.revoke(chat_id, TrustLevel.AUTO)
        assert room.newest(card).task_status is TaskStatus.OBSERVED
        assert (await the_chat(room)).trust is level


async def test_the_rule_of_an_agent_is_revoked_for_its_chats_and_a_chat_of_its_own_goes_to_review(
    tmp_path: Path,
) -> None:
    async with engine_room(tmp_path, agents=(AUTO_NORA,)) as room:
        rules = room.engine.trust_rules
        chat_id = await with_draft(room)
        agent = (await room.engine.directory.load()).rows[0]
        await room.engine.agent_settings.confirm_trust(agent.agent_id)
        await room.engine.chat_settings.set_trust(chat_id, TrustLevel.COUNTDOWN)
        countdown = await rules.revoke(chat_id, TrustLevel.COUNTDOWN)
        assert (await the_chat(room)).trust is TrustLevel.REVIEW, "its agent's level is automatic, too"
        await room.engine.chat_settings.set_trust(chat_id, None)
        with pytest.raises(RefusedError):
            await rules.restore(countdown)
        revoked = await rules.revoke(chat_id, TrustLevel.AUTO)
        assert (revoked.for_chat, (await the_chat(room)).trust) == (False, TrustLevel.REVIEW)
        assert not (await room.engine.directory.load()).rows[0].trust_confirmed
        await rules.restore(revoked)
        assert (await the_chat(room)).trust is TrustLevel.AUTO
