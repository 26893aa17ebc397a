"""A screen reader's view of the program: only the QAccessible tree, its roles, names, states, actions and texts."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication

from chimein_gui import ui_driver as hand

MOST_CHILDREN = 300
"""Of one node: long lists are read row by row, not all at once."""

Role = QAccessible.Role


class Thing:
    """What is told of one node; each is asked for when it is needed: a window has hundreds of nodes.

    Attributes:
        node: The node itself; it lives only until the window changes.
        role: What it is.
        disabled: It cannot be used now.
        focusable: Keys can go there.
        checked: It is pressed, ticked or chosen.
    """

    def __init__(self, node: QAccessibleInterface, state: QAccessible.State) -> None:
        self.node = node
        self.role = node.role()
        self.disabled = bool(state.disabled)
        self.focusable = bool(state.focusable)
        self.checked = bool(state.checked or state.selected)

    @functools.cached_property
    def name(self) -> str:
        """What it is called, without the marks around foreign names."""
        return hand.seen(self.node.text(QAccessible.Text.Name))

    @functools.cached_property
    def description(self) -> str:
        """What else is said of it."""
        return hand.seen(self.node.text(QAccessible.Text.Description))


def things(root: QAccessibleInterface) -> Iterator[Thing]:
    """Everything that is in sight below a node, in the order it is read."""
    if not root.isValid():
        return
    state = root.state()
    if state.invisible:
        return
    yield Thing(root, state)
    for number in range(min(root.childCount(), MOST_CHILDREN)):
        child = root.child(number)
        if child is not None:
            yield from things(child)


class ScreenReader:
    """Reads and presses what the application tells of itself."""

    def all(self) -> Iterator[Thing]:
        """Everything in sight, window by window; what came last, such as a dialog or a menu, is read first."""
        QAccessible.setActive(True)  # a platform without a screen reader turns it off again
        running = QApplication.instance()
        assert running is not None
        application = QAccessible.queryAccessibleInterface(running)
        for number in reversed(range(application.childCount())):
            yield from things(application.child(number))

    def find(self, role: Role, beginning: str, *, usable: bool = True) -> Thing | None:
        """The thing of a role of this name, else the first whose name begins so; by default one that can be used."""
        same = [
            thing
            for thing in self.all()
            if thing.role == role and thing.name.startswith(beginning) and not (usable and thing.disabled)
        ]
        return next((thing for thing in same if thing.name == beginning), same[0] if same else None)

    def says(self, words: str) -> bool:
        """Tell whether these words are in the name of anything in sight."""
        return any(words in thing.name for thing in self.all())

    def row(self, *words: str) -> Thing | None:
        """The first row of a list or tree whose name holds all these words."""
        rows = (thing for thing in self.all() if thing.role in (Role.ListItem, Role.TreeItem))
        return next((thing for thing in rows if all(word in thing.name for word in words)), None)

    async def wait_for(self, role: Role, beginning: str) -> Thing:
        """Wait until it is there and can be used."""
        return await hand.until(f"{role.name} {beginning}", lambda: self.find(role, beginning))

    async def press(self, beginning: str, role: Role = Role.Button) -> None:
        """Do what a button does."""
        do(await self.wait_for(role, beginning), "Toggle" if role is Role.RadioButton else "Press")

    async def write(self, beginning: str, text: str) -> None:
        """Put a text in place of what stands in a field."""
        field: Thing = await self.wait_for(Role.EditableText, beginning)
        editor = field.node.editableTextInterface()
        length = field.node.textInterface().characterCount()
        editor.replaceText(0, length, text)


def do(thing: Thing, action: str) -> None:
    """Carry one of a thing's own actions out."""
    actions = thing.node.actionInterface()
    assert actions is not None, f"{thing.name} has no actions"
    assert action in actions.actionNames(), f"{thing.name} has only {actions.actionNames()}"
    actions.doAction(action)
