"""The notification settings of an owner's chats."""

from chimein_gui.sandbox.wire.tl import TLObject, types
from chimein_gui.sandbox.world.peers import peer_of
from chimein_gui.sandbox.world.post_office import PostOffice


class ChatSettings:
    """Keeps the settings in the owners' threads; all sessions of an owner are notified of changes."""

    def __init__(self, post: PostOffice) -> None:
        self._post = post

    def set_notify(self, owner_id: int, peer_id: int, settings: TLObject) -> None:
        """Set the PeerNotifySettings of a chat."""
        thread = self._post.box(owner_id).thread(peer_id)
        thread.notify = settings
        self._post.rows.notify(owner_id, peer_id, settings)
        update = types.UpdateNotifySettings(types.NotifyPeer(peer_of(peer_id)), settings)
        self._post.tell(owner_id, update, peer_id)

    def notify(self, owner_id: int, peer_id: int) -> TLObject:
        """Return the PeerNotifySettings of a chat; empty ones if never set."""
        known = self._post.box(owner_id).threads.get(peer_id)
        return types.PeerNotifySettings() if known is None or known.notify is None else known.notify
