"""Read marks of users' own boxes, and notification settings of chats; read marks of supergroups: `supergroups`."""

from chimein_gui.sandbox.wire.tl import TLObject, types
from chimein_gui.sandbox.world.boxes import Box
from chimein_gui.sandbox.world.peers import peer_of
from chimein_gui.sandbox.world.post_office import PostOffice
from chimein_gui.sandbox.world.records import LogEntry, LogKind


class Marks:
    """Sets read marks."""

    def __init__(self, post: PostOffice) -> None:
        self._post = post

    def read(self, reader_id: int, peer_id: int, max_id: int) -> LogEntry | None:
        """Mark a chat as read up to `max_id` (0 for all), for the reader and for the writers.

        Returns:
            The entry in the reader's log; None if there was nothing new.
        """
        box = self._post.box(reader_id)
        thread = box.thread(peer_id)
        newest = thread.ids[-1] if thread.ids else 0
        wanted = min(max_id or newest, newest)
        if wanted <= thread.read_inbox:
            return None
        previous = thread.read_inbox
        box.mark_read(peer_id, wanted, thread.read_outbox)
        self._post.rows.reads(reader_id, peer_id, thread)
        entry = self._post.note(box, LogKind.READ_INBOX, peer_id, (wanted,), thread.unread)
        self._tell_writers(box, peer_id, previous, wanted)
        return entry

    def _tell_writers(self, reader: Box, peer_id: int, above: int, up_to: int) -> None:
        """Move the outbox mark of everybody who has a newly read message."""
        newest: dict[int, int] = {}
        for message in reader.between(peer_id, above, up_to):
            if not message.outgoing:
                newest.setdefault(message.sender_id, message.uid)
        for writer_id, uid in newest.items():
            writer = self._post.box(writer_id)
            seen_as = peer_id if peer_id < 0 else reader.owner_id
            thread = writer.thread(seen_as)
            read_id = self._post.copy_id(uid, writer_id)
            if read_id > thread.read_outbox:
                thread.read_outbox = read_id
                self._post.rows.reads(writer_id, seen_as, thread)
                self._post.note(writer, LogKind.READ_OUTBOX, seen_as, (read_id,))


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
