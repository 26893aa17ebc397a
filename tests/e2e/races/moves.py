"""What partners, model, clock and operator do in an interleaving; the operator has keys and a mouse."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QPlainTextEdit

from chimein_gui import ui_driver as hand
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.ids import ChatId
from tests.e2e.keyboard import CTRL, SHIFT
from tests.e2e.races.room import USUAL, Room
from tests.unit.engine.state_machine import outside
from tests.unit.engine.state_machine.notebook import OVER
from tests.unit.engine.state_machine.town import PEERS

Move = Callable[[Room], Awaitable[None]]
Key = Qt.Key
LEVELS = (TrustLevel.REVIEW, TrustLevel.COUNTDOWN, TrustLevel.COUNTDOWN, TrustLevel.AUTO)


async def goes_to_the_list(room: Room) -> None:
    room.window.show_pane("approvals")
    room.pane.list.setFocus()


def pressing(code: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> Move:
    """Return the move that presses a key."""

    async def presses(room: Room) -> None:
        room.key(code, modifiers)

    presses.__name__ = f"presses_{code.name[4:]}{modifiers.value or ''}"
    return presses


async def reads(room: Room) -> None:
    """The operator looks at the list for a moment."""
    await goes_to_the_list(room)
    await room.all_shown()
    await room.passes(room.rng.choice((0.2, 0.3, 0.4)))


async def reads_and_approves(room: Room) -> None:
    await reads(room)
    room.key(Key.Key_A)


async def reads_and_rejects(room: Room) -> None:
    await reads(room)
    room.key(Key.Key_R)
    room.key(Key.Key_R)


async def reads_and_edits(room: Room) -> None:
    await reads(room)
    room.key(Key.Key_E)
    if isinstance(QApplication.focusWidget(), QPlainTextEdit):
        room.key(Key.Key_A, CTRL)
        room.type_text(room.token("e"))
        await room.passes(room.rng.choice((0.1, 1.5)))


async def edits_and_approves(room: Room) -> None:
    await reads_and_edits(room)
    room.key(Key.Key_Return, CTRL)


async def regenerates(room: Room) -> None:
    await reads(room)
    room.key(Key.Key_G)
    room.key(Key.Key_G)


async def selects_some(room: Room) -> None:
    """Select downwards, some read and some not."""
    await reads(room)
    room.key(Key.Key_X)
    for _ in range(room.rng.randrange(1, 4)):
        room.key(Key.Key_Down, SHIFT)
        if room.rng.random() < 0.7:
            await room.all_shown()
            await room.passes(room.rng.choice((0.1, 0.35)))


async def approves_and_takes_back(room: Room) -> None:
    await reads(room)
    await _takes_back(room, (Key.Key_A,))


async def rejects_and_takes_back(room: Room) -> None:
    await reads(room)
    await _takes_back(room, (Key.Key_R, Key.Key_R))


async def approves_some_and_takes_back(room: Room) -> None:
    await selects_some(room)
    await _takes_back(room, (Key.Key_A,))


async def _takes_back(room: Room, keys: tuple[Qt.Key, ...]) -> None:
    """Undo what these keys have decided: all of it waits again, as it was."""
    await room.all_shown()
    before = {int(card.approval_id): card.text for card in room.cards("awaiting_decision")}
    for code in keys:
        room.key(code)
        await room.all_shown()
    gone = {
        number: text for number, text in before.items() if number in room.book.let_go or number in room.book.rejected
    }
    focus, current = QApplication.focusWidget(), room.pane.list.current()
    is_there = focus is not None and focus in (room.pane.list, room.pane._empty)
    is_for_it = current is None or current.task_status == "awaiting_decision" or int(current.approval_id) in gone
    is_planned = any(one["kind"] == "received" and one["status"] not in OVER for one in room.book.tasks.values())
    if not gone or not is_there or not is_for_it or is_planned:  # a new plan would take the place of what was rejected
        return
    room.key(Key.Key_Z)
    await room.all_shown()
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


async def clicks_a_button(room: Room) -> None:
    """Click any verb in sight; nobody aims at a card that was never painted."""
    card = room.pane.list.current()
    if card is not None and not room.eye.has_painted(card.approval_id):
        return
    words = ("Approve", "Reject", "Edit", "Undo", "Send now", "Stop", "Close", "Regenerate")
    buttons = [
        one
        for one in room.pane.findChildren(QAbstractButton)
        if one.isVisible() and one.isEnabled() and hand.seen(one.accessibleName() or one.text()).startswith(words)
    ]
    if buttons:
        one = room.rng.choice(buttons)
        room.story.append(f"  on {hand.seen(one.accessibleName() or one.text())!r}")
        room.click(one)


async def wheels(room: Room) -> None:
    area = room.pane.list.viewport()
    middle, turn = QPointF(area.rect().center()), QPoint(0, room.rng.choice((-240, -120, 120, 240)))
    none, phase = Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    QApplication.sendEvent(
        area, QWheelEvent(middle, area.mapToGlobal(middle), QPoint(), turn, Qt.MouseButton.NoButton, none, phase, False)
    )


async def resizes(room: Room) -> None:
    room.window.resize(*room.rng.choice((USUAL, (900, 560), (1440, 900), (1800, 600))))


async def maximises(room: Room) -> None:
    room.window.show_pane("approvals")
    room.key(Key.Key_M, CTRL | SHIFT)


async def looks_elsewhere(room: Room) -> None:
    room.window.show_pane(room.rng.choice(("conversations", "agents")))


async def puts_off(room: Room) -> None:
    """Decide on the card under the cursor later."""
    card = room.pane.list.current()
    if card is not None:
        room.models.actions.postpone(card, room.clock.now() + timedelta(seconds=room.rng.choice((2, 30))))


async def sets_trust(room: Room) -> None:
    chat, level = room.chats[room.rng.choice(PEERS)], room.rng.choice(LEVELS)
    room.book.trust[chat] = (str(level), None)
    await room.do(room.engine.chat_settings.set_trust(ChatId(chat), level))


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
    a_moment_passes: 10,
    seconds_pass: 8,
    a_countdown_runs_out: 2,
    reads: 8,
    reads_and_approves: 12,
    reads_and_rejects: 4,
    reads_and_edits: 4,
    edits_and_approves: 4,
    approves_and_takes_back: 4,
    rejects_and_takes_back: 3,
    approves_some_and_takes_back: 4,
    regenerates: 2,
    selects_some: 6,
    ticks: 4,
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
}
