"""Rows about the media of messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chimein_gui.domain.ids import AccountId, MessageId, PeerId
    from chimein_gui.domain.media.library import MetMedia


class MediaRows(Protocol):
    """The files of messages, and in how many prompts each stood."""

    def of_chat(
        self, account_id: AccountId, peer_id: PeerId, *, above_id: MessageId, limit: int
    ) -> tuple[MetMedia, ...]:
        """Return the messages of a chat that have media, newest first; those up to `above_id` are left out."""
        ...

    def count_uses(self, unique_ids: Sequence[str]) -> None:
        """Note that each of these files stood in one more prompt."""
        ...

    def uses(self) -> Mapping[str, int]:
        """Return in how many prompts each file stood; files that stood in none are left out."""
        ...
