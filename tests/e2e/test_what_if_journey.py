"""From a wrong draft to the sentence that caused it: tried without it, put right in the file, made anew, approved.

By keys alone, by mouse alone, by accessible actions alone.
"""

from __future__ import annotations

import shutil
from abc import abstractmethod
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from chimein_gui import ui_driver as hand
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.model.script import ModelCall, ScriptedReply
from chimein_gui.sandbox.model.talk.responder import Responder
from chimein_gui.sandbox.seeds.people import MARTA, NORA
from tests.e2e import keyboard, thirty_items
from tests.e2e.keyboard import CTRL, SHIFT, until_focus
from tests.e2e.screen_reader import do
from tests.e2e.thirty_hands import Hand, Listener, Mouse, Pointer
from tests.e2e.thirty_items import Action, Day, Talk
from tests.e2e.thirty_keys import LIST, Keys, shortcut_of

pytestmark = [pytest.mark.qt_loop, pytest.mark.gate_slow, pytest.mark.qt_log_ignore("plugin does not support")]

Key = Qt.Key
BAD, GOOD = "You always write of gannets.", "You always write of puffins."
WRONG, RIGHT = "gannets again", "puffins at last"
TALK = Talk(NORA, MARTA, ((WRONG, Action.APPROVE),))
EDITOR, PARTS = "Text of the part", "Parts of the prompt"
HEADING = "# Agent Instructions\n"


class WrongDay(Day):
    """A day with one draft, which is wrong."""

    async def arrange(self) -> None:
        self.before = {MARTA: await self.mailbox(MARTA)}
        await self.console.speak(MARTA, NORA, "cue 0")

        async def is_planned() -> bool:
            return [card.text for card in await self.waiting()] == [WRONG]

        await self.until(is_planned)

    async def agree(self) -> None:
        async def is_there() -> bool:
            return not await self.waiting() and bool(await self.received(MARTA))

        await self.until(is_there)
        assert await self.received(MARTA) == [RIGHT]


class Finder(Hand):
    """Finds the sentence and puts it right; how something is pressed is what the kinds of finders differ in."""

    @property
    def prompt(self) -> Any:
        """The Prompt pane."""
        return self.day.program.window.pane("prompt")

    async def walk(self) -> None:
        """Do all of it; nothing leaves before the approval."""
        await self.open_prompt()
        await hand.until("the prompt", lambda: BAD in self.prompt.reading.text.toPlainText())
        mode = self.prompt.what_if
        await self.open_instructions()
        await hand.until("the sentence", lambda: BAD in mode.editor.toPlainText())
        await self.try_sentence()
        await hand.until("the answer", lambda: RIGHT in mode.result.raw.toPlainText())
        assert [card.text for card in await self.day.waiting()] == [WRONG]
        await self.apply()
        await hand.until("the file", lambda: "Written to" in mode.written.words())
        await self.make_anew()
        await self.take()

    def place_of(self, title: str) -> int:
        """Return the row of a part in the list of the mode."""
        rows = self.prompt.what_if.list.model().parts.rows
        return next((place for place, row in enumerate(rows) if row.title == title), -1)

    @abstractmethod
    async def open_prompt(self) -> None:
        """Go from the draft to the prompt of its plan."""

    @abstractmethod
    async def open_instructions(self) -> None:
        """Find the part with the sentence, and open it for edits."""

    @abstractmethod
    async def try_sentence(self) -> None:
        """Write the better sentence, and ask the model."""

    @abstractmethod
    async def apply(self) -> None:
        """Write the edit to its file."""

    @abstractmethod
    async def make_anew(self) -> None:
        """Have the plan made again."""

    @abstractmethod
    async def take(self) -> None:
        """Choose the new version, and approve it."""


class FinderKeys(Keys, Finder):
    """Presses keys alone."""

    async def open_prompt(self) -> None:
        await self.press(Key.Key_K, CTRL)
        await until_focus("Search or type a command")
        await self.write("Marta")
        await self.press(Key.Key_Return)
        await until_focus("Agents and chats")
        await self.press(*shortcut_of(self.day, "prompt"))
        await until_focus(PARTS)

    async def open_instructions(self) -> None:
        await self.press(Key.Key_F, CTRL)
        await until_focus("Search the prompt")
        await self.write("gannets")
        await self.press(Key.Key_Return)
        assert BAD in self.prompt.reading.text.textCursor().block().text()
        await self.press(Key.Key_Escape)
        await self.press(Key.Key_Escape)
        await until_focus(PARTS)
        await self.press(Key.Key_W)
        await hand.until("the parts", lambda: self.place_of("Instructions") >= 0)
        await until_focus(PARTS)
        for _ in range(self.place_of("Instructions")):
            await self.press(Key.Key_Down)
        await self.press(Key.Key_Return)
        await until_focus(EDITOR)

    async def try_sentence(self) -> None:
        await self.press(Key.Key_Home, CTRL)
        await self.press(Key.Key_End, SHIFT)
        await self.write(GOOD)
        await self.press(Key.Key_Return, CTRL)

    async def apply(self) -> None:
        await keyboard.tab_to("Apply to file…", SHIFT)
        await self.press(Key.Key_Space)
        await until_focus("Write the file")
        await self.press(Key.Key_Return)

    async def make_anew(self) -> None:
        await keyboard.tab_to("Regenerate with this…")
        await self.press(Key.Key_Space)
        await until_focus("How should the new version be?")
        await self.press(Key.Key_Return)
        await until_focus("Regenerate with this…")

    async def take(self) -> None:
        await self.press(*shortcut_of(self.day, "approvals"))
        await until_focus(LIST)
        window = self.day.program.window
        await hand.until("the version", lambda: any("New version" in one for one in hand.words_in_sight(window)))
        await self.in_sight()
        beside = "Use this one"
        await self.again(lambda: self.press(Key.Key_V), beside, lambda: keyboard.name_in_focus().startswith(beside))
        await self.again(lambda: self.press(Key.Key_2), "the version chosen", lambda: self.card_begins(RIGHT))
        await self.press(Key.Key_M, CTRL | SHIFT)
        await until_focus(LIST)
        await self.approve(await self.in_sight())


class FinderPointer(Pointer, Finder):
    """What mouse and screen reader have in common."""

    async def open_prompt(self) -> None:
        await self.press("Approvals, ")
        await self.in_sight()
        await self.press("More: ", "Show in chat", "Inspect", "Prompt")

    async def open_instructions(self) -> None:
        await self.press("Mode: What-if")
        await hand.until("the parts", lambda: self.place_of("Instructions") >= 0)
        await self.choose(self.place_of("Instructions"))

    async def try_sentence(self) -> None:
        await self.write(EDITOR, self.better())
        await self.press("Run dry")

    async def apply(self) -> None:
        await self.press("Apply to file…", "Write the file")

    async def make_anew(self) -> None:
        await self.press("Regenerate with this…")
        await hand.until("the question", lambda: self.find("Cancel"))
        await self.press("Regenerate")

    async def take(self) -> None:
        await self.open()
        await self.press("Show", "2  ", "Use this one")
        await hand.until("the version chosen", lambda: self.card_begins(RIGHT))
        await self.approve(await self.in_sight())

    @abstractmethod
    async def choose(self, row: int) -> None:
        """Choose a part in the list of the mode."""

    @abstractmethod
    def better(self) -> str:
        """Return what `write` puts in place of what it replaces, so that the sentence is put right."""


class FinderMouse(Mouse, FinderPointer):
    """The mouse clicks rows where they stand."""

    async def choose(self, row: int) -> None:
        self.click_row(self.prompt.what_if.list, row)

    def better(self) -> str:
        return GOOD

    async def write(self, name: str, text: str) -> None:
        await super().write(name, text)
        if name == EDITOR:
            keyboard.press(Key.Key_Return)  # three clicks mark a line with its end


class FinderListener(Listener, FinderPointer):
    """The screen reader chooses rows by their own action."""

    async def choose(self, row: int) -> None:
        told = hand.rows(self.prompt.what_if.list)[row]
        do(await hand.until(told, lambda: self.reader.row(told)), "Toggle")

    def better(self) -> str:
        return str(self.prompt.what_if.editor.toPlainText()).replace(BAD, GOOD)


@pytest.mark.parametrize("finder", [FinderKeys, FinderMouse, FinderListener])
async def test_a_wrong_draft_is_put_right_at_its_sentence(
    finder: type[Finder], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config"
    shutil.copytree(resource_path("samples"), config)
    path = config / "agents/Nora Vale.md"
    before = path.read_text("utf-8").replace(HEADING, f"{HEADING}{BAD}\n")
    path.write_text(before, "utf-8")

    async def answer(_self: Responder, call: ModelCall, *_more: Any) -> ScriptedReply:
        return ScriptedReply(f"# «send»\n{WRONG if BAD in call.system_instruction else RIGHT}")

    monkeypatch.setattr(Responder, "answer", answer)

    async def find(day: Day) -> None:
        await finder(day).walk()

    await thirty_items.run(tmp_path, find, (TALK,), WrongDay, config=config)
    assert path.read_text("utf-8") == before.replace(BAD, GOOD)
