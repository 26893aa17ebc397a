"""The pictures of files: a message through which each can be fetched."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from chimein_gui.domain.agents import CONNECTED
from chimein_gui.domain.ids import MessageId, PeerId
from chimein_gui.domain.messages import Media, Message, MessageKey
from chimein_gui.viewmodels.media_library.groups import duration_of, mime_of

if TYPE_CHECKING:
    from chimein_gui.domain.ids import AccountId
    from chimein_gui.domain.media.library import MediaEntry
    from chimein_gui.viewmodels.accounts.agents import AgentListModel

_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
_PICTURED = frozenset({"sticker", "photo", "gif", "video", "round video"})


class MediaPictures:
    """Finds messages for `Pictures`; a sticker that was never met is fetched from its set."""

    def __init__(self, agents: AgentListModel) -> None:
        self._agents = agents
        self._made: dict[str, tuple[MediaEntry, Message]] = {}
        self._ids: dict[MessageKey, str] = {}

    def message_of(self, entry: MediaEntry) -> Message | None:
        """Return a message with the file; None if it has no picture, or cannot be fetched."""
        if entry.kind not in _PICTURED:
            return None
        known = self._made.get(entry.unique_id)
        if known is not None and known[0] is entry:
            return known[1]
        message = self._message(entry)
        if message is not None:
            self._made[entry.unique_id] = (entry, message)
            self._ids[message.key] = entry.unique_id
        return message

    def id_of(self, key: MessageKey) -> str:
        """Return whose picture a message is; empty if none that was asked for."""
        return self._ids.get(key, "")

    def _message(self, entry: MediaEntry) -> Message | None:
        if entry.seen:
            seen = entry.seen[0]
            return Message(seen.key, None, "", False, seen.at, "", media_kind=entry.kind, media=entry.media)
        account = self._account_for(entry)
        if account is None or not entry.unique_id.isdecimal():
            return None
        number = int(entry.unique_id)
        media = Media(number, mime_of(entry), duration_s=duration_of(entry), emoji=entry.name, set_name=entry.set_name)
        key = MessageKey(account, PeerId(0), MessageId(-number))
        return Message(key, None, "", False, _LONG_AGO, "", media_kind=entry.kind, media=media)

    def _account_for(self, entry: MediaEntry) -> AccountId | None:
        """Return an account that can fetch a sticker by its set: one that may send it, or any that is connected."""
        if entry.kind != "sticker" or not entry.set_name:
            return None
        agents = [one for one in self._agents.items() if one.account_id is not None]
        agents.sort(key=lambda one: (one.health not in CONNECTED, one.spec.name not in entry.sendable_by))
        return agents[0].account_id if agents else None
