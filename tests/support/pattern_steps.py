"""Counts the work of a regular expression: it matches like `re`, step by step, so that steps can be counted.

Seconds would depend on the machine. This walks the same parse tree as `re`, backtracks in the same order, and counts
every comparison of an item with a character. `tests/unit/test_linear_patterns.py` compares it with `re`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from re import _compiler  # type: ignore[attr-defined]
from re import _constants as code  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

Then = Callable[[int], bool]
"""Matches what follows an item, from a position on."""

_SINGLE = {code.LITERAL, code.NOT_LITERAL, code.ANY, code.IN}


_REPEATS = {code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT}
_TYPICAL = "a1 #-x\"'«»⟦⟧.,:/+("


def _is_new(start: int, no_empty_at: int, end: int) -> bool:
    """Return whether a match is more than an empty one directly after another."""
    return start != no_empty_at or end != start


class TooManyStepsError(Exception):
    """A match needed more steps than allowed."""


class CountedPattern:
    """A pattern that counts its steps.

    Attributes:
        steps: The number of comparisons since it was created, or since somebody set it to 0.
    """

    def __init__(self, pattern: re.Pattern[Any], most: int = 20_000_000) -> None:
        self._tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
        self._flags = self._tree.state.flags
        self._most = most
        self._text: Any = ""
        self._groups: dict[int, tuple[int, int]] = {}
        self._known: dict[Any, bool] = {}
        self._is_bytes = isinstance(pattern.pattern, bytes)
        self.steps = 0

    def beginnings(self) -> list[str]:
        """Return texts that lead to each item of the pattern; repeated items are matched once."""
        self._text = ""
        return list(dict.fromkeys("".join(self._sample(one) for one in list(self._tree)[:n]) for n in range(20)))

    def pumps(self, chars: str) -> list[str]:
        """Return what the pattern can repeat without limit: one of `chars` for each kind that it distinguishes."""
        singles = [one for one in self._walk(self._tree) if one[0] in _SINGLE]
        kinds = {tuple(self._is(one, char) for one in singles): char for char in reversed(chars)}
        groups = [self._sample(one) for one in self._walk(self._tree) if one[0] in _REPEATS]
        return list(dict.fromkeys([*kinds.values(), *groups]))

    @property
    def repeats(self) -> bool:
        """Whether an item can be repeated without limit."""
        return any(kind in _REPEATS and value[1] > 1_000 for kind, value in self._walk(self._tree))

    def _walk(self, items: Any) -> list[Any]:
        found = []
        for kind, value in items:
            found.append((kind, value))
            inner = value if isinstance(value, tuple) else (value,)
            for part in (*inner, *(inner[1] if kind is code.BRANCH else ())):
                if isinstance(part, parser.SubPattern):
                    found += self._walk(part)
        return found

    def _is(self, single: Any, char: str) -> bool:
        self._text = char
        kind, value = single
        return self._fits(kind, value, 0)

    def _sample(self, item: Any) -> str:
        kind, value = item
        if kind in _SINGLE:
            typical = _TYPICAL + (chr(value) if isinstance(value, int) else "")
            return next((char for char in typical if self._is(item, char)), "")
        if kind is code.BRANCH:
            return "".join(map(self._sample, value[1][0]))
        if kind in _REPEATS:
            return "".join(map(self._sample, value[2])) * min(max(value[0], 1), 40)
        if kind is code.SUBPATTERN:
            return "".join(map(self._sample, value[3]))
        return "".join(map(self._sample, value)) if kind is code.ATOMIC_GROUP else ""

    def match(self, text: Any, start: int = 0, *, whole: bool = False) -> int | None:
        """Return the end of a match that begins at `start`."""
        return self._end(text, start, lambda end: not whole or end == len(text))

    def _end(self, text: Any, start: int, fits: Callable[[int], bool]) -> int | None:
        self._text, self._groups, end = text, {}, None

        def done(place: int) -> bool:
            nonlocal end
            if fits(place):
                end = place
            return end is not None

        self._run(list(self._tree), 0, start, done)
        return end

    def spans(self, text: Any) -> list[tuple[int, int]]:
        """Return the positions of all matches, as `finditer` does."""
        found: list[tuple[int, int]] = []
        start, no_empty_at = 0, -1
        while start <= len(text):
            end = self._end(text, start, partial(_is_new, start, no_empty_at))
            if end is None:
                start += 1
                continue
            found.append((start, end))
            no_empty_at = end if end == start else -1
            start = end
        return found

    # ------------------------------------------------------------ the walk

    def _step(self) -> None:
        self.steps += 1
        if self.steps > self._most:
            raise TooManyStepsError

    def _run(self, items: list[Any], index: int, place: int, then: Then) -> bool:
        while index < len(items):
            kind, value = items[index]
            if kind in _SINGLE:
                if not self._fits(kind, value, place):
                    return False
                place, index = place + 1, index + 1
                continue
            return self._item(kind, value, place, partial(self._behind, items, index + 1, then))
        return then(place)

    def _behind(self, items: list[Any], index: int, then: Then, place: int) -> bool:
        return self._run(items, index, place, then)

    def _item(self, kind: Any, value: Any, place: int, then: Then) -> bool:  # noqa: PLR0911 - one for each kind
        if kind is code.BRANCH:
            return any(self._run(list(one), 0, place, then) for one in value[1])
        if kind is code.SUBPATTERN:
            return self._group(value, place, then)
        if kind in (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT):
            return self._repeat(kind, value, place, then)
        if kind is code.ATOMIC_GROUP:
            end = self._first_end(list(value), place)
            return end is not None and then(end)
        if kind in (code.ASSERT, code.ASSERT_NOT):
            return self._looks(kind, value, place) and then(place)
        if kind is code.AT:
            self._step()
            return self._is_at(value, place) and then(place)
        if kind is code.GROUPREF:
            first, last = self._groups.get(value, (0, -1))
            same = last >= first and self._text[place : place + last - first] == self._text[first:last]
            self.steps += max(last - first, 1)
            return same and then(place + last - first)
        raise NotImplementedError(kind)

    def _group(self, value: Any, place: int, then: Then) -> bool:
        number, _add, _drop, items = value
        before = self._groups.get(number)

        def closed(end: int) -> bool:
            if number is not None:
                self._groups[number] = (place, end)
            return then(end)

        if self._run(list(items), 0, place, closed):
            return True
        if number is not None and before is not None:
            self._groups[number] = before
        return False

    def _repeat(self, kind: Any, value: Any, place: int, then: Then) -> bool:
        least, most, items = value
        inner = list(items)
        if len(inner) == 1 and inner[0][0] in _SINGLE:
            return self._repeat_single(kind, (least, most, *inner[0]), place, then)
        if kind is code.POSSESSIVE_REPEAT:
            end, count = place, 0
            while count < most and (following := self._first_end(inner, end)) is not None:
                count += 1
                if following == end:
                    break
                end = following
            return count >= least and then(end)
        return self._again(inner, (least, most, kind is code.MIN_REPEAT), 0, place, then)

    def _again(self, inner: list[Any], limits: tuple[int, Any, bool], count: int, place: int, then: Then) -> bool:
        least, most, lazy = limits

        def more() -> bool:
            return count < most and self._run(
                inner,
                0,
                place,
                lambda end: (end != place or count < least) and self._again(inner, limits, count + 1, end, then),
            )

        if count < least:
            return more()
        return (then(place) or more()) if lazy else (more() or then(place))

    def _repeat_single(self, kind: Any, what: tuple[Any, Any, Any, Any], place: int, then: Then) -> bool:
        least, most, single, value = what
        if kind is code.MIN_REPEAT:
            count = 0
            while True:
                if count >= least and then(place + count):
                    return True
                if count >= most or not self._fits(single, value, place + count):
                    return False
                count += 1
        count = 0
        while count < most and self._fits(single, value, place + count):
            count += 1
        if kind is code.POSSESSIVE_REPEAT:
            return count >= least and then(place + count)
        while count >= least:
            self._step()
            if then(place + count):
                return True
            count -= 1
        return False

    def _first_end(self, items: list[Any], place: int) -> int | None:
        ends: list[int] = []

        def done(end: int) -> bool:
            ends.append(end)
            return True

        return ends[0] if self._run(items, 0, place, done) else None

    def _looks(self, kind: Any, value: Any, place: int) -> bool:
        direction, items = value
        if direction > 0:
            found = self._first_end(list(items), place) is not None
        else:
            width = items.getwidth()[0]
            found = place >= width and self._first_end(list(items), place - width) == place
        return found is (kind is code.ASSERT)

    def _fits(self, kind: Any, value: Any, place: int) -> bool:
        self.steps += 1  # as `_step`, without a call: this is most of the work
        if self.steps > self._most:
            raise TooManyStepsError
        if place >= len(self._text):
            return False
        char = self._text[place : place + 1]
        key = (kind, id(value) if kind is code.IN else value, char)
        fits = self._known.get(key)
        if fits is None:
            fits = self._known[key] = self._compiled(kind, value).fullmatch(char) is not None
        return fits

    def _compiled(self, kind: Any, value: Any) -> re.Pattern[Any]:
        """Compile an item with `re`, which decides which characters it matches."""
        tree = parser.SubPattern(self._tree.state, [(kind, value)])
        whole = parser.State()
        whole.flags, whole.str = self._flags, b"" if self._is_bytes else ""
        tree.state = whole
        made: re.Pattern[Any] = _compiler.compile(tree, self._flags)
        return made

    def _is_at(self, where: Any, place: int) -> bool:
        text, length = self._text, len(self._text)
        newline = "\n" if isinstance(text, str) else b"\n"
        if where in (code.AT_BEGINNING, code.AT_BEGINNING_STRING):
            lines = where is code.AT_BEGINNING and self._flags & re.MULTILINE
            return place == 0 or bool(lines and text[place - 1 : place] == newline)
        if where is code.AT_END_STRING:
            return place == length
        if where is code.AT_END:
            if place == length or (place == length - 1 and text[place : place + 1] == newline):
                return True
            return bool(self._flags & re.MULTILINE) and text[place : place + 1] == newline
        edge = re.compile(r"\b" if isinstance(text, str) else rb"\b", self._flags & (re.ASCII | re.UNICODE))
        at_edge = edge.match(text, place) is not None
        return at_edge is (where is code.AT_BOUNDARY)
