"""Recognises a partner's order to remember something: the command `/remember`, or a plain wording.

Plain wordings count at the start of a message only, in Japanese also at its end, and never as a question. The work is
bounded: a wording is looked for in the first and the last characters of a message, whatever its length.
"""

# ruff: noqa: RUF001 - full-width marks look like others

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from chimein_gui.domain.memory.orders import phrases
from chimein_gui.domain.memory.orders.unspaced import chinese_fact, japanese_fact
from chimein_gui.domain.memory.orders.words import (
    BETWEEN,
    COLONS,
    COMMAS,
    WordHead,
    folded,
    is_made_of,
    phrases_of,
    words_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chimein_gui.domain.memory.orders.phrases import Wording
    from chimein_gui.domain.memory.orders.words import Phrases

COMMAND = "/remember"
LONGEST = 2_000
"""Most characters of one order."""

MOST_CHARACTERS = 10_000
"""Characters of a message that are looked at; Telegram delivers none so long."""

_LONGEST_BARE = 20
"""Characters within which a fact may turn out to be a mere *this*."""
_MOST_FILLERS = 8
"""Most greetings, names and words of courtesy before an order."""

_ENDS = ".!?。！？…\n"
_QUESTIONS = "?？"
_ASKS_IN_CHINESE = ("吗", "嗎")


_UNSPACED = (
    *phrases.CHINESE_TITLES,
    *phrases.CHINESE_DIRECT,
    *phrases.CHINESE_OF_ME,
    *phrases.JAPANESE_TITLES,
    *phrases.JAPANESE_VERBS,
    *phrases.JAPANESE_NOT_FORGET,
)
"""One of them is in every order in Chinese or Japanese."""


class OrderForm(StrEnum):
    """How an order was given."""

    COMMAND = "command"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class MemoryOrder:
    """What a message orders to remember.

    Attributes:
        form: How it was given.
        text: What is to be remembered, as it was written; empty for a bare command.
    """

    form: OrderForm
    text: str


def read_order(text: str, names: Iterable[str] = ()) -> MemoryOrder | None:
    """Return the order that a message gives, or None.

    Args:
        text: The message, foreign text.
        names: Names that address the agent, user names without the ``@``; they may stand before the order.
    """
    head = WordHead.of(text[:MOST_CHARACTERS])
    if not head.words or not is_made_of(head.gap(0), BETWEEN + "/"):
        return None  # nothing, a quote, or a question in Spanish
    names = tuple(names)
    places = tuple(_beginnings(head, phrases_of(names)))
    command = _command(head, places, frozenset(map(folded, names)))
    if command is not None:
        return command
    unspaced = head.text[head.starts[places[-1]] :]
    found = _spaced_fact(head, places) or chinese_fact(unspaced) or japanese_fact(unspaced)
    fact = _without_courtesy(_without_questions(found))
    if not fact or folded(fact[:_LONGEST_BARE]).strip(_ENDS + " ") in _bare():
        return None
    return MemoryOrder(OrderForm.PLAIN, fact)


def may_be_order(text: str) -> bool:
    """Tell whether `read_order` may find an order, whoever is addressed; most messages hold no word that begins one.

    Every message is asked this before anything is looked up for it.
    """
    if not _phrases().keys().isdisjoint(WordHead.of(text[:MOST_CHARACTERS]).words):
        return True
    return not text.isascii() and any(one in text for one in _UNSPACED)


def _command(head: WordHead, places: tuple[int, ...], names: frozenset[str]) -> MemoryOrder | None:
    """Read `/remember`, which may name the account, as apps write it where there are several: `/remember@name`."""
    for place in places:
        begin = head.starts[place] - 1
        if begin < 0 or head.text[begin] != "/":
            continue
        given, rest = _parted(head.text[begin:])
        command, _, to = given.partition("@")
        if command.casefold() == COMMAND and (not to or folded(to) in names):
            return MemoryOrder(OrderForm.COMMAND, rest.strip())
    return None


def _parted(text: str) -> tuple[str, str]:
    """Part a text at its first blank or colon."""
    place = next((place for place, one in enumerate(text) if one.isspace() or one in COLONS), len(text))
    return text[:place], text[place + 1 :]


def _beginnings(head: WordHead, names: Phrases) -> Iterator[int]:
    """Yield the places at which an order may begin: the start, and behind each greeting, name and word of courtesy."""
    place = 0
    for _ in range(_MOST_FILLERS):
        yield place
        behind = max(head.skipped(place, _fillers(), BETWEEN), head.skipped(place, names, BETWEEN))
        if behind == place or behind >= len(head.words) or not is_made_of(head.gap(behind), BETWEEN + "/"):
            break
        place = behind
    if place == 0 and _is_vocative(head):
        yield 1


def _is_vocative(head: WordHead) -> bool:
    """Tell whether the first word may address somebody: a comma or an exclamation mark follows it."""
    behind = head.gap(1)
    is_followed = bool(behind) and behind[0] in ",!" and is_made_of(behind, ",!")
    return len(head.words) > 1 and is_followed and head.words[0] not in phrases.REPORTING


class _Kind(StrEnum):
    VERB = "verb"
    COMMA = "comma"
    DIRECT = "direct"
    STATED = "stated"
    TITLE = "title"


class _Phrase(NamedTuple):
    words: tuple[str, ...]
    wording: Wording
    kind: _Kind


@cache
def _fillers() -> Phrases:
    return phrases_of((*phrases.GREETINGS, *phrases.COURTESY))


@cache
def _split(texts: tuple[str, ...]) -> Phrases:
    return phrases_of(texts)


@cache
def _bare() -> frozenset[str]:
    return frozenset(map(folded, phrases.BARE))


@cache
def _phrases() -> dict[str, tuple[_Phrase, ...]]:
    """Return all phrases by their first word, the longest first."""
    found: dict[str, list[_Phrase]] = {}
    for wording in phrases.WORDINGS:
        kinds = (
            (_Kind.VERB, wording.verbs),
            (_Kind.COMMA, wording.with_comma),
            (_Kind.DIRECT, wording.direct),
            (_Kind.STATED, wording.stated),
            (_Kind.TITLE, wording.titles),
        )
        for kind, texts in kinds:
            for words in map(words_of, texts):
                found.setdefault(words[0], []).append(_Phrase(words, wording, kind))
    return {first: tuple(sorted(some, key=lambda one: -len(one.words))) for first, some in found.items()}


def _spaced_fact(head: WordHead, places: tuple[int, ...]) -> str:
    """Return the fact of an order in a language with blanks between words; empty without an order."""
    for place in places:
        if not is_made_of(head.gap(place), BETWEEN):
            continue
        for phrase in _phrases().get(head.words[place], ()):
            if head.has(place, phrase.words):
                fact = _behind_phrase(head, place + len(phrase.words), phrase)
                if fact.strip():
                    return fact
    return ""


def _behind_phrase(head: WordHead, place: int, phrase: _Phrase) -> str:
    """Return the fact behind a phrase that ends before `place`; empty if none follows."""
    wording = phrase.wording
    if phrase.kind is _Kind.TITLE:
        return head.behind_mark(place, COLONS)
    if phrase.kind is _Kind.STATED:
        return head.text[head.starts[place - len(phrase.words) + 1] :]
    if phrase.kind is _Kind.DIRECT:
        is_near = place < len(head.words) and is_made_of(head.gap(place), COMMAS)
        is_fact = is_near and head.words[place] in wording.subjects
        return head.text[head.starts[place] :] if is_fact else ""
    place = _behind_courtesy(head, place)
    if phrase.kind is _Kind.COMMA:
        return head.behind_mark(place, COMMAS)
    fact = _behind_connector(head, place, phrase)
    if fact is not None:
        return fact
    behind = _behind_courtesy(head, head.skipped(place, _split(wording.objects)))
    return _behind_connector(head, behind, phrase) or head.behind_mark(behind, COLONS)


def _behind_courtesy(head: WordHead, place: int) -> int:
    between = _split((*phrases.COURTESY, *phrases.ADVERBS))
    while (behind := head.skipped(place, between, COMMAS)) > place:
        place = behind
    return place


def _behind_connector(head: WordHead, place: int, phrase: _Phrase) -> str | None:
    """Return the fact behind the connector that stands at a place; None if none stands there."""
    if place >= len(head.words):
        return None
    if phrase.wording is phrases.FRENCH and head.words[place].startswith("qu'"):
        return head.text[head.starts[place] + len("qu'") :]
    behind = head.skipped(place, _split(phrase.wording.connectors), COMMAS)
    if behind == place:
        return None
    recalls_time = behind < len(head.words) and head.words[behind] in phrase.wording.not_after
    if recalls_time and " ".join(phrase.words) in phrase.wording.recalling:
        return ""
    fact = head.text[head.ends[behind - 1] :]
    return fact.lstrip(f"{COMMAS}{COLONS} ")


def _without_questions(fact: str) -> str:
    """Return the sentences of a fact before the first question; empty if the first of them is one."""
    fact = fact.strip()
    begin = kept = 0
    for place, one in enumerate(fact):
        if one not in _ENDS or not _ends_sentence(fact, place):
            continue
        is_question = one in _QUESTIONS or fact[begin:place].rstrip().endswith(_ASKS_IN_CHINESE)
        if is_question:
            return fact[:kept].strip()
        begin = kept = place + 1
    rest = fact[begin:].rstrip()
    return fact[:kept].strip() if rest.endswith(_ASKS_IN_CHINESE) or "¿" in rest[:2] else fact


def _without_courtesy(fact: str) -> str:
    """Return a fact without a *please* at its end, which a comma or a blank must part from it."""
    core = fact.rstrip()
    while core and (core[-1] in ".!。！" or is_made_of(core[-1])):
        core = core[:-1]
    for words in phrases.COURTESY:
        begin = len(core) - len(words)
        if begin > 0 and folded(core[begin:]) == words and is_made_of(core[begin - 1], COMMAS):
            return core[:begin].rstrip(f"{COMMAS} ")
    return fact


def _ends_sentence(fact: str, place: int) -> bool:
    """Tell whether a mark ends a sentence: a mark, a blank or the end follows, or its script has no blanks."""
    following = fact[place + 1 : place + 2]
    return not following or following.isspace() or fact[place] in "。！？\n?？" or following in _ENDS
