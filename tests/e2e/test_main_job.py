"""The main job on real parts: real clients, real widgets, the sandbox's servers on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest

from chimein_gui import ui_driver as hand
from chimein_gui.directories import Directories
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.program import LIVE, SANDBOX, Program, live
from chimein_gui.resource_files import resource_path

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

pytestmark = pytest.mark.qt_loop

QUICK = Preferences(debounce_s=0.05, undo_s=0, typing_base_s=0, typing_s_per_60=0)
SLOW_TO_LEAVE = Preferences(debounce_s=0.05, undo_s=600, typing_base_s=0, typing_s_per_60=0)
EXACT = "Exactly this,  with two blanks,\na second line & <b>no markup</b> 🙂 שלום"


def directories(folder: Path) -> Directories:
    return Directories((resource_path("samples"),), folder / "state")


async def sandbox(
    folder: Path, journey: Callable[[Program], Awaitable[None]], preferences: Preferences = QUICK
) -> None:
    """Run the whole program in the sandbox and let `journey` be its operator."""

    async def script(program: Program) -> int:
        await journey(program)
        return 0

    assert await live(SANDBOX, directories(folder), script, preferences) == 0


async def mailbox(program: Program) -> list[str]:
    console = program.running.sandbox
    assert console is not None
    partner = (await console.partners())[0]
    return [delivery.text for delivery in await console.mailbox(partner.user_id)]


async def partner_says(program: Program, text: str) -> None:
    console = program.running.sandbox
    assert console is not None
    partner = (await console.partners())[0]
    agents = program.window.pane("agents").list  # type: ignore[attr-defined]
    await hand.until("the account online", lambda: hand.row_with(agents, "Nora Vale, Online"))
    nora = next(
        agent
        for agent in program.running.engine._services.accounts.directory.agents()
        if agent.spec.name == "Nora Vale"
    )
    account = nora.account_id
    assert account is not None
    await console.speak(partner.user_id, account, text)


async def draft(program: Program) -> None:
    """Wait until exactly one draft is shown and waits."""
    approvals = program.window.pane("approvals")
    await hand.until("a draft", lambda: hand.button(approvals, "Approve"))


async def nothing_open(program: Program) -> None:
    """Wait until no planned send of the plan is open any more."""
    changed = asyncio.Event()
    stop = program.running.engine.subscribe(lambda _event: changed.set())
    try:
        while (await program.running.engine.queries.approvals()).rows:
            await changed.wait()
            changed.clear()
    finally:
        stop()


async def press(root: QWidget, name: str) -> None:
    button = await hand.until(f"the button {name}", lambda: hand.button(root, name))
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


async def test_a_message_becomes_a_draft_and_the_edited_text_arrives_once(tmp_path: Path) -> None:
    async def journey(program: Program) -> None:
        before = await mailbox(program)
        approvals = program.window.pane("approvals")
        await partner_says(program, "Is the bridge open again?")
        await draft(program)
        assert await mailbox(program) == before
        await press(approvals, "Edit")
        editor = await hand.until("the editor", lambda: hand.field(approvals, "Your text"))
        editor.setPlainText(EXACT)
        QTest.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        transcript = program.window.pane("conversations").transcript  # type: ignore[attr-defined]
        tree = program.window.pane("conversations").tree  # type: ignore[attr-defined]
        tree.setCurrentIndex(hand.row_with(tree, "Marta Oliveira") or QModelIndex())
        await hand.until("the sent message", lambda: hand.row_with(transcript, "two blanks"))
        assert await mailbox(program) == [*before, EXACT]

    await sandbox(tmp_path, journey)


async def test_an_approval_that_had_not_left_is_still_one_after_the_restart(tmp_path: Path) -> None:
    async def first_day(program: Program) -> None:
        await partner_says(program, "Are you there?")
        await draft(program)
        await press(program.window.pane("approvals"), "Approve")
        await hand.until("the undo", lambda: hand.button(program.window.pane("approvals"), "Undo"))

    async def second_day(program: Program) -> None:
        approvals = program.window.pane("approvals")
        program.window.show_pane("approvals")
        row = (await program.running.engine.queries.approvals()).rows[0]
        assert row.task_status is TaskStatus.APPROVED
        before = await mailbox(program)
        assert row.text not in before
        await press(approvals, "Undo")
        await press(approvals, "Approve")
        await nothing_open(program)
        assert await mailbox(program) == [*before, row.text]

    await sandbox(tmp_path, first_day, SLOW_TO_LEAVE)
    await sandbox(tmp_path, second_day)


async def test_a_live_start_without_an_account_explains_the_first_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def journey(program: Program) -> int:
        await hand.until(
            "the first step", lambda: any("No account yet" in text for text in hand.words_in_sight(program.window))
        )
        words = hand.words_in_sight(program.window)
        assert any("no account, no key, no internet" in text for text in words)
        for way in ("Try the sandbox", "Set up your first persona", "Open an existing folder"):
            assert hand.button(program.window, way) is not None, way
        assert hand.field(program.window, "Write as") is None
        assert not any("Sandbox" in text and "nothing here is real" in text for text in words)
        return 0

    (tmp_path / "config").mkdir()
    assert await live(LIVE, Directories((tmp_path / "config",), tmp_path / "state"), journey) == 0


async def test_a_database_that_is_none_is_reported_and_left_alone(
    tmp_path: Path, expected_logs: Callable[[str], None]
) -> None:
    expected_logs(r"ERROR chimein_gui.program: .*could not start")
    where = directories(tmp_path)
    where.state.mkdir(parents=True)
    where.database.write_bytes(b"this is a letter to my aunt" * 100)

    async def never(_program: Program) -> int:
        raise AssertionError("the program started on a broken database")

    assert await live(SANDBOX, where, never) == 1
    assert where.database.read_bytes().startswith(b"this is a letter")
