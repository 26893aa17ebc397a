"""Reads a program over the accessibility bus again and again, as a screen reader does; for the system's Python.

python3 bus_walk.py SECONDS: prints what was met, as one object of JSON.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import gi  # type: ignore[import-not-found,import-untyped,unused-ignore]

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: E402

NAME = "chimein"


class Reader:
    """Walks the whole tree, and asks of everything that it hears of where it stands.

    Attributes:
        walks: How often it has been through.
        nodes: How many things it met.
        heard: How many events it heard.
        gone: How many things were gone when it asked for them.
        longest_s: How long the slowest single answer took.
        slowest: What was asked then.
    """

    def __init__(self) -> None:
        self.walks = self.nodes = self.heard = self.gone = 0
        self.longest_s, self.slowest = 0.0, ""
        self._events = GLib.MainContext.default()
        self._listener = Atspi.EventListener.new(self._hear)
        for kind in ("object:", "window:", "focus:"):
            self._listener.register(kind)

    def walk(self) -> None:
        """Read everything once."""
        desktop = Atspi.get_desktop(0)
        ours = [desktop.get_child_at_index(number) for number in range(desktop.get_child_count())]
        todo = [one for one in ours if one is not None and one.get_name() == NAME]
        self.walks += len(todo)
        for application in todo:
            application.set_cache_mask(Atspi.Cache.NONE)
        while todo:
            node = todo.pop()
            if node is not None:
                self.nodes += 1
                self._read(node, todo)
            while self._events.iteration(False):
                pass

    def _read(self, node: Any, todo: list[Any]) -> None:
        try:
            ask = self._ask
            name = ask("name", node.get_name)
            ask("states", node.get_state_set)
            ask("index", node.get_index_in_parent)
            if (table := ask("table", node.get_table_iface)) is not None:
                for row in range(ask(f"rows of {name}", table.get_n_rows)):
                    ask(f"row {row} of {name}", table.get_accessible_at, row, 0)
            count = ask(f"children of {name}", node.get_child_count)
            todo += [ask(f"child {number} of {name}", node.get_child_at_index, number) for number in range(count)]
        except GLib.GError:
            self.gone += 1

    def _ask(self, what: str, question: Callable[..., Any], *more: int) -> Any:
        """Ask one thing, and keep how long the slowest answer took."""
        began = time.monotonic()
        try:
            return question(*more)
        finally:
            if (took := time.monotonic() - began) > self.longest_s:
                self.longest_s, self.slowest = took, what

    def _hear(self, event: Any) -> None:
        self.heard += 1
        try:
            event.source.get_role()
            event.source.get_index_in_parent()
        except GLib.GError:
            self.gone += 1


def main() -> None:
    ends = time.monotonic() + float(sys.argv[1])
    Atspi.init()
    reader = Reader()
    while time.monotonic() < ends:
        reader.walk()
    told: dict[str, Any] = {"walks": reader.walks, "nodes": reader.nodes, "heard": reader.heard, "gone": reader.gone}
    told |= {"longest_ms": round(reader.longest_s * 1000), "slowest": reader.slowest}
    sys.stdout.write(json.dumps(told) + "\n")


main()
