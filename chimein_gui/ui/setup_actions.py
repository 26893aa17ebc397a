"""What a pane shows while there is no agent: what it is for, and buttons for the first steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.ui.requests import OpenConfigDirectory, SetUpPersona, StartSandbox
from chimein_gui.ui.widgets.controls.action_button import Kind

if TYPE_CHECKING:
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.surfaces.empty_state import Actions, EmptyState

KINDS = (Kind.PRIMARY, Kind.PLAIN, Kind.LINK)

translate = QCoreApplication.translate


def setup_actions(context: PaneContext) -> Actions:
    """Return the buttons for setting up an agent, the sandbox, and a config directory; empty in the sandbox."""
    requests = context.requests
    if context.is_sandbox:
        return ()
    return (
        (translate("FirstWays", "Set up your first persona"), lambda: requests.send(SetUpPersona())),
        (translate("FirstWays", "Try the sandbox"), lambda: requests.send(StartSandbox())),
        (translate("FirstWays", "Open an existing folder…"), lambda: requests.send(OpenConfigDirectory())),
    )


def show_empty_state(state: EmptyState, context: PaneContext) -> None:
    """Show in an empty pane that there is no agent, with the buttons of `setup_actions` or of the first step itself."""
    step, buttons = context.empty_state, setup_actions(context)
    title, *lines = (translate("FirstStep", words) for words in (step.title, *step.lines))
    if buttons and not step.actions:
        state.say(title, "\n".join(lines), buttons, kinds=KINDS)
    else:
        state.say(title, "\n".join(lines), step.actions)
