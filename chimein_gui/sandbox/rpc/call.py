"""What a handler knows about the call it answers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from chimein_gui.sandbox.faults.board import FaultBoard
from chimein_gui.sandbox.faults.repeats import Repeats
from chimein_gui.sandbox.media.library import MediaLibrary
from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.sign_in.desk import SignInDesk
from chimein_gui.sandbox.views.update_hub import Hub
from chimein_gui.sandbox.views.views import Views
from chimein_gui.sandbox.wire.tl import TLObject, types
from chimein_gui.sandbox.world.boxes import Box
from chimein_gui.sandbox.world.peers import channel_peer_id, is_channel
from chimein_gui.sandbox.world.world import World

__all__ = ["Call", "Caller", "Handler", "Handlers", "RpcFault", "Surroundings"]


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
        faults: What goes wrong.
        repeats: What a repeated `random_id` gets.
        media: All files.
        sign_in: How keys come to be logged in, and how sessions end.
    """

    world: World
    views: Views
    hub: Hub
    host: str
    port: int
    faults: FaultBoard
    repeats: Repeats
    media: MediaLibrary
    sign_in: SignInDesk


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
            raise RpcFault(401, self.world.keys.refusal(self.caller.key_id))
        return user_id

    @property
    def box(self) -> Box:
        """The caller's box."""
        return self.world.box(self.user_id)

    def box_of(self, peer_id: int) -> Box:
        """Return where the caller's messages with a peer are: their box, or the supergroup's."""
        return self.world.post.box_of(self.user_id, peer_id)

    def peer_id(self, peer: TLObject, fault: str = "PEER_ID_INVALID") -> int:
        """Resolve an InputPeer, InputUser or InputChannel to a marked id.

        Groups only for those who are or were in them, supergroups only for those who are.

        Raises:
            RpcFault: If the peer is unknown or the access hash is not this caller's.
        """
        if isinstance(peer, (types.InputPeerSelf, types.InputUserSelf)):
            return self.user_id
        if isinstance(peer, types.InputPeerChat):
            group = self.world.groups.find(-peer.chat_id)
            if group is None or self.user_id not in group.people:
                raise RpcFault(400, fault)
            return group.peer_id
        if isinstance(peer, (types.InputPeerChannel, types.InputChannel)):
            return self._channel(peer)
        if isinstance(peer, types.InputPeerChannelFromMessage):
            raise RpcFault(400, "CHANNEL_INVALID")
        if not isinstance(peer, (types.InputPeerUser, types.InputUser)):
            raise RpcFault(400, fault)
        target_id: int = peer.user_id
        is_known = target_id in self.world.users
        if not is_known or peer.access_hash != self.world.keys.access_hash(self.user_id, target_id):
            raise RpcFault(400, fault)
        return target_id

    def own_peer_id(self, peer: TLObject) -> int:
        """Resolve a peer whose messages are in the caller's own box; `channels.*` serves supergroups.

        Raises:
            RpcFault: As `peer_id`, and for a supergroup.
        """
        peer_id = self.peer_id(peer)
        if is_channel(peer_id):
            raise RpcFault(400, "PEER_ID_INVALID")
        return peer_id

    def _channel(self, peer: TLObject) -> int:
        peer_id = channel_peer_id(peer.channel_id)
        group = self.world.groups.find(peer_id)
        if group is None or peer.access_hash != self.world.keys.access_hash(self.user_id, peer_id):
            raise RpcFault(400, "CHANNEL_INVALID")
        if not group.has(self.user_id):
            raise RpcFault(400, "CHANNEL_PRIVATE")
        return peer_id


Handler = Callable[[Call, TLObject], TLObject]
"""Answers one kind of request; the result is a TL object, a bool or a list of TL objects."""

Handlers = dict[type, Handler]
