"""Orders to remember something in Chinese and Japanese, which put no blanks between words.

In Japanese the verb may also come last.
"""

# ruff: noqa: RUF001 - full-width marks look like others

from __future__ import annotations

from chimein_gui.domain.memory.orders import phrases
from chimein_gui.domain.memory.orders.words import COLONS, COMMAS, is_made_of

_MARKS = f"{COLONS}{COMMAS}。！!~～\n"
_LONGEST_GREETING = 16
"""Characters of a greeting with a name."""
_SHORTEST_FACT = 3
_SOFTENERS = ("哦", "喔", "啊", "呀", "吧")


def chinese_fact(text: str) -> str:
    """Return the fact of an order in Chinese; empty without an order."""
    text = _without_fillers(text, phrases.CHINESE_FILLERS)
    for opener in phrases.CHINESE_TITLES:
        behind = text.removeprefix(opener).lstrip(" ")
        if text.startswith(opener) and behind[:1] and behind[0] in COLONS + COMMAS:
            return behind[1:]
    for opener in phrases.CHINESE_DIRECT:
        if text.startswith(opener):
            behind = text.removeprefix(opener)
            if behind[:1] in _SOFTENERS and behind[1:2] in _MARKS:
                behind = behind[1:]
            fact = behind.lstrip(f"{_MARKS} ")
            return "" if fact.startswith("了") or _recalls_time(fact) else fact
    for opener in phrases.CHINESE_OF_ME:
        if text.startswith(opener):
            behind = text.removeprefix(opener)
            fact = behind.lstrip(f"{_MARKS} ")
            is_marked = behind[:1] in COLONS and behind != ""
            says = fact.startswith(phrases.CHINESE_PEOPLE) or "是" in fact
            is_fact = is_marked or (says and len(fact) > _SHORTEST_FACT)
            return fact if is_fact and not _recalls_time(fact) else ""
    return ""


def _recalls_time(fact: str) -> bool:
    plain = fact.rstrip("。！!~～… ")
    return plain.endswith(phrases.CHINESE_TIMES) or plain.startswith(phrases.CHINESE_TIMES)


def japanese_fact(text: str) -> str:
    """Return the fact of an order in Japanese; empty without an order."""
    text = _without_fillers(text, phrases.JAPANESE_FILLERS)
    return _japanese_start(text) or _japanese_end(text)


def _japanese_start(text: str) -> str:
    """Read an order whose verb, or title, comes first and is followed by a mark."""
    for title in phrases.JAPANESE_TITLES:
        behind = text.removeprefix(title).lstrip(" ")
        if text.startswith(title) and behind[:1] and behind[0] in COLONS:
            return behind[1:]
    for verb in phrases.JAPANESE_VERBS:
        if not text.startswith(verb):
            continue
        behind = text.removeprefix(verb)
        tail = next((one for one in phrases.JAPANESE_TAILS if behind.startswith(one)), "")
        behind = behind.removeprefix(tail)
        if behind[:1] and behind[0] in _MARKS:
            return behind.lstrip(f"{_MARKS} ")
    return ""


def _japanese_end(text: str) -> str:
    """Read an order whose verb comes last."""
    end = len(text)
    while end and is_made_of(text[end - 1], "。！!~～…♪"):
        end -= 1
    plain = text[:end]
    for tail in (*phrases.JAPANESE_TAILS, ""):
        if not plain.endswith(tail):
            continue
        body = plain.removesuffix(tail) if tail else plain
        for verb in phrases.JAPANESE_VERBS:
            if body.endswith(verb):
                return _stated(body.removesuffix(verb))
        for verb in phrases.JAPANESE_NOT_FORGET:
            if body.endswith(verb):
                return _not_forgotten(body.removesuffix(verb))
    return ""


def _stated(fact: str) -> str:
    """Return a fact without the particle that ties it to the verb."""
    fact = fact.rstrip(f"{COMMAS} 。\n")
    particle = next((one for one in phrases.JAPANESE_PARTICLES if fact.endswith(one)), "")
    if particle == "と" and fact.endswith("こと"):
        return fact
    return fact.removesuffix(particle).rstrip(f"{COMMAS} 。") if particle else fact


def _not_forgotten(fact: str) -> str:
    """Return a fact before *don't forget*; a thing or a task is none."""
    fact = fact.rstrip(f"{COMMAS} ").removesuffix("を").rstrip(COMMAS)
    return fact if fact.endswith(phrases.JAPANESE_FACTS) else ""


def _without_fillers(text: str, fillers: tuple[str, ...]) -> str:
    """Return a text behind its greetings, each of which a mark must follow, some after a name."""
    for _ in range(len(fillers)):
        text = text.lstrip(f"{_MARKS} ")
        if text.startswith(phrases.GREETINGS_WITH_NAMES):
            end = next((place for place, one in enumerate(text[:_LONGEST_GREETING]) if one in _MARKS), 0)
            text = text[end:].lstrip(f"{_MARKS} ")
        found = next((one for one in fillers if text.startswith(one) and text[len(one) : len(one) + 1] in _MARKS), "")
        if not found or len(text) == len(found):
            return text
        text = text[len(found) :]
    return text
