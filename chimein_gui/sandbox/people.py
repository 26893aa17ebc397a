"""The people of the sandbox for the console: who exists, what partners say and receive."""

from collections.abc import Iterable

from chimein_gui.sandbox.rpc.text import MAX_TEXT
from chimein_gui.sandbox.views.update_hub import Hub
from chimein_gui.sandbox.world.entities import units
from chimein_gui.sandbox.world.records import Draft, StoredMessage, User
from chimein_gui.sandbox.world.world import World
from chimein_gui.sandbox_api import (
    Refused,
    SandboxAccount,
    SandboxDelivery,
    SandboxGroup,
    SandboxPartner,
    SandboxRefusedError,
)


class People:
    """Accounts, partners and groups of a world."""

    def __init__(self, world: World, hub: Hub) -> None:
        self._world = world
        self._hub = hub

    def accounts(self) -> tuple[SandboxAccount, ...]:
        """Return the accounts for the product, in the order of their creation."""
        return tuple(SandboxAccount(one.user_id, one.name) for one in self._world.users.values() if one.is_account)

    def partners(self) -> tuple[SandboxPartner, ...]:
        """Return all simulated people, in the order they were made."""
        return tuple(SandboxPartner(one.user_id, one.name) for one in self._world.users.values() if one.is_partner)

    def groups(self) -> tuple[SandboxGroup, ...]:
        """Return all groups with their current members; a migrated one once, as a supergroup."""
        return tuple(
            SandboxGroup(one.peer_id, one.title, one.member_ids, one.migrated_from) for one in self._world.groups.all()
        )

    def speak(self, lines: Iterable[tuple[int, int, str]]) -> tuple[int, ...]:
        """Send many (partner, peer, text) in one go: one commit, bundled pushes.

        Returns:
            The message ids in the partners' own sequences.

        Raises:
            LookupError: If anybody does not exist or is not in the group; then nothing is sent.
            ValueError: If a text can't be sent, in words for the operator; then nothing is sent.
        """
        checked = [
            (self._partner(one).user_id, self._peer(one, self._world.groups.present(peer_id)), _sayable(text))
            for one, peer_id, text in lines
        ]
        ids = tuple(self._world.send(one, peer_id, Draft(text)).message_id for one, peer_id, text in checked)
        self._hub.settle()
        return ids

    def mailbox(self, partner_id: int) -> tuple[SandboxDelivery, ...]:
        """Return everything the partner received, oldest first, in supergroups too.

        Raises:
            LookupError: If there is no such partner.
        """
        user_id = self._partner(partner_id).user_id
        received = [*self._world.box(user_id).received(), *self._world.supergroups.received(user_id)]
        return tuple(_delivery(message) for message in sorted(received, key=lambda one: one.uid))

    def mailbox_counts(self) -> dict[int, int]:
        """Return how many messages each partner has received, by user id."""
        people = [user.user_id for user in self._world.users.values() if user.is_partner]
        return {user_id: self._count_received(user_id) for user_id in people}

    def migrate(self, peer_id: int) -> int:
        """Migrate a group to a supergroup, in its creator's name; its members get the updates at once.

        Args:
            peer_id: The basic group's marked id.

        Returns:
            The supergroup's marked id.

        Raises:
            LookupError: There is no such group, or it has no members.
            ValueError: It already is a supergroup; the text is for the operator.
        """
        group = self._world.groups.find(peer_id)
        if group is None:
            raise LookupError(f"no group {peer_id} in the sandbox")
        if not group.member_ids:
            raise LookupError(f"nobody is in the group {group.title!r}")
        who = group.creator_id if group.has(group.creator_id) else group.member_ids[0]
        successor = self._world.supergroups.migrate(group, who)
        self._hub.settle()
        return successor.peer_id

    def _count_received(self, user_id: int) -> int:
        in_own_box = sum(1 for _ in self._world.box(user_id).received())
        return in_own_box + len(self._world.supergroups.received(user_id))

    def _partner(self, user_id: int) -> User:
        user = self._world.users.get(user_id)
        if user is None:
            raise LookupError(f"no user {user_id} in the sandbox")
        if not user.is_partner:
            raise LookupError(f"user {user_id} is no partner")
        return user

    def _peer(self, partner_id: int, peer_id: int) -> int:
        """Check a user's id, or the marked id of a group that the partner is in."""
        if peer_id > 0:
            if peer_id not in self._world.users:
                raise LookupError(f"no user {peer_id} in the sandbox")
            return peer_id
        group = self._world.groups.find(peer_id)
        if group is None:
            raise LookupError(f"no group {peer_id} in the sandbox")
        if not group.has(partner_id):
            raise SandboxRefusedError(Refused.NOT_IN_GROUP, group.title)
        return peer_id


def _sayable(text: object) -> str:
    """Return a text that a client could send; refuse any other."""
    if not isinstance(text, str) or not text.strip():
        raise SandboxRefusedError(Refused.EMPTY_MESSAGE)
    try:
        length = units(text)
    except UnicodeEncodeError:
        raise SandboxRefusedError(Refused.HALF_CHARACTER) from None
    if length > MAX_TEXT:
        raise SandboxRefusedError(Refused.MESSAGE_TOO_LONG, MAX_TEXT, length)
    return text


def _delivery(message: StoredMessage) -> SandboxDelivery:
    return SandboxDelivery(
        message_id=message.message_id,
        from_user_id=message.sender_id,
        text=message.text,
        sent_at=message.sent_at,
        peer_id=message.peer_id,
        media=message.media.kind if message.media else "",
    )
