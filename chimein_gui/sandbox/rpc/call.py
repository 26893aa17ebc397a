"""What a handler knows about the call it answers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from chimein_gui.engine.sandbox_port import DuplicateMode
from chimein_gui.sandbox.boxes import Box
from chimein_gui.sandbox.tl import TLObject, types
from chimein_gui.sandbox.updates import Hub
from chimein_gui.sandbox.views import Views
from chimein_gui.sandbox.world import World


class RpcFault(Exception):  # noqa: N818 - it is an answer, not an error of ours
    """The call is answered with an RpcError."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"{code} {message}")
        self.code = code
        self.message = message


class Caller(Protocol):
    """The connection a call came in by."""

    @property
    def key_id(self) -> int:
        """Its auth key."""
        ...

    def push(self, update: bytes) -> None:
        """Send a serialised update."""
        ...


@dataclass(slots=True)
class Surroundings:
    """What is the same for all calls of a server.

    Attributes:
        port: Where clients find this data centre.
    """

    world: World
    views: Views
    hub: Hub
    host: str
    port: int
    duplicate_mode: DuplicateMode = DuplicateMode.ERROR


@dataclass(frozen=True, slots=True)
class Call:
    """One call in its surroundings."""

    around: Surroundings
    caller: Caller

    @property
    def world(self) -> World:
        """The world it is about."""
        return self.around.world

    @property
    def views(self) -> Views:
        """How accounts see the world."""
        return self.around.views

    @property
    def user_id(self) -> int:
        """Who calls.

        Raises:
            RpcFault: If the key is not logged in.
        """
        user_id = self.world.keys.owner(self.caller.key_id)
        if user_id is None:
            raise RpcFault(401, "AUTH_KEY_UNREGISTERED")
        return user_id

    @property
    def box(self) -> Box:
        """The caller's box."""
        return self.world.box(self.user_id)

    def peer_id(self, peer: TLObject, fault: str = "PEER_ID_INVALID") -> int:
        """Resolve an InputPeer or InputUser to a user id.

        Raises:
            RpcFault: If the user is unknown or the access hash is not this caller's.
        """
        if isinstance(peer, (types.InputPeerSelf, types.InputUserSelf)):
            return self.user_id
        if not isinstance(peer, (types.InputPeerUser, types.InputUser)):
            raise RpcFault(400, fault)
        target_id: int = peer.user_id
        is_known = target_id in self.world.users
        if not is_known or peer.access_hash != self.world.keys.access_hash(self.user_id, target_id):
            raise RpcFault(400, fault)
        return target_id


Handler = Callable[[Call, TLObject], TLObject]
"""Answers one kind of request; the result is a TL object, a bool or a list of TL objects."""

Handlers = dict[type, Handler]
