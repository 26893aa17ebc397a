"""Whatever a partner sends is described, and the operator's own words stand in the next prompt; all in the window.

Half of the files are curated in the Media pane, the others by *Description…* in the menu of their message.
"""

from __future__ import annotations

import itertools
import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from chimein_gui import ui_driver as hand
from chimein_gui.domain.messages import Message
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.media.assets import OwnMedia
from chimein_gui.sandbox.model.script import ModelCall, ScriptedReply
from chimein_gui.sandbox.model.talk.responder import Responder
from chimein_gui.sandbox.seeds.people import JULE, OTTO
from chimein_gui.sandbox.world.records import Draft
from chimein_gui.ui.dialogs.description.dialog import DescriptionDialog
from tests.e2e import thirty_items
from tests.e2e.thirty_hands import Mouse
from tests.e2e.thirty_items import Action, Day, Talk, TalkingDay

pytestmark = [pytest.mark.qt_loop, pytest.mark.gate_slow, pytest.mark.qt_log_ignore("plugin does not support")]

TALK = Talk(OTTO, JULE, (("", Action.APPROVE),))
TASK = "⟦section: Description of a file⟧"
FIELD = "Curated text"


@dataclass(frozen=True)
class Sent:
    """A message with files.

    Attributes:
        names: The sandbox's names of its files; two are an album.
        mark: What stands before each description in the prompt.
        in_dialog: It is curated from its message, not in the Media pane.
        caption: Its text.
    """

    names: tuple[str, ...]
    mark: str
    in_dialog: bool = False
    caption: str = ""


EVERY = (
    Sent(("otter-wave",), "⟦sticker harbour_otter :: 👋⟧"),
    Sent(("photo-lake",), "⟦photo⟧", in_dialog=True, caption="the lake, look"),
    Sent(("photo-cake", "photo-kitchen"), "⟦photo⟧", in_dialog=True, caption="two of them"),
    Sent(("gif-waves",), "⟦gif⟧"),
    Sent(("video-lake-evening",), "⟦video⟧", in_dialog=True),
    Sent(("voice-note",), "⟦voice, transcript⟧"),
    Sent(("lantern-dance",), "⟦sticker little_lantern :: 🎉⟧", in_dialog=True),
    Sent(("boat-sail",), "⟦sticker paper_boats :: ⛵⟧"),
)


class Album(TalkingDay):
    """A day on which Jule sends files."""

    own = OwnMedia(resource_path("sandbox") / "media")
    numbers = itertools.count(1)

    async def send(self, sent: Sent) -> None:
        """Let Jule send a message with files."""
        people, album = self.console.people, next(self.numbers) if len(sent.names) > 1 else 0
        for name, text in zip(sent.names, (sent.caption, ""), strict=False):
            people._world.send(JULE, OTTO, Draft(text, media=self.own.ref(name), grouped_id=album))
        people._hub.settle()


class Curator(Mouse):
    """Curates with the mouse; the keyboard is for letters."""

    async def in_pane(self, by_model: str, words: str) -> None:
        """Write words for what the model has described so, in the Media pane."""
        await self.press("Tools", "Media")
        media: Any = self.day.program.window.pane("media")

        def row() -> int:
            found = (number for number, told in enumerate(hand.rows(media.grid)) if by_model in told)
            return next(found, 0)

        self.click_row(media.grid, await hand.until(by_model, row))
        await hand.until("its words", lambda: media.detail.texts.generated.toPlainText() == by_model)
        await self.write(FIELD, words)
        await self.press("Save, next")
        await hand.until("the mark", lambda: any("Curated" in told and words in told for told in hand.rows(media.grid)))

    async def in_dialog(self, message: Message, number: int, of: int, by_model: str, words: str) -> None:
        """Write words for one file of a message, from its menu."""
        window = self.day.program.window
        window.show_pane("conversations")
        pane: Any = window.pane("conversations")
        pane.open_chat(await self.day._chat_of(TALK))
        view = pane.transcript

        def row() -> Any:
            rows = (view.model().index(one, 0) for one in range(view.model().rowCount()))
            shown = pane._context.models.transcript
            return next((one for one in rows if shown.rows.row_at(one.row()).messages[0].key == message.key), None)

        index = await hand.until("the message", row)
        view.scrollTo(index)
        place = view.visualRect(index).intersected(view.viewport().rect()).center()
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, view.viewport().mapToGlobal(place))
        QApplication.sendEvent(view.viewport(), event)
        await self.press("Description…" if of == 1 else f"Description of file {number}…")

        def dialog() -> DescriptionDialog | None:
            found = [one for one in window.findChildren(DescriptionDialog) if one.isVisible()]
            return found[0] if found else None

        shown = await hand.until("the dialog", dialog)
        await hand.until("its words", lambda: shown.texts.generated.toPlainText() == by_model)
        field = shown.texts.field.field
        QTest.mouseClick(field.viewport(), Qt.MouseButton.LeftButton, pos=field.rect().center())
        QTest.keyClicks(field, words)
        QTest.mouseClick(shown.keep, Qt.MouseButton.LeftButton)
        await hand.until("what is read now", lambda: words in shown._seen.text())
        QTest.mouseClick(shown.keep, Qt.MouseButton.LeftButton)
        await hand.until("the dialog gone", lambda: dialog() is None)


async def messages_of(day: Album, sent: Sent) -> list[Message]:
    """Return the messages with the files, as the store has them."""
    ids = [day.own.ref(name).file_id for name in sent.names]
    found: dict[int, Message] = {}

    async def are_there() -> bool:
        rows = (await day.engine.transcripts.before(await day._chat_of(TALK), None, 100)).rows
        found.update({row.media.file_id: row for row in rows if row.media is not None})
        return all(one in found for one in ids)

    await day.until(are_there)
    return [found[one] for one in ids]


async def test_each_kind_is_curated_in_the_window_and_the_next_prompt_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config"
    shutil.copytree(resource_path("samples"), config)
    shutil.rmtree(config / "media")
    described, prompts = itertools.count(1), list[str]()

    async def answer(_self: Responder, call: ModelCall, *_more: Any) -> ScriptedReply:
        if TASK in call.system_instruction:
            return ScriptedReply(f"By the model {next(described)}.")
        prompts.append(json.dumps(call.contents, ensure_ascii=False))
        return ScriptedReply(f"# «send»\nanswer {len(prompts)}")

    monkeypatch.setattr(Responder, "answer", answer)

    async def look(day: Day) -> None:
        assert isinstance(day, Album)
        curator, curated = Curator(day), list[str]()
        for sent in EVERY:
            await day.draft_after(day.send(sent))
            found = re.findall(re.escape(sent.mark) + r" (By the model \d+\.)", prompts[-1])
            assert len(found) == len(sent.names), sent
            assert sent.caption in prompts[-1]
            messages = await messages_of(day, sent)
            for number, by_model in enumerate(found, 1):
                curated.append(f"{sent.mark} My words for {sent.names[number - 1]}")
                words = curated[-1].removeprefix(f"{sent.mark} ")
                if sent.in_dialog:
                    await curator.in_dialog(messages[0], number, len(found), by_model, words)
                else:
                    await curator.in_pane(by_model, words)
        await day.draft_after(day.console.speak(JULE, OTTO, "did you see all of it?"))
        missing = [words for words in curated if words not in prompts[-1]]
        assert not missing
        assert "By the model" not in prompts[-1]
        assert len(list((config / "media").glob("*.json"))) == len(curated)

    await thirty_items.run(tmp_path, look, (TALK,), Album, config=config)
