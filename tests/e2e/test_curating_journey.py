"""A sticker of a set nobody knows is described by the model, and the operator's own words stand in the next prompt.

By keys alone, by mouse alone, by accessible actions alone.
"""

from __future__ import annotations

import json
import shutil
from abc import abstractmethod
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from chimein_gui import ui_driver as hand
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.media.assets import OwnMedia
from chimein_gui.sandbox.model.script import ModelCall, ScriptedReply
from chimein_gui.sandbox.model.talk.responder import Responder
from chimein_gui.sandbox.seeds.people import MARTA, NORA
from chimein_gui.sandbox.world.records import Draft
from tests.e2e import thirty_items
from tests.e2e.keyboard import CTRL, until_focus
from tests.e2e.screen_reader import do
from tests.e2e.thirty_hands import Hand, Listener, Mouse, Pointer
from tests.e2e.thirty_items import Action, Day, Talk, TalkingDay
from tests.e2e.thirty_keys import Keys, shortcut_of

pytestmark = [pytest.mark.qt_loop, pytest.mark.gate_slow, pytest.mark.qt_log_ignore("plugin does not support")]

Key = Qt.Key
TALK = Talk(NORA, MARTA, (("", Action.APPROVE),))
STICKER, MARK = "lantern-dance", "⟦sticker little_lantern :: 🎉⟧"
TASK = "⟦section: Description of a file⟧"
BY_MODEL, BY_OPERATOR = "A lamp on a string.", "A lantern dances for joy."
GRID, FIELD = "Media", "Curated text"


class StickerDay(TalkingDay):
    """A day on which Marta sends a sticker."""

    async def asked(self, words: str = "") -> str:
        """Let Marta send the sticker, or words, and return the draft that follows."""
        return await self.draft_after(self.console.speak(MARTA, NORA, words) if words else self._sticker())

    async def _sticker(self) -> None:
        people = self.console.people
        sticker = OwnMedia(resource_path("sandbox") / "media").ref(STICKER)
        people._world.send(MARTA, NORA, Draft("", media=sticker))
        people._hub.settle()


class Curator(Hand):
    """Writes a description; how something is pressed is what the kinds of curators differ in."""

    @property
    def media(self) -> Any:
        """The Media pane."""
        return self.day.program.window.pane("media")

    async def curate(self) -> None:
        """Write the operator's words for the sticker."""
        await self.open_pane()
        row = await hand.until("the sticker", self.row_of_sticker)
        await self.choose(row)
        await hand.until("the model's words", lambda: self.media.detail.texts.generated.toPlainText() == BY_MODEL)
        await self.write_words()
        await hand.until("the mark", lambda: "Curated" in hand.rows(self.media.grid)[row])

    def row_of_sticker(self) -> int:
        """Return the row of the sticker, or 0."""
        rows = hand.rows(self.media.grid)
        return next((row for row, told in enumerate(rows) if BY_MODEL in told), 0)

    @abstractmethod
    async def open_pane(self) -> None:
        """Open the Media pane."""

    @abstractmethod
    async def choose(self, row: int) -> None:
        """Select a row."""

    @abstractmethod
    async def write_words(self) -> None:
        """Write the words, and save them."""


class CuratorKeys(Keys, Curator):
    """Presses keys alone."""

    async def open_pane(self) -> None:
        await self.press(*shortcut_of(self.day, "media"))
        await until_focus(GRID)

    async def choose(self, row: int) -> None:
        await self.press(Key.Key_Home)
        while self.media.grid.currentIndex().row() < row:
            await self.press(Key.Key_Right)

    async def write_words(self) -> None:
        await self.press(Key.Key_Return)
        await until_focus(FIELD)
        await self.press(Key.Key_A, CTRL)
        await self.write(BY_OPERATOR)
        await self.press(Key.Key_Return, CTRL)


class CuratorPointer(Pointer, Curator):
    """What mouse and screen reader have in common."""

    async def open_pane(self) -> None:
        await self.press("Tools", "Media")

    async def write_words(self) -> None:
        await self.write(FIELD, BY_OPERATOR)
        await self.press("Save, next")


class CuratorMouse(Mouse, CuratorPointer):
    """The mouse clicks cells where they stand."""

    async def choose(self, row: int) -> None:
        self.click_row(self.media.grid, row)


class CuratorListener(Listener, CuratorPointer):
    """The screen reader selects cells by their own action."""

    async def choose(self, row: int) -> None:
        told = hand.rows(self.media.grid)[row]
        do(await hand.until(told, lambda: self.reader.row(told)), "Toggle")


@pytest.mark.parametrize("curator", [CuratorKeys, CuratorMouse, CuratorListener])
async def test_the_operators_words_for_a_sticker_stand_in_the_next_prompt(
    curator: type[Curator], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config"
    shutil.copytree(resource_path("samples"), config)
    shutil.rmtree(config / "media")

    async def answer(_self: Responder, call: ModelCall, *_more: Any) -> ScriptedReply:
        if TASK in call.system_instruction:
            return ScriptedReply(BY_MODEL)
        said = json.dumps(call.contents, ensure_ascii=False)
        known = [words for words in (BY_MODEL, BY_OPERATOR) if f"{MARK} {words}" in said]
        return ScriptedReply(f"# «send»\nseen: {known}")

    monkeypatch.setattr(Responder, "answer", answer)

    async def look(day: Day) -> None:
        assert isinstance(day, StickerDay)
        assert await day.asked() == f"seen: {[BY_MODEL]}"
        await curator(day).curate()
        [file] = (config / "media").glob("*.json")
        assert json.loads(file.read_text("utf-8"))["description"] == BY_OPERATOR
        assert await day.asked("did you see it?") == f"seen: {[BY_OPERATOR]}"

    await thirty_items.run(tmp_path, look, (TALK,), StickerDay, config=config)
