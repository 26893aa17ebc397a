"""Behind the scenes, for long runs over the control channel: what partners do besides speaking, and what is stored."""

from collections import deque
from dataclasses import asdict
from typing import Any

from chimein_gui.sandbox.server import SandboxServer
from chimein_gui.sandbox.wire.tl import types
from chimein_gui.sandbox.world.peers import is_channel
from chimein_gui.sandbox.world.records import StoredMessage
from tests.support.control.channel import Method, Params
from tests.support.footprint import stored_bytes
from tests.support.vitals import take_vitals

_SHOWN = ("message_id", "uid", "peer_id", "sender_id", "text", "random_id", "edited_at", "outgoing")


class BackstageMethods:
    """Lets partners edit, delete, read and type, and shows a box and the process as they are.

    Args:
        server: Of which sandbox; its control channel serves them once they are added to its methods.
    """

    def __init__(self, server: SandboxServer) -> None:
        around = server._around
        self._world = around.world
        self._hub = around.hub
        self._server = server

    def table(self) -> dict[str, Method]:
        """Return what is served."""
        return {
            "partner_edit": self._edit,
            "partner_delete": self._delete,
            "partner_read": self._read,
            "partner_type": self._type,
            "create_group": self._create_group,
            "forget_log": self._forget_log,
            "box": self._box,
            "vitals": self._vitals,
            "remember_calls": self._remember_calls,
            "web_authority": self._web_authority,
            "server_key": self._give_server_key,
        }

    async def _edit(self, params: Params) -> None:
        """Change a partner's own message, named by the partner's id of it; in a supergroup `peer_id` names it too."""
        self._world.edit(_holder(params), int(params["message_id"]), str(params["text"]), ())
        self._hub.settle()

    async def _delete(self, params: Params) -> None:
        """Delete messages of a partner's box for everybody, or of the supergroup that `peer_id` names."""
        self._world.delete(_holder(params), [int(one) for one in params["message_ids"]], revoke=True)
        self._hub.settle()

    async def _read(self, params: Params) -> None:
        self._world.read(int(params["partner_id"]), int(params["peer_id"]), int(params.get("max_id", 0)))
        self._hub.settle()

    async def _type(self, params: Params) -> None:
        self._world.typing(int(params["partner_id"]), int(params["peer_id"]), types.SendMessageTypingAction())
        self._hub.settle()

    async def _create_group(self, params: Params) -> int:
        """Make a group; returns its marked id."""
        members = [int(one) for one in params["member_ids"]]
        group = self._world.create_group(int(params["creator_id"]), str(params["title"]), members)
        self._hub.settle()
        return group.peer_id

    async def _forget_log(self, params: Params) -> None:
        """Let whoever is away from an account, or from a supergroup (marked id), have been away too long."""
        self._world.forget_log(int(params["owner_id"]))
        self._hub.settle()

    async def _box(self, params: Params) -> Params:
        """Return what a user has now, in supergroups too, and under which `random_id` they have ever sent what."""
        user_id = int(params["user_id"])
        world = self._world
        shared = (one for box in world.supergroups.of(user_id) for one in box.messages.values())
        messages = [*world.box(user_id).messages.values(), *world.supergroups.all_seen_by(user_id, shared)]
        return {
            "messages": [_shown(message) for message in messages],
            "sent": [[*one] for _, sent in world.post.ledgers(user_id) for one in sent.items()],
        }

    async def _vitals(self, _params: Params) -> Params:
        """Return what this process takes, and how many bytes of it are what the world has stored."""
        return asdict(take_vitals()) | {"stored_bytes": stored_bytes(self._world)}

    async def _remember_calls(self, params: Params) -> None:
        """Keep fewer model calls: a thousand long prompts are more memory than a long run wants to explain."""
        self._server.model.calls = deque(self._server.model.calls, maxlen=int(params["count"]))

    async def _web_authority(self, _params: Params) -> str:
        return self._server.web.authority_pem()

    async def _give_server_key(self, _params: Params) -> str:
        return self._server.telegram_public_key().decode()


def _holder(params: Params) -> int:
    """Return whose box an own message of a partner is in: the partner's, or the supergroup's."""
    peer_id = int(params.get("peer_id", 0))
    return peer_id if is_channel(peer_id) else int(params["partner_id"])


def _shown(message: StoredMessage) -> dict[str, Any]:
    kind = message.media.kind if message.media is not None else ""
    return {name: getattr(message, name) for name in _SHOWN} | {"media": kind, "is_service": message.action is not None}
