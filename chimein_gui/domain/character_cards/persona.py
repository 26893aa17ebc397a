"""A card as the instructions of an agent, and changed instructions as a card."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chimein_gui.domain.character_cards.card import V1_TEXTS, V2_TEXTS, V3_TEXTS, CardVersion, fields_of
from chimein_gui.domain.character_cards.json_text import elements, members, replaced, string
from chimein_gui.domain.character_cards.taming import filled, tamed
from chimein_gui.domain.input.names import MAX_BYTES, MAX_CHARACTERS, has_path_character, name_problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chimein_gui.domain.character_cards.card import CharacterCard
    from chimein_gui.domain.character_cards.json_text import Span

MOST_INSTRUCTIONS = 100_000
"""Characters of instructions made of a card."""

LORE = "Background"
_SECTIONS = {
    "System prompt": "system_prompt",
    "Description": "description",
    "Personality": "personality",
    "Scenario": "scenario",
    LORE: "",
    "Example dialogue": "mes_example",
    "After the conversation": "post_history_instructions",
}
"""Headings of the instructions, in order, and the fields of the card below them."""

PROMPTS = frozenset({"system_prompt", "post_history_instructions"})
"""Fields in which a card's author speaks to the model about how to answer; they are used only on request."""

_HEADING = re.compile(rf"^##[ ]({'|'.join(_SECTIONS)})[ ]*$", re.MULTILINE)
_LEVEL = re.compile(r"^#+", re.MULTILINE)


def suggested_name(card: CharacterCard) -> str:
    """Return the card's name without what a name can't have; empty if nothing is left."""
    name = tamed(card.word("name")).replace("\n", " ")
    name = "".join(character for character in name if not has_path_character(character))
    name = " ".join(name.split()).strip(". ")[:MAX_CHARACTERS]
    name = name.encode()[:MAX_BYTES].decode(errors="ignore").strip(". ")
    return name if name and name_problem(name) is None else ""


def instructions_of(card: CharacterCard, *, with_prompts: bool) -> str:
    """Return a card as instructions: one section for each text that is used.

    Args:
        card: The card.
        with_prompts: Take also what its author tells the model (`PROMPTS`).
    """
    sections = _sections_of(card)
    return "\n\n".join(
        f"## {heading}\n{text}"
        for heading, text in sections.items()
        if with_prompts or _SECTIONS[heading] not in PROMPTS
    )


def with_persona(card: CharacterCard, name: str, instructions: str) -> str:
    """Return the JSON of a card with an agent's name and instructions; what did not change keeps its bytes.

    Args:
        card: The card from which the agent was made.
        name: The agent's name now.
        instructions: Its instructions now.
    """
    texts, lore = _changes(card, name, instructions)
    whole, fields, copies = fields_of(card)
    changes: list[tuple[int, int, str]] = []
    added = {field: text for field, text in texts.items() if field not in fields}
    if added:
        words = ", ".join(f"{string(field)}: {string(text)}" for field, text in added.items())
        changes.append((whole.start + 1, whole.start + 1, f"{words}, " if fields else words))
    for field, span in fields.items():
        if field in texts:
            changes.append((span.start, span.end, string(texts[field])))
        copy = copies.get(field)
        is_outdated = isinstance(span.value, str) and copy is not None and copy.value != span.value
        if copy is not None and (field in texts or is_outdated):
            right = string(texts[field]) if field in texts else card.text[span.start : span.end]
            changes.append((copy.start, copy.end, right))
    if lore is not None:
        changes += _lore_changes(card, fields, lore)
    return replaced(card.text, changes)


def new_card(name: str, instructions: str) -> str:
    """Return the JSON of a card (V3) for an agent that was not made of one."""
    empty = [field for field in V3_TEXTS if field not in ("name", "description", "nickname")]
    fields = [f'"name": {string(name)}', f'"description": {string(instructions)}']
    fields += [f'"{field}": ""' for field in empty]
    fields += [f'"{field}": []' for field in ("alternate_greetings", "group_only_greetings", "tags")]
    return f'{{"spec": "chara_card_v3", "spec_version": "3.0", "data": {{{", ".join(fields)}, "extensions": {{}}}}}}\n'


def _sections_of(card: CharacterCard) -> dict[str, str]:
    nickname = " ".join(tamed(card.word("nickname")).split())
    lore = "\n\n".join(tamed(entry.content) for entry in card.lore.always_on())
    texts = {heading: tamed(card.word(field)) if field else lore for heading, field in _SECTIONS.items()}
    sections = {heading: filled(text, nickname) for heading, text in texts.items()}
    return {heading: text for heading, text in sections.items() if text}


def _changes(card: CharacterCard, name: str, instructions: str) -> tuple[dict[str, str], str | None]:
    """Return the card's texts that are others now, and the text of its lore entries if that is another."""
    texts = {} if name == suggested_name(card) else {"name": name}
    if any(_same(instructions, instructions_of(card, with_prompts=both)) for both in (False, True)):
        return texts, None
    known = _known_headings(card)
    before = _sections_of(card)
    now = _split(instructions, known)
    if not _same_sections(_split(instructions_of(card, with_prompts=True), known), before):
        now = {"Description": instructions}  # a text of the card has a heading like ours: no section is certain
    lore: str | None = None
    for heading in known:
        field, text = _SECTIONS[heading], now.get(heading, "")
        if _same(text, before.get(heading, "")) or (not text and field in PROMPTS):
            continue
        if field:
            texts[field] = text
        else:
            lore = text
    return texts, lore


def _known_headings(card: CharacterCard) -> tuple[str, ...]:
    """Return the headings that have a place in the card."""
    names = V1_TEXTS if card.version is CardVersion.V1 else V2_TEXTS
    has_lore = bool(card.lore.always_on())
    return tuple(heading for heading, field in _SECTIONS.items() if (field in names if field else has_lore))


def _split(instructions: str, known: tuple[str, ...]) -> dict[str, str]:
    """Return the sections of instructions; what stands before the first one belongs to the description."""
    sections: dict[str, str] = {}
    heading, place = "", 0
    lead = ""

    def take(end: int) -> None:
        nonlocal lead
        text = instructions[place:end].strip()
        if heading:
            sections[heading] = text
        else:
            lead = text

    for found in _HEADING.finditer(instructions):
        if found[1] in known and found[1] not in sections and found[1] != heading:
            take(found.start())
            heading, place = found[1], found.end()
    take(len(instructions))
    if lead:
        sections["Description"] = "\n\n".join(filter(None, (lead, sections.get("Description", ""))))
    return sections


def _same_sections(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    return one.keys() == other.keys() and all(_same(one[heading], other[heading]) for heading in one)


def _same(one: str, other: str) -> bool:
    """Return whether texts are equal but for what writing an agent file changes: levels of headings, blanks at ends."""
    return _plain(one) == _plain(other)


def _plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in _LEVEL.sub("#", text).split("\n")).strip()


def _lore_changes(card: CharacterCard, fields: Mapping[str, Span], lore: str) -> list[tuple[int, int, str]]:
    """Return the changes of the entries that are always on: the first gets the text, the others are switched off."""
    book = members(card.text, fields["character_book"])["entries"]
    is_by_number = isinstance(book.value, dict)
    spans = list(members(card.text, book).values()) if is_by_number else elements(card.text, book)
    changes: list[tuple[int, int, str]] = []
    for number, entry in enumerate(card.lore.always_on()):
        span = spans[entry.index]
        parts = members(card.text, span)
        name, new = ("content", string(lore)) if number == 0 and lore else ("enabled", "false")
        if name in parts:
            changes.append((parts[name].start, parts[name].end, new))
        else:
            changes.append((span.start + 1, span.start + 1, f"{string(name)}: {new}, "))
    return changes
