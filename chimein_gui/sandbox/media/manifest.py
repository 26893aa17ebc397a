"""Reads `resources/sandbox/media/manifest.toml`, the list of the sandbox's own media."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chimein_gui.sandbox.media.records import STICKER

FILE_NAME = "manifest.toml"


class ManifestError(Exception):
    """The manifest is invalid; the text says where."""


@dataclass(frozen=True, slots=True)
class AssetThumb:
    """A smaller picture of an asset; width and height in pixels."""

    file: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Asset:
    """A media file of the sandbox.

    Attributes:
        name: Its name in scripts and scenarios.
        file: Path below the manifest's directory.
        width: Pixels; 0 for files that are no pictures or videos.
        height: Pixels; 0 for files that are no pictures or videos.
        duration: Seconds.
        file_name: A document's file name in a chat.
        stripped: Tiny preview of a photo, in Telegram's encoding.
        waveform: Loudness of a voice message, in Telegram's encoding.
        effect: File of a premium sticker's animation.
        set_name: Short name of the sticker's set.
    """

    name: str
    kind: str
    file: str
    mime_type: str = ""
    width: int = 0
    height: int = 0
    duration: float = 0.0
    file_name: str = ""
    title: str = ""
    performer: str = ""
    stripped: bytes = b""
    waveform: bytes = b""
    emoji: str = ""
    effect: str = ""
    set_name: str = ""
    thumb: AssetThumb | None = None


@dataclass(frozen=True, slots=True)
class AssetSet:
    """A sticker set of the sandbox."""

    short_name: str
    title: str
    stickers: tuple[Asset, ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """The content of a manifest."""

    files: tuple[Asset, ...]
    sticker_sets: tuple[AssetSet, ...]


def read_manifest(directory: Path) -> Manifest:
    """Read the manifest of a directory.

    Raises:
        ManifestError: If it can't be read or is incomplete.
    """
    try:
        data = tomllib.loads((directory / FILE_NAME).read_text(encoding="utf-8"))
        files = tuple(_asset(entry) for entry in data.get("file", ()))
        sets = tuple(_set(entry) for entry in data.get("sticker_set", ()))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ManifestError(f"{directory / FILE_NAME}: {error}") from error
    return Manifest(files, sets)


def _set(entry: dict[str, Any]) -> AssetSet:
    name = entry["short_name"]
    stickers = tuple(_asset({**sticker, "kind": STICKER, "set_name": name}) for sticker in entry["sticker"])
    return AssetSet(name, entry["title"], stickers)


def _asset(entry: dict[str, Any]) -> Asset:
    """Return an asset; an unknown key is an error, so that misspelt keys are found."""
    thumb = entry.get("thumb")
    return Asset(
        **entry
        | {
            "stripped": bytes.fromhex(entry.get("stripped", "")),
            "waveform": bytes.fromhex(entry.get("waveform", "")),
            "thumb": AssetThumb(**thumb) if thumb else None,
        }
    )
