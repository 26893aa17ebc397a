"""Sends, edits and deletes messages in the boxes of everybody concerned."""

from collections.abc import Iterable
from dataclasses import replace

from chimein_gui.sandbox.wire.tl import TLObject, types
from chimein_gui.sandbox.world.directory import Directory
from chimein_gui.sandbox.world.entities import completed, covered
from chimein_gui.sandbox.world.peers import is_channel
from chimein_gui.sandbox.world.post_office import PostOffice
from chimein_gui.sandbox.world.records import Draft, Group, LogEntry, LogKind, StoredMessage


class Mail:
    """Sends, edits and deletes messages.

    Args:
        groups: All groups by marked id; `groups.Groups` fills it.

    Attributes:
        edit_limit_s: For how many seconds a sent message can be edited; 0 for no limit.
    """

    def __init__(self, post: PostOffice, directory: Directory, groups: dict[int, Group]) -> None:
        self._post = post
        self._directory = directory
        self._groups = groups
        self.edit_limit_s = 0

    def send(self, sender_id: int, peer_id: int, draft: Draft, *, sent_at: int | None = None) -> StoredMessage:
        """Put a copy of a message into the box of every recipient.

        Returns:
            The sender's copy; in a supergroup, its only one.

        Raises:
            LookupError: If a user or group does not exist or the sender is not in the group.
        """
        return self.send_to(self.audience(sender_id, peer_id), sender_id, peer_id, draft, sent_at=sent_at)

    def audience(self, sender_id: int, peer_id: int) -> tuple[int, ...]:
        """Return whose boxes get a copy, the sender's first.

        A user who has blocked the sender gets none, and the sender is not told, as on live Telegram. For a supergroup,
        it is only the supergroup's box.

        Raises:
            LookupError: If a user or group does not exist or the sender is not in the group.
        """
        if peer_id < 0:
            group = self._groups[peer_id]
            if not group.has(sender_id):
                raise LookupError(f"user {sender_id} is not in group {peer_id}")
            if is_channel(peer_id):
                return (peer_id,)
            return (sender_id, *(member_id for member_id in group.member_ids if member_id != sender_id))
        self._post.box(peer_id)
        if peer_id == sender_id or self._directory.has_blocked(peer_id, sender_id):
            return (sender_id,)
        return (sender_id, peer_id)

    def listeners(self, sender_id: int, peer_id: int) -> tuple[int, ...]:
        """Return the other users who are shown what a user does in a chat, such as typing.

        Raises:
            LookupError: As `audience`.
        """
        audience = self.audience(sender_id, peer_id)
        if not is_channel(peer_id):
            return audience[1:]
        return tuple(one for one in self._groups[peer_id].member_ids if one != sender_id)

    def send_to(
        self,
        audience: tuple[int, ...],
        sender_id: int,
        peer_id: int,
        draft: Draft,
        *,
        sent_at: int | None = None,
    ) -> StoredMessage:
        """Put a copy into each box of an audience, as `audience` returns it.

        Returns:
            The sender's copy; in a supergroup, its only one.
        """
        parent = self._parent(sender_id, peer_id, draft)
        moment = self._post.now() if sent_at is None else sent_at
        own = self._first_copy(audience[0], sender_id, peer_id, draft, parent)
        own.sent_at = moment
        if is_channel(peer_id):
            wanted = self._named(own) | ({parent.sender_id} if parent else set())
            group = self._groups[peer_id]
            own.mentions = tuple(sorted(one for one in wanted if one != sender_id and group.has(one)))
        self._post.deliver(own)
        self._deliver_copies(own, audience[1:], parent)
        if peer_id < 0 and draft.action is None:
            self._groups[peer_id].people[sender_id].last_sent_at = moment
        return own

    def _first_copy(
        self, owner_id: int, sender_id: int, peer_id: int, draft: Draft, parent: StoredMessage | None
    ) -> StoredMessage:
        """Return the copy of the sender or the supergroup, not dated yet; the others are made from it."""
        is_here = parent is not None and parent.peer_id == peer_id
        return StoredMessage(
            owner_id=owner_id,
            message_id=self._post.box(owner_id).last_id + 1,
            uid=self._post.next_uid(),
            peer_id=peer_id,
            sender_id=sender_id,
            sent_at=0,
            text=draft.text,
            entities=completed(draft.text, draft.entities),
            reply_to_id=parent.message_id if parent and is_here else 0,
            reply_to_uid=parent.uid if parent and not is_here else 0,
            random_id=draft.random_id,
            media=draft.media,
            grouped_id=draft.grouped_id,
            forward=draft.forward,
            action=draft.action,
            silent=draft.silent,
        )

    def full_entities(self, text: str, given: tuple[TLObject, ...]) -> tuple[TLObject, ...]:
        """Return the sender's entities and those that the server finds in the text."""
        return completed(text, given)

    def edit(
        self,
        owner_id: int,
        message_id: int,
        text: str,
        entities: tuple[TLObject, ...],
    ) -> LogEntry:
        """Change the text of an own message in all boxes.

        Returns:
            The entry in the owner's log.

        Raises:
            LookupError: If the owner has no such message.
        """
        moment = self._post.now()
        full = completed(text, entities)
        message = self._post.box(owner_id).messages[message_id]
        own_entry: LogEntry | None = None
        for box, copy in self._post.copies(message.uid):
            self._post.rewrite(copy, text=text, entities=full, edited_at=moment)
            entry = self._post.note(box, LogKind.EDIT, copy.peer_id, (copy.message_id,))
            own_entry = entry if box.owner_id == owner_id else own_entry
        if own_entry is None:
            raise LookupError(message_id)
        return own_entry

    def delete(self, owner_id: int, message_ids: Iterable[int], *, revoke: bool) -> LogEntry | None:
        """Delete messages from the owner's box; with `revoke`, from all other boxes too.

        Returns:
            The entry in the owner's log; None if there was nothing to delete.
        """
        own_box = self._post.box(owner_id)
        known = [message for message_id in dict.fromkeys(message_ids) if (message := own_box.live(message_id))]
        gone: dict[int, list[int]] = {}
        for known_message in known:
            copies = self._post.copies(known_message.uid) if revoke else [(own_box, known_message)]
            for box, message in copies:
                self._post.remove(message)
                gone.setdefault(box.owner_id, []).append(message.message_id)
        own_entry: LogEntry | None = None
        for box_id, ids in gone.items():
            where = box_id if is_channel(box_id) else 0
            entry = self._post.note(self._post.box(box_id), LogKind.DELETE, where, tuple(ids))
            own_entry = entry if box_id == owner_id else own_entry
        return own_entry

    def _parent(self, sender_id: int, peer_id: int, draft: Draft) -> StoredMessage | None:
        """Return the message replied to; None if it is not in this chat or in the basic group before the supergroup."""
        wanted = draft.reply_to_peer_id or peer_id
        if wanted not in (peer_id, self._groups[peer_id].migrated_from if is_channel(peer_id) else peer_id):
            return None
        parent = self._post.box_of(sender_id, wanted).live(draft.reply_to_id)
        return parent if parent is not None and parent.peer_id == wanted else None

    # -- copies -------------------------------------------------------------------------------------------------------

    def _deliver_copies(self, own: StoredMessage, others: tuple[int, ...], parent: StoredMessage | None) -> None:
        """Deliver the other recipients' copies; each recipient has another id for the message replied to."""
        post = self._post
        in_group = own.peer_id < 0
        named = self._named(own) if in_group and others else frozenset()
        answered = parent.sender_id if parent and in_group else 0
        for owner_id in others:
            mentioned = owner_id in named or owner_id == answered
            post.deliver(
                replace(
                    own,
                    owner_id=owner_id,
                    message_id=post.box(owner_id).last_id + 1,
                    peer_id=own.peer_id if in_group else own.sender_id,
                    reply_to_id=post.copy_id(parent.uid, owner_id) if parent else 0,
                    random_id=0,
                    mentioned=mentioned,
                )
            )

    def _named(self, message: StoredMessage) -> frozenset[int]:
        """Return the ids of the users mentioned in a text, by username or by id."""
        named: set[int] = set()
        for entity in message.entities:
            if isinstance(entity, types.MessageEntityMentionName):
                named.add(entity.user_id)
            elif isinstance(entity, types.MessageEntityMention):
                user = self._directory.by_username(covered(message.text, entity).removeprefix("@"))
                if user is not None:
                    named.add(user.user_id)
        return frozenset(named)
