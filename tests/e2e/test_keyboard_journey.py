"""From launch to ten decided drafts with the keyboard alone: real program, real widgets, no click, no direct call."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from chimein_gui import ui_driver as hand
from chimein_gui.program import Program
from tests.e2e import ten_drafts
from tests.e2e.keyboard import CTRL, SHIFT, choose, name_in_focus, press, press_until, tab_to, until_focus, write
from tests.e2e.ten_drafts import JULE, MARTA, MIO, PLAIFAH, SALMA, SHOW_NEW, TALKS, Books

pytestmark = [
    pytest.mark.qt_loop,
    pytest.mark.gate_slow,
    pytest.mark.qt_log_ignore("plugin does not support"),  # a dialog is a window of its own
]

Key = Qt.Key
EDITED = "Only on foot, since 2 November."
EDITED_AGAIN = "พรุ่งนี้เจอกันนะ 🙂"
LIST = "Planned messages"


class Hands:
    """What the operator sees of the cards, and the way from one to the next."""

    def __init__(self, program: Program, books: Books) -> None:
        self.program, self.books = program, books
        self._list = program.window.pane("approvals").list  # type: ignore[attr-defined]

    def card(self, partner: str) -> str:
        """The newest card of a partner, as it is read out; empty where there is none."""
        beginning = f"{TALKS[partner][0]} to {partner}, "
        found = [hand.seen(row) for row in hand.rows(self._list)]
        waiting = [row for row in found if row.startswith(f"{beginning}Waits for you")]
        return next(iter([*waiting, *(row for row in found if row.startswith(beginning))]), "")

    def waits(self, partner: str) -> bool:
        return f"to {partner}, Waits for you" in self.card(partner)

    def current(self) -> str:
        return hand.seen(str(self._list.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole) or ""))

    async def go_to(self, partner: str) -> None:
        """Move to the card that waits, with the letters J and K."""
        await until_focus(LIST)
        for letter in (Key.Key_J, Key.Key_K):
            for _ in range(20):
                if f"to {partner}, Waits for you" in self.current():
                    return
                press(letter)
        raise AssertionError(f"no card that waits for {partner}: {hand.rows(self._list)}")

    async def approve(self, partner: str) -> None:
        """Press A until it is approved."""
        await self.go_to(partner)
        text = await self.books.text_of(partner)
        await press_until(Key.Key_A, "the approval", lambda: not self.waits(partner))
        self.books.sent[partner].append(text)

    async def edit(self, partner: str, text: str) -> None:
        """Press E, write another text, approve that with Ctrl+Return."""
        await self.go_to(partner)
        await press_until(Key.Key_E, "the editor", lambda: name_in_focus().startswith("Your text"))
        press(Key.Key_A, CTRL)
        write(text)
        press(Key.Key_Return, CTRL)
        await hand.until("the approval", lambda: not self.waits(partner))
        self.books.sent[partner].append(text)

    async def reject(self, partner: str, reason: str = "") -> None:
        """Press R, and R again or a reason."""
        await self.go_to(partner)
        await press_until(Key.Key_R, "the question", lambda: name_in_focus().startswith("Reject, no reason"))
        if reason:
            write(reason)
            press(Key.Key_Return, CTRL)
        else:
            press(Key.Key_R)
        await hand.until("the rejection", lambda: not self.waits(partner))
        self.books.rejected += 1


async def through_all_panes(program: Program) -> None:
    """F6 and Shift+F6 lead through every pane in sight; each pane has a key that brings it there."""
    panes = program.window.dock_manager.focus
    visited = set()
    for pane_id in ("agents", "rehearsal", "approvals"):
        before = panes.here()
        press(*shortcut_of(program, pane_id))
        await hand.until(f"the pane {pane_id}", lambda pane_id=pane_id: panes.here() == pane_id)  # type: ignore[misc]
        press(Key.Key_F6)  # behind the last pane comes the top bar
        await hand.until("what comes next", lambda pane_id=pane_id: panes.here() != pane_id)  # type: ignore[misc]
        assert panes.here() or program.window.top_bar.search.hasFocus()
        press(Key.Key_F6)
        await hand.until("the next pane", lambda pane_id=pane_id: panes.here() not in (pane_id, ""))  # type: ignore[misc]
        visited |= {before, pane_id, panes.here()}
        press(Key.Key_F6, SHIFT)
        press(Key.Key_F6, SHIFT)
        await hand.until("the pane before", lambda pane_id=pane_id: panes.here() == pane_id)  # type: ignore[misc]
    on_demand = {pane_id for pane_id, dock in program.window.docks.items() if dock.spec.on_demand}
    assert visited == set(program.window.panes) - on_demand


def shortcut_of(program: Program, pane_id: str) -> tuple[Qt.Key, Qt.KeyboardModifier]:
    """The keys that the menu shows beside a pane."""
    combination = program.window.action(f"show_{pane_id}").shortcut()[0]  # type: ignore[index]
    return combination.key(), combination.keyboardModifiers()


async def back_to_the_cards(program: Program) -> None:
    """After a menu or a dialog: the pane's own key."""
    await until_focus("")
    press(*shortcut_of(program, "approvals"))
    await until_focus(LIST)


async def by_palette(words: str, expected: str) -> None:
    """Ctrl+K, a few letters, Return."""
    press(Key.Key_K, CTRL)
    await until_focus("Search or type a command")
    write(words)
    press(Key.Key_Return)
    await until_focus(expected)


async def let_the_new_ones_in(hands: Hands) -> None:
    """While the operator is in the list its order stands still: what is new waits behind a button above it."""
    window = hands.program.window

    def offered() -> str:
        names = [name for name in hand.words_in_sight(window) if SHOW_NEW.fullmatch(name)]
        return names[0] if names else "all" * all(map(hands.waits, TALKS))

    name = await hand.until("what is new", offered)
    if name != "all":
        await tab_to(name, SHIFT)
        press(Key.Key_Space)
    await hand.until("the new cards", lambda: all(map(hands.waits, TALKS)))
    await back_to_the_cards(hands.program)


async def undone_and_approved(hands: Hands, partner: str) -> None:
    await hands.go_to(partner)
    text = await hands.books.text_of(partner)
    async with hands.books.time_to_undo():
        await press_until(Key.Key_A, "the approval", lambda: not hands.waits(partner))
        await press_until(Key.Key_Z, "it back", lambda: hands.waits(partner))
    assert text not in await hands.books.mailbox(partner)
    await hands.approve(partner)


async def regenerated_and_approved(hands: Hands, partner: str) -> None:
    """Ask for another version, look at it on the wide card, use it, and approve it."""
    before = await hands.books.id_of(partner)
    await hands.go_to(partner)
    press(Key.Key_M, CTRL | SHIFT)
    await press_until(Key.Key_G, "the question", lambda: name_in_focus().startswith("Regenerate, no instruction"))
    write("shorter, please")
    press(Key.Key_Return, CTRL)
    card = hands.program.window.pane("approvals").card  # type: ignore[attr-defined]
    await hand.until("the version", lambda: hand.button(card, "2  shorter"))
    await tab_to("2  shorter")
    await tab_to("Use this one")
    press(Key.Key_Space)
    await hand.until("the draft alone", lambda: hand.button(card, "2  shorter") is None)
    press(Key.Key_M, CTRL | SHIFT)
    await back_to_the_cards(hands.program)
    await hand.until("the new card", lambda: hands.waits(partner))
    assert await hands.books.id_of(partner) != before  # the model may well say the same again
    await hands.approve(partner)


async def postponed_and_approved(hands: Hands, partner: str) -> None:
    """Later, by the menu behind the last button; then back from the list of what comes later, and approved."""
    await hands.go_to(partner)
    await tab_to("More: ")
    press(Key.Key_Space)
    await choose("Later", "In ")
    await hand.until("it put off", lambda: not hands.card(partner))
    await tab_to(f"Bring back now: {partner}")
    press(Key.Key_Space)
    await hand.until("it back", lambda: hands.waits(partner))
    await back_to_the_cards(hands.program)
    await hands.approve(partner)


async def under_hold(hands: Hands, partner: str) -> None:
    """F8; what is approved stays; F8 again opens the backlog, whose one button sends it."""
    window, before = hands.program.window, await hands.books.mailbox(partner)
    press(Key.Key_F8)
    await hand.until("the hold", lambda: hand.button(window, "Everything held"))
    await hands.approve(partner)
    await hand.until("its status", lambda: "Approved, held" in hands.card(partner))
    press(Key.Key_F8)
    await hand.until("the backlog", lambda: hand.button(window, "Send 1 selected of Sora Kitano"))
    assert await hands.books.mailbox(partner) == before
    await tab_to("Send 1 selected of Sora Kitano")
    press(Key.Key_Space)
    await hands.books.arrived(partner)
    if hand.button(window, "Keep all for later"):
        press(Key.Key_Escape)
    await back_to_the_cards(hands.program)


async def journey(program: Program, books: Books) -> None:
    hands = Hands(program, books)
    await through_all_panes(program)
    await books.everybody_writes("Is the bridge open again?")
    await by_palette("approvals", LIST)
    await let_the_new_ones_in(hands)
    await hands.approve(MARTA)
    await hands.edit(JULE, EDITED)
    await hands.reject(MIO)
    await hands.reject(PLAIFAH, "too many words")
    await undone_and_approved(hands, SALMA)
    for partner in (MARTA, JULE, SALMA):
        await books.arrived(partner)
    await books.everybody_writes("And the path along the river?")
    await let_the_new_ones_in(hands)
    await regenerated_and_approved(hands, MARTA)
    await postponed_and_approved(hands, JULE)
    for partner in (MARTA, JULE):
        await books.arrived(partner)  # a hold would stop what has not left yet
    await under_hold(hands, MIO)
    await hands.edit(PLAIFAH, EDITED_AGAIN)
    await hands.reject(SALMA)


async def test_ten_drafts_are_decided_by_keyboard_alone(tmp_path: Path) -> None:
    await ten_drafts.run(tmp_path, journey)
