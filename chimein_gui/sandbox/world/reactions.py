"""Reactions to messages: stored once for all copies; each owner sees their own choice marked."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from chimein_gui.sandbox.persistence.group_rows import GroupRows
from chimein_gui.sandbox.wire.tl import TLObject, types
from chimein_gui.sandbox.world.peers import peer_of
from chimein_gui.sandbox.world.post_office import PostOffice
from chimein_gui.sandbox.world.records import StoredMessage

_RECENT = 3


@dataclass(frozen=True, slots=True)
class Opinion:
    """One user's reactions to a message.

    Attributes:
        given: Reaction objects, in the order they were chosen.
        moment: Whole seconds since the epoch.
    """

    given: tuple[TLObject, ...]
    moment: int


class Reactions:
    """All reactions, by the message's uid.

    Args:
        copies: Returns every user's view of a message, by its uid.
    """

    def __init__(self, post: PostOffice, rows: GroupRows, copies: Callable[[int], Iterable[StoredMessage]]) -> None:
        self._post = post
        self._rows = rows
        self._copies = copies
        self._opinions: dict[int, dict[int, Opinion]] = {}

    def restore(self, uid: int, user_id: int, given: tuple[TLObject, ...], moment: int) -> None:
        """Add a user's reactions in memory, without writing to the journal."""
        self._opinions.setdefault(uid, {})[user_id] = Opinion(given, moment)

    def give(self, message: StoredMessage, given: tuple[TLObject, ...]) -> None:
        """Set the reactions of a copy's owner; earlier ones are replaced, an empty list removes them.

        Everybody with a copy is notified.
        """
        user_id, uid, moment = message.owner_id, message.uid, self._post.now()
        opinions = self._opinions.setdefault(uid, {})
        opinions.pop(user_id, None)
        if given:
            opinions[user_id] = Opinion(given, moment)
        elif not opinions:
            del self._opinions[uid]
        self._rows.reactions(uid, user_id, given, moment)
        for copy in self._copies(uid):
            self._post.tell(copy.owner_id, self.update(copy), copy.peer_id, *self.people(uid))

    def forget(self, uid: int) -> None:
        """Remove the reactions to a message that has no copies any more."""
        if self._opinions.pop(uid, None) is not None:
            self._rows.no_reactions(uid)

    def people(self, uid: int) -> Iterable[int]:
        """Return the ids of the users who have reacted."""
        return self._opinions.get(uid, ())

    def seen(self, message: StoredMessage) -> TLObject | None:
        """Return the MessageReactions as the owner of a copy sees them; None without any."""
        return None if message.uid not in self._opinions else self._seen(message)

    def update(self, message: StoredMessage) -> TLObject:
        """Return the update with the current reactions for the owner of a copy."""
        return types.UpdateMessageReactions(peer_of(message.peer_id), message.message_id, self._seen(message))

    def _seen(self, message: StoredMessage) -> TLObject:
        opinions = self._opinions.get(message.uid, {})
        counts: dict[bytes, TLObject] = {}
        for user_id, opinion in opinions.items():
            for place, reaction in enumerate(opinion.given, 1):
                count = counts.setdefault(bytes(reaction), types.ReactionCount(reaction, 0))
                count.count += 1
                if user_id == message.owner_id:
                    count.chosen_order = place
        recent = [
            _recent(user_id, opinion, reaction, message)
            for user_id, opinion in list(opinions.items())[: -_RECENT - 1 : -1]
            for reaction in opinion.given
        ]
        results = sorted(counts.values(), key=lambda one: one.count, reverse=True)
        return types.MessageReactions(results, can_see_list=True, recent_reactions=recent or None)


def _recent(user_id: int, opinion: Opinion, reaction: TLObject, message: StoredMessage) -> TLObject:
    is_own = user_id == message.owner_id
    return types.MessagePeerReaction(types.PeerUser(user_id), opinion.moment, reaction, my=is_own or None)
