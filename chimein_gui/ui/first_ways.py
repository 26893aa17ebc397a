"""What a pane without any agent offers: set a persona up, rehearse, or read agents from another directory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.ui.requests import OpenConfigDirectory, SetUpPersona, StartSandbox
from chimein_gui.ui.widgets.controls.verb_button import Kind

if TYPE_CHECKING:
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.surfaces.empty_state import Actions, EmptyState

KINDS = (Kind.PRIMARY, Kind.PLAIN, Kind.LINK)

translate = QCoreApplication.translate


def ways_of(context: PaneContext) -> Actions:
    """Return the ways that this run has; the sandbox needs none."""
    requests = context.requests
    if context.is_sandbox:
        return ()
    return (
        (translate("FirstWays", "Set up your first persona"), lambda: requests.send(SetUpPersona())),
        (translate("FirstWays", "Try the sandbox"), lambda: requests.send(StartSandbox())),
        (translate("FirstWays", "Open an existing folder…"), lambda: requests.send(OpenConfigDirectory())),
    )


def say_first_step(state: EmptyState, context: PaneContext) -> None:
    """Say that there is no agent, and what can be done about it."""
    step, ways = context.first_step, ways_of(context)
    title, *lines = (translate("FirstStep", words) for words in (step.title, *step.lines))
    if ways and not step.actions:
        state.say(title, "\n".join(lines), ways, kinds=KINDS)
    else:
        state.say(title, "\n".join(lines), step.actions)
