"""The collector holds nothing up for long: counted in the objects that it looks at."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from chimein_gui.runtime import interpreter

MANY = 200_000


@pytest.fixture
def looks() -> Iterator[list[int]]:
    """How many objects each look of the collector has seen, with the settings of the program."""
    seen: list[int] = []
    before = gc.get_threshold()

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            seen.append(sum(len(gc.get_objects(young)) for young in range(info["generation"] + 1)))

    gc.collect()
    interpreter.set_up()
    gc.callbacks.append(note)
    yield seen
    gc.callbacks.remove(note)
    gc.set_threshold(*before)
    interpreter.unfreeze_heap()


def test_no_look_sees_many_objects_though_all_of_them_stay(looks):
    kept = [[number] for number in range(MANY)]
    assert len(looks) > MANY / 10_000
    assert max(looks) < 25_000
    assert len(kept) == MANY


def test_each_object_is_looked_at_once(looks):
    kept = [[number] for number in range(MANY)]
    assert sum(looks) < 1.2 * MANY
    assert len(kept) == MANY


def test_what_was_loaded_for_good_is_out_of_sight_without_a_look(looks):
    kept = [[number] for number in range(MANY)]
    looks.clear()
    interpreter.freeze_heap()
    assert looks == []
    gc.collect()
    assert max(looks) < 1_000 < gc.get_freeze_count()
    assert len(kept) == MANY


def test_what_a_full_look_leaves_is_out_of_sight_of_the_next(looks):
    interpreter.freeze_heap()
    kept = [[number] for number in range(MANY)]
    gc.collect()
    looks.clear()
    gc.collect()
    assert max(looks) < 1_000
    interpreter.unfreeze_heap()
    gc.collect()
    assert max(looks) > MANY
    assert len(kept) == MANY


class Ring:
    """Holds itself."""

    def __init__(self) -> None:
        self.itself = self


def test_what_was_out_of_sight_is_collected_once_it_is_in_sight_again(looks):
    interpreter.freeze_heap()
    ring = Ring()
    watched = weakref.ref(ring)
    gc.collect()
    del ring
    gc.collect()
    assert watched() is not None
    interpreter.unfreeze_heap()
    gc.collect()
    assert watched() is None
