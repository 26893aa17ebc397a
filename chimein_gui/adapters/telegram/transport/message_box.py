"""Telethon's message box, with all updates of a difference reported and skipped ones noticed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from telethon._updates import MessageBox
from telethon._updates.messagebox import ENTRY_ACCOUNT, PtsInfo

from chimein_gui.adapters.telegram.transport.tl import TLObject, types


class CompleteMessageBox(MessageBox):  # type: ignore[misc]  # Telethon is untyped
    """Changes two rules of Telethon's.

    * WORKAROUND Telethon: it moves to the new `pts` first and then takes every edit, delete and read mark of the same
      difference for one it has handled already, so that changes of old messages during an absence would be lost.
    * A difference that is too long skips updates. `on_jump` reports it, because only comparing the chats helps then
      (docs/library-facts.md, "Telethon"). For supergroups it is called once for all that are behind, and their later
      updates are dropped, because they would hide the gap. Broadcast channels may skip updates, because nothing there
      needs an answer.
    """

    def __init__(self, log: Any, on_jump: Callable[[], None]) -> None:  # noqa: ANN401 - Telethon's own logger
        """Start empty; `on_jump` is called when updates were skipped."""
        super().__init__(log)
        self._on_jump = on_jump
        self._jumped: set[int] = set()

    def _trace(self, _words: str, *_about: object, **_options: object) -> None:
        """Trace nothing: what Telethon would write down below debug level are whole messages, and nobody reads it."""

    def apply_difference(self, diff: TLObject, chat_hashes: Any) -> Any:  # noqa: ANN401 - Telethon's tuple
        """Apply a difference; returns updates, users, chats."""
        if isinstance(diff, types.updates.DifferenceTooLong):
            self._on_jump()
        return super().apply_difference(diff, chat_hashes)

    def apply_difference_type(self, diff: TLObject, chat_hashes: Any) -> Any:  # noqa: ANN401
        """Apply a difference: its messages first, then changes of messages."""
        updates, users, chats = super().apply_difference_type(diff, chat_hashes)
        kept = {id(update) for update in updates}
        late = [update for update in diff.other_updates if _counts_in(update, ENTRY_ACCOUNT) and id(update) not in kept]
        return [*updates, *late], users, chats

    def get_channel_difference(self, chat_hashes: Any) -> Any:  # noqa: ANN401
        """Return the request for the next channel that is behind, or None."""
        request = super().get_channel_difference(chat_hashes)
        if request is None and self._jumped:
            self._jumped.clear()
            self._on_jump()
        return request

    def apply_channel_difference(self, request: TLObject, diff: TLObject, chat_hashes: Any) -> Any:  # noqa: ANN401
        """Apply a channel's difference: its messages first, then changes of messages."""
        updates, users, chats = super().apply_channel_difference(request, diff, chat_hashes)
        entry = request.channel.channel_id
        if isinstance(diff, types.updates.ChannelDifferenceTooLong) and not _is_broadcast(diff, entry):
            self._jumped.add(entry)
        if entry in self._jumped:
            return [], users, chats
        if not isinstance(diff, types.updates.ChannelDifference):
            return updates, users, chats
        kept = {id(update) for update in updates}
        late = [update for update in diff.other_updates if _counts_in(update, entry) and id(update) not in kept]
        return [*updates, *late], users, chats


def _is_broadcast(diff: TLObject, channel_id: int) -> bool:
    return any(chat.id == channel_id and getattr(chat, "broadcast", False) for chat in diff.chats)


def _counts_in(update: TLObject, entry: object) -> bool:
    """Return whether an update belongs to the sequence of a difference; others have gap detection of their own."""
    place = PtsInfo.from_update(update)
    return place is not None and place.entry == entry
