"""Frozen dataclasses with many fields, made and changed quickly.

A frozen dataclass cannot simply set its fields, so Python's own looks each of them up by name: ten microseconds for the
snapshot of a planned send, and a plan makes a dozen of those. A class with slots has a setter for each field at hand.
"""

from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, fields
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

T = TypeVar("T")

if TYPE_CHECKING:
    from dataclasses import replace as replace
else:

    def replace(known: T, /, **changes: object) -> T:
        """Return a copy of a dataclass with some fields changed, as ``dataclasses.replace`` does, but quicker.

        That one looks at each field anew; a planned send has thirty, and each of its steps makes a copy.

        Raises:
            TypeError: It has no such field, or one that has no place in the call.
        """
        names, values_of = _reading(type(known))
        values = dict(zip(names, values_of(known), strict=True))
        values.update(changes)
        return type(known)(**values)


@cache
def _reading(kind: type[Any]) -> tuple[tuple[str, ...], Callable[[Any], tuple[object, ...]]]:
    """Return the names of the fields of a class, and what reads all of them."""
    names = tuple(place.name for place in fields(kind))
    if len(names) == 1:
        only = attrgetter(names[0])
        return names, lambda known: (only(known),)
    return names, attrgetter(*names) if names else lambda _known: ()


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
