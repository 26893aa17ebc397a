"""A group that migrates stays one chat with two peers.

Telegram creates a supergroup beside the basic group: another peer, whose message ids begin at 1 again. The chat keeps
the group's peer id, and the ids of the supergroup's messages are raised, so that they follow those of the group. So
nothing that is stored for a chat (answered messages, drafts, requests, memory files) must be rewritten. Only the
Telegram adapter distinguishes the two peers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from chimein_gui.domain.ids import AccountId, MessageId, PeerId

RAISED_BY = 10_000_000_000
"""Added to the id of a supergroup's message; Telegram's own ids have 31 bits, and the sum stays readable."""

LARGEST_ID = RAISED_BY + 2**31 - 1
"""Largest id that a message of any chat can have."""

_SUPERGROUPS_BELOW = -1_000_000_000_000


@dataclass(frozen=True, slots=True)
class GroupMove:
    """A basic group of one account became a supergroup.

    Attributes:
        account_id: The account that sees it.
        group_id: Marked id of the basic group, which names the chat.
        supergroup_id: Marked id of the supergroup, in which the chat continues.
    """

    account_id: AccountId
    group_id: PeerId
    supergroup_id: PeerId


@dataclass(frozen=True, slots=True)
class KnownGroups:
    """What is known of the supergroups of all accounts before a connection is made.

    Attributes:
        moves: Supergroups that were basic groups.
        apart: (account, supergroup) of those that have chats of their own.
        basic: (account, basic group) of those that have chats here; Telegram does not list all of them.
    """

    moves: tuple[GroupMove, ...] = ()
    apart: frozenset[tuple[AccountId, PeerId]] = frozenset()
    basic: frozenset[tuple[AccountId, PeerId]] = frozenset()


NO_GROUPS = KnownGroups()
"""Used as long as nothing is known."""


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a chat's history as Telegram has it: messages of one peer with above_id < id < below_id (0 = open)."""

    peer_id: PeerId
    above_id: MessageId
    below_id: MessageId


def is_basic_group(peer_id: PeerId) -> bool:
    """Return whether a marked id belongs to a basic group; it is addressed without an access hash."""
    return _SUPERGROUPS_BELOW < peer_id < 0


class GroupMoves:
    """Maps between the two peers of one account's chats. Ids as Telegram has them are called *raw*."""

    def __init__(self, account_id: AccountId, known: KnownGroups = NO_GROUPS) -> None:
        mine = [move for move in known.moves if move.account_id == account_id]
        self._account_id = account_id
        self._supergroups = {move.group_id: move.supergroup_id for move in mine}
        self._groups = {move.supergroup_id: move.group_id for move in mine}
        self._apart = {peer_id for owner_id, peer_id in known.apart if owner_id == account_id}
        self._basic = {peer_id for owner_id, peer_id in known.basic if owner_id == account_id}

    def note(self, group_id: PeerId, supergroup_id: PeerId) -> GroupMove | None:
        """Record that a group has moved.

        Returns:
            The move, if it is new. None if the supergroup already has a chat of its own, because stored messages can't
            move to another chat; None also for anything but a basic group and a supergroup.
        """
        if not is_basic_group(group_id) or supergroup_id >= _SUPERGROUPS_BELOW:
            return None
        if group_id in self._supergroups or supergroup_id in self._groups or supergroup_id in self._apart:
            return None
        self._supergroups[group_id], self._groups[supergroup_id] = supergroup_id, group_id
        return GroupMove(self._account_id, group_id, supergroup_id)

    def stands_alone(self, peer_id: PeerId) -> None:
        """Record that a supergroup has a chat of its own from now on; other peers are ignored."""
        if peer_id < _SUPERGROUPS_BELOW and peer_id not in self._groups:
            self._apart.add(peer_id)

    def is_new(self, peer_id: PeerId) -> bool:
        """Return whether a peer is a channel or supergroup about which nothing is known yet."""
        return peer_id < _SUPERGROUPS_BELOW and peer_id not in self._groups and peer_id not in self._apart

    def not_moved(self) -> frozenset[PeerId]:
        """Return the basic groups that have chats here and, as far as is known, have not moved."""
        return frozenset(self._basic.difference(self._supergroups))

    def chat_of(self, peer_id: PeerId) -> PeerId:
        """Return the peer id that names the chat of a raw peer."""
        return self._groups.get(peer_id, peer_id)

    def peer_of(self, chat_peer_id: PeerId) -> PeerId:
        """Return the raw peer in which a chat continues."""
        return self._supergroups.get(chat_peer_id, chat_peer_id)

    def raised(self, peer_id: PeerId, message_id: int) -> MessageId:
        """Return our id of a raw peer's message; 0, which means none, stays 0."""
        return MessageId(message_id + RAISED_BY if message_id and peer_id in self._groups else message_id)

    def place_of(self, chat_peer_id: PeerId, message_id: MessageId) -> tuple[PeerId, MessageId]:
        """Return the raw peer and raw id of a message id of ours."""
        if message_id > RAISED_BY:
            return self.peer_of(chat_peer_id), MessageId(message_id - RAISED_BY)
        return chat_peer_id, message_id

    def spans(self, chat_peer_id: PeerId, *, above_id: MessageId, below_id: MessageId) -> Iterator[Span]:
        """Iterate over the raw parts of a chat that hold messages with above_id < id < below_id, the newest first."""
        supergroup_id = self._supergroups.get(chat_peer_id)
        if supergroup_id is None:
            yield Span(chat_peer_id, above_id, below_id)
            return
        if not below_id or below_id > RAISED_BY + 1:
            yield Span(supergroup_id, MessageId(max(0, above_id - RAISED_BY)), MessageId(max(0, below_id - RAISED_BY)))
        if above_id < RAISED_BY:
            yield Span(chat_peer_id, above_id, MessageId(below_id if below_id <= RAISED_BY else 0))

    def by_place(self, chat_peer_id: PeerId, message_ids: Iterable[MessageId]) -> dict[PeerId, tuple[MessageId, ...]]:
        """Group message ids of a chat by their raw peers; the returned ids are raw, too."""
        found: dict[PeerId, tuple[MessageId, ...]] = {}
        for message_id in message_ids:
            peer_id, raw_id = self.place_of(chat_peer_id, message_id)
            found[peer_id] = (*found.get(peer_id, ()), raw_id)
        return found
