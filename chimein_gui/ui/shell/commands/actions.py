"""A command of the window as data, and the QActions made of all commands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QKeySequence

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One command.

    Attributes:
        action_id: Stable id.
        text: In the operator's language.
        shortcut: Key sequence, or empty.
        icon: Name of an icon.
        run: Executes the command.
        is_chosen: Tells whether this is the checked one of a group; None for commands that can't be checked.
        menu: Name of its menu; empty for the top one.
        group: Menus have a separator between groups.
        destructive: It undoes or ends something, so the palette never lists it first.
        also: Further search words for the palette.
    """

    action_id: str
    text: str
    shortcut: str
    icon: str
    run: Callable[[], object]
    is_chosen: Callable[[], bool] | None = None
    menu: str = ""
    group: int = 0
    destructive: bool = False
    also: str = ""


class Commands:
    """The commands of the window.

    Attributes:
        specs: All commands.
        actions_by_id: The QActions that are made of them.
    """

    def __init__(self, specs: tuple[ActionSpec, ...], window: QWidget) -> None:
        self.specs = specs
        self.actions_by_id = {spec.action_id: _make_action(spec, window) for spec in specs}
        window.addActions(list(self.actions_by_id.values()))
        self.follow_states()

    def action(self, action_id: str) -> QAction:
        """Return the QAction of a command."""
        return self.actions_by_id[action_id]

    def follow_states(self) -> None:
        """Check the chosen command of each group."""
        for spec in self.specs:
            if spec.is_chosen is not None:
                self.actions_by_id[spec.action_id].setChecked(spec.is_chosen())


def _make_action(spec: ActionSpec, window: QWidget) -> QAction:
    action = QAction(spec.text, window)
    action.setObjectName(spec.action_id)
    action.setCheckable(spec.is_chosen is not None)
    if spec.shortcut:
        action.setShortcut(QKeySequence(spec.shortcut))
    action.triggered.connect(lambda _checked=False: spec.run())
    return action
