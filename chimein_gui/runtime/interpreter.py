"""Interpreter settings for this program: many small objects, busy threads, a window that must not stutter."""

from __future__ import annotations

import builtins
import gc
import sys
from importlib import import_module

SWITCH_INTERVAL_S = 0.0005
"""The store's threads get no time while the loop is busy; this keeps a round trip at 12 ms."""

YOUNG_OBJECTS = 7_000
"""New objects before a collection. With 700, the default, it runs all the time and finds next to no garbage; with many
more, each collection would be a visible stutter: 10,000 objects take 7 ms in a storm."""

YOUNG_LOOKS, MIDDLE_LOOKS = -1, 2_150
"""Collections of one generation before the next is collected. Each collection is one of the middle generation, so that
it visits what is new and nothing else: nearly all of that stays, and a second look at it finds next to nothing.
A full collection runs once in 15 million new objects. It would visit all that a day has brought, which takes 100 ms for
380 MiB, and finds some hundred objects; `freeze_heap` lets each visit only what is new since the last."""


_FULL = 2
"""The generation of a full collection."""


def set_up() -> None:
    """Set the thread switch interval and the garbage collector's thresholds; call once, before anything else."""
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    gc.set_threshold(YOUNG_OBJECTS, YOUNG_LOOKS, MIDDLE_LOOKS)


def disable_gc_for_startup() -> None:
    """Speed up the start; call before any Qt import, and call `enable_gc` once the window is painted.

    What is imported and built at the start is never freed: collecting it takes a tenth of the time to the window.
    PySide hooks into every import and reads each module's source text only to see whether it uses ``__feature__``,
    which no module here does: that takes another tenth, and the text stays in memory.
    """
    gc.disable()
    plain = builtins.__import__
    import_module("PySide6.QtCore")
    builtins.__import__ = plain


def enable_gc() -> None:
    """Turn the garbage collector on again."""
    gc.enable()


def freeze_heap() -> None:
    """Exclude all objects loaded so far from garbage collection; call when the start is complete.

    There is no collection first: it would block the loop for 60 to 100 ms and free only some hundred objects. What each
    full collection leaves is excluded as well, until `unfreeze_heap`.
    """
    gc.freeze()
    if _freeze_survivors not in gc.callbacks:
        gc.callbacks.append(_freeze_survivors)


def unfreeze_heap() -> None:
    """Let full collections visit everything again."""
    if _freeze_survivors in gc.callbacks:
        gc.callbacks.remove(_freeze_survivors)
    gc.unfreeze()


def _freeze_survivors(phase: str, info: dict[str, int]) -> None:
    if phase == "stop" and info["generation"] == _FULL:
        gc.freeze()
