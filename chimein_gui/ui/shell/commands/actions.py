"""What a command of the window is, and the action made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
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
        handler: Name of the window's method, or of a part's, such as ``appearance.choose_scheme``; or a request.
        argument: Given to the handler where it is not empty.
        state: Name of what tells the chosen argument of a group of which one is chosen; empty for plain commands.
        menu: In which menu; empty for the top one.
        group: Menus put a line between groups.
        destructive: Undoes or ends something: never the first that the palette offers.
        also: Other words by which somebody may look for it in the palette.
    """

    action_id: str
    text: str
    shortcut: str
    icon: str
    handler: str | object
    argument: str = ""
    state: str = ""
    menu: str = ""
    group: int = 0
    destructive: bool = False
    also: str = ""


def handler_of(spec: ActionSpec, window: QWidget) -> Callable[..., object]:
    """Return what a command does."""
    if not isinstance(spec.handler, str):
        return partial(attrgetter("requests.send")(window), spec.handler)
    handler: Callable[..., object] = attrgetter(spec.handler)(window)
    return handler


def make_action(spec: ActionSpec, window: QWidget) -> QAction:
    """Return the QAction of a command; its handler is looked up when it is needed: some parts are made late."""
    action = QAction(spec.text, window)
    action.setObjectName(spec.action_id)
    action.setCheckable(bool(spec.state))
    if spec.shortcut:
        action.setShortcut(QKeySequence(spec.shortcut))
    arguments = (spec.argument,) if spec.argument else ()
    action.triggered.connect(lambda _checked=False: handler_of(spec, window)(*arguments))
    return action


def follow_states(specs: Iterable[ActionSpec], actions: dict[str, QAction], window: QWidget) -> None:
    """Check of each group what is chosen now."""
    for spec in specs:
        if spec.state:
            actions[spec.action_id].setChecked(str(attrgetter(spec.state)(window)) == spec.argument)
