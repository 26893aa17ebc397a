"""The program on a real screen and accessibility bus, busy for a while, beside a process that reads it.

python -m tests.e2e.spoken_run STATE SECONDS PYTHON: lines of JSON, each with a kind. PYTHON has libatspi.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import sys
import time
from pathlib import Path

from PySide6.QtCore import QMessageLogContext, QModelIndex, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView

from chimein_gui import ui_driver as hand
from chimein_gui.directories import Directories
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.program import SANDBOX, Program, run
from chimein_gui.resource_files import resource_path
from chimein_gui.tour.driver import Panes, panes_of
from tests.e2e.ten_drafts import TALKS

QUICK = Preferences(debounce_s=0.05, undo_s=0.3, typing_base_s=0, typing_s_per_60=0)
PAUSE_S = 0.2
LOOKS_EVERY = 10
SEED = 7
FILTERS = ("Mar", "a", "nobody is called so", "")
_GONE = re.compile(r'Could not find accessible on path: ".*/(\d+)"')

_TOO_FAR = re.compile(r"(?:nvalid index:|Invalid index at:|invalid tree cell:|tableInterface GetAccessibleAt \() *\d")
"""A row was asked for by a number, when there were fewer already. A number below none is no such thing."""


def tell(kind: str, words: object) -> None:
    """Write one line for the test."""
    sys.stdout.write(json.dumps({"kind": kind, "words": words}) + "\n")
    sys.stdout.flush()


class Listener:
    """Hears what Qt warns of, and looks whether what the bus asked for in vain is still told as a row."""

    def __init__(self) -> None:
        self.gone: set[int] = set()
        self.went = 0

    def count(self, program: Program) -> None:
        """Count the rows that go from now on. Those of a model that is reset are not counted."""
        for view in program.window.findChildren(QAbstractItemView):
            if not isinstance(view, QHeaderView):
                view.model().rowsRemoved.connect(self._removed)

    def _removed(self, _parent: QModelIndex, first: int, last: int) -> None:
        self.went += last - first + 1

    def warned(self, kind: QtMsgType, context: QMessageLogContext, words: str) -> None:
        """Tell it, with its category."""
        found = _GONE.search(words)
        if found is not None:
            self.gone.add(int(found[1]))
            tell("gone", found[1])
        elif _TOO_FAR.search(words) is not None:
            tell("too far", words)
        elif kind is not QtMsgType.QtDebugMsg:
            tell("qt", f"{context.category}: {words}")

    def look(self, program: Program) -> None:
        """Compare what each list and tree tells of its rows with what it shows."""
        for view in program.window.findChildren(QAbstractItemView):
            if isinstance(view, QHeaderView):
                continue
            one = QAccessible.queryAccessibleInterface(view)
            told: list[QAccessibleInterface | None] = [one.child(number) for number in range(one.childCount())]
            if [-1 if child is None else one.indexOfChild(child) for child in told] != list(range(len(told))):
                tell("wrong", f"{view.accessibleName()}: rows are not where they say they are")
            if self.gone & {QAccessible.uniqueId(child) for child in told if child is not None}:
                tell("wrong", f"{view.accessibleName()}: a row is told that the bus does not find")
            tell("compared", len(told) - isinstance(view, QTreeView))


async def play(program: Program, seconds: float, listener: Listener) -> int:
    """Let partners write, and do what an operator does: decide, filter, close and open branches, go about."""
    chance, panes, console = random.Random(SEED), panes_of(program), program.running.sandbox
    assert console is not None
    ends, number = time.monotonic() + seconds, 0
    while time.monotonic() < ends:
        _, partner, account = chance.choice(list(TALKS.values()))
        number += 1
        await console.speak(partner, account, f"Are you there? ({number})")
        decide(panes, chance)
        go_about(program, panes, chance)
        await asyncio.sleep(PAUSE_S)
        if not number % LOOKS_EVERY:
            listener.look(program)
    return number


def decide(panes: Panes, chance: random.Random) -> None:
    """Approve a draft that waits."""
    approvals = panes.approvals
    index = hand.row_with(approvals.list, "Waits for you")
    if index is not None and chance.random() < 0.8:
        approvals.list.setCurrentIndex(index)
        approvals.list.press("A")


def go_about(program: Program, panes: Panes, chance: random.Random) -> None:
    """Open another chat, filter the chats, close or open a branch, or turn to another pane."""
    tree, action = panes.chats.tree, chance.randrange(4)
    branch = tree.model().index(chance.randrange(tree.model().rowCount()), 0, QModelIndex())
    if action == 0:
        first = tree.model().index(0, 0, branch)
        if first.isValid():
            tree.setCurrentIndex(first)
    elif action == 1:
        panes.chats.filter.field.setText(chance.choice(FILTERS))
    elif action == 2:
        tree.setExpanded(branch, not tree.isExpanded(branch))
    else:
        program.window.show_pane(chance.choice(("agents", "rehearsal", "approvals")))


def main() -> int:
    state, seconds, python = Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
    listener = Listener()
    qInstallMessageHandler(listener.warned)

    async def script(program: Program) -> int:
        agents = panes_of(program).agents.list
        for name, _, _ in TALKS.values():
            await hand.until(name, lambda name=name: hand.row_with(agents, f"{name}, Online"))  # type: ignore[misc]
        walk = Path(__file__).with_name("bus_walk.py")
        reader = await asyncio.create_subprocess_exec(
            python, str(walk), str(seconds), stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
        )
        listener.count(program)
        said = await play(program, seconds, listener)
        told, _ = await reader.communicate()
        tell("walked", {**json.loads(told), "said": said, "went": listener.went})
        return reader.returncode or 0

    return run(SANDBOX, Directories((resource_path("samples"),), state), script, QUICK)


if __name__ == "__main__":
    sys.exit(main())
