"""Telethon's messages and people in our words."""

import datetime as dt
import json
from typing import Any

import pytest
from telethon.tl import types

from chimein_gui.adapters.telegram.mapping.messages import message_of, short_message_of
from chimein_gui.adapters.telegram.mapping.peers import MAX_NAME, PeerBook, channel_peer_id
from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.ids import AccountId, PeerId
from chimein_gui.domain.messages import Message, TextEntity

ME = AccountId(7_000_000_001)
HER = 7_000_005_001
WHEN = dt.datetime(2026, 11, 20, 12, tzinfo=dt.UTC)
CHANNEL = channel_peer_id(42)


def user(user_id: int = HER, **more: Any) -> Any:
    return types.User(**{"id": user_id, "first_name": "Marta", "last_name": "O", "access_hash": 9, **more})


def book(*users: Any, chats: tuple[Any, ...] = ()) -> PeerBook:
    peers = PeerBook(ME)
    peers.learn([user(ME, first_name="Nora"), user(), *users], chats)
    return peers


def raw(**more: Any) -> Any:
    return types.Message(**{"id": 5, "peer_id": types.PeerUser(HER), "date": WHEN, "message": "hi", **more})


def telling(*facts: Any) -> tuple[Any, ...]:
    """Return facts without their types: the ids of one user are of several."""
    return facts


def mapped(message: Any = None, peers: PeerBook | None = None, **more: Any) -> Message:
    result = message_of(raw(**more) if message is None else message, ME, peers or book())
    assert result is not None
    return result


def test_senders_in_dms_are_guessed_as_telegram_means_it() -> None:
    assert (mapped().sender_id, mapped().sender_name) == (HER, "Marta O")
    own = mapped(out=True)
    assert telling(own.sender_id, own.sender_name, own.out, own.key.peer_id) == (ME, "Nora O", True, HER)


def test_a_group_keeps_its_number_of_members_while_telegram_leaves_it_out() -> None:
    group = types.Chat(id=5, title="Walkers", photo=None, participants_count=12, date=WHEN, version=1)
    channel = {"id": 42, "title": "Readers", "photo": None, "date": WHEN, "megagroup": True, "access_hash": 1}
    peers = book(chats=(group, types.Channel(**channel, participants_count=300)))
    assert (peers.chat_info(PeerId(-5)).members, peers.chat_info(CHANNEL).members) == (12, 300)
    peers.learn([], [types.Channel(**channel)])
    assert peers.chat_info(CHANNEL).members == 300
    peers.learn([], [types.Channel(**channel, participants_count=299)])
    assert peers.chat_info(CHANNEL).members == 299


def test_anonymous_senders_have_a_name_and_no_id() -> None:
    peers = book(chats=(types.Channel(id=42, title="News", photo=None, date=WHEN, broadcast=True, access_hash=1),))
    post = mapped(peers=peers, peer_id=types.PeerChannel(42), post=True, post_author="Editor")
    assert (post.sender_id, post.sender_name, post.key.peer_id) == (None, "News", CHANNEL)
    assert peers.chat_info(CHANNEL).kind is ChatKind.CHANNEL
    unknown = mapped(peer_id=types.PeerChannel(43), post=True, post_author="Editor")
    assert (unknown.sender_id, unknown.sender_name) == (None, "Editor")


def test_group_messages_name_their_sender_and_bots() -> None:
    group = types.Chat(id=77, title="Lake", photo=None, participants_count=3, date=WHEN, version=1)
    peers = book(user(8, first_name="Robo", last_name=None, bot=True), chats=(group,))
    message = mapped(peers=peers, peer_id=types.PeerChat(77), from_id=types.PeerUser(8))
    assert (message.sender_id, message.sender_name, message.is_bot) == (8, "Robo", True)
    info = peers.chat_info(message.key.peer_id)
    assert (info.peer_id, info.kind, info.title, info.account_id) == (-77, ChatKind.GROUP, "Lake", ME)


def test_entities_keep_utf16_offsets_and_arguments() -> None:
    entities = [
        types.MessageEntityBold(2, 4),
        types.MessageEntityTextUrl(7, 1, "https://example.org"),
        types.MessageEntityPre(9, 3, "python"),
        types.MessageEntityMentionName(0, 1, HER),
    ]
    assert mapped(raw(message="🍰bold", entities=entities)).entities == (
        TextEntity("bold", 2, 4),
        TextEntity("text_url", 7, 1, "https://example.org"),
        TextEntity("pre", 9, 3, "python"),
        TextEntity("mention_name", 0, 1, "7000005001"),
    )


@pytest.mark.parametrize(
    ("header", "reply_to_id", "thread_id"),
    [
        (None, None, None),
        (types.MessageReplyHeader(reply_to_msg_id=3), 3, None),
        (types.MessageReplyHeader(reply_to_msg_id=3, reply_to_top_id=1), 3, None),
        (types.MessageReplyHeader(reply_to_msg_id=3, reply_to_peer_id=types.PeerUser(8)), None, None),
        (types.MessageReplyHeader(reply_to_msg_id=9, forum_topic=True), None, 9),
        (types.MessageReplyHeader(reply_to_msg_id=12, reply_to_top_id=9, forum_topic=True), 12, 9),
        (types.MessageReplyStoryHeader(types.PeerUser(8), 4), None, None),
        (types.MessageReplyHeader(), None, None),
    ],
)
def test_replies_and_topics(header: Any, reply_to_id: int | None, thread_id: int | None) -> None:
    message = mapped(reply_to=header)
    assert (message.reply_to_id, message.thread_id) == (reply_to_id, thread_id)


def test_unknown_kinds_keep_the_raw_object() -> None:
    message = mapped(media=types.MessageMediaUnsupported())
    assert message.media_kind == "unknown"
    assert json.loads(message.raw_json)["media"]["_"] == "MessageMediaUnsupported"


def test_service_messages_are_marked_and_named() -> None:
    action = types.MessageActionPinMessage()
    service = types.MessageService(id=6, peer_id=types.PeerUser(HER), date=WHEN, action=action, out=False)
    message = mapped(service)
    assert (message.is_service, message.text, message.media_kind) == (True, "", "pin_message")
    assert json.loads(message.raw_json)["action"]["_"] == "MessageActionPinMessage"


def test_empty_messages_are_none() -> None:
    assert message_of(types.MessageEmpty(id=5, peer_id=None), ME, book()) is None
    assert message_of(types.MessageEmpty(id=5, peer_id=types.PeerUser(HER)), ME, book()) is None


def test_hidden_edits_are_no_edits() -> None:
    assert mapped(edit_date=WHEN).edited_at == WHEN
    assert mapped(edit_date=WHEN, edit_hide=True).edited_at is None


def test_abbreviated_messages_become_whole_ones() -> None:
    dm = types.UpdateShortMessage(id=5, user_id=HER, message="hi", pts=1, pts_count=1, date=WHEN, out=True)
    message = mapped(short_message_of(dm, ME))
    assert telling(message.key.peer_id, message.sender_id, message.out, message.text) == (HER, ME, True, "hi")
    group = types.UpdateShortChatMessage(
        id=5, from_id=HER, chat_id=77, message="hi", pts=1, pts_count=1, date=WHEN, out=False
    )
    message = mapped(short_message_of(group, ME))
    assert (message.key.peer_id, message.sender_id, message.sender_name) == (-77, HER, "Marta O")


def test_names_are_capped_and_otherwise_left_alone() -> None:
    hostile = "\u202eab\u0301<b>&"
    peers = book(user(8, first_name=hostile, last_name=None), user(9, first_name="x" * 500, last_name="y"))
    assert peers.name(PeerId(8)) == hostile
    assert peers.name(PeerId(9)) == "x" * MAX_NAME
    assert book(user(8, deleted=True)).name(PeerId(8)) == "Deleted account"


def test_min_users_neither_replace_what_is_known_nor_give_an_address() -> None:
    peers = book(user(HER, first_name="Wrong", access_hash=1, min=True), user(8, access_hash=1, min=True))
    known: Any = peers.input_peer(PeerId(HER))
    assert (peers.name(PeerId(HER)), known.access_hash) == ("Marta O", 9)
    assert (peers.name(PeerId(8)), peers.input_peer(PeerId(8))) == ("Marta O", None)
