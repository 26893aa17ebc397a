"""What a pane without any agent offers: rehearse, set a persona up, or read agents from another directory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.ui.requests import OpenConfigDirectory, SetUpPersona, StartSandbox
from chimein_gui.ui.widgets.controls.verb_button import Kind

if TYPE_CHECKING:
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.surfaces.empty_state import Actions, EmptyState

KINDS = (Kind.UNREAL, Kind.PRIMARY, Kind.PLAIN)

translate = QCoreApplication.translate


def ways_of(context: PaneContext) -> Actions:
    """Return the ways that this run has; the sandbox needs none."""
    requests = context.requests
    if context.is_sandbox:
        return ()
    return (
        (translate("FirstWays", "Try the sandbox"), lambda: requests.send(StartSandbox())),
        (translate("FirstWays", "Create a persona and log in…"), lambda: requests.send(SetUpPersona())),
        (translate("FirstWays", "Open a config directory…"), lambda: requests.send(OpenConfigDirectory())),
    )


def say_first_step(state: EmptyState, context: PaneContext) -> None:
    """Say that there is no agent, and what can be done about it."""
    step, ways = context.first_step, ways_of(context)
    lines = "\n".join(step.lines)
    if ways and not step.actions:
        state.say(step.title, lines, ways, kinds=KINDS)
    else:
        state.say(step.title, lines, step.actions)
