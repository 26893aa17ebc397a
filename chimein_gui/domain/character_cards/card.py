"""What a character card says, from its JSON."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from chimein_gui.domain.character_cards.json_text import Span, document, members
from chimein_gui.domain.character_cards.lore import Lore, lore_of
from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.character_cards import CardReason

if TYPE_CHECKING:
    from collections.abc import Mapping

V1_TEXTS = ("name", "description", "personality", "scenario", "first_mes", "mes_example")
V2_TEXTS = (*V1_TEXTS, "creator_notes", "system_prompt", "post_history_instructions", "creator", "character_version")
V3_TEXTS = (*V2_TEXTS, "nickname")

_LISTS = ("alternate_greetings", "tags", "group_only_greetings", "source", "assets")
_V2_KEYS = frozenset({*V2_TEXTS, "alternate_greetings", "tags", "character_book", "extensions"})
_V3_KEYS = _V2_KEYS | {
    *V3_TEXTS,
    *_LISTS,
    "creator_notes_multilingual",
    "creation_date",
    "modification_date",
}


class CardVersion(StrEnum):
    """The specifications."""

    V1 = "1"
    V2 = "2"
    V3 = "3"


@dataclass(frozen=True, slots=True)
class CharacterCard:
    """A card as it was read; texts are foreign and not tamed.

    Attributes:
        text: Its JSON.
        version: Which specification it follows.
        texts: The texts that it has, by name; a value of another type is left out.
        lists: The entries of its lists, by name.
        lore: Its lorebook; without entries if it has none.
        extensions: Names of the extensions of other programs.
        unknown: Names that no specification has.
        mismatched: Texts whose copies at the top level differ; `data` is right.
        mistyped: Names of known members whose type is wrong.
    """

    text: str
    version: CardVersion
    texts: Mapping[str, str]
    lists: Mapping[str, tuple[object, ...]]
    lore: Lore
    extensions: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    mismatched: tuple[str, ...] = ()
    mistyped: tuple[str, ...] = ()

    def word(self, name: str) -> str:
        """Return a text; empty if the card has none."""
        return self.texts.get(name, "")


def card_of(text: str) -> CharacterCard:
    """Read a card.

    Raises:
        RefusedError: The text is no JSON, or is something else than a card.
    """
    whole = document(text)
    top = whole.value
    if not isinstance(top, dict):
        raise RefusedError(Note(CardReason.NO_CARD))
    data = top.get("data")
    spec = str(top.get("spec", ""))
    if isinstance(data, dict) and not spec.startswith("lorebook"):
        version = CardVersion.V2 if spec in ("", "chara_card_v2") else CardVersion.V3
        return _card(text, version, data, top)
    if spec.startswith("lorebook") or ("entries" in top and "name" not in top):
        raise RefusedError(Note(CardReason.LOREBOOK))
    if "user_name" in top and "character_name" in top:
        raise RefusedError(Note(CardReason.CHAT))
    if not isinstance(top.get("name"), str) or not any(name in top for name in V1_TEXTS[1:]):
        raise RefusedError(Note(CardReason.NO_CARD))
    return _card(text, CardVersion.V1, top, {})


def fields_of(card: CharacterCard) -> tuple[Span, dict[str, Span], dict[str, Span]]:
    """Return the places in the JSON: of the object with the fields, of these, and of their copies at the top level."""
    whole = document(card.text)
    top = members(card.text, whole)
    if card.version is CardVersion.V1:
        return whole, top, {}
    fields = members(card.text, top["data"])
    copies = {name: span for name, span in top.items() if name in V3_TEXTS and isinstance(span.value, str)}
    return top["data"], fields, copies


def _card(text: str, version: CardVersion, data: dict[str, object], top: dict[str, object]) -> CharacterCard:
    names = {CardVersion.V1: V1_TEXTS, CardVersion.V2: V2_TEXTS, CardVersion.V3: V3_TEXTS}[version]
    known = {CardVersion.V1: frozenset(V1_TEXTS), CardVersion.V2: _V2_KEYS, CardVersion.V3: _V3_KEYS}[version]
    texts = {name: value for name in names if isinstance(value := data.get(name), str)}
    lists = {name: tuple(value) for name in _LISTS if name in known and isinstance(value := data.get(name), list)}
    book = data.get("character_book") if "character_book" in known else None
    extensions = data.get("extensions")
    wrong = [name for name in names if data.get(name) is not None and name not in texts]
    wrong += [name for name in _LISTS if name in known and data.get(name) is not None and name not in lists]
    if book is not None and not isinstance(book, dict):
        wrong.append("character_book")
    outside = {"spec", "spec_version", "data"} | known
    return CharacterCard(
        text=text,
        version=version,
        texts=texts,
        lists=lists,
        lore=lore_of(book),
        extensions=tuple(extensions) if isinstance(extensions, dict) and "extensions" in known else (),
        unknown=(*(name for name in data if name not in known), *(name for name in top if name not in outside)),
        mismatched=tuple(name for name in texts if isinstance(top.get(name), str) and top[name] != texts[name]),
        mistyped=tuple(wrong),
    )
