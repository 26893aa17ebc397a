"""How the interpreter is set for this program: many small objects, busy threads, a window that must not stutter."""

from __future__ import annotations

import builtins
import gc
import sys
from importlib import import_module

SWITCH_INTERVAL_S = 0.0005
"""Answers of the store's threads starve while the loop is busy; this keeps a round trip at 12 ms."""

YOUNG_OBJECTS = 5_000
"""New objects before the collector looks: 700 (the default) has it running all the time for next to no garbage, and
many more would make each look a stutter."""

YOUNG_LOOKS, MIDDLE_LOOKS = 2, 1_000
"""So many looks at one generation before the next is looked at. At a start with thousands of rows all new objects stay,
and a look at the middle generation sees all that came since the last one: 20,000 of them take 7 ms, and 70,000 took 25.
All objects are looked at once in 15 million new ones."""


def set_up() -> None:
    """Set thread switching and the collector; call once, first of all."""
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    gc.set_threshold(YOUNG_OBJECTS, YOUNG_LOOKS, MIDDLE_LOOKS)


def disable_gc_for_startup() -> None:
    """Speed the start up; call before anything of Qt is imported, and `enable_gc` once the window is painted.

    What is imported and built at the start stays for good: to look through it takes a tenth of the time to the window.
    PySide hooks itself into every import, and reads the source text of each module only to see whether it asks for
    ``__feature__``, which none of ours does: another tenth, and the text of everything stays in memory.
    """
    gc.disable()
    plain = builtins.__import__
    import_module("PySide6.QtCore")
    builtins.__import__ = plain


def enable_gc() -> None:
    """Let the collector look again."""
    gc.enable()


def freeze_heap() -> None:
    """Take everything that was loaded for good out of the collector's sight; call when the program is up.

    Nothing is collected before: to look through it would hold the loop up for 60 to 100 ms, for some hundred objects.
    """
    gc.freeze()
