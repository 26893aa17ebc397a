"""Files of messages without Telegram: a test adds them, or the reason why one is missing."""

from __future__ import annotations

import asyncio
from pathlib import Path

from chimein_gui.domain.errors import MediaTrouble, MediaUnavailableError
from chimein_gui.domain.messages import Media, MessageKey

Wanted = tuple[MessageKey, bool]
"""A message, and whether it is about its thumbnail."""


class FakeMediaFiles:
    """Returns the files that were added; all others are unavailable."""

    def __init__(self) -> None:
        self.files: dict[Wanted, Path] = {}
        self.troubles: dict[Wanted, MediaUnavailableError] = {}
        self.asked: list[Wanted] = []
        self.gate: asyncio.Event | None = None
        """When set, every answer waits for it."""

    def put(self, key: MessageKey, path: Path, *, thumbnail: bool = False) -> None:
        self.files[key, thumbnail] = path
        self.troubles.pop((key, thumbnail), None)

    def fail(
        self, key: MessageKey, trouble: MediaTrouble, *, thumbnail: bool = False, retry_after_s: float | None = None
    ) -> None:
        self.troubles[key, thumbnail] = MediaUnavailableError(f"It is {trouble}.", trouble, retry_after_s)

    async def file(self, key: MessageKey, *, thumbnail: bool = False, media: Media | None = None) -> Path:
        wanted = key, thumbnail
        self.asked.append(wanted)
        if self.gate is not None:
            await self.gate.wait()
        if wanted in self.troubles:
            raise self.troubles[wanted]
        if wanted not in self.files:
            raise MediaUnavailableError("This message has no file.", MediaTrouble.NO_FILE)
        return self.files[wanted]
