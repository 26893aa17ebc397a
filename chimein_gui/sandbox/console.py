"""Driving the partners from inside the process (the `SandboxConsole` port, SPEC §11)."""

from collections.abc import Iterable

from chimein_gui.engine.sandbox_port import SandboxDelivery, SandboxPartner
from chimein_gui.sandbox.records import User
from chimein_gui.sandbox.updates import Hub
from chimein_gui.sandbox.world import Draft, World


class LocalConsole:
    """Implements `SandboxConsole` on the world itself."""

    def __init__(self, world: World, hub: Hub) -> None:
        self._world = world
        self._hub = hub

    async def partners(self) -> tuple[SandboxPartner, ...]:
        """Return all simulated people, in the order they were made."""
        return tuple(SandboxPartner(user.user_id, user.name) for user in self._world.users.values() if user.is_partner)

    async def speak(self, partner_id: int, account_id: int, text: str) -> int:
        """Send `text` as the partner and push it at once.

        Returns:
            The message id in the partner's own sequence.

        Raises:
            LookupError: If either user does not exist.
        """
        return (await self.speak_many([(partner_id, account_id, text)]))[0]

    async def speak_many(self, lines: Iterable[tuple[int, int, str]]) -> tuple[int, ...]:
        """Send many (partner, account, text) in one go: one commit, bundled pushes.

        Returns:
            The message ids in the partners' own sequences.

        Raises:
            LookupError: If any user does not exist; then nothing is sent.
        """
        checked = [(self._partner(one).user_id, self._user(other).user_id, text) for one, other, text in lines]
        ids = tuple(self._world.send(one, other, Draft(text)).message_id for one, other, text in checked)
        self._hub.settle()
        return ids

    async def mailbox(self, partner_id: int) -> tuple[SandboxDelivery, ...]:
        """Return everything the partner received, oldest first.

        Raises:
            LookupError: If there is no such partner.
        """
        received = self._world.box(self._partner(partner_id).user_id).received()
        return tuple(SandboxDelivery(one.message_id, one.sender_id, one.text, one.sent_at) for one in received)

    async def mailbox_counts(self) -> dict[int, int]:
        """Return how many messages each partner has received, by user id."""
        people = [user.user_id for user in self._world.users.values() if user.is_partner]
        return {user_id: sum(1 for _ in self._world.box(user_id).received()) for user_id in people}

    async def aclose(self) -> None:
        """Do nothing: the world belongs to the server."""

    def _user(self, user_id: int) -> User:
        user = self._world.users.get(user_id)
        if user is None:
            raise LookupError(f"no user {user_id} in the sandbox")
        return user

    def _partner(self, user_id: int) -> User:
        user = self._user(user_id)
        if not user.is_partner:
            raise LookupError(f"user {user_id} is no partner")
        return user
