"""A plan of five steps is edited in the Plans pane: by keys alone, by mouse alone, by accessible actions alone.

Each kind of edit is made, taken back and made again; then the partner's mailbox holds exactly the result, once.
"""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox

from chimein_gui import ui_driver as hand
from chimein_gui.sandbox.seeds.people import JULE, MARTA, MIO, NORA, PLAIFAH
from tests.e2e import keyboard, thirty_items
from tests.e2e.keyboard import CTRL, until_focus
from tests.e2e.screen_reader import Role, do
from tests.e2e.thirty_hands import LEFT, Hand, Listener, Mouse, Pointer
from tests.e2e.thirty_items import Action, Day, Talk, answering
from tests.e2e.thirty_keys import LIST, Keys, shortcut_of

pytestmark = [pytest.mark.qt_loop, pytest.mark.gate_slow, pytest.mark.qt_log_ignore("plugin does not support")]

Key = Qt.Key
ALT = Qt.KeyboardModifier.AltModifier
STEPS = "Steps of the plan"
PLANNED = ("one", "# «wait»\ndelay: 600", "two", "three", "four")
TALK = Talk(NORA, MARTA, tuple((text, Action.APPROVE) for text in PLANNED))
AS_PLANNED = ("one", "Wait 10 min", "two", "three", "four")
NEW, FIRST_TRY, BETTER = "one and a half", "two, so to say", "two, at last"
RESULT = ["one", NEW, BETTER, "four"]
OTHERS = (JULE, MIO, PLAIFAH)
"""Partners with whom nothing is planned."""


class PlanDay(Day):
    """A day with one plan."""

    async def arrange(self) -> None:
        """Let the partner write, so that the plan waits."""
        await self.console.speak(MARTA, NORA, "cue 0")

        async def is_planned() -> bool:
            return len(await self.waiting()) == len(PLANNED) - 1

        await self.until(is_planned)
        self.before = {partner: await self.mailbox(partner) for partner in (MARTA, *OTHERS)}

    async def agree(self) -> None:
        """Compare whole mailboxes once all was sent."""

        async def all_there() -> bool:
            return not await self.waiting() and len(await self.received(MARTA)) >= len(RESULT)

        await self.until(all_there)
        expected = self.before | {MARTA: [*self.before[MARTA], *RESULT]}
        assert {partner: await self.mailbox(partner) for partner in self.before} == expected


class Planner(Hand):
    """Edits the plan."""

    @property
    def steps(self) -> Any:
        """The list of the steps."""
        return self.day.program.window.pane("plans").outline  # type: ignore[attr-defined]

    def told(self) -> list[str]:
        """The messages and waits that are not over, as they are told."""
        rows = [hand.seen(row) for row in hand.rows(self.steps)]
        over = {"Rejected", "Cancelled", "Skipped"}
        return [row for row in rows if row.startswith(("Message", "Wait")) and not over & set(row.split(", "))]

    async def until_told(self, *words: str) -> None:
        """Wait until the steps are these, in this order."""

        def is_so() -> bool:
            rows = self.told()
            return len(rows) == len(words) and all(word in row for word, row in zip(words, rows, strict=True))

        await hand.until(str(words), is_so)

    async def edit_all(self) -> None:
        """Make each edit, take it back, and make it again."""
        await self.open_chat()
        await self.show_plan()
        await self.until_told(*AS_PLANNED)
        now = list(AS_PLANNED)
        for edit in (self.insert, self.move, self.skip, self.shorten):
            before = list(now)
            await edit(now)
            await self.until_told(*now)
            await self.undo()
            await self.until_told(*before)
            await edit(before)
            await self.until_told(*now)
        for text in (FIRST_TRY, BETTER):
            await self.choose("Message, two")
            await self.edit_text(text)
            await self.until_told("one", NEW, "Wait 1 s", f"{text}, Approved", "four")
            if text is FIRST_TRY:
                await self.undo_text()
                await self.until_told("one", NEW, "Wait 1 s", f"{text}, Asks you", "four")
                await self.show_plan()

    async def insert(self, now: list[str]) -> None:
        now.insert(1, NEW)
        await self.choose("Message, one,")
        await self.entry("Insert message after…")
        await self.type_message(NEW)

    async def move(self, now: list[str]) -> None:
        now[-2:] = ["four", "three"]
        await self.choose("Message, four")
        await self.move_up()

    async def skip(self, now: list[str]) -> None:
        now.remove("three")
        await self.choose("Message, three")
        await self.press_action("Skip")

    async def shorten(self, now: list[str]) -> None:
        now[now.index("Wait 10 min")] = "Wait 1 s"
        await self.choose("Wait 10 min")
        await self.entry("Change wait…")
        await self.type_seconds("1")

    async def undo(self) -> None:
        await self.press_action("Undo")

    @abstractmethod
    async def open_chat(self) -> None:
        """Go to the chat."""

    @abstractmethod
    async def show_plan(self) -> None:
        """Show the plan of the open chat."""

    @abstractmethod
    async def choose(self, beginning: str) -> None:
        """Choose the open step of which this is told."""

    @abstractmethod
    async def press_action(self, name: str) -> None:
        """Press a button below the plan, or its key."""

    @abstractmethod
    async def entry(self, name: str) -> None:
        """Take an entry of the menu."""

    @abstractmethod
    async def move_up(self) -> None:
        """Move the step up by one."""

    @abstractmethod
    async def type_message(self, text: str) -> None:
        """Fill in the dialog for a message."""

    @abstractmethod
    async def type_seconds(self, text: str) -> None:
        """Fill in the dialog for a wait."""

    @abstractmethod
    async def edit_text(self, text: str) -> None:
        """Edit the text of the chosen step, and approve it."""

    @abstractmethod
    async def undo_text(self) -> None:
        """Take that approval back."""

    def place_of(self, beginning: str) -> int:
        """The row of the first open step of which this is told."""
        told = self.told()
        return next(
            row for row, words in enumerate(hand.rows(self.steps)) if words.startswith(beginning) and words in told
        )


class PlanKeys(Keys, Planner):
    """Keys: letters on the list, the menu by its button."""

    async def open_chat(self) -> None:
        await self.press(Key.Key_K, CTRL)
        await until_focus("Search or type a command")
        await self.write("Marta")
        await self.press(Key.Key_Return)
        await until_focus("Agents and chats")

    async def show_plan(self) -> None:
        await self.press(*shortcut_of(self.day, "plans"))
        await until_focus(STEPS)

    async def choose(self, beginning: str) -> None:
        await until_focus(STEPS)
        await self.press(Key.Key_Home)
        for _ in range(self.place_of(beginning)):
            await self.press(Key.Key_Down)

    async def press_action(self, name: str) -> None:
        await until_focus(STEPS)
        await self.press({"Skip": Key.Key_S, "Undo": Key.Key_Z}[name])

    async def entry(self, name: str) -> None:
        await keyboard.tab_to("More")
        await self.press(Key.Key_Space)
        await keyboard.choose(name)

    async def move_up(self) -> None:
        await self.press(Key.Key_Up, ALT)

    async def type_message(self, text: str) -> None:
        await until_focus("Text of the message")
        await self.write(text)
        await self.press(Key.Key_Return, CTRL)

    async def type_seconds(self, text: str) -> None:
        await until_focus("Seconds")
        await self.write(text)
        await self.press(Key.Key_Return)

    async def edit_text(self, text: str) -> None:
        await self.press(Key.Key_E)
        await until_focus("Your text")
        await self.press(Key.Key_A, CTRL)
        await self.write(text)
        await self.press(Key.Key_Return, CTRL)

    async def undo_text(self) -> None:
        await until_focus(LIST)
        await self.press(Key.Key_Z)


class PlanPointer(Pointer, Planner):
    """What mouse and screen reader have in common: all has a name that is pressed."""

    async def open_chat(self) -> None:
        await self.press("Approvals, ")
        await self.in_sight()
        await self.press("More: ", "Show in chat")

    async def show_plan(self) -> None:
        await self.press("Plans")

    async def press_action(self, name: str) -> None:
        await self.press(name)

    async def entry(self, name: str) -> None:
        await self.press("More", name)

    async def move_up(self) -> None:
        await self.entry("Move up")

    async def type_message(self, text: str) -> None:
        await self.write("Text of the message", text)
        await self.press("Insert")

    async def edit_text(self, text: str) -> None:
        await self.entry("Edit text…")
        await self.write("Your text", text)
        await self.press("Approve edited text")

    async def undo_text(self) -> None:
        await self.press("Undo: ")


class PlanMouse(Mouse, PlanPointer):
    """The mouse clicks rows where they stand."""

    async def choose(self, beginning: str) -> None:
        self.click_row(self.steps, self.place_of(beginning))

    async def type_seconds(self, text: str) -> None:
        def field() -> Any:
            boxes = self.day.program.window.findChildren(QAbstractSpinBox)
            return next(
                (box.lineEdit() for box in boxes if box.accessibleName() == "Seconds" and box.isVisible()), None
            )

        line = await hand.until("Seconds", field)
        QTest.mouseDClick(line, LEFT, pos=line.cursorRect().center())  # the cursor stands behind the number
        await until_focus("Seconds")
        keyboard.write(text)
        await self.press("Change")


class PlanListener(Listener, PlanPointer):
    """The screen reader chooses rows by their own action."""

    async def choose(self, beginning: str) -> None:
        told = next(words for words in self.told() if words.startswith(beginning))
        row = await hand.until(told, lambda: self.reader.row(told))
        if not row.checked:
            do(row, "Toggle")

    async def type_seconds(self, text: str) -> None:
        box = await self.reader.wait_for(Role.SpinBox, "Seconds")
        box.node.valueInterface().setCurrentValue(float(text))
        await self.press("Change")


@pytest.mark.parametrize("kind", [PlanKeys, PlanMouse, PlanListener])
async def test_the_partner_gets_exactly_the_edited_plan(
    kind: type[Planner], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(monkeypatch, (TALK,))

    async def edit(day: Day) -> None:
        hands = kind(day)
        await hands.edit_all()
        assert await day.received(MARTA) == [], "nothing leaves by an edit"
        await hands.decide_all()

    await thirty_items.run(tmp_path, edit, (TALK,), PlanDay)
