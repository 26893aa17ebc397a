"""Thirty planned messages of all kinds: by keys alone, by mouse alone, by accessible actions alone; all are counted."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from chimein_gui import ui_driver as hand
from chimein_gui.domain.approvals import Approval
from tests.e2e import keyboard, thirty_items
from tests.e2e.keyboard import CTRL, NONE, SHIFT, until_focus
from tests.e2e.thirty_hands import Hand, Listener, Mouse
from tests.e2e.thirty_items import EDITED, INSTRUCTION, ITEMS, SHORTER, Day, answering

pytestmark = [
    pytest.mark.qt_loop,
    pytest.mark.gate_slow,
    pytest.mark.qt_log_ignore("plugin does not support"),
]

Key = Qt.Key
LIST = "Planned messages"


class Keys(Hand):
    """The operator with a keyboard; every key is counted, those of texts too."""

    def press(self, code: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        self.count += 1
        keyboard.press(code, modifiers)

    def write(self, text: str) -> None:
        self.count += len(text)
        keyboard.write(text)

    async def open(self) -> None:
        self.press(*shortcut_of(self.day, "approvals"))
        await until_focus(LIST)

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
            await self.again(
                lambda: self.press(Key.Key_A), f"{card.text} approved", lambda: self.is_behind(card), is_pressed=True
            )

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
        await self.again(lambda: self.press(Key.Key_2), "the other version", lambda: self.card_begins(SHORTER))
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


@pytest.mark.parametrize(("kind", "most"), [(Keys, 75), (Mouse, 70), (Listener, 70)])
async def test_all_are_decided(kind: type[Hand], most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch)
    assert ITEMS == 30

    async def decide(day: Day) -> None:
        hands = kind(day)
        await hands.decide_all()
        assert hands.count <= most

    await thirty_items.run(tmp_path, decide)
