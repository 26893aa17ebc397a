"""The description of one sticker, picture or sound, whoever wrote it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chimein_gui.domain.messages import Media
    from chimein_gui.domain.notes import Note


class DescriptionStatus(StrEnum):
    """What is known of a description; the values are those of the files."""

    CURATED = "curated"
    """The operator's words."""
    GENERATED = "generated"
    """A model's words."""
    PENDING = "pending"
    """Not described yet."""
    TEMPORARY_FAILURE = "temporary_failure"
    """It is tried again at `retry_at`."""
    PERMANENT_FAILURE = "permanent_failure"
    """It is not tried again; the record's reason says why."""
    UNSUPPORTED = "unsupported"
    """No model can be shown files of this kind."""
    BUDGET = "budget"
    """It waits because the budget of this moment is spent; no file holds this."""


class MediaFault(StrEnum):
    """Why a description failed; the values are stored, so they must never be changed."""

    OFFLINE = "offline"
    """The account is not connected."""
    ASKED_TO_WAIT = "asked to wait"
    """Telegram or the model's service asked to wait."""
    DISK = "disk"
    """The file can't be stored."""
    TOO_BIG = "too big"
    GONE = "gone"
    """Telegram does not deliver the file any more."""
    NO_FILE = "no file"
    SET_UNAVAILABLE = "set unavailable"
    """Its sticker set can't be fetched."""
    BROKEN = "broken"
    """The file is damaged, or is not what it claims to be."""
    KIND = "kind"
    """Files of this kind are not described."""
    MODEL_BUSY = "model busy"
    """The model's service failed for now, or did not answer in time."""
    MODEL_REFUSED = "model refused"
    MODEL_KEY = "model key"
    """The key does not work."""
    NOTHING_SAID = "nothing said"
    """The model's answer was empty."""
    UNEXPECTED = "unexpected"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a description failed.

    Attributes:
        fault: Why, by name; None for the words of another program.
        words: Words by others, or empty.
    """

    fault: MediaFault | None
    words: str = ""

    def __str__(self) -> str:
        """Return it as it is stored in files."""
        return ": ".join(filter(None, (self.fault.value if self.fault else "", self.words)))


@dataclass(frozen=True, slots=True)
class Met:
    """Where something was met.

    Attributes:
        agent: Name of the agent.
        chat: The chat, as Telegram numbers it.
        message: The message.
    """

    agent: str
    chat: int
    message: int


MODEL_KEY = "model"
"""Key in the files of models' words: which model said them."""

MOST_MET = 20
"""A record names so many of the messages with it, the newest."""


class PlaceKind(StrEnum):
    """Whose descriptions a directory holds."""

    OWN = "own"
    """The operator's, for one agent."""
    SHARED = "shared"
    """The operator's, for all agents."""
    CACHE = "cache"
    """Those of models."""


@dataclass(frozen=True, slots=True)
class MediaPlace:
    """A directory of descriptions.

    Attributes:
        kind: Whose they are.
        folder: Path of the directory, which need not exist.
        agent_name: The agent, for its own descriptions; else empty.
        is_writable: False for what comes with Chimein.
    """

    kind: PlaceKind
    folder: str
    agent_name: str = ""
    is_writable: bool = True


@dataclass(frozen=True, slots=True)
class MediaRecord:
    """One description, as its file says.

    Attributes:
        unique_id: Telegram's number of the document or photo; it names the file.
        kind: Compact name of the media, as in `Message.media_kind`.
        sticker_set_name: Short name of its sticker set, or empty.
        sticker_name: Its name in the set, or empty.
        description: The words; empty as long as there are none.
        status: What is known of the description.
        failure_reason: Why there is none, as `Failure` is stored, or in the words of another program.
        at: When it was written, aware UTC; None if the file does not say.
        mime_type: Type of the media file, or empty.
        duration_s: Seconds; 0 if it does not move, or if that is unknown.
        media_file: Name of a copy of the media beside the record, or None.
        met: Where it was met, newest first.
        attempts: How often a model was asked in vain.
        hinted_in: The chat whose messages were hints for a model's words, as `MediaItem.chat` names it; empty for none.
        rest: What other programs wrote into the file, by key.
        path: Its file; empty if it has none.
        place: The directory of the file; None without one.
        stamp: Fingerprint of the file's content; empty without a file.
        problem: Why the file can't be used as a description; None if it can.
    """

    unique_id: str
    kind: str = ""
    sticker_set_name: str = ""
    sticker_name: str = ""
    description: str = ""
    status: DescriptionStatus = DescriptionStatus.PENDING
    failure_reason: str | None = None
    at: datetime | None = None
    mime_type: str = ""
    duration_s: float = 0.0
    media_file: str | None = None
    met: tuple[Met, ...] = ()
    attempts: int = 0
    hinted_in: str = ""
    rest: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    path: str = ""
    place: MediaPlace | None = None
    stamp: str = ""
    problem: Note | None = None

    @property
    def has_words(self) -> bool:
        """Return whether it describes anything."""
        return bool(self.description.strip())

    @property
    def is_curated(self) -> bool:
        """Return whether these are words of the operator, whose directories they are in."""
        return self.has_words and self.place is not None and self.place.kind is not PlaceKind.CACHE


FIRST_PAUSE_S = 60.0
"""Seconds from a first temporary failure to the next attempt; each further failure doubles it."""

LONGEST_PAUSE_S = 6 * 3600.0
"""Longest time between two attempts, in seconds."""


def pause_after(attempts: int) -> timedelta:
    """Return how long to wait after so many failed attempts, at least one."""
    doubled = FIRST_PAUSE_S * 2.0 ** min(max(attempts, 1) - 1, 20)
    return timedelta(seconds=min(doubled, LONGEST_PAUSE_S))


def retry_at(record: MediaRecord) -> datetime | None:
    """Return when a temporary failure is tried again, aware UTC; None if it can be tried now."""
    if record.status is not DescriptionStatus.TEMPORARY_FAILURE or record.at is None:
        return None
    return record.at + pause_after(record.attempts)


def failure_of(record: MediaRecord) -> Failure | None:
    """Return why a record has no description; None if it does not say."""
    if not record.failure_reason:
        return None
    name, _colon, words = record.failure_reason.partition(": ")
    if name in {fault.value for fault in MediaFault}:
        return Failure(MediaFault(name), words)
    return Failure(None, record.failure_reason)


def unique_id_of(media: Media) -> str:
    """Return the id under which a medium is described: Telegram's number as text; empty if it has none."""
    return "" if media.file_id is None else str(media.file_id)
