"""The list of panes. To add one: a folder in ui/panes with a `SPEC`, and a line in `FOLDERS`.

A pane that only the sandbox has goes into `SANDBOX_FOLDERS`; a live run does not import it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chimein_gui.ui.pane import PaneSpec

FOLDERS = (
    "conversations",
    "approvals",
    "plans",
    "agents",
    "decisions",
    "upcoming",
    "costs",
    "context",
    "prompt",
    "sources",
    "media",
    "memory",
    "traces",
    "log",
    "preferences",
)
"""Folders of ui/panes, in the order of the rail."""

SANDBOX_FOLDERS = ("rehearsal",)


def _spec_of(folder: str) -> PaneSpec:
    spec: PaneSpec = import_module(f"chimein_gui.ui.panes.{folder}").SPEC
    return spec


PANES: tuple[PaneSpec, ...] = tuple(map(_spec_of, FOLDERS))


def panes_of(*, is_sandbox: bool) -> tuple[PaneSpec, ...]:
    """Return the panes of a run: the common ones, then in the sandbox also its own."""
    return (*PANES, *map(_spec_of, SANDBOX_FOLDERS)) if is_sandbox else PANES
