"""Names, kinds and access hashes of users, groups and channels.

Telegram sends the people along with nearly every answer and update, so that names need no requests of their own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from chimein_gui.adapters.telegram.transport.tl import TLObject, types
from chimein_gui.domain.accounts.group_moves import GroupMove, GroupMoves, is_basic_group
from chimein_gui.domain.chats import ChatInfo, ChatKind
from chimein_gui.domain.ids import AccountId, PeerId

MAX_NAME = 129
"""Longest name Telegram itself allows: 64 + blank + 64 characters."""

_CHANNEL_MARK = 1_000_000_000_000
_MAX_CARDS = 20_000
CURRENT_S = 300.0
"""Seconds for which a card counts as current; after that it is requested again if Telegram does not send it."""

_DELETED_ACCOUNT = "Deleted account"


@dataclass(frozen=True, slots=True)
class PeerCard:
    """What is known of a peer.

    Attributes:
        kind: DM, group or channel.
        name: Capped foreign text.
        username: Without the ``@``; may be empty.
        is_bot: True for bots.
        access_hash: Part of its address, valid for this account only; 0 if none is needed or known.
        members: Number of members of a group; 0 if unknown.
    """

    kind: ChatKind
    name: str
    username: str = ""
    is_bot: bool = False
    access_hash: int = 0
    members: int = 0


def peer_id_of(peer: TLObject) -> PeerId:
    """Return the marked id of a Telethon Peer: positive user, negative group, -100… channel."""
    if isinstance(peer, types.PeerUser):
        return PeerId(peer.user_id)
    if isinstance(peer, types.PeerChat):
        return PeerId(-peer.chat_id)
    return channel_peer_id(peer.channel_id)


def channel_peer_id(channel_id: int) -> PeerId:
    """Return the marked id of a channel or supergroup."""
    return PeerId(-_CHANNEL_MARK - channel_id)


def is_channel(peer_id: PeerId) -> bool:
    """Return whether a marked id belongs to a channel or supergroup."""
    return peer_id < -_CHANNEL_MARK


def input_peer(peer_id: PeerId, access_hash: int) -> TLObject:
    """Return the InputPeer of a peer."""
    if peer_id > 0:
        return types.InputPeerUser(peer_id, access_hash)
    if is_channel(peer_id):
        return types.InputPeerChannel(-peer_id - _CHANNEL_MARK, access_hash)
    return types.InputPeerChat(-peer_id)


def user_name(user: TLObject) -> str:
    """Return a user's first and last name, capped."""
    if user.deleted:
        return _DELETED_ACCOUNT
    return f"{user.first_name or ''} {user.last_name or ''}".strip()[:MAX_NAME]


def usernames_of(entity: TLObject) -> tuple[str, ...]:
    """Return the active user names, the main one first.

    If an account has bought user names, all are in a list, and the single field is empty.
    """
    listed = [one.username for one in getattr(entity, "usernames", None) or () if one.active]
    single = getattr(entity, "username", None)
    return tuple(dict.fromkeys([single, *listed] if single else listed))


def main_username(entity: TLObject) -> str:
    """Return the user name to show, or an empty string."""
    return next(iter(usernames_of(entity)), "")


def _user_card(user: TLObject) -> PeerCard:
    return PeerCard(ChatKind.DM, user_name(user), main_username(user), bool(user.bot), user.access_hash or 0)


def _group_card(group: TLObject) -> tuple[PeerId, PeerCard] | None:
    name = (getattr(group, "title", None) or "")[:MAX_NAME]
    members = getattr(group, "participants_count", None) or 0
    if isinstance(group, types.Chat | types.ChatForbidden):
        return PeerId(-group.id), PeerCard(ChatKind.GROUP, name, members=members)
    if isinstance(group, types.Channel | types.ChannelForbidden):
        kind = ChatKind.CHANNEL if group.broadcast else ChatKind.GROUP
        card = PeerCard(kind, name, main_username(group), access_hash=group.access_hash or 0, members=members)
        return channel_peer_id(group.id), card
    return None


class PeerBook:
    """The cards of one connection; when there are very many, the oldest are dropped.

    Attributes:
        moves: Which chats have two peers; the cards are those of the raw peers.
    """

    def __init__(
        self,
        account_id: AccountId,
        moves: GroupMoves | None = None,
        on_move: Callable[[GroupMove], None] = lambda _move: None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start without cards; `on_move` gets each new move of a group to a supergroup, `now` returns seconds."""
        self.moves = GroupMoves(account_id) if moves is None else moves
        self._on_move = on_move
        self._account_id = account_id
        self._now = now
        self._cards: dict[PeerId, PeerCard] = {}
        self._refreshed: dict[PeerId, float] = {}

    def is_current(self, peer_id: PeerId) -> bool:
        """Return whether the peer's card came within the last 5 min."""
        return self._now() - self._refreshed.get(peer_id, float("-inf")) < CURRENT_S

    def learn(self, users: Iterable[Any], chats: Iterable[Any]) -> tuple[list[Any], list[Any]]:
        """Add users and chats.

        Returns:
            The users and the chats that are new or have changed.
        """
        new_users = [user for user in users if self._learn_user(user)]
        listed = tuple(chats)
        for chat in listed:
            self._note_move(_move_of_chat(chat))
        return new_users, [chat for chat in listed if self._learn_chat(chat)]

    def hear(self, message: TLObject) -> None:
        """Record the move that a service message reports, if it does."""
        self._note_move(_move_of_message(message))

    def _note_move(self, pair: tuple[PeerId, PeerId] | None) -> None:
        move = None if pair is None else self.moves.note(*pair)
        if move is not None:
            self._on_move(move)

    def put(self, peer_id: PeerId, card: PeerCard) -> bool:
        """Store a card; returns whether it is new or has changed."""
        self._refreshed[peer_id] = self._now()
        if self._cards.get(peer_id) == card:
            return False
        if len(self._cards) >= _MAX_CARDS:
            oldest = next(iter(self._cards))
            del self._cards[oldest], self._refreshed[oldest]
        self._cards[peer_id] = card
        return True

    def card(self, peer_id: PeerId) -> PeerCard | None:
        """Return the card of a peer, or None."""
        return self._cards.get(peer_id)

    def name(self, peer_id: PeerId) -> str:
        """Return a peer's name, or an empty string."""
        card = self._cards.get(peer_id)
        return "" if card is None else card.name

    def is_bot(self, peer_id: PeerId) -> bool:
        """Return whether a peer is known to be a bot."""
        card = self._cards.get(peer_id)
        return card is not None and card.is_bot

    def chat_info(self, peer_id: PeerId) -> ChatInfo:
        """Return a chat by its own peer id; without a title if its peer is unknown."""
        card = self._cards.get(self.moves.peer_of(peer_id)) or self._cards.get(peer_id)
        if card is None:
            kind = ChatKind.DM if peer_id > 0 else ChatKind.GROUP
            return ChatInfo(self._account_id, peer_id, kind, title="")
        return ChatInfo(self._account_id, peer_id, card.kind, card.name, card.username, card.members)

    def input_peer(self, peer_id: PeerId) -> TLObject | None:
        """Return the InputPeer of a peer, or None if its access hash is unknown."""
        card = self._cards.get(peer_id)
        if card is None or not (card.access_hash or is_basic_group(peer_id)):
            return None
        return input_peer(peer_id, card.access_hash)

    def _learn_user(self, user: TLObject) -> bool:
        if not isinstance(user, types.User):
            return False
        if user.min and user.id in self._cards:
            self._refreshed[PeerId(user.id)] = self._now()
            return False
        card = _user_card(user)
        # A "min" user comes with a hash that is good for nothing.
        return self.put(PeerId(user.id), replace(card, access_hash=0) if user.min else card)

    def _learn_chat(self, chat: TLObject) -> bool:
        known = _group_card(chat)
        if known is None:
            return False
        if getattr(chat, "min", False) and known[0] in self._cards:
            self._refreshed[known[0]] = self._now()
            return False
        peer_id, card = known
        before = self._cards.get(peer_id)
        # Most updates leave the number of members out.
        return self.put(peer_id, card if card.members or before is None else replace(card, members=before.members))


def _move_of_chat(chat: TLObject) -> tuple[PeerId, PeerId] | None:
    """Return group and supergroup of a moved group, which names its successor; else None."""
    target = getattr(chat, "migrated_to", None)
    if not isinstance(chat, types.Chat) or not isinstance(target, types.InputChannel):
        return None
    return PeerId(-chat.id), channel_peer_id(target.channel_id)


def _move_of_message(raw: TLObject) -> tuple[PeerId, PeerId] | None:
    """Return group and supergroup from the group's last message; else None.

    The supergroup's first message does not count: only members of the old group can read it, and they get the other.
    """
    if isinstance(raw.action, types.MessageActionChatMigrateTo):
        return peer_id_of(raw.peer_id), channel_peer_id(raw.action.channel_id)
    return None
