"""Hands that decide thirty planned messages: what is done is the same, how it is pressed and written differs."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from contextlib import suppress

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QMenu, QWidget

from chimein_gui import ui_driver as hand
from chimein_gui.domain.approvals import Approval
from tests.e2e import keyboard
from tests.e2e.keyboard import PRESS_AGAIN_S
from tests.e2e.screen_reader import Role, ScreenReader, Thing, do
from tests.e2e.thirty_items import EDITED, INSTRUCTION, SHORTER, Day

LEFT = Qt.MouseButton.LeftButton
APPROVE = ("Approve", "Send now", "Send again", "Block", "Press again")
"""How the button begins that lets a message leave."""


class Hand(ABC):
    """Decides all that waits; how something is pressed or written is what hands differ in.

    Attributes:
        count: Presses, clicks or actions so far.
    """

    def __init__(self, day: Day) -> None:
        self.day, self.count = day, 0
        self.pane = day.program.window.pane("approvals")
        self.list = self.pane.list  # type: ignore[attr-defined]

    def current(self) -> Approval | None:
        """The card under the cursor."""
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
        """The text of the card under the cursor begins so."""
        card = self.current()
        return card is not None and card.text.startswith(beginning)

    async def again(
        self, press: Callable[[], Awaitable[object]], what: str, done: Callable[[], object], *, is_pressed: bool = False
    ) -> None:
        """Press, and once more after a moment: what has only just come into sight takes no press.

        Presses again are not counted: on a busy machine most of them come while the first one is still at work.
        """
        before, counted = self.count, self.count if is_pressed else None
        async with asyncio.timeout(hand.PATIENCE_S):
            while not done():
                if not is_pressed:
                    await press()
                    if counted is not None:
                        self.count = counted
                    elif self.count > before:
                        counted = self.count
                is_pressed = False
                with suppress(hand.NotSeenError):
                    await hand.until(what, done, PRESS_AGAIN_S)

    async def decide_all(self) -> None:
        """Decide until nothing waits."""
        await self.open()
        while await self.day.waiting():
            card = await self.in_sight()
            await getattr(self, self.day.action_for(card.text).value)(card)
            await hand.until(f"{card.text} decided", lambda card=card: self.is_behind(card))  # type: ignore[misc]

    @abstractmethod
    async def open(self) -> None:
        """Go to what waits."""


class Pointer(Hand):
    """Presses what has a name; how that is pressed is what the two differ in."""

    @abstractmethod
    def find(self, *beginnings: str) -> Callable[[], object] | None:
        """Return what presses a button, a box or an entry whose name begins so; None while none is in sight."""

    @abstractmethod
    async def write(self, name: str, text: str) -> None:
        """Put a text in place of what stands in the field of this name, once it is there."""

    @abstractmethod
    async def next_card(self) -> None:
        """Put the cursor on the next card."""

    @abstractmethod
    async def select(self) -> None:
        """Select the card under the cursor."""

    async def try_press(self, *beginnings: str) -> bool:
        """Press what is in sight now."""
        if (press := self.find(*beginnings)) is None:
            return False
        self.count += 1
        press()
        return True

    async def press(self, *names: str) -> None:
        """Press one behind the other, each once it is there."""
        for name in names:
            await hand.until(name, lambda name=name: self.find(name))  # type: ignore[misc]
            await self.try_press(name)

    async def open(self) -> None:
        await self.press("Approvals, ")

    async def approve(self, card: Approval) -> None:
        if card.is_stale:
            await self.press("I've read the changes")
        await self.again(lambda: self.try_press(*APPROVE), f"{card.text} approved", lambda: self.is_behind(card))

    async def reject(self, card: Approval) -> None:
        await self.press("Reject: ", "Reject, no reason")

    async def edit(self, card: Approval) -> None:
        await self.press("Edit: ")
        await self.write("Your text", EDITED)
        await self.press("Approve edited text")

    async def regenerate(self, card: Approval) -> None:
        if not await self.try_press("Regenerate: "):
            await self.press("More: ", "Regenerate")
        await self.write("Plan again", INSTRUCTION)
        await self.press("Regenerate", "Show", f"2  {INSTRUCTION}", "Use this one")
        await hand.until("the other version", lambda: self.card_begins(SHORTER))
        await self.approve(await self.in_sight())
        await self.press("Restore size")

    async def batch(self, card: Approval) -> None:
        for number in range(5):
            if number:
                await self.next_card()
            card = await self.in_sight()
            await self.select()
        await self.press("Approve 5")
        await hand.until("the batch decided", lambda: self.is_behind(card))


class Mouse(Pointer):
    """Clicks where a person would; the keyboard is for the letters of texts alone."""

    def find(self, *beginnings: str) -> Callable[[], object] | None:
        menu = QApplication.activePopupWidget()
        if isinstance(menu, QMenu):
            entries = [one for one in menu.actions() if one.isEnabled() and one.text().startswith(beginnings)]
            places = [menu.actionGeometry(one).center() for one in entries]
            return (lambda: QTest.mouseClick(menu, LEFT, pos=places[0])) if places else None
        found = []
        for one in self.day.program.window.findChildren(QAbstractButton):
            names = [name for name in (hand.seen(one.accessibleName()), one.text()) if name.startswith(beginnings)]
            if names and one.isEnabled() and _is_bare(one):
                found.append((not set(names) & set(beginnings), one))
        found.sort(key=lambda pair: pair[0])  # the very name first
        return (lambda: _click(found[0][1])) if found else None

    async def write(self, name: str, text: str) -> None:
        field = await hand.until(name, lambda: hand.field(self.day.program.window, name))
        assert _is_bare(field.viewport())
        line = field.cursorRect().center()
        self.count += 3
        QTest.mouseClick(field.viewport(), LEFT, pos=line)
        QTest.mouseDClick(field.viewport(), LEFT, pos=line)
        QTest.mouseClick(field.viewport(), LEFT, pos=line)
        await keyboard.until_focus(name)
        keyboard.write(text)

    async def next_card(self) -> None:
        self.click_row(self.list, self.list.currentIndex().row() + 1)

    def click_row(self, view: QAbstractItemView, row: int) -> None:
        """Turn the wheel until a row is in sight, and click it."""
        area, index = view.viewport(), view.model().index(row, 0)
        while not area.rect().contains(view.visualRect(index).center()):
            _wheel(area, up=view.visualRect(index).top() < 0)
        self.count += 1
        QTest.mouseClick(area, LEFT, pos=view.visualRect(index).intersected(area.rect()).center())

    async def select(self) -> None:
        place = self.list.visualRect(self.list.currentIndex()).topLeft() + QPoint(24, 20)
        self.count += 1
        QTest.mouseClick(self.list.viewport(), LEFT, pos=place)


class Listener(Pointer):
    """Has the accessible tree: names, actions and editable texts."""

    def __init__(self, day: Day) -> None:
        super().__init__(day)
        self.reader = ScreenReader()

    def find(self, *beginnings: str) -> Callable[[], object] | None:
        roles = (Role.Button, Role.CheckBox, Role.RadioButton, Role.PageTab, Role.MenuItem)
        found = [one for one in self.reader.all() if one.role in roles and one.name.startswith(beginnings)]
        found = [one for one in found if not one.disabled]
        found.sort(key=lambda one: one.name not in beginnings)
        return (lambda: _act(found[0])) if found else None

    async def write(self, name: str, text: str) -> None:
        self.count += 1
        await self.reader.write(name, text)

    async def in_sight(self) -> Approval:
        card = await super().in_sight()
        await hand.until(f"{card.text} told", lambda: self.reader.says(card.text))
        return card

    async def next_card(self) -> None:
        rows = [one for one in self.reader.all() if one.role is Role.ListItem and ", Waits for you" in one.name]
        [at] = [place for place, one in enumerate(rows) if one.checked]
        self.count += 1
        do(rows[at + 1], "Toggle")

    async def select(self) -> None:
        await self.press("More: ", "Select")


def _act(thing: Thing) -> None:
    """Press a thing; a menu that stays open behind that is closed."""
    do(thing, "Toggle" if thing.role in (Role.CheckBox, Role.RadioButton) else "Press")
    if thing.role is Role.MenuItem and (menu := QApplication.activePopupWidget()) is not None:
        menu.close()


def _is_bare(widget: QWidget) -> bool:
    """The middle of it is in sight, and nothing lies on it."""
    if not widget.isVisible() or widget.visibleRegion().isEmpty():
        return False
    window, middle = widget.window(), widget.mapTo(widget.window(), widget.rect().center())
    hit = window.childAt(middle)
    return hit is not None and (hit is widget or widget.isAncestorOf(hit))


def _click(widget: QWidget) -> None:
    QTest.mouseClick(widget, LEFT, pos=widget.rect().center())


def _wheel(area: QWidget, *, up: bool) -> None:
    """Turn the wheel one notch."""
    middle = QPointF(area.rect().center())
    none = Qt.KeyboardModifier.NoModifier
    turn = QPoint(0, 120 if up else -120)
    event = QWheelEvent(
        middle, area.mapToGlobal(middle), QPoint(), turn, LEFT.NoButton, none, Qt.ScrollPhase.NoScrollPhase, False
    )
    QApplication.sendEvent(area, event)
