"""The hand of an operator who has nothing but a keyboard."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import Qt

from chimein_gui import ui_driver as hand
from chimein_gui.domain.approvals import Approval
from tests.e2e import keyboard
from tests.e2e.keyboard import CTRL, NONE, SHIFT, name_in_focus, until_focus
from tests.e2e.thirty_hands import Hand
from tests.e2e.thirty_items import EDITED, INSTRUCTION, SHORTER, Day

Key = Qt.Key
LIST = "Planned messages"


class Keys(Hand):
    """The operator with a keyboard; every key is counted, those of texts too."""

    def __init__(self, day: Day, beat_s: float = 0.0) -> None:
        super().__init__(day)
        self.beat_s = beat_s

    async def beat(self) -> None:
        """A finger needs its time, between two letters, too."""
        self.count += 1
        await asyncio.sleep(self.beat_s)

    async def press(self, code: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        await self.beat()
        keyboard.press(code, modifiers)

    async def write(self, text: str) -> None:
        for letter in text:
            await self.beat()
            keyboard.write(letter)

    async def open(self) -> None:
        await self.press(*shortcut_of(self.day, "approvals"))
        await until_focus(LIST)

    async def approve(self, card: Approval) -> None:
        await self.press(Key.Key_A)
        if not card.text:  # what cannot be taken back asks for a second press
            await hand.until("the question", lambda: hand.button(self.list, "Press again"))
            await self.press(Key.Key_A)
        elif card.is_stale:
            await until_focus("I've read the changes")
            await self.press(Key.Key_Space)
            await self.press(Key.Key_A)
        else:  # behind an edited or rejected step its version may have risen in this very moment
            await self.again(
                lambda: self.press(Key.Key_A), f"{card.text} approved", lambda: self.is_behind(card), is_pressed=True
            )

    async def reject(self, card: Approval) -> None:
        await self.press(Key.Key_R)
        await until_focus("Reject, no reason")
        await self.press(Key.Key_R)

    async def edit(self, card: Approval) -> None:
        await self.press(Key.Key_E)
        await until_focus("Your text")
        await self.press(Key.Key_A, CTRL)
        await self.write(EDITED)
        await self.press(Key.Key_Return, CTRL)

    async def regenerate(self, card: Approval) -> None:
        await self.press(Key.Key_G)
        await until_focus("Regenerate, no instruction")
        await self.write(INSTRUCTION)
        await self.press(Key.Key_Return, CTRL)
        await until_focus(LIST)
        window = self.day.program.window
        await hand.until("the version", lambda: any("New version" in one for one in hand.words_in_sight(window)))
        await self.again(
            lambda: self.press(Key.Key_V), "the versions", lambda: name_in_focus().startswith("Use this one")
        )
        await self.again(lambda: self.press(Key.Key_2), "the other version", lambda: self.card_begins(SHORTER))
        await self.in_sight()
        await self.press(Key.Key_A)
        await self.press(Key.Key_M, CTRL | SHIFT)

    async def batch(self, card: Approval) -> None:
        await self.press(Key.Key_X)
        for _ in range(4):
            await self.press(Key.Key_Down, SHIFT)
            card = await self.in_sight()
        await self.press(Key.Key_A)
        await hand.until("the batch decided", lambda: self.is_behind(card))


def shortcut_of(day: Day, pane_id: str) -> tuple[Qt.Key, Qt.KeyboardModifier]:
    """The keys that the menu shows beside a pane."""
    combination = day.program.window.action(f"show_{pane_id}").shortcut()[0]  # type: ignore[index]
    return combination.key(), combination.keyboardModifiers()
