"""What the parts of the tour share: the panes, a press of a button, a picture in every size and colour."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtGui import QImage

from chimein_gui import ui_driver as hand
from chimein_gui.ui.panes.agents.pane import AgentsPane
from chimein_gui.ui.panes.approvals.pane import ApprovalsPane
from chimein_gui.ui.panes.conversations.pane import ConversationsPane
from chimein_gui.ui.panes.rehearsal.pane import RehearsalPane
from chimein_gui.ui.widgets.theme.theme import Scheme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QModelIndex
    from PySide6.QtWidgets import QAbstractItemView, QPlainTextEdit, QWidget

    from chimein_gui.domain.chats import Chat
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour
    from chimein_gui.ui.panes.conversations.transcript.view import TranscriptView

SIZES = {"": (1440, 900), "-1280x720": (1280, 720)}
"""Suffix of a picture's name → window size, logical pixels."""

PERSONA, PARTNER = "Nora Vale", "Marta Oliveira"


class Panes(NamedTuple):
    """The panes of the sandbox's window."""

    agents: AgentsPane
    chats: ConversationsPane
    approvals: ApprovalsPane
    rehearsal: RehearsalPane


def panes_of(program: Program) -> Panes:
    """Return the panes by their own types."""
    pane = program.window.pane
    agents, chats, approvals = pane("agents"), pane("conversations"), pane("approvals")
    rehearsal = pane("rehearsal")
    assert isinstance(agents, AgentsPane)
    assert isinstance(chats, ConversationsPane)
    assert isinstance(approvals, ApprovalsPane)
    assert isinstance(rehearsal, RehearsalPane)
    return Panes(agents, chats, approvals, rehearsal)


def looks(tour: Tour, program: Program, *, always: bool = False, stays: bool = False) -> Iterator[str]:
    """Give the window every colour and size in turn; yields the end of a picture's name, such as "dark-1280x720".

    Colours change as seldom as possible: each change costs far more than a size.

    Args:
        tour: If it has one look, only that is given.
        program: Whose window it is.
        always: Every one, even so.
        stays: Begin with the colours that the window has, and leave it as it is then: one change instead of two.
    """
    window = program.window
    for scheme in schemes(tour, program, always=always, stays=stays):
        for suffix, size in SIZES.items():
            window.resize(*size)
            yield f"{scheme}{suffix}"
            if tour.one_look and not always:
                break
        window.resize(*SIZES[""])


def schemes(tour: Tour, program: Program, *, always: bool = False, stays: bool = False) -> Iterator[str]:
    """Give the window both colours in turn, for what has one size; yields the end of a picture's name."""
    first = stays and program.window.theme.scheme is Scheme.DARK
    for dark in (first, not first) if always or not tour.one_look else (False,):
        program.window.set_dark(dark)
        yield "dark" if dark else "light"
    if not stays:
        program.window.set_dark(False)


def expect(view: QAbstractItemView, words: str) -> None:
    """A picture is taken only of a pane that holds what it should, for the eye and for a screen reader."""
    assert view.isVisible(), f"{view.accessibleName()} is not in sight"
    assert view.model().rowCount() > 0, f"{view.accessibleName()} is empty"
    assert hand.row_with(view, words) is not None, f"{view.accessibleName()}: {words} is not in {hand.rows(view)}"


async def press(root: QWidget, name: str) -> None:
    """Press a button as soon as it is there and can be pressed."""
    found = await hand.until(f"the button {name}", lambda: hand.button(root, name))
    found.click()


async def reject(panes: Panes) -> None:
    """Reject the card under the cursor by its letter: on a narrow card the button may stand behind "…"."""
    approvals = panes.approvals

    def asked() -> object:
        if approvals.editor.target is None:
            approvals.list.press("R")  # does nothing for a moment after the cursor has slipped
        return hand.button(approvals, "Reject, no reason")

    await hand.until("the question for a reason", asked)
    await press(approvals, "Reject, no reason")


async def edit(panes: Panes) -> QPlainTextEdit:
    """Begin to edit the card under the cursor, by its letter where the button stands behind "…"; return the field."""
    approvals = panes.approvals

    def asked() -> QPlainTextEdit | None:
        if approvals.editor.target is None:
            if (button := hand.button(approvals, "Edit")) is not None:
                button.click()
            else:
                approvals.list.press("E")
        return hand.field(approvals, "Your text")

    found: QPlainTextEdit = await hand.until("the editor", asked)
    return found


async def reject_all(panes: Panes) -> None:
    """Reject whatever waits, one card after the other."""
    approvals = panes.approvals
    while (index := hand.row_with(approvals.list, "Waits for you")) is not None:
        approvals.list.setCurrentIndex(index)
        left = _waiting(panes) - 1
        await reject(panes)
        await hand.until("one fewer", partial(_is_down_to, panes, left))


async def speak(panes: Panes, words: str) -> None:
    """Let the partner of the main job say something; its chat is open."""
    expect(panes.chats.tree, PARTNER)
    composer = await hand.until("the partner's composer", lambda: hand.field(panes.chats, "Write as Marta"))
    composer.setPlainText(words)
    await press(panes.chats, "Send as Marta")
    await hand.until("it on its way", lambda: not composer.toPlainText())


async def choose_waiting(panes: Panes, title: str) -> QModelIndex:
    """Put the cursor on the draft that waits in a chat."""
    approvals = panes.approvals
    index = await hand.until("the draft", lambda: hand.row_with(approvals.list, f"{PERSONA} to {title}, Waits for you"))
    approvals.list.setCurrentIndex(index)
    return index


async def day_of(panes: Panes) -> None:
    """Wait until the agents pane says what the chosen agent sent today."""
    line = panes.agents.agent_actions.facts.lines[2]
    await hand.until("the agent's day", lambda: not line.text().endswith("…"))


async def pictures(view: TranscriptView) -> None:
    """Wait until what is in sight of a chat has its pictures."""

    def complete() -> bool:
        view.viewport().repaint()
        return view.is_complete

    await hand.until("the pictures", complete)


async def still(widget: QWidget) -> None:
    """Wait until a widget looks the same twice in a row: texts that wrap find their height by and by."""
    seen = [QImage()]

    def rests() -> bool:
        before, seen[0] = seen[0], widget.grab().toImage()
        return before == seen[0]

    await hand.until("a picture that stands still", rests)


async def chat_with(program: Program, title: str) -> Chat:
    """Return the main persona's chat of this title; the same partner may write with others too."""
    chats = (await program.running.engine.queries.chats()).rows
    own = await account_of(program, PERSONA)
    return next(chat for chat in chats if (chat.info.title, chat.info.account_id) == (title, own))


async def account_of(program: Program, name: str) -> int:
    """Return the user id of an agent's account on the server."""
    sandbox = program.running.sandbox
    assert sandbox is not None
    return next(account.user_id for account in (await sandbox.cast()).accounts if account.name == name)


async def mailbox(program: Program, name: str = PARTNER) -> list[str]:
    """Return what the server has delivered to a partner, oldest first."""
    sandbox = program.running.sandbox
    assert sandbox is not None
    partner = next(one for one in await sandbox.partners() if one.name == name)
    return [delivery.text for delivery in await sandbox.mailbox(partner.user_id)]


def _waiting(panes: Panes) -> int:
    return sum(hand.says(row, "Waits for you") for row in hand.rows(panes.approvals.list))


def _is_down_to(panes: Panes, number: int) -> bool:
    return _waiting(panes) <= number
