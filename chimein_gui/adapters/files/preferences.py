"""`<state>/preferences.toml`: what the operator has adjusted (SPEC §2)."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.agents import FileProblem
from chimein_gui.domain.costs import Price
from chimein_gui.domain.preference_rules import fitting, preference_problem
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
    found, problems = {}, []
    for name, raw in values.items():
        value, reason = _prices(raw) if name == "prices" else (raw, "")
        reason = reason or preference_problem(name, value)
        if reason:
            problems.append(FileProblem(str(path), 0, reason))
        else:
            found[name] = fitting(name, value)
    return replace(Preferences(), **found), tuple(problems)


def _prices(value: object) -> tuple[tuple[Price, ...], str]:
    """Read ``[prices]``: a model name and its two prices a line; the second value says what is wrong."""
    found = []
    for model, pair in value.items() if isinstance(value, dict) else ((str(value), None),):
        numbers = [float(one) for one in pair if isinstance(one, int | float)] if isinstance(pair, list) else []
        if len(numbers) != 2 or min(numbers) < 0:
            return (), f"“{model}” in [prices] must be two numbers, US dollars a million tokens: [prompt, reply]"
        found.append(Price(model, *numbers))
    return tuple(found), ""
