"""Control of a sandbox by tests and benchmarks, in addition to its console: its world, the model's script, keys."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from chimein_gui.sandbox.server import SandboxServer
from chimein_gui.sandbox.wire.tl import types
from chimein_gui.sandbox.world.peers import is_channel, peer_of
from chimein_gui.sandbox.world.records import StoredMessage
from tests.support.footprint import stored_bytes
from tests.support.vitals import take_vitals

_SHOWN = ("message_id", "uid", "peer_id", "sender_id", "text", "random_id", "edited_at", "outgoing")


class House:
    """Control of a running sandbox for clients in another process; further methods are the console's."""

    def __init__(self, server: SandboxServer) -> None:
        self._server = server
        self._world, self._hub = server._around.world, server._around.hub

    def __getattr__(self, name: str) -> Any:
        return getattr(self._server.console, name)

    async def queue_reply(self, text: str) -> None:
        """Let the model answer one of the next calls with `text`."""
        self._server.model.queue_reply(text)

    async def remember_calls(self, count: int) -> None:
        """Keep fewer model calls, because a thousand long prompts would hide a memory leak of a long run."""
        self._server.model.calls = deque(self._server.model.calls, maxlen=count)

    async def auth_key(self, account_id: int) -> bytes:
        """Return an account's preseeded auth key."""
        return self._server.auth_key_for(account_id)

    async def server_key(self) -> bytes:
        """Return the key by which clients identify this server."""
        return self._server.telegram_public_key()

    async def login_code(self, phone: str) -> str:
        """Return the valid login code of a number."""
        return self._server.last_code(phone)

    async def forget_random_ids(self, older_than_s: float) -> int:
        """Let the server forget the `random_id` of messages that are at least so old; returns how many."""
        return self._server.console.faults.forget_random_ids(older_than_s)

    async def partner_edit(self, partner_id: int, message_id: int, text: str, peer_id: int = 0) -> None:
        """Change a partner's own message, by the partner's id of it; in a supergroup, `peer_id` is needed, too."""
        self._world.edit(_holder(partner_id, peer_id), message_id, text, ())
        self._hub.settle()

    async def partner_delete(self, partner_id: int, message_ids: Sequence[int], peer_id: int = 0) -> None:
        """Delete messages of a partner's box for everybody, or of the supergroup `peer_id`."""
        self._world.delete(_holder(partner_id, peer_id), list(message_ids), revoke=True)
        self._hub.settle()

    async def partner_read(self, partner_id: int, peer_id: int) -> None:
        """Let a partner read the whole chat."""
        self._world.read(partner_id, peer_id, 0)
        self._hub.settle()

    async def partner_type(self, partner_id: int, peer_id: int) -> None:
        """Show a partner typing."""
        self._world.typing(partner_id, peer_id, types.SendMessageTypingAction())
        self._hub.settle()

    async def set_blocked(self, user_id: int, other_id: int, *, blocked: bool) -> None:
        """Put someone on a user's block list or take them off it, as the user could on another device."""
        directory, now = self._world.directory, self._world.now()
        if directory.block(user_id, other_id, now) if blocked else directory.unblock(user_id, other_id):
            update = types.UpdatePeerBlocked(peer_of(other_id), blocked=blocked or None)
            self._world.post.tell(user_id, update, other_id)
            self._hub.settle()

    async def create_group(self, creator_id: int, title: str, member_ids: Sequence[int]) -> int:
        """Create a group; returns its marked id."""
        group = self._world.create_group(creator_id, title, list(member_ids))
        self._hub.settle()
        return group.peer_id

    async def box(self, user_id: int) -> dict[str, Any]:
        """Return a user's current messages, in supergroups too, and all `random_id` they have ever used."""
        world = self._world
        shared = (one for box in world.supergroups.of(user_id) for one in box.messages.values())
        messages = [*world.box(user_id).messages.values(), *world.supergroups.all_seen_by(user_id, shared)]
        return {
            "messages": [_shown(message) for message in messages],
            "sent": [[*one] for _, sent in world.post.ledgers(user_id) for one in sent.items()],
        }

    async def vitals(self) -> dict[str, Any]:
        """Return the resources of this process, and how many bytes of it are the stored world."""
        return asdict(take_vitals()) | {"stored_bytes": stored_bytes(self._world)}


def _holder(partner_id: int, peer_id: int) -> int:
    """Return the owner of the box with a partner's own message: the partner, or the supergroup."""
    return peer_id if is_channel(peer_id) else partner_id


def _shown(message: StoredMessage) -> dict[str, Any]:
    kind = message.media.kind if message.media is not None else ""
    return {name: getattr(message, name) for name in _SHOWN} | {"media": kind, "is_service": message.action is not None}
