"""Reads a program over the accessibility bus again and again, as a screen reader does; for the system's Python.

python3 bus_walk.py SECONDS: prints what was met, as one object of JSON.

The tree is asked on a connection of its own: libatspi handles the events that came meanwhile before it returns an
answer, so a clock around its calls tells how long a listener takes, not how long the program does.
"""

from __future__ import annotations

import json
import sys
import time
from array import array
from typing import Any

import gi  # type: ignore[import-not-found,import-untyped,unused-ignore]

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: E402

NAME = "chimein"
REGISTRY, ROOT = "org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root"
NULL = "/org/a11y/atspi/null"
ACCESSIBLE, TABLE = "org.a11y.atspi.Accessible", "org.a11y.atspi.Table"
WAIT_MS = 120_000
"""After that an answer counts as none."""

MOST_EVENTS = 20
"""Are handled between two things of the tree, so that a flood of them does not end the walk."""


def _bus() -> Any:
    session = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    asked = ("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, Gio.DBusCallFlags.NONE, WAIT_MS)
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    [address] = session.call_sync(*asked, None).unpack()
    return Gio.DBusConnection.new_for_address_sync(address, flags, None, None)


class Reader:
    """Walks the whole tree, and asks of everything that it hears of where it stands.

    Attributes:
        walks: How often it has been through.
        nodes: How many things it met.
        heard: How many events it heard.
        gone: How many things were gone when it asked for them.
        took: How long each single answer took, in seconds.
        slowest: Which one took longest.
    """

    def __init__(self) -> None:
        self.walks = self.nodes = self.heard = self.gone = 0
        self.took, self.slowest, self._longest = array("f"), "", 0.0
        self._bus = _bus()
        self._events = GLib.MainContext.default()
        self._listener = Atspi.EventListener.new(self._hear)
        for kind in ("object:", "window:", "focus:"):
            self._listener.register(kind)

    def walk(self) -> None:
        """Read everything once."""
        here = [one for one in self._call(REGISTRY, ROOT, ACCESSIBLE, "GetChildren")[0] if self._name(*one) == NAME]
        self.walks += len(here)
        todo = list(here)
        while todo:
            program, path = todo.pop()
            if path != NULL:
                self.nodes += 1
                self._read(program, path, todo)
            for _ in range(MOST_EVENTS):
                if not self._events.iteration(False):
                    break

    def _name(self, program: str, path: str) -> str:
        try:
            return str(self._get(program, path, ACCESSIBLE, "Name"))
        except GLib.GError:
            return ""

    def _read(self, program: str, path: str, todo: list[tuple[str, str]]) -> None:
        try:
            self._get(program, path, ACCESSIBLE, "Name")
            for question in ("GetRole", "GetState", "GetIndexInParent"):
                self._call(program, path, ACCESSIBLE, question)
            if TABLE in self._call(program, path, ACCESSIBLE, "GetInterfaces")[0]:
                for row in range(self._get(program, path, TABLE, "NRows")):
                    self._call(program, path, TABLE, "GetAccessibleAt", GLib.Variant("(ii)", (row, 0)))
            for number in range(self._get(program, path, ACCESSIBLE, "ChildCount")):
                child = GLib.Variant("(i)", (number,))
                todo.append(self._call(program, path, ACCESSIBLE, "GetChildAtIndex", child)[0])
        except GLib.GError:
            self.gone += 1

    def _get(self, program: str, path: str, kind: str, name: str) -> Any:
        asked = GLib.Variant("(ss)", (kind, name))
        return self._call(program, path, "org.freedesktop.DBus.Properties", "Get", asked)[0]

    def _call(self, program: str, path: str, kind: str, question: str, asked: Any = None) -> Any:
        """Ask one thing, and keep how long the answer took."""
        began = time.monotonic()
        try:
            return self._bus.call_sync(
                program, path, kind, question, asked, None, Gio.DBusCallFlags.NONE, WAIT_MS, None
            ).unpack()
        finally:
            took = time.monotonic() - began
            if program != REGISTRY:
                self.took.append(took)
            if took > self._longest:
                self._longest, self.slowest = took, f"{question} {asked or ''} of {path}"

    def _hear(self, event: Any) -> None:
        self.heard += 1
        try:
            event.source.get_role()
            event.source.get_index_in_parent()
        except GLib.GError:
            self.gone += 1

    def told(self) -> dict[str, Any]:
        """What was met; times in milliseconds."""
        took = sorted(self.took)
        assert took, f"{NAME} is not on the bus"
        at = {"median_ms": len(took) // 2, "p99_ms": len(took) * 99 // 100, "longest_ms": len(took) - 1}
        return {
            "walks": self.walks,
            "nodes": self.nodes,
            "answers": len(took),
            "heard": self.heard,
            "gone": self.gone,
            "slowest": self.slowest,
            **{name: round(1000 * took[number], 2) for name, number in at.items()},
        }


def main() -> None:
    ends = time.monotonic() + float(sys.argv[1])
    Atspi.init()
    reader = Reader()
    while time.monotonic() < ends:
        reader.walk()
    sys.stdout.write(json.dumps(reader.told()) + "\n")


main()
