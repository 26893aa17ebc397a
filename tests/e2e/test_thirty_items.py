"""Thirty planned messages of all kinds, decided by keys alone, with at most 75 presses, those of the texts included."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from chimein_gui import ui_driver as hand
from chimein_gui.domain.approvals import Approval
from tests.e2e import keyboard, thirty_items
from tests.e2e.keyboard import CTRL, NONE, SHIFT, until_focus
from tests.e2e.thirty_items import EDITED, INSTRUCTION, ITEMS, SHORTER, Day, answering

pytestmark = [
    pytest.mark.qt_loop,
    pytest.mark.gate_slow,
    pytest.mark.qt_log_ignore("plugin does not support"),
]

Key = Qt.Key
LIST = "Planned messages"
MOST_KEYS = 75


class Keys:
    """The operator with a keyboard; every key is counted, those of texts too."""

    def __init__(self, day: Day) -> None:
        self.day = day
        self.pane = day.program.window.pane("approvals")
        self.list = self.pane.list  # type: ignore[attr-defined]
        self.presses = 0

    def press(self, code: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        self.presses += 1
        keyboard.press(code, modifiers)

    def write(self, text: str) -> None:
        self.presses += len(text)
        keyboard.write(text)

    def current(self) -> Approval | None:
        found: Approval | None = self.list.current()
        return found

    async def in_sight(self) -> Approval:
        """Wait until the card under the cursor has been read, as the operator does."""

        def is_read() -> Approval | None:
            card = self.current()
            return card if card and self.list.in_view.has_read((card.approval_id, card.version)) else None

        return await hand.until("a card that was read", is_read)

    def is_behind(self, card: Approval) -> bool:
        """The cursor is on another card by now, or there is none left."""
        current = self.current()
        return current is None or current.approval_id != card.approval_id

    def card_begins(self, beginning: str) -> bool:
        card = self.current()
        return card is not None and card.text.startswith(beginning)

    async def press_until(
        self, code: Qt.Key, what: str, done: Callable[[], object], *, is_pressed: bool = False
    ) -> None:
        """Press, and once more after a moment: what has only just come into sight is not taken for read."""
        last = time.monotonic() if is_pressed else 0.0

        def pressed() -> object:
            nonlocal last
            if not (found := done()) and time.monotonic() - last > keyboard.PRESS_AGAIN_S:
                last = time.monotonic()
                self.press(code)
            return found

        await hand.until(what, pressed)

    async def decide_all(self) -> None:
        self.press(*shortcut_of(self.day, "approvals"))
        await until_focus(LIST)
        while await self.day.waiting():
            card = await self.in_sight()
            await getattr(self, self.day.deed_for(card.text).value)(card)
            await hand.until(f"{card.text} decided", lambda card=card: self.is_behind(card))  # type: ignore[misc]

    async def approve(self, card: Approval) -> None:
        self.press(Key.Key_A)
        if not card.text:  # what cannot be taken back asks for a second press
            await hand.until("the question", lambda: hand.button(self.list, "Press again"))
            self.press(Key.Key_A)
        elif card.is_stale:
            await until_focus("I've read the changes")
            self.press(Key.Key_Space)
            self.press(Key.Key_A)
        else:  # behind an edited or rejected step its version may have risen in this very moment
            await self.press_until(Key.Key_A, f"{card.text} approved", lambda: self.is_behind(card), is_pressed=True)

    async def reject(self, card: Approval) -> None:
        self.press(Key.Key_R)
        await until_focus("Reject, no reason")
        self.press(Key.Key_R)

    async def edit(self, card: Approval) -> None:
        self.press(Key.Key_E)
        await until_focus("Your text")
        self.press(Key.Key_A, CTRL)
        self.write(EDITED)
        self.press(Key.Key_Return, CTRL)

    async def regenerate(self, card: Approval) -> None:
        self.press(Key.Key_G)
        await until_focus("Regenerate, no instruction")
        self.write(INSTRUCTION)
        self.press(Key.Key_Return, CTRL)
        await until_focus(LIST)
        window = self.day.program.window
        await hand.until("the version", lambda: any("New version" in one for one in hand.words_in_sight(window)))
        self.press(Key.Key_V)
        await until_focus("Use this one")
        await self.press_until(Key.Key_2, "the other version", lambda: self.card_begins(SHORTER))
        await self.in_sight()
        self.press(Key.Key_A)
        self.press(Key.Key_M, CTRL | SHIFT)

    async def batch(self, card: Approval) -> None:
        self.press(Key.Key_X)
        for _ in range(4):
            self.press(Key.Key_Down, SHIFT)
            card = await self.in_sight()
        self.press(Key.Key_A)
        await hand.until("the batch decided", lambda: self.is_behind(card))


def shortcut_of(day: Day, pane_id: str) -> tuple[Qt.Key, Qt.KeyboardModifier]:
    """The keys that the menu shows beside a pane."""
    combination = day.program.window.action(f"show_{pane_id}").shortcut()[0]  # type: ignore[index]
    return combination.key(), combination.keyboardModifiers()


async def by_keys(day: Day) -> None:
    hands = Keys(day)
    await hands.decide_all()
    assert hands.presses <= MOST_KEYS


async def test_by_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch)
    assert ITEMS == 30
    await thirty_items.run(tmp_path, by_keys)
