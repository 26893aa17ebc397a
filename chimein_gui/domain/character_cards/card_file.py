"""A character card as a file: which kind it is, the card in it, and the file with a changed card."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from enum import StrEnum

from chimein_gui.domain.character_cards import charx, png
from chimein_gui.domain.character_cards.card import CharacterCard, card_of
from chimein_gui.domain.character_cards.persona import MOST_INSTRUCTIONS, instructions_of, new_card, with_persona
from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.character_cards import CardReason

MOST_BYTES = 10_000_000
"""Bytes of a file, and of the JSON that is unpacked from one."""

_MOST_READ = 5 * MOST_INSTRUCTIONS
"""Characters of all texts of a card, those that are only kept included."""

MOST_UNBROKEN = 4_000
"""Letters without a blank: 100,000 take a second to lay out. Lines of Chinese and the like can break anywhere."""

NEWER, OLDER = "ccv3", "chara"
"""Keywords of the card in a PNG: a reader takes the newer one if both are there."""

_JPEG, _WEBP = b"\xff\xd8\xff", b"RIFF"


class CardContainer(StrEnum):
    """The kinds of files; the values are their usual endings."""

    PNG = "png"
    JSON = "json"
    CHARX = "charx"


@dataclass(frozen=True, slots=True)
class CardFile:
    """A card with its file.

    Attributes:
        data: All bytes of the file.
        container: Its kind.
        card: The card that counts.
        overruled: The file has an older card, too, which says something else.
    """

    data: bytes
    container: CardContainer
    card: CharacterCard
    overruled: bool = False


def read_card(data: bytes) -> CardFile:
    """Read a file; this takes up to a second, so it is run in a thread.

    Raises:
        RefusedError: It is no card, damaged, or made to harm; the note says what it is.
    """
    if len(data) > MOST_BYTES:
        raise RefusedError(Note(CardReason.TOO_LARGE, number=MOST_BYTES // 1_000_000))
    file = _read(data)
    used = (*file.card.texts.values(), *(entry.content for entry in file.card.lore.always_on()))
    is_too_long = sum(map(len, used)) > _MOST_READ  # before anything looks at each character
    text = "" if is_too_long else instructions_of(file.card, with_prompts=True)
    if is_too_long or len(text) > MOST_INSTRUCTIONS:
        raise RefusedError(Note(CardReason.TEXT_TOO_LONG, number=MOST_INSTRUCTIONS))
    if any(len(word) > MOST_UNBROKEN and word.isascii() for word in text.split()):
        raise RefusedError(Note(CardReason.UNBROKEN, number=MOST_UNBROKEN))
    return file


def container_of(data: bytes) -> CardContainer:
    """Return the kind of a file by its first bytes; what is neither of the others is JSON."""
    if data.startswith(png.SIGNATURE):
        return CardContainer.PNG
    return CardContainer.CHARX if data.startswith(charx.SIGNATURE) else CardContainer.JSON


def written_card(data: bytes | None, name: str, instructions: str) -> bytes:
    """Return the file of a card as its agent is now.

    Args:
        data: The file from which the agent was made; None makes a new JSON file.
        name: The agent's name.
        instructions: Its instructions.

    Raises:
        RefusedError: As for `read_card`.
    """
    if data is None:
        return new_card(name, instructions).encode()
    file = _read(data)
    if file.container is CardContainer.JSON:
        return _like(data, with_persona(file.card, name, instructions))
    if file.container is CardContainer.CHARX:
        return charx.with_card(data, with_persona(file.card, name, instructions).encode())
    cards = _png_cards(data)
    texts = {keyword: with_persona(card, name, instructions) for keyword, card in cards.items()}
    changed = {keyword: text for keyword, text in texts.items() if text != cards[keyword].text}
    return png.with_texts(data, {keyword: base64.b64encode(text.encode()) for keyword, text in changed.items()})


def _read(data: bytes) -> CardFile:
    container = container_of(data)
    if container is CardContainer.PNG:
        cards = _png_cards(data)
        if not cards:
            raise RefusedError(Note(CardReason.PICTURE_WITHOUT_CARD))
        card = cards.get(NEWER) or cards[OLDER]
        other = cards.get(OLDER, card)
        differs = (other.texts, other.lore) != (card.texts, card.lore) and any(
            card.word(name) != text for name, text in other.texts.items()
        )
        return CardFile(data, container, card, overruled=differs)
    if container is CardContainer.CHARX:
        return CardFile(data, container, card_of(_decoded(charx.card_of(data, MOST_BYTES))))
    if data.startswith((_JPEG, _WEBP)):
        raise RefusedError(Note(CardReason.PICTURE_WITHOUT_CARD))
    if _is_chat(data):
        raise RefusedError(Note(CardReason.CHAT))
    return CardFile(data, container, card_of(_decoded(data)))


def _png_cards(data: bytes) -> dict[str, CharacterCard]:
    """Return the cards in a PNG by their keywords; an older one that can't be read is left out beside a newer one."""
    texts: dict[str, bytes] = {}
    for chunk in png.chunks(data):
        keyword = png.keyword_of(chunk)
        if keyword in (NEWER, OLDER) and keyword not in texts:
            texts[keyword] = png.text_of(chunk, MOST_BYTES * 4 // 3)
    cards = {}
    for keyword in (NEWER, OLDER):
        if keyword in texts:
            try:
                cards[keyword] = card_of(_decoded(_from_base64(texts[keyword])))
            except RefusedError:
                if not cards:
                    raise
    return cards


def _from_base64(text: bytes) -> bytes:
    """Decode base64 as browsers do: line ends and missing signs at the end are allowed."""
    plain = b"".join(text.split()).rstrip(b"=\0")
    try:
        return base64.b64decode(plain + b"=" * (-len(plain) % 4), validate=True)
    except binascii.Error as error:
        raise RefusedError(Note(CardReason.NOT_BASE64)) from error


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RefusedError(Note(CardReason.NOT_UTF8)) from error


def _like(data: bytes, text: str) -> bytes:
    """Encode a JSON text with a byte order mark if the file had one."""
    return text.encode("utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else "utf-8")


def _is_chat(data: bytes) -> bool:
    """Return whether a file is a chat of SillyTavern: JSON by lines, of which the first names user and character."""
    first = data[:100_000].partition(b"\n")[0]
    return b'"user_name"' in first and b'"character_name"' in first
