"""An operator who has only what arrives over the accessibility bus: roles, names, states, actions, texts, values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from tests.e2e.ten_drafts import TALKS

if TYPE_CHECKING:
    from tests.e2e.bus.door import Door
    from tests.support.accessibility_bus import BusReader, Node

T = TypeVar("T")

ROWS = ("list item", "table cell", "tree item")
CHOICES = ("check box", "radio button", "page tab", "toggle button")
BUTTONS = ("push button", "toggle button", "page tab")
MENU_ITEMS = ("menu item", "check menu item", "radio menu item")
UNSPOKEN = ("filler", "unknown", "panel", "layered pane", "scroll pane")
"""Roles whose name no reader of a card meets: it goes from one text to the next."""


def use(thing: Node) -> None:
    """Do what is done with it: choices are toggled, all else is pressed."""
    actions = thing.actions()
    wanted = next((one for one in ("Press", "Toggle") if one in actions), None)
    assert wanted is not None, f"{thing.role} {thing.name} has only {actions}"
    thing.act(wanted)


class Operator:
    """Reads, presses and writes.

    Attributes:
        reader: What the bus tells.
        door: What is true within and at the other end.
    """

    def __init__(self, reader: BusReader, door: Door) -> None:
        self.reader, self.door = reader, door

    # -- reading

    def all(self, roles: tuple[str, ...], beginning: str = "", *, usable: bool = True) -> list[Node]:
        """Everything in sight of some roles, whose name begins so; by default what can be used."""
        return [one for one in self.reader.search(roles, beginning) if "sensitive" in one.states or not usable]

    def find(self, roles: tuple[str, ...], beginning: str, *, usable: bool = True) -> Node | None:
        """The one that is called so, else the first whose name begins so."""
        same = self.all(roles, beginning, usable=usable)
        return next((one for one in same if one.name == beginning), same[0] if same else None)

    def row(self, *words: str) -> Node | None:
        """The first row whose name holds all these words."""
        return next((one for one in self.all(ROWS) if all(word in one.name for word in words)), None)

    def below(self, roles: tuple[str, ...], beginning: str) -> list[Node]:
        """Everything in sight below the first thing of this name."""
        top = self.find(roles, beginning)
        return [] if top is None else top.below()

    def words_of(self, nodes: list[Node]) -> str:
        """What a reader gets of these who goes from one to the next: names of what is no mere container, and texts."""
        told = []
        for one in nodes:
            if one.role not in UNSPOKEN:
                told.append(one.name)
            if (text := one.text()) is not None:
                told.append(text)
        return "\n".join(told)

    # -- acting

    def until(self, what: str, told: Callable[[], T | None]) -> T:
        return self.reader.until(what, told)

    def wait_for(self, roles: tuple[str, ...], beginning: str) -> Node:
        return self.until(f"{roles[0]} “{beginning}”", lambda: self.find(roles, beginning))

    def press(self, beginning: str, roles: tuple[str, ...] = BUTTONS) -> None:
        use(self.wait_for(roles, beginning))

    def choose(self, beginning: str) -> None:
        """Take one of several choices, or tick a box."""
        use(self.wait_for(CHOICES, beginning))

    def write(self, beginning: str, text: str) -> Node:
        field = self.wait_for(("text",), beginning)
        field.write(text)
        return field

    def take(self, beginning: str) -> None:
        """Take an item of the menu that is open."""
        use(self.wait_for(MENU_ITEMS, beginning))

    # -- what a talk needs

    @staticmethod
    def who(partner: str) -> str:
        return f"{TALKS[partner][0]} to {partner}"

    def mailbox(self, partner: str) -> list[str]:
        told: list[str] = self.door.ask("mailbox", partner=partner)
        return told

    def draft(self, partner: str, status: str = "Waits for you") -> Node | None:
        """The row of a draft."""
        return self.row(f"{self.who(partner)}, {status}")

    def speak(self, partner: str, words: str) -> None:
        """Write as the partner, in the chat that is open."""
        talk = f"{partner} to {TALKS[partner][0]}"
        self.write(f"Write as {talk}", words)
        self.press(f"Send as {talk}")

    def choose_draft(self, partner: str) -> str:
        """Choose the row of the draft that waits. Returns its name."""
        row = self.until(f"the draft for {partner}", lambda: self.draft(partner))
        row.act("Toggle")
        self.until("the actions of its card", lambda: self.find(("push button",), f"Approve: {self.who(partner)}"))
        return row.name
