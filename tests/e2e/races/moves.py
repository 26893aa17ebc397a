"""What partners, model, clock and operator do in an interleaving; the operator has keys and a mouse."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QPlainTextEdit

from chimein_gui import ui_driver as hand
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.ids import ChatId
from chimein_gui.ui.dialogs.backlog.dialog import BacklogDialog
from chimein_gui.viewmodels.approvals.available_actions import Action
from tests.e2e.keyboard import CTRL, SHIFT
from tests.e2e.races.plans import changes_a_plan, inserts_a_message
from tests.e2e.races.room import NARROW, USUAL, Room
from tests.fakes.crowd import CLUB
from tests.fakes.telegram import MARTA
from tests.unit.engine.state_machine import outside
from tests.unit.engine.state_machine.play import in_the_middle
from tests.unit.engine.state_machine.town import PEERS

Move = Callable[[Room], Awaitable[None]]
Key = Qt.Key
PARTNER = (outside.partner_writes, outside.partner_edits, outside.partner_deletes)
LEVELS = (TrustLevel.REVIEW, TrustLevel.COUNTDOWN, TrustLevel.COUNTDOWN, TrustLevel.AUTO)


async def goes_to_the_list(room: Room) -> None:
    dialog = QApplication.activeModalWidget()
    if dialog is not None:
        dialog.close()
    room.window.show_pane("approvals")
    room.pane.list.setFocus()


def pressing(code: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> Move:
    """Return the move that presses a key."""

    async def presses(room: Room) -> None:
        room.key(code, modifiers)

    presses.__name__ = f"presses_{code.name[4:]}{modifiers.value or ''}"
    return presses


def after(looks: Move, *codes: Qt.Key, back: bool = False) -> Move:
    """Return the move that looks, then presses keys, and undoes (`back`) what they have decided."""

    async def presses(room: Room) -> None:
        await looks(room)
        if back:
            await _undoes(room, codes)
        else:
            for code in codes:
                room.key(code)

    keys = "".join(code.name[4:] for code in codes)
    presses.__name__ = f"{looks.__name__}_and_presses_{keys}{'_and_undoes' * back}"
    return presses


async def reads(room: Room) -> None:
    """The operator looks at the list for a moment."""
    await goes_to_the_list(room)
    await room.all_shown()
    await room.passes(0.05)  # the card's details come
    await room.passes(room.rng.choice((0.2, 0.3, 0.4)))


async def reads_and_edits(room: Room) -> None:
    await reads(room)
    room.key(Key.Key_E)
    if isinstance(QApplication.focusWidget(), QPlainTextEdit):
        room.key(Key.Key_A, CTRL)
        room.type_text(room.token("e"))
        await room.passes(room.rng.choice((0.1, 0.3, 1.5)))


async def edits_and_approves(room: Room) -> None:
    await reads_and_edits(room)
    room.key(Key.Key_Return, CTRL)


async def selects_some(room: Room) -> None:
    """Select downwards, some read and some not."""
    await reads(room)
    room.key(Key.Key_X)
    for _ in range(room.rng.randrange(1, 4)):
        room.key(Key.Key_Down, SHIFT)
        if room.rng.random() < 0.7:
            await room.all_shown()
            await room.passes(room.rng.choice((0.1, 0.35)))


async def _undoes(room: Room, keys: tuple[Qt.Key, ...]) -> None:
    """Undo what these keys have decided: all of it waits again, as it was."""
    await room.all_shown()
    before = {int(card.approval_id): card.text for card in room.cards("awaiting_decision")}
    for code in keys:
        room.key(code)
        await room.all_shown()
    gone = {
        number: text for number, text in before.items() if number in room.book.approvals or number in room.book.rejected
    }
    focus, current = QApplication.focusWidget(), room.pane.list.current()
    is_there = focus is not None and focus in (room.pane.list, room.pane._empty)
    is_for_it = current is None or current.task_status == "awaiting_decision" or int(current.approval_id) in gone
    if not gone or not is_there or not is_for_it or any(room.book.has_newer_plan(number) for number in gone):
        return
    room.key(Key.Key_Z)
    await room.all_shown()
    if any(room.book.has_newer_plan(number) for number in gone):  # stored in this very moment
        return
    waiting = [card.text for card in room.cards("awaiting_decision")]
    for number, text in gone.items():
        if text not in waiting:
            said = f"{room.book.history.get(number)} of {gone}; cursor on {current and current.approval_id}"
            room.book.blame(f"Z has not brought back {number} {text[:20]!r}, but {waiting}; {said}")


async def ticks(room: Room) -> None:
    """Say that what changed was read."""
    button = hand.button(room.pane, "I've read the changes")
    if button is not None:
        room.click(button)


async def ticks_while_it_changes(room: Room) -> None:
    """Tick what was read, while more comes; the approval is for what was read alone."""
    await reads(room)
    for _ in range(2):
        if room.rng.random() < 0.6:
            await room.rng.choice(PARTNER)(room)
            if room.rng.random() < 0.5:
                await room.handed_over()
        await ticks(room)
    room.key(Key.Key_A)


async def is_overtaken(room: Room) -> None:
    """Something happens between the press and the transaction that decides."""
    await reads(room)
    happens = room.rng.choice(PARTNER)
    room.store.race(room.rng.randrange(2), partial(in_the_middle, room, happens))
    for code in room.rng.choice(((Key.Key_A,), (Key.Key_R, Key.Key_R))):
        room.key(code)
    await room.settled()
    room.store.no_race()


async def presses_twice(room: Room) -> None:
    """The second of two quick presses is not for the card that has taken the place of the first."""
    await reads(room)
    card = room.pane.list.current()
    actions = [one for one in _actions(room) if hand.seen(one.accessibleName()).startswith("Approve: ")]
    if card is None or not actions or room.pane._own.batch.count:
        return
    before, button = dict(room.book.approvals), room.rng.choice((None, *actions))
    for _ in range(2):
        if button is None:
            room.pane.list.setFocus()
            room.key(Key.Key_A)
        else:
            room.click(button)
        if room.rng.random() < 0.8:
            await room.all_shown()
    await room.all_shown()
    for number, (text, by) in room.book.approvals.items():
        if number not in before and number != int(card.approval_id) and by == "operator":
            room.book.blame(f"the second press was for {card.approval_id}, and fell on {number} {text[:20]!r}")


async def opens_a_menu(room: Room) -> None:
    """Choose what is for the whole plan, which may have changed since the menu was opened."""
    await reads(room)
    card = room.pane.list.current()
    if card is None or card.task_status != "awaiting_decision" or not room.eye.has_painted(card.approval_id):
        return
    if not room.pane.list.is_wide and not room.pane.list.shows(card.approval_id):
        return  # its buttons have been scrolled away with it
    menu = room.pane.card_actions.pop_menu(Action.PLAN, card, QPoint())
    if room.rng.random() < 0.5:
        await room.rng.choice((outside.partner_edits, outside.partner_deletes))(room)
        await room.handed_over()
    entry = room.rng.choice([one for one in menu.actions() if one.isEnabled()])
    room.story.append(f"  on {hand.seen(entry.text())!r}")
    room.eye.press(is_click=True)
    entry.trigger()
    menu.close()
    await room.all_shown()
    if room.pane.editor.isVisible():
        room.key(Key.Key_R)


async def approves_under_hold(room: Room) -> None:
    """Hold everything, approve, release, and confirm what the review offers."""
    room.key(Key.Key_F8)
    for _ in range(room.rng.randrange(1, 3)):
        await after(reads, Key.Key_A)(room)
    await room.passes(room.rng.choice((1, 6)))
    room.key(Key.Key_F8)
    await room.all_shown()
    await reviews(room)


async def reviews(room: Room) -> None:
    """Tick something else in the review of what was held, or not, and confirm."""
    dialog = QApplication.activeModalWidget()
    if not isinstance(dialog, BacklogDialog):
        return
    await room.passes(room.rng.choice((0.1, 0.4)))
    if room.rng.random() < 0.5:
        await room.rng.choice(PARTNER)(room)
    for part in list(dialog.accounts):
        for line in list(part._lines.values()):
            if room.rng.random() < 0.2:
                room.click(line.tick)
        room.click(part.send)
        await room.all_shown()


async def clicks_a_button(room: Room) -> None:
    """Click any action in sight; nobody aims at a card that was never painted."""
    card = room.pane.list.current()
    if card is not None and not room.eye.has_painted(card.approval_id):
        return
    buttons = _actions(room)
    if buttons:
        one = room.rng.choice(buttons)
        room.story.append(f"  on {hand.seen(one.accessibleName() or one.text())!r}")
        room.click(one)


def _actions(room: Room) -> list[QAbstractButton]:
    words = ("Approve", "Reject", "Edit", "Undo", "Send now", "Stop", "Close", "Regenerate")
    return [
        one
        for one in room.pane.findChildren(QAbstractButton)
        if one.isVisible() and one.isEnabled() and hand.seen(one.accessibleName() or one.text()).startswith(words)
    ]


async def wheels(room: Room) -> None:
    area = room.pane.list.viewport()
    middle, turn = QPointF(area.rect().center()), QPoint(0, room.rng.choice((-240, -120, 120, 240)))
    none, phase = Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    QApplication.sendEvent(
        area, QWheelEvent(middle, area.mapToGlobal(middle), QPoint(), turn, Qt.MouseButton.NoButton, none, phase, False)
    )


async def resizes(room: Room) -> None:
    room.window.resize(*room.rng.choice((USUAL, NARROW, (1440, 900), (1800, 600))))


async def maximises(room: Room) -> None:
    room.window.show_pane("approvals")
    room.key(Key.Key_M, CTRL | SHIFT)


async def looks_elsewhere(room: Room) -> None:
    room.window.show_pane(room.rng.choice(("conversations", "agents")))
    if room.rng.random() < 0.5:
        await outside.partner_writes(room)
        await room.passes(1, 2)
        await goes_to_the_list(room)
        room.key(Key.Key_A)


async def puts_off(room: Room) -> None:
    """Decide on the card under the cursor later."""
    card = room.pane.list.current()
    if card is not None:
        room.models.actions.postpone(card, room.clock.now() + timedelta(seconds=room.rng.choice((2, 30))))


async def sets_trust(room: Room) -> None:
    chat, level = room.chats[room.rng.choice(PEERS)], room.rng.choice(LEVELS)
    room.book.trust[chat] = (str(level), None)
    await room.do(room.engine.chat_settings.set_trust(ChatId(chat), level))


async def a_countdown_begins(room: Room) -> None:
    """What a rule lets go is stopped, decided otherwise or left alone."""
    peer = room.rng.choice((MARTA, CLUB))
    chat = room.chats[peer]
    room.book.trust[chat] = ("countdown", None)
    await room.do(room.engine.chat_settings.set_trust(ChatId(chat), TrustLevel.COUNTDOWN))
    await outside.partner_writes(room, peer)
    await room.passes(1, 2)
    await reads(room)
    keys = ((), (Key.Key_A,), (Key.Key_R, Key.Key_R), (Key.Key_Z,), (Key.Key_Z, Key.Key_A), (Key.Key_E,))
    for code in room.rng.choice(keys):
        room.key(code)
        if room.rng.random() < 0.5:
            await room.all_shown()
    await room.passes(room.rng.choice((1, 35)), 5)


async def model_thinks(room: Room) -> None:
    room.model.slow = not room.model.slow
    for one in list(room.model.thinking):
        one.set()


async def a_moment_passes(room: Room) -> None:
    await room.passes(room.rng.choice((0.05, 0.1, 0.25, 0.3)))


async def seconds_pass(room: Room) -> None:
    await room.passes(room.rng.choice((1, 2, 6)), 2)


async def a_countdown_runs_out(room: Room) -> None:
    await room.passes(35, 5)


WEIGHTS: dict[Move, int] = {
    outside.partner_writes: 14,
    outside.partner_edits: 4,
    outside.partner_deletes: 2,
    outside.operator_on_the_phone: 1,
    model_thinks: 3,
    sets_trust: 4,
    a_countdown_begins: 4,
    a_moment_passes: 10,
    seconds_pass: 8,
    a_countdown_runs_out: 2,
    reads: 8,
    after(reads, Key.Key_A): 12,
    after(reads, Key.Key_R, Key.Key_R): 4,
    reads_and_edits: 4,
    edits_and_approves: 4,
    after(reads, Key.Key_A, back=True): 4,
    after(reads, Key.Key_R, Key.Key_R, back=True): 3,
    after(selects_some, Key.Key_A, back=True): 4,
    after(reads, Key.Key_G, Key.Key_G): 2,
    selects_some: 6,
    ticks: 4,
    ticks_while_it_changes: 3,
    is_overtaken: 4,
    presses_twice: 4,
    opens_a_menu: 3,
    approves_under_hold: 3,
    reviews: 1,
    after(selects_some, Key.Key_R, back=True): 2,
    clicks_a_button: 8,
    goes_to_the_list: 4,
    pressing(Key.Key_A): 10,
    pressing(Key.Key_R): 3,
    pressing(Key.Key_E): 2,
    pressing(Key.Key_Z): 7,
    pressing(Key.Key_X): 3,
    pressing(Key.Key_J): 5,
    pressing(Key.Key_K): 3,
    pressing(Key.Key_Space): 2,
    pressing(Key.Key_V): 1,
    pressing(Key.Key_2): 1,
    pressing(Key.Key_Left): 1,
    pressing(Key.Key_Right): 1,
    pressing(Key.Key_Escape): 3,
    pressing(Key.Key_Return, CTRL): 3,
    pressing(Key.Key_F8): 2,
    wheels: 4,
    resizes: 3,
    maximises: 2,
    looks_elsewhere: 2,
    puts_off: 2,
    inserts_a_message: 4,
    changes_a_plan: 4,
}
