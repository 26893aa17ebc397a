"""What a command of the window is, and the action made of it."""

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
        run: Does it.
        is_chosen: Tells whether it is the chosen one of a group of which one is chosen; None for plain commands.
        menu: In which menu; empty for the top one.
        group: Menus put a line between groups.
        destructive: Undoes or ends something: never the first that the palette offers.
        also: Other words by which somebody may look for it in the palette.
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
    """Check of each group what is chosen now."""
    for spec in specs:
        if spec.is_chosen is not None:
            actions[spec.action_id].setChecked(spec.is_chosen())
