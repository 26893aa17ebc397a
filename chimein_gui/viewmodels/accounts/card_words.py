"""The parts of a character card in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from chimein_gui.domain.character_cards.contents import CardPart, CardUse
from chimein_gui.viewmodels.words.plural import with_number

if TYPE_CHECKING:
    from chimein_gui.domain.character_cards.contents import CardContent

translate = QCoreApplication.translate

_PARTS: dict[CardPart, object] = {
    CardPart.NAME: QT_TRANSLATE_NOOP("CharacterCards", "Name"),
    CardPart.NICKNAME: QT_TRANSLATE_NOOP("CharacterCards", "Nickname, in its texts"),
    CardPart.DESCRIPTION: QT_TRANSLATE_NOOP("CharacterCards", "Description"),
    CardPart.PERSONALITY: QT_TRANSLATE_NOOP("CharacterCards", "Personality"),
    CardPart.SCENARIO: QT_TRANSLATE_NOOP("CharacterCards", "Scenario"),
    CardPart.EXAMPLES: QT_TRANSLATE_NOOP("CharacterCards", "Example dialogue"),
    CardPart.LORE_ALWAYS_ON: QT_TRANSLATE_NOOP("CharacterCards", "Lore that is always on: %n"),
    CardPart.SYSTEM_PROMPT: QT_TRANSLATE_NOOP("CharacterCards", "System prompt"),
    CardPart.CLOSING_PROMPT: QT_TRANSLATE_NOOP("CharacterCards", "Instructions after the conversation"),
    CardPart.FIRST_MESSAGE: QT_TRANSLATE_NOOP("CharacterCards", "First message: agents only answer"),
    CardPart.GREETINGS: QT_TRANSLATE_NOOP("CharacterCards", "Further greetings: %n"),
    CardPart.LORE_BY_KEYS: QT_TRANSLATE_NOOP("CharacterCards", "Lore that waits for keywords or is off: %n"),
    CardPart.CREATOR_NOTES: QT_TRANSLATE_NOOP("CharacterCards", "Notes of its creator"),
    CardPart.CREATOR: QT_TRANSLATE_NOOP("CharacterCards", "Creator"),
    CardPart.CHARACTER_VERSION: QT_TRANSLATE_NOOP("CharacterCards", "Version"),
    CardPart.TAGS: QT_TRANSLATE_NOOP("CharacterCards", "Tags: %n"),
    CardPart.SOURCES: QT_TRANSLATE_NOOP("CharacterCards", "Sources: %n"),
    CardPart.ASSETS: QT_TRANSLATE_NOOP("CharacterCards", "Assets: %n"),
    CardPart.PICTURE: QT_TRANSLATE_NOOP("CharacterCards", "The picture"),
    CardPart.EXTENSIONS: QT_TRANSLATE_NOOP("CharacterCards", "Extensions of other programs: {words}"),
    CardPart.UNKNOWN: QT_TRANSLATE_NOOP("CharacterCards", "Unknown fields: {words}"),
    CardPart.OTHER_CARD: QT_TRANSLATE_NOOP("CharacterCards", "An older card in the same picture, which differs"),
    CardPart.MISMATCHED: QT_TRANSLATE_NOOP("CharacterCards", "Outdated copies of its texts: {words}"),
    CardPart.MISTYPED: QT_TRANSLATE_NOOP("CharacterCards", "Fields with unusable content: {words}"),
    CardPart.DECORATORS: QT_TRANSLATE_NOOP("CharacterCards", "Decorators (@@) in its lore: %n"),
    CardPart.WEB_ASSETS: QT_TRANSLATE_NOOP("CharacterCards", "Assets on the web, never fetched: %n"),
    CardPart.UNSAFE_CHARACTERS: QT_TRANSLATE_NOOP(
        "CharacterCards", "Invisible, broken or misleading characters in its texts"
    ),
}
"""Marked for translation here and translated when they are shown."""


def part_words(content: CardContent) -> str:
    """Return a part of a card in words; names of others in them are not sanitized."""
    words = with_number("CharacterCards", str(_PARTS[content.part]), content.number)
    return words.format(words=content.words) if "{words}" in words else words


def use_words(use: CardUse) -> tuple[str, str]:
    """Return what becomes of a group of parts, as a title and a sentence."""
    words = {
        CardUse.USED: (
            translate("CharacterCards", "Used"),
            translate("CharacterCards", "It becomes the name and the instructions."),
        ),
        CardUse.ON_REQUEST: (
            translate("CharacterCards", "Used only if you want it"),
            translate("CharacterCards", "Here the card's author tells the model how to answer."),
        ),
        CardUse.KEPT: (
            translate("CharacterCards", "Kept, not used"),
            translate("CharacterCards", "It is in every export, but no prompt has it."),
        ),
        CardUse.IGNORED: (
            translate("CharacterCards", "Ignored"),
            translate("CharacterCards", "It is left out of what is used."),
        ),
    }
    return words[use]
