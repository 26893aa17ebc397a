"""Media in prompts: a mark that names a file, and behind it the words that describe it, on one line.

See docs/behaviour.md, "Pictures and sounds in prompts".
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from chimein_gui.domain.prompt.foreign import mask
from chimein_gui.domain.prompt.marks import media_mark, quote, safe_name

if TYPE_CHECKING:
    from chimein_gui.domain.media.records import MediaRecord
    from chimein_gui.domain.messages import Media

PICTURES = frozenset({"photo", "sticker", "gif", "video", "round video"})
SOUNDS = frozenset({"voice", "audio"})
"""The words for these are what is said in them."""

DESCRIBED = PICTURES | SOUNDS
"""Kinds of media, as in `Message.media_kind`, for which there can be a description."""

MOST_WORDS = 800
"""Longest description in a prompt, in characters."""

MOST_SAID = 2_000
"""Longest transcript in a prompt, in characters."""

MOST_LISTED = 300
"""Stickers that a prompt lists one by one."""

_ANY = "(any sticker of the set; its name is its emoji)"
_KB, _MB = 1_000, 1_000_000


class ListedSticker(NamedTuple):
    """A line in the list of stickers that the agent may send.

    Attributes:
        set_name: Short name of the set.
        name: Its name in the set; empty for the whole set, whose stickers are not known.
        description: What it shows, or empty.
    """

    set_name: str
    name: str = ""
    description: str = ""


def media_text(kind: str, media: Media | None, record: MediaRecord | None = None, *, is_attached: bool = False) -> str:
    """Return what stands in a prompt for the file of a message, on one line.

    Args:
        kind: As in `Message.media_kind`.
        media: What is known about the file.
        record: Its description, or None.
        is_attached: The picture itself is sent with the message.
    """
    words = "" if record is None else words_of(record)
    facts = _facts(kind, media, record)
    if words and kind in SOUNDS:
        facts.append("transcript")
    if is_attached:
        facts.append("attached")
    named = _sticker_name(media, record) if kind == "sticker" else ""
    inside = ", ".join((f"{kind} {named}" if named else kind, *facts))
    return f"{media_mark(inside)} {words}" if words else media_mark(inside)


def words_of(record: MediaRecord) -> str:
    """Return a description for a prompt: one line, capped, and without anything that looks like ours."""
    most = MOST_SAID if record.kind in SOUNDS else MOST_WORDS
    return one_line(record.description, most)


def one_line(text: str, most: int) -> str:
    """Return a foreign text on one line, with at most so many characters."""
    text = text[: 4 * most]
    if not text.isprintable():
        text = "".join(sign if sign.isprintable() else " " for sign in text)
    line = " ".join(text.split())
    return mask(line if len(line) <= most else f"{line[: most - 1].rstrip()}…")


@lru_cache(maxsize=32)
def sticker_list(listed: tuple[ListedSticker, ...]) -> str:
    """Return the list of stickers that may be sent, `SET :: NAME - description`.

    With descriptions it is quoted: models or strangers wrote these.
    """
    lines = [_line(one) for one in listed]
    if not any(one.description for one in listed):
        return "\n".join(["Stickers you may send:", *lines])
    return f"Stickers you may send (what stands behind the dash describes the sticker):\n{quote(chr(10).join(lines))}"


def _line(one: ListedSticker) -> str:
    if not one.name:
        return f"{one.set_name} :: {_ANY}"
    described = f" - {one_line(one.description, MOST_WORDS)}" if one.description else ""
    return f"{one.set_name} :: {one_line(one.name, 64)}{described}"


def _sticker_name(media: Media | None, record: MediaRecord | None) -> str:
    """Return set and name of a sticker as far as they are known."""
    set_name = (media.set_name if media is not None else "") or (record.sticker_set_name if record is not None else "")
    name = (record.sticker_name if record is not None else "") or (media.emoji if media is not None else "")
    if not set_name and not name:
        return ""
    return f"{safe_name(set_name)} :: {safe_name(name)}".strip()


def _facts(kind: str, media: Media | None, record: MediaRecord | None) -> list[str]:
    """Return what is known of a file without looking into it."""
    if media is None:
        return []
    facts: list[str] = []
    if kind in ("document", "audio"):
        name = safe_name(media.title or media.file_name)
        facts += [f"“{name}”"] if name else []
    if kind == "document":
        facts += [safe_name(media.mime_type)] if media.mime_type else []
        facts += [_size(media.size)] if media.size else []
    if kind in SOUNDS and record is None and media.duration_s:
        facts.append(_time(media.duration_s))
    return facts


def _size(size: int) -> str:
    if size < _MB:
        return f"{max(1, round(size / _KB))} kB"
    return f"{size / _MB:.1f} MB"


def _time(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
