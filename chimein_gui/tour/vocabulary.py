"""What the acts look for, in the language of the window: they name it in English, as the code does.

The language file of the source says how each text is translated. A name or a number in a text stays what it is.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from chimein_gui import ui_driver as hand
from chimein_gui.resource_files import resource_path

if TYPE_CHECKING:
    from collections.abc import Iterator

_HOLE = re.compile(r"\{\w*\}|%L?n")
_ANYTHING = ".+?"
_JOINTS = (", ", ": ", ". ")
_LETTERS = 2
"""So many letters of its own must a text with holes have, to be known by them."""


class _Text(NamedTuple):
    """A text with holes, and each of its translations."""

    parts: tuple[str, ...]
    holes: tuple[str, ...]
    translations: tuple[str, ...]


class Vocabulary:
    """Returns patterns of what would be seen in a language where English has certain words."""

    def __init__(self, language: str) -> None:
        self._exact: dict[str, list[str]] = {}
        self._texts: list[_Text] = []
        plurals = {source: forms for source, forms in _messages("en") if len(forms) > 1}
        for source, translations in _messages(language):
            for english in dict.fromkeys((source, *plurals.get(source, ()))):
                self._exact.setdefault(english, []).extend(translations)
                holes = tuple(_HOLE.findall(english))
                if holes:
                    self._texts.append(_Text(tuple(_HOLE.split(english)), holes, translations))
        self.pattern = lru_cache(maxsize=1024)(self._pattern)

    def _pattern(self, english: str) -> re.Pattern[str]:
        return re.compile("|".join(dict.fromkeys(self._expand(english))), re.DOTALL)

    def _expand(self, english: str) -> Iterator[str]:
        """Yield patterns; the words themselves are one of them, for what is not translated, as what people wrote."""
        yield from self._known(english)
        for source, translations in self._exact.items():
            if source.startswith(english) and not _HOLE.search(source):
                yield from map(re.escape, translations)
        for text in self._texts:
            yield from self._filled(text, english)
        for space in re.finditer(" ", english):
            verb = english[: space.start()]  # of a name
            for translation in self._exact.get(verb, ()):
                yield re.escape(translation) + re.escape(english[space.start() :])
        for joint in _JOINTS:
            before, found, behind = english.partition(joint)
            if found and before:
                yield (
                    _any_of(self._expand(before)) + re.escape(joint) + (_any_of(self._expand(behind)) if behind else "")
                )

    def _known(self, english: str) -> Iterator[str]:
        yield re.escape(english)
        for translation in self._exact.get(english, ()):
            yield _ANYTHING.join(map(re.escape, _HOLE.split(translation)))

    def _filled(self, text: _Text, english: str) -> Iterator[str]:
        """Yield the translations of a text of which these words are the beginning, or all."""
        values = _values(text.parts, english)
        literal = english if values is None else english[len("".join(values)) :]
        if values is not None and sum(map(str.isalpha, literal)) >= _LETTERS:  # else it could be anything
            known = dict(zip(text.holes, values, strict=False))
            yield from (self._fill(translation, known) for translation in text.translations)

    def _fill(self, translation: str, values: dict[str, str]) -> str:
        pattern, last = "", 0
        for hole in _HOLE.finditer(translation):
            value = values.get(hole.group())
            inside = _ANYTHING if value is None else f"{_any_of(self._known(value))}.*?"
            pattern += re.escape(translation[last : hole.start()]) + inside
            last = hole.end()
        return pattern + re.escape(translation[last:])


def _messages(language: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each text of a language file, and its translations: one for each form of a number."""
    for message in ET.parse(resource_path("translations") / f"chimein_{language}.ts").iter("message"):
        found = message.find("translation")
        forms = [] if found is None else [*found.iter("numerusform")] or [found]
        yield message.findtext("source", ""), tuple(form.text for form in forms if form.text)


def _values(parts: tuple[str, ...], english: str) -> tuple[str, ...] | None:
    """Return what stands in the holes between these parts in words that are the beginning of all; None if not."""
    first, *rest = parts
    if len(english) <= len(first) and first.startswith(english):
        return ()
    if not english.startswith(first) or not rest:
        return () if english == first else None
    behind = english[len(first) :]
    for end in range(1, len(behind) + 1):
        if end == len(behind):
            return (behind,)
        values = _values(tuple(rest), behind[end:])
        if values is not None:
            return (behind[:end], *values)
    return None


def _any_of(patterns: Iterator[str]) -> str:
    return f"(?:{'|'.join(dict.fromkeys(patterns))})"


def learn(language: str) -> None:
    """Let the hand find things in a window that speaks this language."""
    hand.speak(None if language == "en" else Vocabulary(language).pattern)
