"""What a pane without any agent offers: rehearse, set a persona up, or read agents from another directory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.ui.widgets.controls.verb_button import Kind

if TYPE_CHECKING:
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.surfaces.empty_state import Actions, EmptyState

KINDS = (Kind.UNREAL, Kind.PRIMARY, Kind.PLAIN)

translate = QCoreApplication.translate


def ways_of(context: PaneContext) -> Actions:
    """Return the ways that this run has; the sandbox needs none."""
    intents = context.intents
    if context.is_sandbox:
        return ()
    return (
        (translate("FirstWays", "Try the sandbox"), intents.start_sandbox.emit),
        (translate("FirstWays", "Create a persona and log in…"), intents.set_up_persona.emit),
        (translate("FirstWays", "Open a config directory…"), intents.open_config_directory.emit),
    )


def say_first_step(state: EmptyState, context: PaneContext) -> None:
    """Say that there is no agent, and what can be done about it."""
    step, ways = context.first_step, ways_of(context)
    lines = "\n".join(step.lines)
    if ways and not step.actions:
        state.say(step.title, lines, ways, kinds=KINDS)
    else:
        state.say(step.title, lines, step.actions)
