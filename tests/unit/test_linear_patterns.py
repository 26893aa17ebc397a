"""Regular expressions over foreign text take time in proportion to it: the work is counted, not timed.

A pattern with two runs of blanks, or a run that begins at every place, takes quadratic time: a line of 32 kB in an
agent file kept the interpreter for 15 seconds. Each pattern of the product is run over hostile texts of two lengths.
"""

import ast
import functools
import importlib
import pkgutil
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import chimein_gui
from tests.support.pattern_steps import CountedPattern, TooManyStepsError

SHORT, LONG = 60, 120
MOST_TEXTS = 100
"""Of each pattern, in the gate."""

CAMPAIGN_TEXTS = 250
MOST_GROWTH = 2.6
"""Steps on twice the length: linear work gives 2, quadratic 4; the rest is for what begins and ends a text."""

ROOT = Path(chimein_gui.__file__).parent

OWN_TEXT = {
    "chimein_gui.adapters.store.memo": "SQL of our own",
    "chimein_gui.adapters.store.census": "SQL of our own",
    "chimein_gui.adapters.telegram.failures": "Telethon's own patterns",
}
"""Modules whose patterns see no foreign text, and why; nor do the sandbox's, whose texts the operator types."""


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages([str(ROOT)], "chimein_gui."):
        if "__main__" in found.name or ".sandbox" in found.name or found.name in OWN_TEXT:
            continue
        source = Path(found.module_finder.find_spec(found.name).origin)  # type: ignore[union-attr, call-arg, arg-type]
        if "re.compile(" in source.read_text(encoding="utf-8"):
            yield importlib.import_module(found.name)


def _ways(module: ModuleType, name: str) -> set[str]:
    """Return how a pattern is used in its module: as `match`, `finditer` …; used elsewhere, it may be used anyhow."""
    names, attributes = _uses(str(module.__file__))
    uses = attributes[name]
    return set(uses) if names[name] == len(uses) + 1 else {*uses, "search"}


@functools.cache
def _uses(file: str) -> tuple[Counter[str], defaultdict[str, list[str]]]:
    """Return how often each name stands in a file, and which attributes of it are used."""
    names, attributes = Counter[str](), defaultdict[str, list[str]](list)
    for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Name):
            names[node.id] += 1
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            attributes[node.value.id].append(node.attr)
    return names, attributes


def _patterns() -> list[Any]:
    found = []
    for module in _modules():
        for name, value in vars(module).items():
            values = value if isinstance(value, tuple) else (value,)
            flat = [one for entry in values for one in (entry if isinstance(entry, tuple) else (entry,))]
            mine = [one for one in flat if isinstance(one, re.Pattern) and CountedPattern(one).repeats]
            for index, pattern in enumerate(mine):
                anchored = _ways(module, name) <= {"match", "fullmatch"}
                label = f"{module.__name__.removeprefix('chimein_gui.')}.{name}" + (f"[{index}]" if index else "")
                found.append(pytest.param(pattern, anchored, id=label))
    return found


def hostile_texts(pattern: re.Pattern[str], lengths: tuple[int, ...], most: int) -> list[tuple[str, ...]]:
    """Return texts that bring bad patterns to their knees, each in all lengths.

    They are what leads up to an item, it over and over, a mismatch.
    """
    counted, chance = CountedPattern(pattern), random.Random(pattern.pattern)
    chars = "".join(
        dict.fromkeys(" \t\na1#x-(.\u2028" + "".join(char for char in pattern.pattern if char.isprintable()))
    )
    pumps = counted.pumps(chars)
    pumps += ["".join(chance.choices(pumps, k=2)) for _ in range(6)]
    starts, ends = counted.beginnings(), [*pumps[:4], "x#", "\x00"]
    every = [(start, pump, end) for start in starts for pump in pumps if pump for end in ends]
    chosen = every if len(every) <= most else chance.sample(every, most)
    return [tuple(start + (pump * length)[:length] + end for length in lengths) for start, pump, end in chosen]


def steps(counted: CountedPattern, text: str, *, anchored: bool) -> float:
    counted.steps = 0
    try:
        counted.match(text) if anchored else counted.spans(text)
    except TooManyStepsError:
        return float("inf")
    return counted.steps


def worst_growth(pattern: re.Pattern[str], *, anchored: bool, most: int = MOST_TEXTS) -> tuple[float, str]:
    """Return the worst ratio of steps; infinite where the longer text, or both, take too many. Nothing is worse."""
    counted = CountedPattern(pattern, most=60_000)
    worst, culprit = 0.0, ""
    for short, long in hostile_texts(pattern, (SHORT, LONG), most):
        before, after = steps(counted, short, anchored=anchored), steps(counted, long, anchored=anchored)
        growth = after if after == float("inf") else after / max(before, 2 * SHORT)
        if growth > worst:
            worst, culprit = growth, long
        if worst == float("inf"):
            break
    return worst, culprit


@pytest.fixture(autouse=True)
def _deep():
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.parametrize("most", [MOST_TEXTS, pytest.param(CAMPAIGN_TEXTS, marks=pytest.mark.campaign)])
@pytest.mark.parametrize(("pattern", "anchored"), _patterns())
def test_twice_the_text_is_twice_the_work(pattern, anchored, most):
    if isinstance(pattern.pattern, bytes):
        pattern = re.compile(pattern.pattern.decode("latin-1"), pattern.flags | re.ASCII)
    growth, text = worst_growth(pattern, anchored=anchored, most=most)
    assert growth < MOST_GROWTH, f"{growth:.1f} times the steps for twice the text, such as {text[:20]!r}…{text[-5:]!r}"


@pytest.mark.parametrize(
    "bad",
    [
        r"#[ \t]+(?P<name>.*?)(?:[ \t]+#+)?[ \t]*$",
        r"##+[ \t]*(?P<name>[^#]*?)(?:[ \t]+#+)?[ \t]*$",
        r"#(?P<name>[^\s#].*?)[ \t]*$",
        r"(a+)+x",
        r"\d+\s*x",
    ],
)
def test_patterns_that_are_known_to_be_bad_are_found(bad):
    assert worst_growth(re.compile(bad), anchored=False)[0] > MOST_GROWTH


SOURCES = [
    r"ab|a(b|bc)d*",
    r"(?i)x[a-c]+?y",
    r"(?<!\w)a++\b|x*",
    r"(\w+)\s\1",
    r"^\s*#[ \t]*«",
    r"(?:⟦[^⟦⟧]*⟧\s*)+",
    r"(?=a)\w{1,3}$",
    r"(?>a|ab)c?(?:b*?c)+",
]


@pytest.mark.parametrize("source", SOURCES)
def test_the_counting_walk_finds_what_re_finds(source):
    chance = random.Random(source)
    pattern = re.compile(source, re.MULTILINE)
    for _ in range(400):
        text = "".join(chance.choices("ab cdxXyY#«⟦⟧\n\t", k=chance.randint(0, 14)))
        assert CountedPattern(pattern).spans(text) == [found.span() for found in pattern.finditer(text)]
        whole = pattern.fullmatch(text)
        assert CountedPattern(pattern).match(text, whole=True) == (None if whole is None else whole.end())
