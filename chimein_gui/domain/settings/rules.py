"""Allowed values of each preference, and what is wrong with others, by name."""

from __future__ import annotations

import math
import re
from dataclasses import fields
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from chimein_gui.domain.costs import PRICES, Price
from chimein_gui.domain.memory.embedding import Embedding
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.files import FileReason
from chimein_gui.domain.settings.preferences import Preferences

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

DEFAULTS = Preferences()

KINDS: Mapping[str, type] = {one.name: type(getattr(DEFAULTS, one.name)) for one in fields(Preferences)}
"""The type of each preference."""

LIMITS: Mapping[str, tuple[float, float]] = {
    "parallel_plans": (1, 500),
    "history_limit": (1, 500),
    "tick_s": (0.1, 60),
    "descriptions_per_tick": (0, 1_000),
    "keep_days": (1, 3_650),
    "keep_mb": (10, 1_000_000),
}
"""Smallest and largest value of numbers whose range is not 0 to `MOST`."""

MOST = 86_400
"""A day in seconds; no preference needs more."""

MODEL_NAME = re.compile(r"[A-Za-z0-9][\w.\-/]{0,99}", re.ASCII)
"""Form of model names; only the service knows which exist."""

TIME_OF_DAY = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]", re.ASCII)

TIMES_OF_DAY = frozenset({"notify_quiet_from", "notify_quiet_to"})
"""Texts that are times of day, not names of models."""


def preference_problem(name: str, value: object) -> Note | None:
    """Return why a value can't be used; None if it can.

    Args:
        name: As in `Preferences`.
        value: The value for `Preferences`; an int is accepted for a float, a list for a tuple.
    """
    if name not in KINDS:
        return Note(FileReason.NO_PREFERENCE, name, more=", ".join(sorted(KINDS)))
    check = _CHECKS.get(name)
    if check is not None:
        return check(value)
    if KINDS[name] is bool:
        return None if isinstance(value, bool) else Note(FileReason.TRUE_OR_FALSE, name)
    if KINDS[name] is str:
        return _text_problem(name, value)
    least, most = LIMITS.get(name, (0, MOST))
    if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
        return Note(FileReason.NUMBER_BETWEEN, name, int(most), more=f"{least:g}")
    return None if KINDS[name] is float or isinstance(value, int) else Note(FileReason.WHOLE_NUMBER, name)


def fitting(name: str, value: object) -> Any:  # noqa: ANN401 - of the type of the field
    """Return a valid value in the type that `Preferences` has."""
    if name == "prices" and isinstance(value, list | tuple):
        return (*own_prices(value), *PRICES)
    if name == "config_dirs" and isinstance(value, list | tuple):
        return tuple(value)
    return KINDS[name](value)


def own_prices(prices: Sequence[Price]) -> tuple[Price, ...]:
    """Return the operator's own prices: those that are not in the vendor's list."""
    return tuple(price for price in prices if price not in PRICES)


def _text_problem(name: str, value: object) -> Note | None:
    if name in TIMES_OF_DAY:
        fits = isinstance(value, str) and TIME_OF_DAY.fullmatch(value)
        return None if fits else Note(FileReason.TIME_OF_DAY, name)
    fits = isinstance(value, str) and MODEL_NAME.fullmatch(value)
    return None if fits else Note(FileReason.NAME_OF_MODEL, name, more=DEFAULTS.model)


def _embedding_problem(value: object) -> Note | None:
    if isinstance(value, str) and value in set(Embedding):
        return None
    return Note(FileReason.ONE_OF, ", ".join(Embedding))


def _model_dir_problem(value: object) -> Note | None:
    if isinstance(value, str) and (not value.strip() or _is_whole_path(value.strip())):
        return None
    return Note(FileReason.WHOLE_PATHS, "memory_model_dir")


def _is_whole_path(value: str) -> bool:
    return value.isprintable() and (value.startswith("~") or PurePath(value).is_absolute())


def _directories_problem(value: object) -> Note | None:
    no_paths = Note(FileReason.WHOLE_PATHS, "config_dirs")
    if not isinstance(value, list | tuple):
        return no_paths
    for one in value:
        if not isinstance(one, str) or not _is_whole_path(one):
            return no_paths
    return Note(FileReason.FOLDER_TWICE, "config_dirs") if len(set(value)) != len(value) else None


def _prices_problem(value: object) -> Note | None:
    if not isinstance(value, list | tuple) or not all(isinstance(one, Price) for one in value):
        return Note(FileReason.LIST_OF_PRICES, "prices")
    for one in value:
        numbers = (one.prompt, one.reply, one.cached or 0.0)
        if not one.model.strip() or not all(math.isfinite(number) and number >= 0 for number in numbers):
            return Note(FileReason.PRICE_BELOW_NOTHING, one.model)
    return None


_CHECKS: Mapping[str, Callable[[object], Note | None]] = {
    "prices": _prices_problem,
    "config_dirs": _directories_problem,
    "memory_embedding": _embedding_problem,
    "memory_model_dir": _model_dir_problem,
}
