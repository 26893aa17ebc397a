"""One call and the server objects that its handler may use."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from chimein_gui.sandbox.faults.board import FaultBoard
from chimein_gui.sandbox.faults.repeated_sends import Repeats
from chimein_gui.sandbox.media.library import MediaLibrary
from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.sign_in.server import SignInServer
from chimein_gui.sandbox.views.update_hub import Hub
from chimein_gui.sandbox.views.views import Views
from chimein_gui.sandbox.wire.tl import TLObject, types
from chimein_gui.sandbox.world.boxes import Box
from chimein_gui.sandbox.world.peers import channel_peer_id, is_channel
from chimein_gui.sandbox.world.world import World


class Caller(Protocol):
    """The connection that a call came from."""

    @property
    def key_id(self) -> int:
        """The id of its auth key."""
        ...

    def push(self, update: bytes) -> None:
        """Send a serialised update."""
        ...


@dataclass(slots=True)
class Surroundings:
    """The objects that all calls of a server share.

    Attributes:
        port: The port on which clients reach this data centre.
        faults: The faults in force.
        repeats: The treatment of a repeated `random_id`.
        media: All files.
        sign_in: Logs keys in and ends sessions.
    """

    world: World
    views: Views
    hub: Hub
    host: str
    port: int
    faults: FaultBoard
    repeats: Repeats
    media: MediaLibrary
    sign_in: SignInServer


@dataclass(frozen=True, slots=True)
class Call:
    """One call in its surroundings."""

    around: Surroundings
    caller: Caller

    @property
    def world(self) -> World:
        """The world of the server."""
        return self.around.world

    @property
    def views(self) -> Views:
        """Views of the world for each account."""
        return self.around.views

    @property
    def user_id(self) -> int:
        """The id of the caller's account.

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
        """Return the box of the caller's messages with a peer: their own, or the supergroup's."""
        return self.world.post.box_of(self.user_id, peer_id)

    def peer_id(self, peer: TLObject, fault: str = "PEER_ID_INVALID") -> int:
        """Resolve an InputPeer, InputUser or InputChannel to a marked id.

        Present and former members can resolve a basic group; only present members can resolve a supergroup.

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
        """Resolve a peer whose messages are in the caller's own box, which excludes supergroups.

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
"""Answers one type of request with a TL object, a bool or a list of TL objects."""

Handlers = dict[type, Handler]
