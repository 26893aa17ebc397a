"""A group that migrates stays one chat with two peers: what Telegram says of both, in our words."""

import datetime as dt
from typing import Any

from telethon.tl import types

from chimein_gui.adapters.telegram.mapping.messages import message_of
from chimein_gui.adapters.telegram.mapping.peers import PeerBook, channel_peer_id
from chimein_gui.adapters.telegram.mapping.updates import UpdateReader
from chimein_gui.domain.accounts.group_moves import RAISED_BY, GroupMove, GroupMoves, KnownGroups
from chimein_gui.domain.ids import AccountId, PeerId
from chimein_gui.domain.messages import Message
from tests.unit.adapters.telegram.support import Recorder

ME, HER = AccountId(7_000_000_001), 7_000_005_001
GROUP, SUPERGROUP = PeerId(-77), channel_peer_id(42)
MOVE = GroupMove(ME, GROUP, SUPERGROUP)
WHEN = dt.datetime(2026, 11, 20, 12, tzinfo=dt.UTC)
FIVE = RAISED_BY + 5


class Room:
    """What an account's updates go through, and what it told."""

    def __init__(self, known: KnownGroups | None = None) -> None:
        self.told = Recorder()
        moves = GroupMoves(ME, known or KnownGroups(moves=(MOVE,)))
        self.peers = PeerBook(ME, moves, self.told.group_moved)
        self.reader = UpdateReader(ME, self.peers, self.told)
        self.peers.learn([types.User(HER, first_name="Marta", access_hash=9)], [group(), supergroup()])

    def read(self, update: Any) -> None:
        self.reader.read(update)

    def mapped(self, raw: Any) -> Message:
        message = message_of(raw, ME, self.peers)
        assert message is not None
        return message


def group(**more: Any) -> Any:
    photo = types.ChatPhotoEmpty()
    return types.Chat(77, "Lunch", photo=photo, participants_count=3, date=WHEN, version=1, **more)


def group_left_behind() -> Any:
    return group(deactivated=True, migrated_to=types.InputChannel(42, 8))


def supergroup() -> Any:
    return types.Channel(42, "Lunch for all", types.ChatPhotoEmpty(), WHEN, access_hash=8, megagroup=True)


def raw(message_id: int = 5) -> Any:
    author = types.PeerUser(HER)
    return types.Message(id=message_id, peer_id=types.PeerChannel(42), date=WHEN, message="hi", from_id=author)


def service(peer: Any, action: Any) -> Any:
    return types.MessageService(id=1, peer_id=peer, date=WHEN, action=action, from_id=types.PeerUser(HER))


def test_what_happens_to_messages_of_the_supergroup_is_told_under_their_ids_here() -> None:
    room = Room()
    room.read(types.UpdateEditChannelMessage(raw(), 2, 1))
    room.read(types.UpdateDeleteChannelMessages(42, [5, 6], 2, 1))
    room.read(types.UpdateReadChannelInbox(42, 5, 0, 2))
    room.read(types.UpdateReadChannelOutbox(42, 5))
    reactions = types.MessageReactions([types.ReactionCount(types.ReactionEmoji("👍"), 1)])
    room.read(types.UpdateMessageReactions(types.PeerChannel(42), 5, reactions))
    assert [message.key.message_id for _, message in room.told.of("edited")] == [FIVE]
    assert room.told.of("deleted") == [(ME, GROUP, (FIVE, FIVE + 1))]
    assert room.told.of("read") == [(ME, GROUP, FIVE)]
    assert room.told.of("read by partner") == [(ME, GROUP, FIVE)]
    (reacted,) = room.told.of("reacted")
    assert (reacted[0].peer_id, reacted[0].message_id) == (GROUP, FIVE)


def test_a_supergroup_does_not_say_by_itself_which_group_it_was() -> None:
    """Somebody who joined it later was never in the group; and our answers go nowhere on a stranger's word."""
    room = Room(KnownGroups())
    message = room.mapped(service(types.PeerChannel(42), types.MessageActionChannelMigrateFrom("Lunch", 77)))
    assert (message.key.peer_id, room.told.of("moved")) == (SUPERGROUP, [])


def test_only_a_basic_group_becomes_a_supergroup_and_nothing_else() -> None:
    room = Room(KnownGroups())
    room.mapped(service(types.PeerUser(HER), types.MessageActionChatMigrateTo(42)))
    room.mapped(service(types.PeerChannel(43), types.MessageActionChatMigrateTo(42)))
    room.mapped(service(types.PeerChat(77), types.MessageActionChatMigrateTo(-(10**12) - 5)))
    assert room.told.of("moved") == []


def test_a_supergroup_whose_messages_stand_in_a_chat_of_its_own_keeps_it() -> None:
    room = Room(KnownGroups())
    assert room.reader.new_supergroups([types.UpdateNewChannelMessage(raw(), 2, 1)]) == {SUPERGROUP}
    room.read(types.UpdateNewChannelMessage(raw(), 2, 1))
    room.peers.learn([], [group_left_behind()])
    room.read(types.UpdateNewChannelMessage(raw(6), 3, 1))
    assert room.told.of("moved") == []
    assert {message.key.peer_id for _, message in room.told.of("arrived")} == {SUPERGROUP}
    assert room.reader.new_supergroups([types.UpdateNewChannelMessage(raw(), 2, 1)]) == set()
