"""The tour: the main job of the product in the sandbox, played without a person and photographed (README).

It drives the real window, and believes only the partner's mailbox on the server.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from chimein_gui import operator_hand as hand
from chimein_gui.directories import Directories
from chimein_gui.domain.preferences import Preferences
from chimein_gui.program import SANDBOX, Program, run
from chimein_gui.resource_files import resource_path
from chimein_gui.ui.panes.agents.pane import AgentsPane
from chimein_gui.ui.panes.approvals.pane import ApprovalsPane
from chimein_gui.ui.panes.conversations.pane import ConversationsPane

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractItemView, QWidget

EXIT_STEP_FAILED = 1

QUICK = Preferences(debounce_s=0.2, undo_s=0.6, typing_base_s=0.3, typing_s_per_60=0.2)
"""The same rules, shorter waits."""

SIZES = {"": (1440, 900), "-1280x720": (1280, 720)}
"""Suffix of a picture's name → window size, logical pixels."""

FIRST_WORDS = "haha yes, and now my knees hate me. Is the Mata da Albergaria bridge open again? 🌉"
EDITED = "It opened again on 2 November, but only on foot: cars stay at Portela do Homem. Start before eight 😄"
SECOND_WORDS = "perfect! Can I bring my brother?"


@dataclass
class Tour:
    """What has been done so far."""

    folder: Path
    steps: list[dict[str, object]] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    mailbox: list[str] = field(default_factory=list)
    failed: bool = False

    @asynccontextmanager
    async def step(self, name: str) -> AsyncIterator[None]:
        """Time a step and note whether it succeeded; after a failure the rest is left out."""
        began = time.monotonic()
        entry: dict[str, object] = {"name": name, "ok": False, "ms": 0}
        self.steps.append(entry)
        try:
            yield
            entry["ok"] = True
        except Exception as error:
            self.failed = True
            entry["error"] = "".join(traceback.format_exception_only(error)).strip()
            raise
        finally:
            entry["ms"] = round((time.monotonic() - began) * 1000)
            self.write()

    def write(self) -> None:
        """Leave the report, also after every single step: a tour that hangs still says where."""
        report = {"steps": self.steps, "pictures": self.pictures, "mailbox": self.mailbox}
        (self.folder / "tour.json").write_text(
            json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
        )

    def picture(self, widget: QWidget, name: str) -> None:
        """Save what a widget looks like now."""
        path = self.folder / f"{name}.png"
        if not widget.grab().save(str(path)):
            raise OSError(f"{path} could not be written")
        self.pictures.append(path.name)


def run_tour(folder: Path) -> int:
    """Play the tour and leave pictures and tour.json in `folder`.

    Returns:
        0 if every step succeeded.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        print(f"The pictures cannot be written to {folder}: {error}", file=sys.stderr)
        return EXIT_STEP_FAILED
    tour = Tour(folder)

    async def script(program: Program) -> int:
        try:
            await play(tour, program)
        except Exception:  # noqa: BLE001 - the report names the step; the exit code says the rest
            traceback.print_exc()
        return EXIT_STEP_FAILED if tour.failed else 0

    with tempfile.TemporaryDirectory(prefix="chimein-tour-") as state:
        code = run(SANDBOX, Directories((resource_path("samples"),), Path(state)), script, QUICK)
    tour.write()
    done = sum(1 for step in tour.steps if step["ok"])
    print(f"{done} of {len(tour.steps)} steps, {len(tour.pictures)} pictures in {folder}")
    return code


async def play(tour: Tour, program: Program) -> None:
    """Do the main job step by step."""
    window = program.window
    agents, chats, approvals = _panes(program)
    async with tour.step("the account comes online"):
        await hand.until("Nora Vale online", lambda: hand.row_with(agents.list, "nline"))
    async with tour.step("the conversation opens"):
        index = await hand.until("the chat with Marta", lambda: hand.row_with(chats.tree, "Marta Oliveira"))
        chats.tree.setCurrentIndex(index)
        await hand.until("the history", lambda: hand.row_with(chats.transcript, "plums"))
    async with tour.step("the partner writes"):
        await _speak(chats, FIRST_WORDS)
        await hand.until("the message in the transcript", lambda: hand.row_with(chats.transcript, "Albergaria"))
    async with tour.step("a plan is made and waits"):
        await hand.until("the draft in the approvals", lambda: approvals.list.model().rowCount() == 1)
        _expect(approvals.list, "Marta Oliveira")
        assert (await _mailbox(program))[-1:] != [EDITED]
    await _photograph(tour, program)
    async with tour.step("the operator edits the draft"):
        await _press(approvals, "Edit")
        editor = await hand.until("the editor", lambda: hand.field(approvals, "Your text"))
        editor.setPlainText(EDITED)
        for dark in (False, True):
            _colours(program, dark=dark)
            tour.picture(approvals, f"approvals-edit-{'dark' if dark else 'light'}")
        _colours(program, dark=False)
    async with tour.step("the operator approves the edited text"):
        await _press(approvals, "Approve edited text")
        await hand.until("the sent message in the transcript", lambda: hand.row_with(chats.transcript, "Portela"))
    async with tour.step("the partner has received exactly that text, once"):
        tour.mailbox = await _mailbox(program)
        assert tour.mailbox.count(EDITED) == 1, tour.mailbox
        assert tour.mailbox[-1] == EDITED, tour.mailbox
    async with tour.step("a rejected draft sends nothing"):
        await _speak(chats, SECOND_WORDS)
        await hand.until("the second draft", lambda: hand.button(approvals, "Reject"))
        await _press(approvals, "Reject")
        await _press(approvals, "No reason")
        await hand.until("nothing that waits", lambda: hand.button(approvals, "Approve") is None)
        assert await _mailbox(program) == tour.mailbox
        tour.picture(window, "window-after-light")


def _panes(program: Program) -> tuple[AgentsPane, ConversationsPane, ApprovalsPane]:
    panes = program.window.panes
    agents, chats, approvals = panes["agents"], panes["conversations"], panes["approvals"]
    assert isinstance(agents, AgentsPane)
    assert isinstance(chats, ConversationsPane)
    assert isinstance(approvals, ApprovalsPane)
    return agents, chats, approvals


async def _photograph(tour: Tour, program: Program) -> None:
    """One picture of each pane and of the window, in both colour schemes and on a small screen."""
    agents, chats, approvals = _panes(program)
    window = program.window
    async with tour.step("pictures of every pane"):
        for suffix, (width, height) in SIZES.items():
            window.resize(width, height)
            for dark in (False, True):
                _colours(program, dark=dark)
                scheme = "dark" if dark else "light"
                window.show_pane("agents")
                _expect(agents.list, "Nora Vale")
                tour.picture(agents, f"agents-{scheme}{suffix}")
                window.show_pane("approvals")
                _expect(approvals.list, "Marta Oliveira")
                tour.picture(approvals, f"approvals-{scheme}{suffix}")
                _expect(chats.tree, "Marta Oliveira")
                _expect(chats.transcript, "Albergaria")
                tour.picture(chats, f"conversations-{scheme}{suffix}")
                tour.picture(window, f"window-{scheme}{suffix}")
        window.resize(*SIZES[""])
        _colours(program, dark=False)


def _colours(program: Program, *, dark: bool) -> None:
    program.window.set_dark(dark)


def _expect(view: QAbstractItemView, words: str) -> None:
    """A picture is taken only of a pane that holds what it should, for the eye and for a screen reader."""
    assert view.isVisible(), f"{view.accessibleName()} is not in sight"
    assert view.model().rowCount() > 0, f"{view.accessibleName()} is empty"
    assert hand.row_with(view, words) is not None, f"{view.accessibleName()}: {words} is not in {hand.rows(view)}"


async def _speak(chats: ConversationsPane, words: str) -> None:
    composer = await hand.until("the partner's composer", lambda: hand.field(chats, "Speak as Marta"))
    composer.setPlainText(words)
    send = await hand.until("the partner's send button", lambda: hand.button(chats, "Send as Marta"))
    send.click()


async def _press(pane: QWidget, name: str) -> None:
    found = await hand.until(f"the button {name}", lambda: hand.button(pane, name))
    found.click()


async def _mailbox(program: Program) -> list[str]:
    """What the server has delivered to the partner, oldest first."""
    sandbox = program.running.sandbox
    assert sandbox is not None
    partner = (await sandbox.partners())[0]
    return [delivery.text for delivery in await sandbox.mailbox(partner.user_id)]
