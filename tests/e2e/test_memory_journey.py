"""A fact told on one day is in the prompts of another, is put right in the Memory pane, and is gone when it is deleted.

By keys alone, by mouse alone, by accessible actions alone.
"""

from __future__ import annotations

import re
import shutil
from abc import abstractmethod
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from chimein_gui import ui_driver as hand
from chimein_gui.domain.memory.files import entry_of
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.model.script import ModelCall, ScriptedReply
from chimein_gui.sandbox.model.talk.responder import Responder
from chimein_gui.sandbox.seeds.people import MARTA, NORA
from tests.e2e import keyboard, thirty_items
from tests.e2e.keyboard import CTRL, until_focus
from tests.e2e.screen_reader import do
from tests.e2e.thirty_hands import Hand, Listener, Mouse, Pointer
from tests.e2e.thirty_items import Action, Day, Talk, TalkingDay
from tests.e2e.thirty_keys import Keys, shortcut_of

pytestmark = [pytest.mark.qt_loop, pytest.mark.gate_slow, pytest.mark.qt_log_ignore("plugin does not support")]

Key = Qt.Key
TALK = Talk(NORA, MARTA, (("", Action.APPROVE),))
FACT, RIGHT = "The ferry leaves at nine.", "The ferry leaves at ten."
ELSEWHERE = "Marta has a dog."
AT = datetime(2026, 11, 18, 19, 42, tzinfo=UTC)
PEOPLE, ENTRIES, FIELD = "Whose memories", "Remembered", "Text of the memory"


class MemoryDay(TalkingDay):
    """A day on which Marta writes."""

    async def asked(self, text: str) -> str:
        """Let Marta write, and return the draft that follows."""
        return await self.draft_after(self.console.speak(MARTA, NORA, text))


def another_program_adds(file: Path) -> None:
    """Add an entry behind the others."""
    added = entry_of(ELSEWHERE, at=AT, provenance="source: another program", key="x")
    file.write_text(f"{file.read_text('utf-8')}\n{added}", "utf-8")


class Keeper(Hand):
    """Puts a memory right and deletes it; how something is pressed is what the kinds of keepers differ in."""

    @property
    def memory(self) -> Any:
        """The Memory pane."""
        return self.day.program.window.pane("memory")

    def texts(self) -> list[str]:
        """Return the memories of the chat."""
        return [card.text for card in self.memory.remembered.list.rows.cards]

    async def put_right(self, file: Path) -> None:
        """Write the right time; while that is typed, another program adds an entry."""
        await self.open_pane()
        await hand.until("Marta", lambda: self.row_of_marta() >= 0)
        await self.choose_marta()
        await hand.until("the memory", lambda: FACT in self.texts())
        await self.open_entry()
        await until_focus(FIELD)
        another_program_adds(file)
        await self.replace_text()
        await hand.until("both changes", lambda: self.texts() == [RIGHT, ELSEWHERE])

    def row_of_marta(self) -> int:
        """Return the row of Marta's chat, or -1."""
        rows = hand.rows(self.memory.people)
        return next((row for row, told in enumerate(rows) if told.startswith("Marta")), -1)

    @abstractmethod
    async def open_pane(self) -> None:
        """Open the Memory pane."""

    @abstractmethod
    async def choose_marta(self) -> None:
        """Choose Marta in the list of people."""

    @abstractmethod
    async def open_entry(self) -> None:
        """Choose the memory, and open it for an edit."""

    @abstractmethod
    async def replace_text(self) -> None:
        """Write the right text, and save it."""

    @abstractmethod
    async def delete(self) -> None:
        """Delete the memory."""


class KeeperKeys(Keys, Keeper):
    """Presses keys alone."""

    async def open_pane(self) -> None:
        await self.press(*shortcut_of(self.day, "memory"))
        await until_focus(PEOPLE)

    async def choose_marta(self) -> None:
        await self.press(Key.Key_Home)
        while self.memory.people.currentIndex().row() < self.row_of_marta():
            await self.press(Key.Key_Down)

    async def open_entry(self) -> None:
        await keyboard.tab_to(ENTRIES)
        await self.press(Key.Key_J)
        await self.press(Key.Key_E)

    async def replace_text(self) -> None:
        await self.press(Key.Key_A, CTRL)
        await self.write(RIGHT)
        await self.press(Key.Key_Return, CTRL)

    async def delete(self) -> None:
        await until_focus(ENTRIES)
        await self.press(Key.Key_K)
        await self.press(Key.Key_Delete)


class KeeperPointer(Pointer, Keeper):
    """What mouse and screen reader have in common."""

    async def open_pane(self) -> None:
        await self.press("Tools", "Memory")

    async def choose_marta(self) -> None:
        await self.choose(self.memory.people, self.row_of_marta())

    async def open_entry(self) -> None:
        await self.choose(self.memory.remembered.list, 0)
        await self.press("Edit")

    async def replace_text(self) -> None:
        await self.write(FIELD, RIGHT)
        await self.press("Save")

    async def delete(self) -> None:
        await self.choose(self.memory.remembered.list, 0)
        await self.press("Delete")

    @abstractmethod
    async def choose(self, view: Any, row: int) -> None:
        """Choose a row of a list."""


class KeeperMouse(Mouse, KeeperPointer):
    """The mouse clicks rows where they stand."""

    async def choose(self, view: Any, row: int) -> None:
        self.click_row(view, row)


class KeeperListener(Listener, KeeperPointer):
    """The screen reader chooses rows by their own action."""

    async def choose(self, view: Any, row: int) -> None:
        told = hand.rows(view)[row]
        do(await hand.until(told, lambda: self.reader.row(told)), "Toggle")


@pytest.mark.parametrize("keeper", [KeeperKeys, KeeperMouse, KeeperListener])
async def test_a_fact_is_remembered_put_right_and_forgotten(
    keeper: type[Keeper], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config"
    shutil.copytree(resource_path("samples"), config)
    file = tmp_path / "state/Nora Vale/memory.md"

    is_monday = True

    async def answer(_self: Responder, call: ModelCall, *_more: Any) -> ScriptedReply:
        said = f"{call.system_instruction} {call.contents}"
        if is_monday and "the ferry leaves at nine" not in said:
            return ScriptedReply("A lake.")  # pictures are described meanwhile
        if is_monday:
            return ScriptedReply(f"# «remember»\n{FACT}\n\n# «send»\nnoted")
        known = re.findall(r"The ferry leaves at (\w+)\.", said)
        return ScriptedReply(f"# «send»\nknown: {sorted(set(known))}")

    monkeypatch.setattr(Responder, "answer", answer)

    async def tell(day: Day) -> None:
        assert isinstance(day, MemoryDay)
        await day.asked("the ferry leaves at nine")
        await hand.until("the file", lambda: file.exists() and FACT in file.read_text("utf-8"))
        nonlocal is_monday
        is_monday = False

    async def keep(day: Day) -> None:
        assert isinstance(day, MemoryDay)
        assert await day.asked("when does it leave?") == "known: ['nine']"
        hands = keeper(day)
        await hands.put_right(file)
        assert await day.asked("and now?") == "known: ['ten']"
        await hands.delete()
        await hand.until("the deletion", lambda: hands.texts() == [ELSEWHERE])
        assert "ferry" not in file.read_text("utf-8")
        found = await day.engine.memory_recall.recalled_by("Nora Vale", MARTA, "when does the ferry leave")
        assert not any("ferry" in one.entry.text for one in (*found.best, *found.losers))
        assert await day.asked("are you sure?") == "known: []"

    for operator in (tell, keep):
        await thirty_items.run(tmp_path, operator, (TALK,), MemoryDay, config=config)
