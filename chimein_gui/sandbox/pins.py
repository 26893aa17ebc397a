"""Messages that are pinned to the top of their chat."""

from chimein_gui.sandbox.boxes import Box, take_out
from chimein_gui.sandbox.mail import Mail
from chimein_gui.sandbox.post import PostOffice
from chimein_gui.sandbox.records import Draft, LogEntry, LogKind, StoredMessage
from chimein_gui.sandbox.tl import types


class Pins:
    """Pins and unpins, in all copies."""

    def __init__(self, post: PostOffice, mail: Mail) -> None:
        self._post = post
        self._mail = mail

    def pin(self, message: StoredMessage, *, silent: bool = False, one_sided: bool = False) -> None:
        """Pin a message on behalf of the owner of the copy; a service message says so.

        Args:
            message: The copy of whoever pins.
            silent: Notifies nobody.
            one_sided: Only in the owner's box, without a service message (DMs).
        """
        for box, copy in self._copies(message, one_sided=one_sided):
            self._set(box, copy, pinned=True)
            self._post.note(box, LogKind.PIN, copy.peer_id, (copy.message_id,))
        if not one_sided:
            draft = Draft(action=types.MessageActionPinMessage(), reply_to_id=message.message_id, silent=silent)
            self._mail.send(message.owner_id, message.peer_id, draft)

    def unpin(self, message: StoredMessage) -> None:
        """Unpin a message wherever it is pinned."""
        for box, copy in self._post.copies(message.uid):
            if copy.pinned:
                self._set(box, copy, pinned=False)
                self._post.note(box, LogKind.UNPIN, copy.peer_id, (copy.message_id,))

    def unpin_all(self, owner_id: int, peer_id: int) -> LogEntry | None:
        """Unpin everything in a chat; returns the step in the owner's log, None if nothing was pinned."""
        box = self._post.box_of(owner_id, peer_id)
        pinned = [box.messages[message_id] for message_id in box.thread(peer_id).pinned]
        gone: dict[tuple[int, int], list[int]] = {}
        for message in pinned:
            for other, copy in self._post.copies(message.uid):
                if copy.pinned:
                    self._set(other, copy, pinned=False)
                    gone.setdefault((other.owner_id, copy.peer_id), []).append(copy.message_id)
        own_entry: LogEntry | None = None
        for (box_id, chat_id), ids in gone.items():
            entry = self._post.note(self._post.box(box_id), LogKind.UNPIN, chat_id, tuple(ids))
            own_entry = entry if box_id == box.owner_id else own_entry
        return own_entry

    def _copies(self, message: StoredMessage, *, one_sided: bool) -> list[tuple[Box, StoredMessage]]:
        if one_sided:
            return [(self._post.box(message.owner_id), message)]
        return self._post.copies(message.uid)

    def _set(self, box: Box, message: StoredMessage, *, pinned: bool) -> None:
        ids = box.thread(message.peer_id).pinned
        take_out(ids, message.message_id)
        message.pinned = pinned
        if pinned:
            ids.append(message.message_id)
            ids.sort()
        self._post.rows.message(message)
