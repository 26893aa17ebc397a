"""Reading robots.txt as RFC 9309 says: the group for our name or for all, and of its rules the longest that fits."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote

MOST_CHARACTERS = 512 * 1024
_MOST_RULES = 2_000


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules of a host for us; without any, everything is allowed.

    Attributes:
        rules: Patterns of paths, each with whether it allows.
        delay_s: Seconds that the host wants between two requests.
    """

    rules: tuple[tuple[str, bool], ...] = ()
    delay_s: float = 0.0

    def allows(self, target: str) -> bool:
        """Return whether a path with its query may be asked for."""
        path = unquote(target)
        fitting = [(len(pattern), allows) for pattern, allows in self.rules if _fits(pattern, path)]
        return max(fitting)[1] if fitting else True


NO_ONE = Robots((("/", False),))
"""Of a host whose rules can't be had because it is in trouble."""


def read_robots(text: str, name: str) -> Robots:
    """Return the rules for a program; a group that names it counts before the one for all."""
    groups: dict[str, list[tuple[str, bool]]] = {}
    delays: dict[str, float] = {}
    agents: list[str] = []
    in_rules = False
    for line in text[:MOST_CHARACTERS].splitlines():
        key, _, value = line.partition("#")[0].partition(":")
        key, value = key.strip().lower(), value.strip()
        if key == "user-agent":
            agents = [*([] if in_rules else agents), value.lower()]
            groups.setdefault(value.lower(), [])
            in_rules = False
        elif key in {"allow", "disallow"}:
            in_rules = True
            if value:
                _add(groups, agents, (unquote(value), key == "allow"))
        elif key == "crawl-delay":
            in_rules = True
            delays |= dict.fromkeys(agents, _seconds(value))
    whose = name.lower() if name.lower() in groups else "*"
    return Robots(tuple(groups.get(whose, ())), delays.get(whose, 0.0))


def _add(groups: dict[str, list[tuple[str, bool]]], agents: list[str], rule: tuple[str, bool]) -> None:
    for agent in agents:
        if len(groups[agent]) < _MOST_RULES:
            groups[agent].append(rule)


def _seconds(value: str) -> float:
    try:
        found = float(value)
    except ValueError:
        return 0.0
    return found if 0.0 < found < 3_600.0 else 0.0  # noqa: PLR2004 - an hour; not a number is none of them


def _fits(pattern: str, path: str) -> bool:
    """Return whether a pattern with its ``*`` and its ``$`` fits the beginning of a path; in linear time."""
    is_end = pattern.endswith("$")
    first, *others = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    place = len(first)
    for number, piece in enumerate(others, 1):
        if is_end and number == len(others):
            return path.endswith(piece) and len(path) - len(piece) >= place
        place = path.find(piece, place)
        if place < 0:
            return False
        place += len(piece)
    return not is_end or place == len(path)
