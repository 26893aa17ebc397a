"""What has been seen: read marks on both sides, mentions, and chats marked as unread by hand."""

from collections.abc import Iterable

from chimein_gui.sandbox.boxes import Box, take_out
from chimein_gui.sandbox.peers import peer_of
from chimein_gui.sandbox.post import PostOffice
from chimein_gui.sandbox.records import LogEntry, LogKind
from chimein_gui.sandbox.tl import types


class Marks:
    """Keeps what each owner has seen."""

    def __init__(self, post: PostOffice) -> None:
        self._post = post

    def read(self, reader_id: int, peer_id: int, max_id: int) -> LogEntry | None:
        """Mark a chat as read up to `max_id` (0: all), on both sides.

        Returns:
            The step in the reader's log, None if there was nothing new.
        """
        box = self._post.box(reader_id)
        thread = box.thread(peer_id)
        if thread.unread_mark:
            self.mark_unread(reader_id, peer_id, unread=False)
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

    def read_contents(self, owner_id: int, message_ids: Iterable[int]) -> LogEntry | None:
        """Mark mentions as seen and voice as heard; of voice the writer learns too.

        Returns:
            The step in the owner's log, None if nothing of it was new.
        """
        box = self._post.box(owner_id)
        fresh = [
            message
            for message_id in dict.fromkeys(message_ids)
            if (message := box.live(message_id)) and message.unread_content
        ]
        if not fresh:
            return None
        for message in fresh:
            message.unread_content = False
            take_out(box.thread(message.peer_id).mentions, message.message_id)
            self._post.rows.message(message)
        entry = self._post.note(box, LogKind.READ_CONTENTS, 0, tuple(message.message_id for message in fresh))
        for message in fresh:
            if message.media is not None and not message.outgoing:
                self._tell_heard(message.uid, message.sender_id)
        return entry

    def read_mentions(self, owner_id: int, peer_id: int) -> LogEntry | None:
        """Mark all mentions of a chat as seen; returns the step in the owner's log, None without any."""
        return self.read_contents(owner_id, tuple(self._post.box(owner_id).thread(peer_id).mentions))

    def mark_unread(self, owner_id: int, peer_id: int, *, unread: bool) -> None:
        """Mark a chat as unread by hand, or not any more."""
        thread = self._post.box(owner_id).thread(peer_id)
        thread.unread_mark = unread
        self._post.rows.thread(owner_id, peer_id, thread)
        update = types.UpdateDialogUnreadMark(types.DialogPeer(peer_of(peer_id)), unread or None)
        self._post.tell(owner_id, update, peer_id)

    def _tell_heard(self, uid: int, writer_id: int) -> None:
        box = self._post.box(writer_id)
        own = box.live(self._post.copy_id(uid, writer_id))
        if own is not None and own.unread_content:
            own.unread_content = False
            self._post.rows.message(own)
            self._post.note(box, LogKind.READ_CONTENTS, 0, (own.message_id,))

    def _tell_writers(self, reader: Box, peer_id: int, above: int, up_to: int) -> None:
        """Move the outbox mark of everybody whose newest message in the span has now been read by somebody."""
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
