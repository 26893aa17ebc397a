"""Converts values of the sandbox's port to JSON and back, for the control channel.

Supported types: text, numbers, booleans, enums, tuples, dataclasses, and optional ones of these. Both ends use this
module, so it imports nothing else of ours.
"""

import types
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
_PLAIN = (str, int, float, bool)


def to_json(value: object) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Return a value of the port in a form for `json.dumps`.

    Raises:
        TypeError: The value has no supported type.
    """
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, _PLAIN):
        return value
    if isinstance(value, tuple | list):
        return [to_json(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"{type(value).__name__} does not cross the control channel")


def from_json(kind: type[T], data: object) -> T:
    """Return the value of type `kind` from the result of `to_json`.

    Raises:
        ValueError: `data` does not fit the type; the text says what and where.
    """
    value: T = _read(kind, data, kind.__name__)
    return value


def _read(kind: Any, data: object, place: str) -> Any:  # noqa: ANN401 - any type, any value
    if get_origin(kind) in {Union, types.UnionType}:
        return _read_optional(kind, data, place)
    if get_origin(kind) is tuple:
        return _read_tuple(kind, data, place)
    if is_dataclass(kind) and isinstance(kind, type):
        return _read_record(kind, data, place)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _read_choice(kind, data, place)
    return _read_plain(kind, data, place)


def _read_optional(kind: Any, data: object, place: str) -> Any:  # noqa: ANN401
    if data is None and type(None) in get_args(kind):
        return None
    (inner,) = (one for one in get_args(kind) if one is not type(None))
    return _read(inner, data, place)


def _read_tuple(kind: Any, data: object, place: str) -> tuple[Any, ...]:  # noqa: ANN401
    if not isinstance(data, list):
        raise ValueError(f"{place} is to be a list, not {data!r}")  # noqa: TRY004 - what came over the wire is a value
    inner = get_args(kind)[0]
    return tuple(_read(inner, item, f"{place}[{number}]") for number, item in enumerate(data))


def _read_record(kind: type, data: object, place: str) -> Any:  # noqa: ANN401
    if not isinstance(data, dict):
        raise ValueError(f"{place} is to be an object, not {data!r}")  # noqa: TRY004
    known = {field.name: field for field in fields(kind)}
    if strange := data.keys() - known.keys():
        raise ValueError(f"{place} has no {sorted(strange)[0]!r}")
    for name, field in known.items():
        if name not in data and field.default is MISSING and field.default_factory is MISSING:
            raise ValueError(f"{place} lacks {name!r}")
    hints = get_type_hints(kind)
    return kind(**{name: _read(hints[name], item, f"{place}.{name}") for name, item in data.items()})


def _read_choice(kind: type[Enum], data: object, place: str) -> Enum:
    try:
        return kind(data)
    except ValueError:
        choices = ", ".join(str(one.value) for one in kind)
        raise ValueError(f"{place} is {data!r}, and not one of {choices}") from None


def _read_plain(kind: Any, data: object, place: str) -> Any:  # noqa: ANN401
    """Return a plain value; an int is accepted as float, but no bool as int."""
    wanted = (int, float) if kind is float else (kind,)
    if type(data) not in wanted:
        raise ValueError(f"{place} is to be {kind.__name__}, not {data!r}")
    try:
        return float(data) if kind is float else data  # type: ignore[arg-type]
    except OverflowError:
        raise ValueError(f"{place} is beyond all numbers") from None
