"""How the interpreter is set for this program: many small objects, busy threads, a window that must not stutter."""

from __future__ import annotations

import builtins
import gc
import sys
from importlib import import_module

SWITCH_INTERVAL_S = 0.0005
"""Answers of the store's threads starve while the loop is busy; this keeps a round trip at 12 ms (FACTS, qasync)."""

YOUNG_OBJECTS = 10_000
"""New objects before the collector looks: 700 (the default) has it running all the time for next to no garbage, and
many more would make each look a stutter."""

YOUNG_LOOKS, MIDDLE_LOOKS = 5, 200
"""So many looks at one generation before the next is looked at: with 20 young ones between, a look at the middle one
held everything up for two to three times as long. All objects are looked at as seldom as with 20 and 50."""


def set_up() -> None:
    """Set thread switching and the collector; call once, first of all."""
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    gc.set_threshold(YOUNG_OBJECTS, YOUNG_LOOKS, MIDDLE_LOOKS)


def hurry() -> None:
    """Take two brakes off the start; call before anything of Qt is imported, and `ease` when the window is painted.

    What is imported and built at the start stays for good: to look through it takes a tenth of the time to the window.
    PySide hooks itself into every import, and reads the source text of each module only to see whether it asks for
    ``__feature__``, which none of ours does: another tenth, and the text of everything stays in memory.
    """
    gc.disable()
    plain = builtins.__import__
    import_module("PySide6.QtCore")
    builtins.__import__ = plain


def ease() -> None:
    """Let the collector look again."""
    gc.enable()


def settle() -> None:
    """Take everything that was loaded for good out of the collector's sight; call when the program is up."""
    gc.collect()
    gc.freeze()
