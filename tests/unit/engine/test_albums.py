"""An album is one message with several parts: one trigger, one turn."""

from __future__ import annotations

from datetime import UTC, datetime

from chimein_gui.domain.context import Choice, Reason
from chimein_gui.domain.ids import MessageId, PeerId, UserId
from chimein_gui.domain.messages import Message, MessageKey
from chimein_gui.engine.context.selection import Context
from chimein_gui.engine.ports import Transaction
from chimein_gui.engine.prompt.builder import build_prompt
from chimein_gui.engine.prompt.inputs import PlanInputs, PromptSource, read_begun
from chimein_gui.engine.triggers.triggers import unanswered
from tests.support.ingest_room import ACCOUNT, DM, GROUP, MARTA, NORA, PAUL, IngestRoom

ALBUM = 13_500_000_000_000_007


async def part(room: IngestRoom, text: str = "", *, peer: PeerId = DM, by: int = MARTA, **fields: object) -> Message:
    """Somebody sends one part of an album; the client hears of it by itself."""
    return await room.says(text, peer=peer, by=by, grouped_id=ALBUM, media_kind="photo", **fields)


def said_by(by: int, number: int, album: int | None) -> Message:
    key = MessageKey(ACCOUNT, GROUP, MessageId(number))
    return Message(key, UserId(by), "somebody", False, datetime(2026, 11, 20, tzinfo=UTC), "x", grouped_id=album)


async def begun(room: IngestRoom, peer: PeerId = DM) -> PlanInputs:
    """Return what the plan of a chat would begin with."""
    chat = await room.chat(peer)

    def work(tx: Transaction) -> PlanInputs:
        asked = unanswered(tx, tx.chats.get(chat.chat_id))
        return read_begun(tx, tx.chats.get(chat.chat_id), asked, PromptSource(lambda _agent: NORA), room.environment)

    return await room.do(work)


async def answered(room: IngestRoom, message: Message) -> None:
    """Let a message be answered."""
    chat = await room.chat(message.key.peer_id)
    await room.do(lambda tx: tx.chats.set_planned_up_to(chat.chat_id, message.key.message_id))


def prompt_of(plan: PlanInputs) -> tuple[list[tuple[str, ...]], str]:
    """Return the turns of a prompt, and what it says of the target."""
    prompt = build_prompt(plan.inputs)
    target = next(section.text for section in prompt.sections if section.title == "Target")
    return [turn.parts for turn in prompt.turns], target


async def test_an_album_is_one_turn_and_one_trigger(room: IngestRoom) -> None:
    await room.says("look")
    first = await part(room, "the lake")
    for _ in range(2):
        await part(room)
    await room.says("nice, is it not?", reply_to_id=MessageId(first.key.message_id + 1))
    turns, target = prompt_of(await begun(room))
    assert len(turns) == 3
    assert turns[1][1:] == ("the lake", "⟦photo⟧", "⟦photo⟧", "⟦photo⟧")
    assert "| message 2 |" in turns[1][0]
    assert "| reply to 2 |" in turns[2][0]  # a part that the model does not know by itself
    assert target == "Consider responding to message with message_id 5. Still unanswered before it: 1, 2."


async def test_parts_of_a_group_s_album_wait_for_each_other(room: IngestRoom) -> None:
    await part(room, "Nora, look", peer=GROUP, by=PAUL)
    before = await room.received(GROUP)
    room.clock.advance(0.3)
    await part(room, peer=GROUP, by=PAUL)
    after = await room.received(GROUP)
    assert await room.asked(GROUP) == (1, 2)
    assert before is not None
    assert after is not None
    assert before.due_at is not None
    assert after.due_at is not None
    assert (after.due_at - before.due_at).total_seconds() == 0.3


async def test_a_caption_that_comes_last_calls_for_the_whole_album(room: IngestRoom) -> None:
    await part(room, peer=GROUP, by=PAUL)
    assert await room.asked(GROUP) == ()
    await part(room, "Nora, look", peer=GROUP, by=PAUL)
    assert await room.asked(GROUP) == (1, 2)
    assert prompt_of(await begun(room, GROUP))[1] == "Consider responding to message with message_id 1."


async def test_a_caption_edited_later_makes_no_callout_of_the_other_parts(room: IngestRoom) -> None:
    first = await part(room, "look", peer=GROUP, by=PAUL)
    await room.edits(first, "Nora, look")
    await part(room, peer=GROUP, by=PAUL)
    assert await room.asked(GROUP) == ()


async def test_a_part_that_comes_after_the_answer_is_not_answered_again(room: IngestRoom) -> None:
    for peer, by in ((DM, MARTA), (GROUP, PAUL)):
        first = await part(room, "Nora, look", peer=peer, by=by)
        await answered(room, first)
        await part(room, peer=peer, by=by)
        assert await room.asked(peer) == (int(first.key.message_id),)  # as it was before
        await room.says("Nora, and now?", peer=peer, by=by)
        assert await room.asked(peer) == (room.newest,)


def test_where_the_context_takes_one_part_it_takes_them_all() -> None:
    said = [said_by(MARTA, number, ALBUM if number in {2, 3, 4} else None) for number in range(1, 7)]
    left_out = tuple(Choice(number, False, 0.1, Reason.OTHER_TOPIC) for number in range(1, 6))
    context = Context((), tuple(said)).holding(
        {3, 6}, (*left_out[:2], left_out[2]._replace(included=True), *left_out[3:])
    )
    assert [one.key.message_id for one in context.messages] == [2, 3, 4, 6]
    assert [one.included for one in context.choices] == [False, True, True, True, False]
