"""A command of the window as data, and the QAction made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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


def make_action(spec: ActionSpec, window: QWidget) -> QAction:
    """Return the QAction of a command."""
    action = QAction(spec.text, window)
    action.setObjectName(spec.action_id)
    action.setCheckable(spec.is_chosen is not None)
    if spec.shortcut:
        action.setShortcut(QKeySequence(spec.shortcut))
    action.triggered.connect(lambda _checked=False: spec.run())
    return action


def follow_states(specs: Iterable[ActionSpec], actions: dict[str, QAction]) -> None:
    """Check the chosen command of each group."""
    for spec in specs:
        if spec.is_chosen is not None:
            actions[spec.action_id].setChecked(spec.is_chosen())
