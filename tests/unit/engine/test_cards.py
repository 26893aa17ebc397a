"""What stands beside a card: conversation, plan, why it asks, what it cost, other versions."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from chimein_gui.domain.approvals import Approval, Approve
from chimein_gui.domain.cards import CardDetails, TrustSource
from chimein_gui.domain.chats import Chat, TrustLevel
from chimein_gui.domain.notes import Note
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.engine.operator.cards import LAST_MESSAGES
from chimein_gui.engine.planning.variants import STOPPED
from tests.support.engine_room import NORA, Room, engine_room

S = TaskStatus
PLAN = "# «send» 1\nIt is open.\n# «wait»\n20\n# «send»\nStart early.\n# «remember»\nShe hikes."


async def planned(room: Room, reply: str = PLAN) -> Approval:
    """Have a plan made; returns its first draft."""
    room.model.script.append(reply)
    room.telegram.partner_writes("is the bridge open?")
    return await room.approval(S.AWAITING_DECISION, "It is open." if reply == PLAN else None)


async def known(room: Room, *texts: str) -> Chat:
    """Have the operator written in the chat before, and the agent awake all the same."""
    for text in texts or ("known",):
        room.telegram.operator_writes(text)
    await room.worked_off()
    chat = (await room.engine.queries.chats()).rows[0]
    await room.engine.takeovers.resume(chat.chat_id)
    return chat


async def card(room: Room, approval: Approval) -> CardDetails:
    await room.worked_off()
    return await room.engine.cards.load(approval.approval_id)


async def test_a_card_knows_the_conversation_and_what_it_answers(room: Room) -> None:
    await known(room, *(f"earlier {number}" for number in range(LAST_MESSAGES + 2)))
    room.model.script.append("# «send» 9\nYes.")
    draft = await room.drafted("is the bridge open?")
    found = await card(room, draft)
    assert [message.text for message in found.messages][-2:] == ["earlier 7", "is the bridge open?"]
    assert len(found.messages) == LAST_MESSAGES
    assert found.target is not None
    assert found.target.text == "is the bridge open?"
    assert found.knew.messages == LAST_MESSAGES + 3
    assert found.chat.info.title == "Marta Oliveira"
    assert found.came_since == ()


async def test_the_plan_is_told_in_its_order_with_what_is_remembered(room: Room) -> None:
    draft = await planned(room)
    found = await card(room, draft)
    assert [(step.kind, step.text) for step in found.steps] == [
        (TaskKind.SEND, "It is open."),
        (TaskKind.WAIT, ""),
        (TaskKind.SEND, "Start early."),
    ]
    assert found.steps[1].wait_s == 20
    assert found.steps[0].approval_id == draft.approval_id
    assert found.remembers == ("She hikes.",)
    assert found.planned_at == draft.created_at


async def test_who_set_the_level_and_what_the_caps_leave(tmp_path: Path) -> None:
    async with engine_room(tmp_path, agents=(replace(NORA, trust=TrustLevel.OBSERVE),)) as room:
        room.model.script.append("# «send»\nhello")
        room.telegram.partner_writes("hi")
        draft = await room.approval(S.OBSERVED)
        why = (await card(room, draft)).why
        assert (why.trust, why.trust_source) == (TrustLevel.OBSERVE, TrustSource.AGENT)
        assert why.always_asks  # the first message of this account
        assert (why.sent_in_chat, why.chat_cap, why.account_cap) == (0, 20, 60)
        await room.engine.chat_settings.set_trust(draft.chat_id, TrustLevel.REVIEW)
        why = (await card(room, draft)).why
        assert (why.trust, why.trust_source) == (TrustLevel.REVIEW, TrustSource.CHAT)


async def test_what_came_and_what_was_edited_since(room: Room) -> None:
    room.model.gate = asyncio.Event()
    asked = room.telegram.partner_writes("is the brige open?")
    await room.model.asked(1)
    room.model.gate.set()
    draft = await room.approval(S.AWAITING_DECISION)
    room.clock.advance(30)
    room.model.gate = asyncio.Event()  # the next plan is in the making: the draft stays
    room.telegram.partner_edits(asked, "is the bridge open?")
    room.telegram.partner_writes("never mind")
    await room.model.asked(2)
    await room.until(lambda: room.newest(draft).is_stale)
    found = await room.engine.cards.load(draft.approval_id)
    assert [message.text for message in found.came_since] == ["never mind"]
    assert [message.text for message in found.edited_since] == ["is the bridge open?"]
    room.model.gate.set()


async def test_our_own_sends_are_no_news(room: Room) -> None:
    draft = await planned(room)
    await room.decide(draft, Approve())
    await room.approval(S.DONE, "It is open.")
    second = next(one for one in room.approvals() if one.text == "Start early.")
    found = await card(room, second)
    assert found.messages[-1].text == "It is open."
    assert found.came_since == ()
    room.telegram.operator_writes("from my phone")
    await room.until(lambda: room.newest(second).is_stale)
    assert [message.text for message in (await card(room, second)).came_since] == ["from my phone"]


async def test_other_versions_stand_beside_until_one_is_chosen(room: Room) -> None:
    draft = await planned(room, "# «send»\nlong answer")
    room.model.script.append("# «send»\nshort")
    made = await room.engine.plans.regenerate(draft.graph_id, "shorter")
    (variant,) = (await card(room, draft)).variants
    assert (variant.graph_id, variant.instruction) == (made.graph_id, "shorter")
    assert [one.text for one in variant.drafts] == ["short"]
    assert await room.engine.variants.choose(variant.graph_id) is None
    chosen = await room.approval(S.AWAITING_DECISION, "short")
    found = await card(room, chosen)
    assert found.variants == ()
    assert found.knew.note == "shorter"
    assert [call.purpose for call in found.calls] == ["regenerate"]


async def test_a_version_in_the_making_can_be_stopped(room: Room) -> None:
    draft = await planned(room, "# «send»\nlong answer")
    room.model.gate = asyncio.Event()
    made: list[Note | None] = []

    async def regenerate() -> None:
        made.append((await room.engine.plans.regenerate(draft.graph_id, "shorter")).note)

    job = room.jobs.spawn(regenerate(), name="regenerate")
    await room.model.asked(2)
    room.engine.variants.stop(draft.chat_id)
    await job
    assert made == [STOPPED]
    found = await card(room, draft)
    assert found.variants == ()
    room.model.gate.set()
    await planned(room, "# «send»\nanother")
    await room.approval(S.AWAITING_DECISION, "another")
    assert "shorter" not in room.model.prompts[-1].last_block
