"""Dataclasses with a quick `__init__` behave like those without."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, InitVar, astuple, dataclass, field, replace
from typing import Any

import pytest

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.quick_init import quick_init


@dataclass(frozen=True, slots=True)
class Plain:
    name: str
    count: int = 3
    seen: list[str] = field(default_factory=list, compare=False)
    note: str | None = field(default=None, repr=False)


@quick_init
@dataclass(frozen=True, slots=True)
class Quick:
    name: str
    count: int = 3
    seen: list[str] = field(default_factory=list, compare=False)
    note: str | None = field(default=None, repr=False)


def test_it_takes_the_same_arguments_and_has_the_same_values() -> None:
    for made in (
        lambda kind: kind("a"),
        lambda kind: kind("a", 4, ["x"], note="n"),
        lambda kind: kind(count=1, name="b"),
    ):
        quick, plain = made(Quick), made(Plain)
        assert type(quick) is Quick
        assert repr(quick) == repr(plain).replace("Plain", "Quick")
        assert astuple(quick) == astuple(plain)
    assert [*inspect.signature(Quick).parameters] == [*inspect.signature(Plain).parameters]
    assert Quick("a").seen is not Quick("a").seen
    mistakes: list[Callable[[Any], Any]] = [
        lambda kind: kind(),
        lambda kind: kind("a", colour=1),
        lambda kind: kind("a", 1, [], None, 5),
    ]
    for wrong in mistakes:
        for kind in (Quick, Plain):
            with pytest.raises(TypeError, match="__init__"):
                wrong(kind)


def test_it_is_frozen_and_equal_by_value() -> None:
    one = Quick("a", seen=["x"])
    with pytest.raises(FrozenInstanceError):
        one.count = 5  # type: ignore[misc] # that is what is tested
    with pytest.raises(AttributeError):
        object.__setattr__(one, "colour", 1)
    assert one == Quick("a") != replace(one, count=4)
    assert hash(one) == hash(Quick("a"))
    assert copy.copy(one) == copy.deepcopy(one) == pickle.loads(pickle.dumps(one)) == one


def test_what_it_can_not_make_is_refused() -> None:
    @dataclass
    class Thawed:
        name: str

    @dataclass(frozen=True, slots=True)
    class Checked:
        name: str

        def __post_init__(self) -> None:
            """Check."""

    @dataclass(frozen=True, slots=True)
    class Named:
        name: str = field(kw_only=True)

    @dataclass(frozen=True, slots=True)
    class Longer(Plain):
        more: int = 0

    class Base:
        __slots__ = ()

    @dataclass(frozen=True, slots=True)
    class Based(Base):
        name: str

    @dataclass(slots=True)
    class SlottedThawed:
        name: str

    @dataclass(frozen=True, slots=True)
    class Shown:
        name: str
        width: InitVar[int]

    kinds: list[type[Any]] = [int, Thawed, SlottedThawed, Checked, Named, Longer, Based, Shown]
    for kind in kinds:
        with pytest.raises(TypeError, match=r"quickly|plain"):
            quick_init(kind)
    with pytest.raises(TypeError, match="derived"):
        type("Derived", (Quick,), {"__slots__": ()})


def test_a_card_is_made_without_a_call_for_each_field() -> None:
    assert "__setattr__" not in Approval.__init__.__code__.co_names
