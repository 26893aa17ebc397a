"""Rows prepared at ingest: they serve where they fit, and never what they are no longer true of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chimein_gui.domain.context import Choice, HistoryRow, prepare_all, selection
from chimein_gui.domain.context.prepared import ask_from_scratch
from chimein_gui.domain.ids import ChatId, MessageId, UserId
from chimein_gui.domain.messages import Forward, Media, Message, Reaction, TextEntity
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.engine.context.prepared_rows import MOST_CHATS, MOST_WORDS
from chimein_gui.engine.context.selection import Context, ContextChooser
from chimein_gui.engine.ports import GatewayListener, Transaction
from tests.fakes.group import group_info
from tests.support.group_room import ACCOUNT, PEOPLE, GroupRoom, group_room, shipped_model, texts

MINUTE = 60.0


def listener(here: GroupRoom) -> GatewayListener:
    found = here.group.online[ACCOUNT].listener
    assert found is not None
    return found


def seen(here: GroupRoom, number: int, **fields: Any) -> Message:
    """One message of the group, with other fields."""
    return replace(here.group.seen_by(here.group.posts[number - 1], ACCOUNT), **fields)


def arrives(here: GroupRoom, ago_s: float, name: str, text: str, **fields: Any) -> None:
    """Somebody says something of another kind than plain text."""
    connected, here.group.online = here.group.online, {}
    (number,) = here.group.said((ago_s, name, text))
    here.group.online = connected
    listener(here).message_arrived(group_info(ACCOUNT), seen(here, number, **fields))


def every_kind(here: GroupRoom) -> None:
    at = here.room.clock.now()
    arrives(here, 900, "Tom", "the tent, look", media_kind="photo", media=Media(1, "image/jpeg", 9))
    arrives(here, 890, "Tom", "", media_kind="sticker", media=Media(2, "image/webp", 9, emoji="⛺"))
    arrives(here, 880, "Wen", "the tent is the best tent", forward=Forward("A shop", at), reply_to_id=MessageId(2))
    arrives(here, 870, "Ida", "Tom joined", is_service=True)
    arrives(here, 860, "Leo", "I am the tent bot", is_bot=True, edited_at=at)
    arrives(here, 850, "Ben", "tent pole, Priya", entities=(TextEntity("mention_name", 11, 5, str(PEOPLE["Priya"])),))
    arrives(here, 840, "Priya", "anonymous about tents", sender_id=None, sender_name="The lake")
    arrives(here, 830, "Ida", "another topic altogether", thread_id=77)
    arrives(here, 820, "Ida", "👍", reactions=(Reaction("👍", 2),), raw_json="{}", grouped_id=5)
    arrives(here, 810, "Tom", "tent 🦊 \u202e\u200f tent\x00", sender_name="Tom 🦊")


async def test_rows_of_every_kind_of_message_serve_as_they_were_prepared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked_through: list[int] = []
    really = ask_from_scratch

    def count(history: Any, trigger: Any, model: Any) -> Any:
        worked_through.append(len(history))
        return really(history, trigger, model)

    monkeypatch.setattr(selection, "ask_from_scratch", count)
    async with group_room(tmp_path, has_written=True) as here:
        every_kind(here)
        await here.settled()
        prompt = await here.call("Tom", "Nora, which tent?")
        assert len((await here.graph()).span.choices) > 8
        assert len(texts(prompt)) > 3
        assert worked_through == []


def edited(here: GroupRoom) -> None:
    at = here.room.clock.now()
    listener(here).message_edited(group_info(ACCOUNT), seen(here, 31, text="Ben: goal!", edited_at=at))


def deleted(here: GroupRoom) -> None:
    listener(here).messages_deleted(
        ACCOUNT, here.group.seen_by(here.group.posts[0], ACCOUNT).key.peer_id, (MessageId(38),)
    )


def deleted_without_a_peer(here: GroupRoom) -> None:
    listener(here).messages_deleted(ACCOUNT, None, (MessageId(40), MessageId(36)))


def comes_late(here: GroupRoom) -> None:
    """A gap between older rows is filled."""
    at = seen(here, 20).sent_at
    for number in (5, 21, 22):
        key = replace(seen(here, 1).key, message_id=MessageId(number))
        late = Message(key, UserId(PEOPLE["Ben"]), "Ben", out=False, sent_at=at, text=f"Leo: late goal {number}")
        listener(here).message_arrived(group_info(ACCOUNT), late)


def goes_on(here: GroupRoom) -> None:
    here.group.said((5.0, "Ben", "Leo, goal again"), (4.0, "Priya", "Tom, and the tent?"))


CHANGES = {one.__name__: one for one in (edited, deleted, deleted_without_a_peer, comes_late, goes_on)}


async def both(here: GroupRoom, number: int) -> tuple[Context, Context]:
    """Choose with what was prepared, and without."""
    chat_id, source = await here.chat_id(), here.room.engine._services.planner._services.source

    def work(tx: Transaction) -> tuple[Context, Context]:
        chat, ids = tx.chats.get(chat_id), (MessageId(number),)
        spec = source.spec_of(chat.agent_id)
        anew = ContextChooser(shipped_model())
        given = (tx, chat, spec, ids, Preferences())
        return source.contexts.choose(*given), anew.choose(*given)

    return await here.room.store.transact(work)


def roughly(one: Choice) -> Choice:
    """Rounded: one row alone is worked out in other steps than many."""
    return one._replace(probability=round(one.probability, 4))


async def a_talk(here: GroupRoom) -> None:
    """Forty messages of two subjects, with room for three more between them."""
    numbers = [number for number in range(1, 44) if number not in {5, 21, 22}]
    for number in range(1, 44):
        one, other = ("Priya", "Tom") if number % 2 else ("Ben", "Leo")
        subject = "tent" if number % 2 else "goal"
        connected, here.group.online = here.group.online, here.group.online if number in numbers else {}
        here.group.said((2_000.0 - 40 * number, one, f"{other}: {subject} number {number}, what a {subject}?"))
        here.group.online = connected
    await here.settled()


@pytest.mark.parametrize("names", [*([name] for name in CHANGES), list(CHANGES), list(CHANGES)[::-1]], ids="-".join)
async def test_what_changed_since_it_was_prepared_counts_at_once(here: GroupRoom, names: list[str]) -> None:
    await a_talk(here)
    first, _ = await both(here, 43)
    for name in names:
        CHANGES[name](here)
        newest = len(here.group.posts)
        for _ in range(3):
            kept, anew = await both(here, newest)
            assert [*map(roughly, kept.choices)] == [*map(roughly, anew.choices)]
            assert kept.messages == anew.messages
            await here.settled()
            here.room.clock.advance(3)
    assert kept != first


async def test_groups_of_long_texts_make_room_for_each_other(here: GroupRoom) -> None:
    def rows(words: int) -> list[HistoryRow]:
        return [HistoryRow(n, n, "tom", " ".join(f"{n:03x}{k:02x}" for k in range(words))) for n in range(300)]

    here.group.said((MINUTE, "Tom", "hello"))
    await here.settled()
    prepared = here.room.engine._services.prepared
    (group,) = prepared._groups.values()
    short, long = (replace(group, latest=prepare_all(rows(words), shipped_model())) for words in (3, 200))
    assert short.latest.words == 900
    assert long.latest.words == 300 * 64
    for number in range(100, 200):
        prepared._keep(ChatId(number), short)
    assert list(prepared._groups) == [ChatId(number) for number in range(200 - MOST_CHATS, 200)]
    for number in range(200, 230):
        prepared._keep(ChatId(number), long)
    assert list(prepared._groups) == [ChatId(number) for number in range(220, 230)]
    assert sum(one.latest.words for one in prepared._groups.values()) <= MOST_WORDS
