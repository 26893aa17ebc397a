"""Rows all of whose fields are unlike their defaults, so that a test sees each of them come back from the file."""

from dataclasses import fields, is_dataclass, replace
from datetime import datetime, time
from enum import Enum
from itertools import count
from types import NoneType, UnionType
from typing import Any, NewType, TypeVar, Union, get_args, get_origin, get_type_hints

from tests.unit.adapters.store.builders import later

T = TypeVar("T")

_numbers = count(2**40)


def filled(kind: type[T], **given: Any) -> T:
    """Make a row of this kind; what is not given is made up."""
    return kind(**{name: _made(hint, (kind,)) for name, hint in _hints(kind).items() if name not in given}, **given)


def changed(row: T, *kept: str) -> T:
    """Return the row with other values in all fields but those that are named."""
    made = {name: _made(hint, (type(row),)) for name, hint in _hints(type(row)).items() if name not in kept}
    return replace(row, **made)  # type: ignore[type-var]


def _hints(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    names = [one.name for one in fields(kind)] if is_dataclass(kind) else kind._fields
    return {name: hints[name] for name in names}


def _made(hint: Any, inside: tuple[Any, ...]) -> Any:
    """Make a value of a type; what a row would hold of its own kind is left out."""
    kinds = [one for one in get_args(hint) if one not in (NoneType, Ellipsis)]
    if get_origin(hint) in {Union, UnionType}:
        return None if kinds[0] in inside else _made(kinds[0], inside)
    if get_origin(hint) in {tuple, frozenset}:
        return get_origin(hint)(_made(one, inside) for one in kinds)
    if isinstance(hint, NewType):
        return _made(hint.__supertype__, inside)
    if is_dataclass(hint) or hasattr(hint, "_fields"):
        return hint(**{name: _made(of, (*inside, hint)) for name, of in _hints(hint).items()})
    return _plain(hint)


def _plain(kind: Any) -> Any:
    number = next(_numbers)
    if issubclass(kind, Enum):
        return list(kind)[-1]
    return {
        bool: True,
        int: number,
        float: number + 0.5,
        str: f"text {number}",
        bytes: str(number).encode(),
        datetime: later(number % 10**6),
        time: time(22, number % 60),
    }[kind]
