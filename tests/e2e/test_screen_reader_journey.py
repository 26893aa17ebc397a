"""From launch to ten decided drafts with a screen reader's view alone: roles, names, states and actions, no widget."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAccessible

from chimein_gui import ui_driver as hand
from chimein_gui.program import Program
from tests.e2e import ten_drafts
from tests.e2e.keyboard import PRESS_AGAIN_S
from tests.e2e.screen_reader import Role, ScreenReader, Thing, do
from tests.e2e.ten_drafts import JULE, MARTA, MIO, PLAIFAH, SALMA, SHOW_NEW, TALKS, Books

pytestmark = [
    pytest.mark.qt_loop,
    pytest.mark.gate_slow,
    pytest.mark.qt_log_ignore("plugin does not support"),  # a dialog is a window of its own
]

EDITED = "Only on foot, since 2 November."
EDITED_AGAIN = "พรุ่งนี้เจอกันนะ 🙂"
NOTHINGS = (Role.NoRole, Role.Client, Role.Grouping)
"""Roles that tell nobody what can be done with a thing."""


@pytest.fixture(autouse=True)
def _accessibility() -> Iterator[None]:
    yield
    QAccessible.setActive(False)


class Listener:
    """An operator who hears the window."""

    def __init__(self, books: Books) -> None:
        self.books, self.reader = books, ScreenReader()

    def is_whole(self) -> None:
        """What keys can reach has a name and a role; what cannot be pressed says why; no markup is read out."""
        wrong = []
        for thing in self.reader.all():
            said = f"{thing.role.name} “{thing.name}” {thing.description!r} {thing.node.object()}"
            if thing.focusable and (not thing.name or thing.role in NOTHINGS):
                wrong.append(f"without a name or a role: {said}")
            if (
                thing.disabled
                and thing.role in (Role.Button, Role.CheckBox, Role.RadioButton, Role.PageTab)
                and not thing.description
            ):
                wrong.append(f"does not say why it cannot be pressed: {said}")
            if "<span" in thing.name + thing.description:
                wrong.append(f"reads markup out: {said}")
        assert wrong == []

    def is_held(self) -> bool:
        """Tell whether the one switch says that everything is held."""
        switch = self.reader.find(Role.CheckBox, "Hold everything")
        return switch is not None and switch.checked

    def row(self, partner: str, status_words: str) -> Thing | None:
        return self.reader.row(f"{TALKS[partner][0]} to {partner}, {status_words}")

    async def status_words(self, partner: str, words: str) -> None:
        """Wait until a row of the list says this of a partner's draft."""
        await hand.until(f"{partner}: {words}", lambda: self.row(partner, words))

    async def decided(self, partner: str) -> None:
        await hand.until(f"{partner}: decided", lambda: self.waits_no_more(partner))

    async def choose(self, partner: str) -> str:
        """Choose the row that waits; the card then tells to whom, what exactly, and why. Returns the text."""
        row = await hand.until(f"{partner}: the draft", lambda: self.row(partner, "Waits for you"))
        text = await self.books.text_of(partner)
        assert text in row.name
        do(row, "Toggle")
        await hand.until("the card", lambda: self.reader.says(f"Planned message, {self.who(partner)}"))
        await hand.until("its text", lambda: self._reads(text))
        self.is_whole()
        return text

    def who(self, partner: str) -> str:
        return f"{TALKS[partner][0]} to {partner}"

    def _reads(self, text: str) -> bool:
        """The text is told on the card, not in the list alone."""
        return any(text in one.name for one in self.reader.all() if one.role not in (Role.ListItem, Role.TreeItem))

    async def press(self, action: str, partner: str, done: Callable[[], object]) -> None:
        """Press an action of a card, and once more after a moment, until what it is pressed for has happened."""
        last = 0.0

        def pressed() -> object:
            nonlocal last
            if found := done():
                return found
            button = self.reader.find(Role.Button, f"{action}: {self.who(partner)}")
            if button is not None and time.monotonic() - last > PRESS_AGAIN_S:
                last = time.monotonic()
                do(button, "Press")
            return done()

        await hand.until(f"{action}: {partner}", pressed)

    def waits_no_more(self, partner: str) -> bool:
        return self.row(partner, "Waits for you") is None

    def field(self, beginning: str, partner: str) -> Thing | None:
        return self.reader.find(Role.EditableText, f"{beginning}, {self.who(partner)}")

    async def approve(self, partner: str) -> None:
        text = await self.choose(partner)
        await self.press("Approve", partner, lambda: self.waits_no_more(partner))
        self.books.sent[partner].append(text)

    async def edit(self, partner: str, text: str) -> None:
        await self.choose(partner)
        await self.press("Edit", partner, lambda: self.field("Your text", partner))
        await self.reader.write(f"Your text, {self.who(partner)}", text)
        self.is_whole()
        await self.reader.press("Approve edited text")
        await self.decided(partner)
        self.books.sent[partner].append(text)

    async def reject(self, partner: str, reason: str = "") -> None:
        await self.choose(partner)
        await self.press("Reject", partner, lambda: self.field("Reason, optional", partner))
        if reason:
            await self.reader.write(f"Reason, optional, {self.who(partner)}", reason)
        self.is_whole()
        await self.reader.press("Reject" if reason else "Reject, no reason")
        await self.decided(partner)
        self.books.rejected += 1


async def undone_and_approved(listener: Listener, partner: str) -> None:
    text = await listener.choose(partner)
    async with listener.books.time_to_undo():
        await listener.press("Approve", partner, lambda: listener.waits_no_more(partner))
        await listener.press("Undo", partner, lambda: listener.row(partner, "Waits for you"))
    assert text not in await listener.books.mailbox(partner)
    await listener.approve(partner)


async def regenerated_and_approved(listener: Listener, partner: str) -> None:
    reader, before = listener.reader, await listener.books.id_of(partner)
    await listener.choose(partner)
    await listener.press("Regenerate", partner, lambda: listener.field("Plan again", partner))
    await reader.write(f"Plan again, {listener.who(partner)}", "shorter, please")
    listener.is_whole()
    await reader.press("Regenerate")
    await reader.press("2  shorter, please", Role.RadioButton)
    await reader.wait_for(Role.Button, "Use this one")
    listener.is_whole()
    await reader.press("Use this one")
    await hand.until("the draft alone", lambda: reader.find(Role.RadioButton, "2  shorter") is None)
    await listener.status_words(partner, "Waits for you")
    assert await listener.books.id_of(partner) != before
    await listener.approve(partner)


async def under_hold(listener: Listener, partner: str) -> None:
    reader, before = listener.reader, await listener.books.mailbox(partner)
    await reader.press("Hold everything", Role.CheckBox)
    await hand.until("the hold", listener.is_held)
    await listener.approve(partner)
    await listener.status_words(partner, "Approved, held")
    listener.is_whole()
    await reader.press("Hold everything", Role.CheckBox)
    await reader.wait_for(Role.Button, f"Send 1 selected of {TALKS[partner][0]}")
    listener.is_whole()
    assert await listener.books.mailbox(partner) == before
    await reader.press(f"Send 1 selected of {TALKS[partner][0]}")
    await listener.books.arrived(partner)
    if reader.find(Role.Button, "Keep all for later"):
        await reader.press("Keep all for later")


async def let_the_new_ones_in(listener: Listener) -> None:
    """While the operator is in the list, what is new waits behind a button above it."""

    def all_wait() -> bool:
        if news := next((one for one in listener.reader.all() if SHOW_NEW.fullmatch(one.name)), None):
            do(news, "Press")
        return all(listener.row(partner, "Waits for you") for partner in TALKS)

    await hand.until("the new cards", all_wait)


async def journey(_program: Program, books: Books) -> None:
    listener = Listener(books)
    reader = listener.reader
    for pane in ("Agents", "Rehearsal", "Chats"):
        await reader.press(pane, Role.PageTab)
        listener.is_whole()
    await reader.press("Agents", Role.PageTab)
    for agent, _, _ in TALKS.values():
        assert reader.row(f"{agent}, Online")
    await books.everybody_writes("Is the bridge open again?")
    await reader.press("Approvals, 5 waiting", Role.PageTab)
    await reader.press("Maximize Approvals")
    await listener.approve(MARTA)
    await listener.edit(JULE, EDITED)
    await listener.reject(MIO)
    await listener.reject(PLAIFAH, "too many words")
    await undone_and_approved(listener, SALMA)
    for partner in (MARTA, JULE, SALMA):
        await books.arrived(partner)
    await books.everybody_writes("And the path along the river?")
    await let_the_new_ones_in(listener)
    await regenerated_and_approved(listener, MARTA)
    await listener.approve(JULE)
    for partner in (MARTA, JULE):
        await books.arrived(partner)  # a hold would stop what has not left yet
    await under_hold(listener, MIO)
    await listener.edit(PLAIFAH, EDITED_AGAIN)
    await listener.reject(SALMA)
    listener.is_whole()


async def test_ten_drafts_are_decided_by_what_a_screen_reader_tells(tmp_path: Path) -> None:
    await ten_drafts.run(tmp_path, journey)
