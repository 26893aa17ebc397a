"""What is read of an answer that holds an object of a later layer: everything but the message around it."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any

import pytest
from telethon.errors import TypeNotFoundError
from telethon.tl import patched, types

from chimein_gui.adapters.telegram.transport.unreadable import read_around

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
STATE = types.updates.State(9, 0, NOW, 0, 0)
SHAPES = ("difference", "channel difference", "history", "dialogs", "updates")


class Later:
    """An object of no layer that there is, with a body of any bytes."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    def _bytes(self) -> bytes:
        return bytes.fromhex("2a2a2a7f") + self._body


def message(number: int, media: object = None, *, reply_to: object = None) -> Any:
    peer = types.PeerChannel(5) if number % 3 == 0 else types.PeerUser(7)
    text = f"message {number} " + "words " * (number % 7)
    return patched.Message(id=number, peer_id=peer, date=NOW, message=text, media=media, reply_to=reply_to)


def answer(shape: str, messages: list[Any]) -> Any:
    users, chats = [types.UserEmpty(number) for number in range(5)], [types.ChatEmpty(3)]
    if shape == "difference":
        return types.updates.Difference(messages, [], [types.UpdateDeleteMessages([1, 2], 8, 2)], chats, users, STATE)
    if shape == "channel difference":
        return types.updates.ChannelDifference(9, messages, [], chats, users, final=True)
    if shape == "history":
        return types.messages.MessagesSlice(400, messages, [], chats, users)
    if shape == "dialogs":
        settings = types.PeerNotifySettings()
        dialog = types.Dialog(types.PeerUser(7), 3, 0, 0, 0, 0, 0, 0, settings)
        return types.messages.DialogsSlice(1, [dialog], messages, chats, users)
    news = [types.UpdateNewMessage(one, pts, 1) for pts, one in enumerate(messages, 1)]
    return types.Updates(news, users, chats, NOW, 0)


def read(reader: Any) -> Any:
    return reader.tgread_object()


def messages_of(found: Any) -> list[Any]:
    held = getattr(found, "new_messages", None) or getattr(found, "messages", None)
    return held if held is not None else [update.message for update in found.updates]


def test_the_messages_around_it_are_read_whatever_it_holds() -> None:
    rng = random.Random(16)
    for _ in range(150):
        shape, count = rng.choice(SHAPES), rng.randrange(1, 9)
        gone = set(rng.sample(range(1, count + 1), min(count, rng.randrange(1, 4))))
        held = []
        for number in range(1, count + 1):
            body = rng.choice((b"", bytes(12), rng.randbytes(4 * rng.randrange(40)), bytes(types.UserEmpty(900))))
            later = Later(body) if number in gone else None
            header = types.MessageReplyHeader(reply_media=later) if later is not None and rng.random() < 0.3 else None
            held.append(message(number, None if header is not None else later, reply_to=header))
        whole = bytes(answer(shape, held)) + rng.randbytes(rng.randrange(0, 40))
        found, ids = read_around(whole, read)
        assert set(ids) == gone, shape
        kept = [(one.id, one.message) for one in messages_of(found) if not isinstance(one, types.MessageEmpty)]
        assert kept == [(one.id, one.message) for one in held if one.id not in gone], shape
        assert len(found.users) == 5
        assert [one.id for one in messages_of(found)] == list(range(1, count + 1))


def test_what_is_in_no_message_is_not_guessed_at() -> None:
    strange = types.updates.Difference([message(1)], [], [Later(b"1234")], [], [], STATE)
    with pytest.raises(TypeNotFoundError):
        read_around(bytes(strange), read)


@pytest.mark.parametrize("shape", SHAPES)
def test_nobody_smuggles_a_message_in(shape: str) -> None:
    forged = bytes(message(900))
    held = [message(1, Later(forged)), message(2), message(3), message(4, Later(forged)), message(5), message(6)]
    for some in (held, held[:3], held[3:]):
        with pytest.raises(TypeNotFoundError):
            read_around(bytes(answer(shape, some)), read)


def test_too_many_of_them_are_too_many() -> None:
    with pytest.raises(TypeNotFoundError):
        read_around(bytes(answer("history", [message(number, Later(b"")) for number in range(1, 30)])), read)
