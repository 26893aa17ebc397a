"""A screen and an accessibility bus of their own, a program on them, and another process that reads its windows.

What tests inside the program see is not what arrives: Qt's bridge keeps interfaces, translates roles and drops events.
Here Xvfb, a session bus and AT-SPI are real, and Debian's own Python (it has libatspi) is the one that reads:

    with bus_screen(tmp_path) as place:
        program = place.start("-m", "chimein_gui", "sandbox")
        reader = place.reader()
        reader.wait_for("push button", "Approve").act("Press")

Only for campaign tests: `bus_screen` skips with a word where a package is missing.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pytest

from chimein_gui import ui_driver as hand

ROOT = Path(__file__).parents[2]
PYTHON = "/usr/bin/python3"
"""Debian's own, which has libatspi."""

TOOLS = ("dbus-daemon", "dbus-run-session", "openbox", "xdotool", "Xvfb", "xvfb-run")
"""Without a window manager no window gets the keyboard."""

WAIT_S = 30.0
"""How long something may take to be told; the machine may be busy."""

LOOK_AGAIN_MS = 250
"""How long an event is waited for before what is waited for is looked at all the same."""

T = TypeVar("T")
END_S = 20.0


class GoneError(AssertionError):
    """What was asked went meanwhile."""


def missing() -> str:
    """Name what is not installed here."""
    tools = [name for name in TOOLS if shutil.which(name) is None]
    asked = "import gi; gi.require_version('Atspi', '2.0'); from gi.repository import Atspi"
    if not Path(PYTHON).exists() or subprocess.run([PYTHON, "-c", asked], capture_output=True, check=False).returncode:
        tools.append("gir1.2-atspi-2.0 and python3-gi")
    return ", ".join(tools)


def skip_where_missing() -> None:
    """Skip the test that runs, and name what it lacks."""
    if lacking := missing():
        pytest.skip(f"needs {lacking} (.ci/apt-campaign.txt)")


@dataclass(slots=True)
class Node:
    """What was told of one node. `again` asks anew.

    Attributes:
        number: Its number with the reader.
        parent: The number of the node above it; -1 if it was not asked for.
        depth: How far below the program it is.
        role: Its role as AT-SPI names it, such as "push button".
        name: Its name, without the marks around foreign names.
        raw_name: Its name as it came.
        description: What else is said of it.
        states: The names of its states, such as "showing".
    """

    reader: BusReader = field(repr=False)
    number: int
    parent: int
    depth: int
    role: str
    name: str
    raw_name: str
    description: str
    states: frozenset[str]

    def again(self) -> Node:
        return self.reader.node(self.reader.ask("look", self.number))

    def children(self) -> list[Node]:
        return [self.reader.node(one) for one in self.reader.ask("children", self.number)]

    def below(self) -> list[Node]:
        """All that is in sight below it, in the order of the tree."""
        return [self.reader.node(one) for one in self.reader.ask("below", self.number)]

    def actions(self) -> list[str]:
        told: list[str] = self.reader.ask("actions", self.number)
        return told

    def act(self, name: str = "Press") -> None:
        assert self.reader.ask("act", self.number, name), f"{name} of {self.name} was refused"

    def text(self) -> str | None:
        told: str | None = self.reader.ask("text", self.number)
        return told

    def write(self, text: str) -> None:
        assert self.reader.ask("write", self.number, text), f"{self.name} takes no text"

    def value(self) -> float:
        told: float = self.reader.ask("value", self.number)
        return told

    def set_value(self, value: float) -> None:
        assert self.reader.ask("set_value", self.number, value), f"{self.name} takes no value"

    def select(self, child: int) -> bool:
        return bool(self.reader.ask("select", self.number, child))

    def selected(self) -> list[str]:
        return [hand.seen(name) for name in self.reader.ask("selected", self.number)]

    def focus(self) -> bool:
        return bool(self.reader.ask("focus", self.number))

    def place(self) -> tuple[int, int, int, int]:
        left, top, width, height = self.reader.ask("place", self.number)
        return left, top, width, height

    def relations(self) -> dict[str, list[str]]:
        told: dict[str, list[str]] = self.reader.ask("relations", self.number)
        return told


class BusReader:
    """The other process. It knows what arrives over the bus and nothing else."""

    def __init__(self, process: subprocess.Popen[str], app: str, environment: dict[str, str]) -> None:
        self._process, self._app, self._environment = process, app, environment

    def ask(self, call: str, *arguments: object) -> Any:
        """Call it (`bus_reader.Reader`); AssertionError if it cannot."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([call, *arguments]) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the reader has ended"
        kind, told = json.loads(line)
        if kind == "gone":
            raise GoneError(f"{call} {arguments}: {told}")
        assert kind == "ok", f"{call} {arguments}: {told}"
        return told

    def node(self, told: dict[str, Any]) -> Node:
        return Node(
            self,
            told["id"],
            told["parent"],
            told["depth"],
            told["role"],
            hand.seen(told["name"]),
            told["name"],
            hand.seen(told["description"]),
            frozenset(told["states"]),
        )

    def tree(self, *, everything: bool = False) -> list[Node]:
        """All nodes that are told to be in sight, in the order of the tree; with `everything` the others, too."""
        return [self.node(one) for one in self.ask("tree", self._app, everything)]

    def find(self, role: str, *words: str, everything: bool = False) -> Node | None:
        """The first node of a role whose name holds all these words; one whose name is the first word wins."""
        found = [
            one
            for one in self.tree(everything=everything)
            if one.role == role and all(word in one.name for word in words)
        ]
        return next((one for one in found if words and one.name == words[0]), found[0] if found else None)

    def search(self, roles: tuple[str, ...], beginning: str = "") -> list[Node]:
        """What is in sight of some roles and whose name begins so; what opened last comes first. Of lists all rows."""
        return [self.node(one) for one in self.ask("search", self._app, roles, beginning)]

    def wait_for(self, role: str, *words: str) -> Node:
        """Wait until it is there."""
        return self.until(f"{role} {words}", lambda: self.find(role, *words))

    def until(self, what: str, told: Callable[[], T | None], seconds: float = WAIT_S) -> T:
        """Ask after each event, and now and then, until there is an answer."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            with suppress(GoneError):  # what was found went before it was asked more: what is there now is found next
                if answer := told():
                    return answer
            self.ask("wait", LOOK_AGAIN_MS)
        raise AssertionError(f"waited {seconds} s for {what}; in sight:\n{self.picture()}")

    def picture(self) -> str:
        """What is in sight, a line a node, for people."""
        return "\n".join(f"{'  ' * one.depth}{one.role} {one.name!r}" for one in self.tree())

    def heard(self, kind: str = "") -> list[dict[str, Any]]:
        """All events so far whose kind begins so, such as "object:announcement", oldest first."""
        told: list[dict[str, Any]] = self.ask("heard", kind)
        return told

    def announced(self) -> list[str]:
        """What was announced so far, without the marks around foreign names."""
        return [hand.seen(event["data"]) for event in self.heard("object:announcement")]

    def forget(self) -> None:
        """Forget what was heard so far."""
        self.ask("forget")

    def key(self, *names: str) -> None:
        """Press keys of the keyboard one after another by their X names, such as Tab or shift+F6."""
        subprocess.run(["xdotool", "key", *names], env=self._environment, check=True)

    def type(self, text: str, delay_ms: int = 12) -> None:
        """Write a text with the keyboard, with a delay between its letters."""
        subprocess.run(["xdotool", "type", "--delay", str(delay_ms), text], env=self._environment, check=True)

    def focused(self) -> list[Node]:
        """All that claims to have the focus, hidden or not."""
        return [one for one in self.tree(everything=True) if "focused" in one.states]


@dataclass(slots=True)
class BusScreen:
    """A screen with a session bus.

    Attributes:
        screen: The X server.
        environment: What a program needs to use both.
    """

    screen: subprocess.Popen[str]
    environment: dict[str, str]
    _stack: ExitStack = field(repr=False)

    def start(self, *command: str, ready: str = "ready", **more: str) -> subprocess.Popen[str]:
        """Start a Python program and return once it has said that it is ready; it is killed at the end."""
        process = subprocess.Popen(
            [sys.executable, *command],
            env={**self.environment, "CHIMEIN_READY": "1", **more},
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._stack.callback(_end, process)
        assert process.stdout is not None
        line = process.stdout.readline().strip()
        assert line == ready, f"{line}{process.communicate(timeout=END_S)[1][-4000:] if not line else ''}"
        return process

    def reader(self, app: str = "chimein") -> BusReader:
        """Start the process that reads the windows of a program, and wait until the program is on the bus."""
        script = Path(__file__).with_name("bus_reader.py")
        process = subprocess.Popen(
            [PYTHON, "-W", "ignore", str(script)],  # libatspi marks calls as old that have no successor here
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._stack.callback(_end, process)
        reader = BusReader(process, app, self.environment)
        ends = time.monotonic() + WAIT_S
        while app not in reader.ask("apps"):
            assert time.monotonic() < ends, f"{app} is not on the bus"
            reader.ask("wait", LOOK_AGAIN_MS)
        return reader


def _end(process: subprocess.Popen[Any]) -> None:
    process.kill()
    process.communicate(timeout=END_S)


def _service(stack: ExitStack, *command: str, **more: str) -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen(
        command, env={**os.environ, **more}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    stack.callback(_end, process)
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    assert line, f"{command[0]} did not start"
    return process, line


@contextmanager
def bus_screen(folder: Path, size: str = "1600x1000x24") -> Iterator[BusScreen]:
    """Have a screen and a session bus until the end of the block; skips the test where a package is missing.

    The state of a program that is started there lies in `folder`/state.
    """
    skip_where_missing()
    runtime = folder / "runtime"
    runtime.mkdir(mode=0o700)
    with ExitStack() as stack:
        screen, number = _service(stack, "Xvfb", "-displayfd", "1", "-screen", "0", size, "-nolisten", "tcp")
        known = {"DISPLAY": f":{number}", "XDG_RUNTIME_DIR": str(runtime)}
        _, address = _service(stack, "dbus-daemon", "--session", "--nofork", "--print-address=1", **known)
        clean = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("QT_QPA", "DISPLAY", "WAYLAND", "CHIMEIN", "GEMINI", "GOOGLE", "DBUS", "AT_SPI"))
        }
        environment = {
            **clean,
            **known,
            "DBUS_SESSION_BUS_ADDRESS": address,
            "QT_QPA_PLATFORM": "xcb",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
            "CHIMEIN_STATE_DIR": str(folder / "state"),
            "PYTHONPATH": str(ROOT),
        }
        quiet = subprocess.DEVNULL
        stack.callback(_end, subprocess.Popen(["openbox"], env=environment, stdout=quiet, stderr=quiet))
        yield BusScreen(screen, environment, stack)
