"""A rehearsal on real parts, by keyboard alone: a scene is played, something is broken, seen to break, undone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from chimein_gui import ui_driver as hand
from chimein_gui.directories import Directories
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.program import SANDBOX, Program, live
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox_api import FaultKind
from chimein_gui.ui.panes.rehearsal.pane import RehearsalPane

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractItemView, QWidget

pytestmark = pytest.mark.qt_loop

QUICK = Preferences(debounce_s=0.05, undo_s=0, typing_base_s=0, typing_s_per_60=0)
CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
MOST_TABS = 80


def key(program: Program, code: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press a key where the focus is."""
    QTest.keyClick(QApplication.focusWidget() or program.window, code, modifiers)


def write(text: str) -> None:
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClicks(focus, text)


def tab_to(program: Program, what: str, found: Callable[[QWidget], bool]) -> None:
    """Walk with Tab until the focus is there."""
    passed = []
    for _ in range(MOST_TABS):
        focus = QApplication.focusWidget()
        if focus is not None and found(focus):
            return
        passed.append(hand.seen(focus.accessibleName()) if focus is not None else "nothing")
        key(program, Qt.Key.Key_Tab)
    raise AssertionError(f"{what} cannot be reached with Tab: {passed}")


def tab_to_named(program: Program, beginning: str) -> None:
    tab_to(program, beginning, lambda widget: hand.seen(widget.accessibleName()).startswith(beginning))


def rehearsal_of(program: Program) -> RehearsalPane:
    pane = program.window.pane("rehearsal")
    assert isinstance(pane, RehearsalPane)
    return pane


async def turn_to(program: Program, page: str) -> None:
    """Open the pane, go to its row of pages, and along it to this one."""
    key(program, Qt.Key.Key_R, CTRL_SHIFT)
    pane = rehearsal_of(program)
    pane.pages._group.button(pane.pages.current()).setFocus()  # Shift+Tab from the page would lead here as well
    for _ in range(4):
        focus = QApplication.focusWidget()
        if focus is not None and hand.seen(focus.accessibleName()).startswith(f"Pages of the rehearsal: {page}"):
            return
        key(program, Qt.Key.Key_Right)
    raise AssertionError(f"there is no page {page}")


async def journey(program: Program) -> None:
    window, pane = program.window, rehearsal_of(program)
    agents = window.pane("agents").list  # type: ignore[attr-defined]
    await hand.until("Nora online", lambda: hand.row_with(agents, "Nora Vale, Online"))
    await hand.until("the scenarios", lambda: hand.row_with(pane.scenarios.list, "Five accounts at once"))
    await play_and_stop(program)
    await inject(program)
    await see_it_strike_and_take_it_back(program)


async def play_and_stop(program: Program) -> None:
    """Pick with the picker's key, play, and stop in the pane."""
    window, pane = program.window, rehearsal_of(program)
    shell = window.sandbox_shell
    assert shell is not None
    key(program, Qt.Key.Key_P, CTRL_SHIFT)
    for _ in range(len(hand.rows(shell.picker.list))):
        row = shell.picker.list.chosen()
        if row is not None and row.scenario.name == "five-accounts-at-once":
            break
        key(program, Qt.Key.Key_Down)
    key(program, Qt.Key.Key_Return)
    await hand.until("the chip", lambda: hand.button(window, "Rehearsing: Five accounts at once"))
    await hand.until("Marta's message as a draft", lambda: hand.row_with(drafts(program), "Nora Vale to Marta"))
    key(program, Qt.Key.Key_R, CTRL_SHIFT)
    tab_to_named(program, "Stop: Five accounts at once")
    key(program, Qt.Key.Key_Return)
    await hand.until("its end", lambda: hand.button(pane, "Play again"))


async def inject(program: Program) -> None:
    """Search a flood wait, set it to 2 s and to last until it is taken back, and inject it."""
    sandbox = program.running.sandbox
    assert sandbox is not None
    await turn_to(program, "Faults")
    tab_to_named(program, "Search faults")
    write("flood wait 30 s")
    key(program, Qt.Key.Key_Down)
    key(program, Qt.Key.Key_Return)
    tab_to_named(program, "Seconds")
    key(program, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    write("2")
    tab_to_named(program, "on the next calls")
    key(program, Qt.Key.Key_Down)
    key(program, Qt.Key.Key_Down)
    tab_to_named(program, "Inject")
    key(program, Qt.Key.Key_Return)
    await hand.until("the chip of faults", lambda: hand.button(program.window, "1 active fault"))
    rules = [fault.rule for fault in (await sandbox.rehearsal()).faults]
    assert [(rule.kind, rule.seconds, rule.times) for rule in rules] == [(FaultKind.FLOOD_WAIT, 2, 0)]


async def see_it_strike_and_take_it_back(program: Program) -> None:
    """The approved draft waits as long as the fault is in force, and arrives once afterwards."""
    window, pane, cards = program.window, rehearsal_of(program), drafts(program)
    before = await received(program)
    text = (await draft_texts(program))[0]
    window.show_pane("approvals")

    def approved() -> bool:
        index = hand.row_with(cards, "Nora Vale to Marta")
        assert index is not None
        cards.setCurrentIndex(index)
        QTest.keyClick(cards, Qt.Key.Key_A)  # the card must have been in view for a moment
        return "Waits for you" not in str(index.data())

    await hand.until("the approval", approved)
    await hand.until("that it struck", lambda: hand.row_with(pane.active.triggered, "FLOOD_WAIT_2"))
    assert await received(program) == before
    await turn_to(program, "Active")
    tab_to_named(program, "Remove: Flood wait of 2 s")
    key(program, Qt.Key.Key_Space)
    await hand.until("nothing in force", lambda: hand.button(window, "1 active fault") is None)
    await hand.until("it as sent", lambda: any("Sent, " in row and text in row for row in hand.rows(cards)))
    assert await received(program) == [*before, text]


def drafts(program: Program) -> QAbstractItemView:
    return program.window.pane("approvals").list  # type: ignore[attr-defined]


async def received(program: Program) -> list[str]:
    sandbox = program.running.sandbox
    assert sandbox is not None
    marta = next(one for one in await sandbox.partners() if one.name == "Marta Oliveira")
    return [delivery.text for delivery in await sandbox.mailbox(marta.user_id)]


async def draft_texts(program: Program) -> list[str]:
    rows = (await program.running.engine.queries.approvals()).rows
    return [row.text for row in rows if (row.agent_name, row.chat_title) == ("Nora Vale", "Marta Oliveira")]


@pytest.mark.gate_slow
async def test_a_rehearsal_by_keyboard_alone(tmp_path: Path) -> None:
    async def script(program: Program) -> int:
        program.window.activateWindow()
        await journey(program)
        return 0

    where = Directories((resource_path("samples"),), tmp_path / "state")
    assert await live(SANDBOX, where, script, QUICK) == 0
