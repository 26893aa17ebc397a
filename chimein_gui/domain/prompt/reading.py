"""The only parser of composed prompts: it tells from the marks who wrote which text.

It returns exactly what the builder put in, whatever people write; a fuzz test of compositions verifies this.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chimein_gui.domain.ids import MessageId, UserId
from chimein_gui.domain.prompt.marks import END_OF_QUOTE, NOT_FROM_CHAT, QUOTE, QUOTED_LINE

if TYPE_CHECKING:
    from collections.abc import Sequence

_SECTION = re.compile(r"(?:\A|\n\n)⟦section: (?P<title>[^⟦⟧\n]*)⟧\n")
_HEADER = re.compile(
    r"⟦(?:from: (?P<name>[^⟦⟧|()]*?) ?\((?:id (?P<id>-?\d+)|no id)\) \| )?message (?P<number>\d+)"
    r"(?: \| reply to (?P<reply>\d+))? \| (?P<at>[^⟦⟧|]*)⟧"
)
_MEDIA = re.compile(r"⟦(?P<kind>sticker(?= )|[^⟦⟧:,]*+)[^⟦⟧]*⟧(?: (?P<words>[^⟦⟧\n]*))?")
"""A file: its kind, perhaps facts about it, and behind the mark what describes it."""
_FORWARD = re.compile(r"⟦forwarded, written by: (?P<origin>[^⟦⟧|]*) \| (?P<at>[^⟦⟧|]*)⟧")
_NAME = re.compile(r"⟦name: (?P<name>[^⟦⟧]*)⟧")
_QUOTE = re.compile(rf"^{QUOTE}\n(?P<lines>(?:{QUOTED_LINE}.*\n)*){END_OF_QUOTE}$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ReadSection:
    """One section of a system instruction.

    Attributes:
        title: From its mark.
        text: The text below it.
    """

    title: str
    text: str

    @property
    def names(self) -> tuple[str, ...]:
        """Return the foreign names in it, in order."""
        return tuple(found["name"] for found in _NAME.finditer(self.text))

    @property
    def quotes(self) -> tuple[str, ...]:
        """Return the foreign texts in it, in order, without the prefix of their lines."""
        return tuple(_without_prefix(found["lines"]) for found in _QUOTE.finditer(self.text))

    @property
    def own_words(self) -> str:
        """Return the text with everything foreign removed; only marks are left in its place."""
        return _NAME.sub("⟦name⟧", _HEADER.sub("⟦message⟧", _QUOTE.sub(QUOTE, self.text)))


@dataclass(frozen=True, slots=True)
class ReadMessage:
    """One message, read from its parts.

    Attributes:
        name: Name of the sender, as the prompt shows it; empty if the header has none.
        sender_id: None if the header says that there is none.
        message_id: Its number.
        reply_to_id: The message it answers, or None.
        at: The time, as written in the header.
        text: Masked; empty if it has none.
        media: Kind of its file, or of the first file of an album; empty if it has none.
        described: What describes its files, in order; those without words are left out.
        written_by: Author of a forwarded text; empty if it was written here.
    """

    name: str
    sender_id: UserId | None
    message_id: MessageId
    reply_to_id: MessageId | None
    at: str
    text: str = ""
    media: str = ""
    written_by: str = ""
    described: tuple[str, ...] = ()


def read_sections(instruction: str) -> tuple[ReadSection, ...]:
    """Split a system instruction or last block into its sections; text above the first mark gets an empty title."""
    pieces = _SECTION.split(instruction)
    above = (ReadSection("", pieces[0]),) if pieces[0] else ()
    return above + tuple(map(ReadSection, pieces[1::2], pieces[2::2]))


def last_block(role: str, parts: Sequence[str]) -> str | None:
    """Return the last block of a prompt if the turn is one; `read_sections` splits it."""
    is_block = role == "user" and len(parts) == 2 and parts[0] == NOT_FROM_CHAT  # noqa: PLR2004 - mark and block
    return parts[1] if is_block and _SECTION.match(parts[1]) is not None else None


def read_message(parts: Sequence[str]) -> ReadMessage | None:
    """Read the parts of a turn, or of a message that a tool found; None if they are no message of the chat."""
    header = _HEADER.fullmatch(parts[0]) if parts else None
    if header is None:
        return None
    text = next((part for part in parts[1:] if not part.startswith("⟦")), "")
    origin = next((found["origin"] for part in parts[1:] if (found := _FORWARD.fullmatch(part))), "")
    marks = [part for part in parts[1:] if _FORWARD.fullmatch(part) is None]
    files = [found for part in marks if (found := _MEDIA.fullmatch(part))]
    read = _message(header, text, files[0]["kind"] if files else "", origin)
    return replace(read, described=tuple(found["words"] for found in files if found["words"]))


def _message(header: re.Match[str], text: str, media: str, written_by: str) -> ReadMessage:
    return ReadMessage(
        header["name"] or "",
        UserId(int(header["id"])) if header["id"] is not None else None,
        MessageId(int(header["number"])),
        MessageId(int(header["reply"])) if header["reply"] is not None else None,
        header["at"],
        text,
        media,
        written_by,
    )


def _without_prefix(lines: str) -> str:
    return "\n".join(line.removeprefix(QUOTED_LINE) for line in lines.split("\n")[:-1])
