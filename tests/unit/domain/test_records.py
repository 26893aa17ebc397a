"""A record is a frozen dataclass in every respect but the time it takes to make one."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

import pytest

from chimein_gui.domain.records import record, replace


@record
class Quick:
    """For comparison."""

    number: int
    text: str = "nothing"
    names: list[str] = field(default_factory=list)
    more: dict[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Plain:
    """The same without."""

    number: int
    text: str = "nothing"
    names: list[str] = field(default_factory=list)
    more: dict[str, int] | None = None


CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1,), {}),
    ((1, "two"), {}),
    ((), {"number": 1, "more": {"a": 1}}),
    ((1,), {"names": ["x"], "text": ""}),
    ((1, "two", ["x"], None), {}),
]


@pytest.mark.parametrize(("values", "named"), CALLS)
def test_it_is_made_as_any_dataclass_is(values: tuple[Any, ...], named: dict[str, Any]) -> None:
    quick, plain = Quick(*values, **named), Plain(*values, **named)
    assert dataclasses.asdict(quick) == dataclasses.asdict(plain)
    assert repr(quick) == repr(plain).replace("Plain", "Quick")
    assert quick == Quick(*values, **named)
    assert dataclasses.replace(quick, number=5) == Quick(**{**dataclasses.asdict(quick), "number": 5})
    assert Quick(1).names is not Quick(1).names, "what a factory makes is not shared"
    with pytest.raises(dataclasses.FrozenInstanceError):
        quick.number = 2  # type: ignore[misc]


@record
class Single:
    """Of one field."""

    number: int


@pytest.mark.parametrize("known", [Quick(1, "two", ["x"]), Plain(1, "two", ["x"]), Single(1)])
def test_a_changed_copy_is_what_the_library_makes(known: Any) -> None:
    assert replace(known) == known
    changed = replace(known, number=5)
    assert changed == dataclasses.replace(known, number=5)
    assert type(changed) is type(known)
    assert known.number == 1
