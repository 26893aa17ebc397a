"""Selects the messages of a chat that a prompt contains. The only package below the engine that may import numpy.

See docs/behaviour.md, "Choosing the messages".

The row types are imported at once. Modules that need numpy are imported on first use, so that the window starts faster.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from chimein_gui.domain.context.rows import HISTORY, Choice, HistoryRow, Reason, union

if TYPE_CHECKING:
    from chimein_gui.domain.context.explain import explain_link
    from chimein_gui.domain.context.links.model import LinkModel
    from chimein_gui.domain.context.parents import likely_parents
    from chimein_gui.domain.context.prepared import Prepared, prepare, prepare_all, prepare_trigger
    from chimein_gui.domain.context.selection import select_context

__all__ = [
    "HISTORY",
    "Choice",
    "HistoryRow",
    "LinkModel",
    "Prepared",
    "Reason",
    "explain_link",
    "likely_parents",
    "prepare",
    "prepare_all",
    "prepare_trigger",
    "select_context",
    "union",
]

_HOMES = {
    "LinkModel": "links.model",
    "Prepared": "prepared",
    "explain_link": "explain",
    "likely_parents": "parents",
    "prepare": "prepared",
    "prepare_all": "prepared",
    "prepare_trigger": "prepared",
    "select_context": "selection",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
