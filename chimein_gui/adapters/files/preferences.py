"""Reads `<state>/preferences.toml`, the operator's preferences."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from chimein_gui.adapters.files.texts import UnreadableFileError, read_toml
from chimein_gui.domain.agents import FileProblem
from chimein_gui.domain.costs import Price
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.files import FileReason
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.settings.rules import fitting, preference_problem

if TYPE_CHECKING:
    from pathlib import Path


_MOST = 10**9
"""Limit in US dollars per million tokens, above all real prices."""


def load_preferences(path: Path) -> tuple[Preferences, tuple[FileProblem, ...]]:
    """Read the preferences; invalid values keep their default and are reported.

    Args:
        path: The file; a missing one means all defaults.
    """
    try:
        values = read_toml(path)
    except UnreadableFileError as error:
        if _is_missing(path):
            return Preferences(), ()
        return Preferences(), (FileProblem(str(path), error.line, Note(FileReason.ALL_DEFAULTS, cause=error.note)),)
    found, problems = {}, []
    for name, raw in values.items():
        value, why = _prices(raw) if name == "prices" else (raw, None)
        why = why or preference_problem(name, value)
        if why is not None:
            problems.append(FileProblem(str(path), 0, why))
        else:
            found[name] = fitting(name, value)
    return replace(Preferences(), **found), tuple(problems)


def _is_missing(path: Path) -> bool:
    try:
        path.stat()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return False


def _prices(value: object) -> tuple[tuple[Price, ...], Note | None]:
    """Read ``[prices]``, a model and its prices per line; the second result says what is wrong.

    The prices are those of prompt and reply, then perhaps that of cached tokens, then perhaps a day.
    """
    found = []
    for model, entry in value.items() if isinstance(value, dict) else ((str(value), None),):
        parts = list(entry) if isinstance(entry, list) else []
        since = parts.pop() if parts and type(parts[-1]) is date else None
        numbers = [float(one) for one in parts if _is_number(one)]
        if len(numbers) != len(parts) or len(numbers) not in (2, 3) or min(numbers) < 0:
            return (), Note(FileReason.PRICE_PAIR, model)
        prompt, reply, *cached = numbers
        found.append(Price(model, prompt, reply, cached[0] if cached else None, since))
    return tuple(found), None


def _is_number(value: object) -> bool:
    """Return whether a value is a usable number; TOML also has nan, inf and integers beyond any float."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) if isinstance(value, float) else abs(value) < _MOST
