"""The operator changes the plan of a chat in the Plans pane, with keys, the menu and its dialogs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from chimein_gui import ui_driver as hand
from chimein_gui.ui.panes.plans.ask import AskMessage
from chimein_gui.ui.requests import ShowPlan
from tests.e2e.keyboard import CTRL
from tests.unit.engine.state_machine import outside
from tests.unit.engine.state_machine.facts import Written

if TYPE_CHECKING:
    from tests.e2e.races.room import Room

Key = Qt.Key
ALT = Qt.KeyboardModifier.AltModifier


async def opens_its_plan(room: Room) -> Any:
    """Look at the plan of the chosen card, and choose a step in it; None if nothing is planned there."""
    card = room.pane.list.current()
    if card is None or QApplication.activeModalWidget() is not None:
        return None
    room.window.requests.send(ShowPlan(card.chat_id, card.task_id))
    pane: Any = room.window.pane("plans")
    await room.all_shown()
    if not pane.plan.steps:
        return None
    pane.choose(room.rng.choice(pane.plan.steps).task_id)
    pane.outline.setFocus()
    return pane


async def inserts_a_message(room: Room) -> None:
    """Say something more before or after a step, while the chat goes on; it asks like whatever the agent writes."""
    pane = await opens_its_plan(room)
    if pane is None:
        return
    words = room.rng.choice(("Insert message before", "Insert message after"))
    menu = pane.menu()
    entry = next(one for one in menu.actions() if hand.seen(one.text()).startswith(words))
    if not entry.isEnabled():
        return
    entry.trigger()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, AskMessage)
    chat = int(pane.plan.chat_id)
    token, book = room.token("t"), room.book
    room.story.append(f"  {words} {pane.chosen.view.task_id}: {token}")
    saw = frozenset(one.token for one in book.happenings.get(chat, []) if one.order is not None)
    book.written[token] = Written(saw, 0, book.order)
    book.inserted.add(token)
    room.type_text(token)
    if room.rng.random() < 0.3:
        await outside.partner_writes(room)
    room.key(Key.Key_Return, CTRL)
    await _looks_back(room)


async def changes_a_plan(room: Room) -> None:
    """Skip, move, copy or cut short, and undo some of it."""
    pane = await opens_its_plan(room)
    if pane is None:
        return
    for _ in range(room.rng.randrange(1, 4)):
        code = room.rng.choice((Key.Key_S, Key.Key_S, Key.Key_D, Key.Key_Delete, Key.Key_N, Key.Key_Z, Key.Key_Z))
        if room.rng.random() < 0.2:
            room.key(room.rng.choice((Key.Key_Up, Key.Key_Down)), ALT)
        room.story.append(f"  {code.name} on {pane.chosen.view and pane.chosen.view.task_id}")
        room.key(code)
        if room.rng.random() < 0.7:
            await room.all_shown()
    await _looks_back(room)


async def _looks_back(room: Room) -> None:
    """Return to the cards, at once or when all of it is shown; no key is pressed before they are seen again."""
    if room.rng.random() < 0.7:
        await room.all_shown()
    if QApplication.activeModalWidget() is None:
        room.window.show_pane("approvals")
        room.pane.list.setFocus()
        await room.all_shown()
