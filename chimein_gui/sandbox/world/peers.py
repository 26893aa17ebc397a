"""Marked peer ids, by which the world names chats.

A user's id is positive. A basic group's is its chat id negated. A channel's (here always a supergroup) is below
`CHANNEL_MARK`. Telegram's Peer objects have bare ids; this module converts between the two.
"""

from chimein_gui.sandbox.wire.tl import TLObject, types

CHANNEL_MARK = -1_000_000_000_000
"""Marked ids below it are channels."""


def is_group(peer_id: int) -> bool:
    """Return whether a marked id is a basic group's."""
    return CHANNEL_MARK < peer_id < 0


def is_channel(peer_id: int) -> bool:
    """Return whether a marked id is a supergroup's."""
    return peer_id < CHANNEL_MARK


def channel_peer_id(channel_id: int) -> int:
    """Return the marked id of a channel's bare id."""
    return CHANNEL_MARK - channel_id


def bare_channel_id(peer_id: int) -> int:
    """Return the bare id of a channel's marked id."""
    return CHANNEL_MARK - peer_id


def peer_of(peer_id: int) -> TLObject:
    """Return the Peer of a marked id."""
    if peer_id > 0:
        return types.PeerUser(peer_id)
    if peer_id > CHANNEL_MARK:
        return types.PeerChat(-peer_id)
    return types.PeerChannel(bare_channel_id(peer_id))


def marked(peer: TLObject) -> int:
    """Return the marked id of a Peer."""
    if isinstance(peer, types.PeerUser):
        return int(peer.user_id)
    if isinstance(peer, types.PeerChat):
        return -int(peer.chat_id)
    return channel_peer_id(int(peer.channel_id))
