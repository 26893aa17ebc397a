"""The check list of the sandbox: long enough, no entry twice, each with another side."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

_LEAST = 100
_TESTS = Path(__file__).parent.parent
_PLACES = ("sandbox", "e2e", "unit/adapters/telegram")
"""Where a real client and the sandbox's server meet: bare Telethon, the whole program, the Telegram adapter."""


def _entries() -> Iterator[tuple[str, ...]]:
    """Read the marks from the test modules themselves, so that a selection of tests makes the list no shorter."""
    for path in sorted(path for place in _PLACES for path in (_TESTS / place).rglob("test_*.py")):
        module = ".".join(("tests", *path.relative_to(_TESTS).with_suffix("").parts))
        yield from _entries_of(import_module(module))


def _entries_of(module: ModuleType) -> Iterator[tuple[str, ...]]:
    tests = (test for name, test in vars(module).items() if name.startswith("test_"))
    marks = [mark for test in tests for mark in getattr(test, "pytestmark", ())]
    cases = [case for mark in marks if mark.name == "parametrize" for case in mark.args[1]]
    marks += [mark for case in cases for mark in getattr(case, "marks", ())]
    return (mark.args for mark in marks if mark.name == "operation")


def test_there_are_enough_entries():
    assert len({name for name, *_ in _entries()}) >= _LEAST
