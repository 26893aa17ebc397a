"""Pushes with less content than possible, as live Telegram sends them sometimes."""

from collections.abc import Callable

from chimein_gui.sandbox.wire.tl import TLObject, read_object, types

_KEPT = ("id", "message", "date", "out", "mentioned", "media_unread", "silent", "fwd_from", "via_bot_id", "reply_to")
"""Fields that the short form of a message has, under the same names."""

_LONG_ONLY = ("media", "grouped_id", "reply_markup", "edit_date", "post_author", "reactions")
"""Fields that the short form lacks: such messages are sent in full."""


def short(push: bytes) -> list[bytes]:
    """Return a push with each text of a DM or basic group in the short form, which names nobody."""
    updates = _read(push)
    if updates is None:
        return [push]
    reduced: list[TLObject] = []
    for update in updates.updates:
        shortened = _short(update)
        reduced.append(shortened or types.Updates([update], updates.users, updates.chats, updates.date, updates.seq))
    return [bytes(one) for one in reduced]


def bare(push: bytes) -> list[bytes]:
    """Return a push without its people and groups."""
    return _changed(push, lambda updates: types.Updates(updates.updates, [], [], updates.date, updates.seq))


def unmarked(push: bytes) -> list[bytes]:
    """Return a push whose messages are not marked as mentions of, or answers to, the account."""

    def unmark(updates: TLObject) -> TLObject:
        for update in updates.updates:
            if getattr(getattr(update, "message", None), "mentioned", False):
                update.message.mentioned = None
        return updates

    return _changed(push, unmark)


def _changed(push: bytes, change: Callable[[TLObject], TLObject]) -> list[bytes]:
    updates = _read(push)
    return [push] if updates is None else [bytes(change(updates))]


def _read(push: bytes) -> TLObject | None:
    """Return the updates of a push; None if it contains no messages, such as typing."""
    read = read_object(push)
    return read if isinstance(read, types.Updates) else None


def _short(update: TLObject) -> TLObject | None:
    if not isinstance(update, types.UpdateNewMessage) or not isinstance(update.message, types.Message):
        return None
    message = update.message
    if any(getattr(message, name) for name in _LONG_ONLY) or isinstance(message.peer_id, types.PeerChannel):
        return None
    kept = {name: getattr(message, name) for name in _KEPT}
    kept |= {"entities": message.entities, "pts": update.pts, "pts_count": update.pts_count}
    if isinstance(message.peer_id, types.PeerUser):
        return types.UpdateShortMessage(user_id=message.peer_id.user_id, **kept)
    return types.UpdateShortChatMessage(from_id=message.from_id.user_id, chat_id=message.peer_id.chat_id, **kept)
