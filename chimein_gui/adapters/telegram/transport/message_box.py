"""Telethon's book of updates, made complete: nothing that a difference tells is dropped, nothing it keeps is missed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from telethon._updates import MessageBox
from telethon._updates.messagebox import ENTRY_ACCOUNT, PtsInfo

from chimein_gui.adapters.telegram.transport.tl import TLObject, types


class CompleteMessageBox(MessageBox):  # type: ignore[misc]  # Telethon is untyped
    """Keeps Telethon's rules but for two of them.

    * WORKAROUND Telethon: it moves to the new `pts` first and then takes every edit, delete and read mark of the same
      difference for one it has handled already, so that whatever happened to old messages while the account was away
      would never be seen.
    * A difference that is too long jumps over what happened. Whoever owns the book is told, because only comparing the
      chats helps then (docs/library-facts.md, "Telethon"). Of supergroups once for all that are behind, and what they
      say after the jump is left out: it would hide the gap. Nobody waits for anything in broadcast channels, so these
      may jump.
    """

    def __init__(self, log: Any, on_jump: Callable[[], None]) -> None:  # noqa: ANN401 - Telethon's own logger
        """Start empty; `on_jump` is called when updates were jumped over."""
        super().__init__(log)
        self._on_jump = on_jump
        self._jumped: set[int] = set()

    def apply_difference(self, diff: TLObject, chat_hashes: Any) -> Any:  # noqa: ANN401 - Telethon's tuple
        """Take in a difference; returns updates, users, chats."""
        if isinstance(diff, types.updates.DifferenceTooLong):
            self._on_jump()
        return super().apply_difference(diff, chat_hashes)

    def apply_difference_type(self, diff: TLObject, chat_hashes: Any) -> Any:  # noqa: ANN401
        """Take in a difference: its messages first, then what happened to messages."""
        updates, users, chats = super().apply_difference_type(diff, chat_hashes)
        kept = {id(update) for update in updates}
        late = [update for update in diff.other_updates if _counts_in(update, ENTRY_ACCOUNT) and id(update) not in kept]
        return [*updates, *late], users, chats

    def get_channel_difference(self, chat_hashes: Any) -> Any:  # noqa: ANN401
        """Return the request for the next channel that is behind, or None once there is none."""
        request = super().get_channel_difference(chat_hashes)
        if request is None and self._jumped:
            self._jumped.clear()
            self._on_jump()
        return request

    def apply_channel_difference(self, request: TLObject, diff: TLObject, chat_hashes: Any) -> Any:  # noqa: ANN401
        """Take in a channel's difference: its messages first, then what happened to messages."""
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
    """Tell whether an update counts in the sequence that a difference is of; others tell gaps by themselves."""
    place = PtsInfo.from_update(update)
    return place is not None and place.entry == entry
