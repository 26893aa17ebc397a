"""Frozen dataclasses with many fields, made quickly.

A frozen dataclass cannot simply set its fields, so Python's own looks each of them up by name: ten microseconds for the
snapshot of a planned send, and a plan makes a dozen of those. A class with slots has a setter for each field at hand.
"""

from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, fields
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def record(cls: type[T]) -> type[T]:
    """Make a class what ``@dataclass(frozen=True, slots=True)`` makes of it, but quicker to make objects of.

    Raises:
        TypeError: It has a field of a kind that is not needed here: without a place in the call, or by keyword only.
    """
    made = dataclass(frozen=True, slots=True)(cls)
    type.__setattr__(made, "__init__", _quick_init(made))
    return made


def _quick_init(made: type[Any]) -> Callable[..., None]:
    """Return an ``__init__`` that sets each field through its slot."""
    places = fields(made)
    if hasattr(made, "__post_init__") or any(not place.init or place.kw_only for place in places):
        raise TypeError(f"{made.__name__} has a field that a record can't have")
    known: dict[str, Any] = {"_missing": MISSING}
    parameters, lines = [], []
    for place in places:
        name, value = place.name, place.name
        known[f"_set_{name}"] = getattr(made, name).__set__
        parameters.append(name + _default(place, known))
        if place.default_factory is not MISSING:
            value = f"_default_{name}() if {name} is _missing else {name}"
        lines.append(f"  _set_{name}(self, {value})")
    source = f"def __init__(self, {', '.join(parameters)}):\n" + "\n".join(lines)
    # As dataclasses do it: the names are those of the class's own fields.
    exec(source, known)
    init: Callable[..., None] = known["__init__"]
    init.__qualname__ = f"{made.__qualname__}.__init__"
    init.__annotations__ = {place.name: place.type for place in places} | {"return": None}
    return init


def _default(place: Field[Any], known: dict[str, Any]) -> str:
    """Return what stands behind a parameter's name, and make the value known."""
    if place.default_factory is not MISSING:
        known[f"_default_{place.name}"] = place.default_factory
        return "=_missing"
    if place.default is MISSING:
        return ""
    known[f"_default_{place.name}"] = place.default
    return f"=_default_{place.name}"
