"""`<state>/preferences.toml`: what the operator has adjusted (SPEC §2)."""

from __future__ import annotations

import tomllib
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from chimein_gui.domain.agents import FileProblem
from chimein_gui.domain.costs import PRICES, Price
from chimein_gui.domain.preferences import Preferences

if TYPE_CHECKING:
    from pathlib import Path


def load_preferences(path: Path) -> tuple[Preferences, tuple[FileProblem, ...]]:
    """Read the preferences; whatever cannot be used keeps its default and is reported.

    Args:
        path: The file; a missing one means all defaults.
    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Preferences(), ()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return Preferences(), (FileProblem(str(path), 0, f"cannot be read, so all defaults hold: {error}"),)
    preferences = Preferences()
    problems = []
    known = {field.name: type(getattr(preferences, field.name)) for field in fields(Preferences)}
    for name, value in values.items():
        if name == "prices":
            own, reason = _prices(value)
            preferences = replace(preferences, prices=(*own, *PRICES))
            problems += [FileProblem(str(path), 0, reason)] if reason else []
            continue
        reason = _problem(name, value, known)
        if reason:
            problems.append(FileProblem(str(path), 0, reason))
        else:
            preferences = replace(preferences, **{name: known[name](value)})
    return preferences, tuple(problems)


def _prices(value: object) -> tuple[tuple[Price, ...], str]:
    """Read ``[prices]``: a model name and its two prices a line; the second value says what is wrong."""
    found = []
    for model, pair in value.items() if isinstance(value, dict) else ((str(value), None),):
        numbers = [float(one) for one in pair if isinstance(one, int | float)] if isinstance(pair, list) else []
        if len(numbers) != 2 or min(numbers) < 0:
            return (), f"“{model}” in [prices] must be two numbers, US dollars a million tokens: [prompt, reply]"
        found.append(Price(model, *numbers))
    return tuple(found), ""


def _problem(name: str, value: object, known: dict[str, type]) -> str:
    if name not in known:
        return f"“{name}” is not a preference; known are {', '.join(sorted(known))}"
    kind = known[name]
    if kind is str:
        return "" if isinstance(value, str) and value.strip() else f"“{name}” must be a text"
    fits = isinstance(value, int | float if kind is float else int) and not isinstance(value, bool)
    if not fits or not isinstance(value, int | float) or not 0 <= value <= 86_400:
        return f"“{name}” must be a number from 0 to 86400"
    if name in {"parallel_plans", "history_limit"} and not 1 <= value <= 500:
        return f"“{name}” must be from 1 to 500"
    return ""
