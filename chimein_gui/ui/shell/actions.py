"""All commands of the window, as one list; menu and rail are made from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from chimein_gui.ui.widgets import icons
from chimein_gui.ui.widgets.pane import PaneSpec
from chimein_gui.ui.widgets.theme import Theme


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One command.

    Attributes:
        action_id: Stable id.
        text: English; translated in the context ``Actions``.
        shortcut: Key sequence, or empty.
        icon: Name of an icon.
        handler: Name of the window's method.
        argument: Given to the handler where it is not empty.
        checkable: It is a switch; the handler gets its state.
        group: Menus put a line between groups.
    """

    action_id: str
    text: str
    shortcut: str
    icon: str
    handler: str
    argument: str = ""
    checkable: bool = False
    group: int = 0


def all_actions(panes: Iterable[PaneSpec], *, is_sandbox: bool = False) -> tuple[ActionSpec, ...]:
    """Return every command: one for each pane, then the fixed ones, and what only the sandbox has."""
    rehearsing = (ActionSpec("pick_scenario", "Play a scenario…", "Ctrl+Shift+P", "play", "pick_scenario", group=1),)
    return (
        *(
            ActionSpec(f"show_{pane.pane_id}", pane.title, pane.shortcut, pane.icon, "show_pane", pane.pane_id)
            for pane in panes
        ),
        *(rehearsing if is_sandbox else ()),
        ActionSpec("hold", "Hold everything, or release", "F8", "hand", "toggle_hold", group=1),
        ActionSpec("next_pane", "Next pane", "F6", "panes", "focus_next_pane", group=1),
        ActionSpec("previous_pane", "Previous pane", "Shift+F6", "panes", "focus_previous_pane", group=1),
        ActionSpec("reset_layout", "Reset layout", "", "undo", "reset_layout", group=1),
        ActionSpec("dark", "Dark colours", "Ctrl+Shift+D", "moon", "set_dark", checkable=True, group=2),
        ActionSpec("quit", "Quit", "Ctrl+Q", "power", "close", group=3),
    )


def make_action(spec: ActionSpec, window: QWidget) -> QAction:
    """Return the QAction of a command, bound to the window's method."""
    action = QAction(QCoreApplication.translate("Actions", spec.text), window)
    action.setObjectName(spec.action_id)
    action.setCheckable(spec.checkable)
    if spec.shortcut:
        action.setShortcut(QKeySequence(spec.shortcut))
    handler: Callable[..., object] = getattr(window, spec.handler)
    if spec.checkable:
        action.toggled.connect(handler)
    elif spec.argument:
        action.triggered.connect(lambda _checked=False: handler(spec.argument))
    else:
        action.triggered.connect(lambda _checked=False: handler())
    return action


def make_menu(specs: Iterable[ActionSpec], actions: dict[str, QAction], theme: Theme, window: QWidget) -> QMenu:
    """Return a menu of all commands; its icons are drawn when it opens."""
    menu = QMenu(window)
    group = 0
    for spec in specs:
        if spec.group != group:
            menu.addSeparator()
            group = spec.group
        menu.addAction(actions[spec.action_id])

    def draw_icons() -> None:
        for spec in specs:
            actions[spec.action_id].setIcon(icons.icon(spec.icon, theme.color("text2"), 16))

    menu.aboutToShow.connect(draw_icons)
    return menu
