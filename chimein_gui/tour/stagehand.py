"""What the parts of the tour share: the panes, a press of a button, a picture in every size and colour."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chimein_gui import operator_hand as hand
from chimein_gui.ui.panes.agents.pane import AgentsPane
from chimein_gui.ui.panes.approvals.pane import ApprovalsPane
from chimein_gui.ui.panes.conversations.pane import ConversationsPane
from chimein_gui.ui.panes.rehearsal.pane import RehearsalPane

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QAbstractItemView, QWidget

    from chimein_gui.program import Program

SIZES = {"": (1440, 900), "-1280x720": (1280, 720)}
"""Suffix of a picture's name → window size, logical pixels."""

PARTNER = "Marta Oliveira"


class Panes(NamedTuple):
    """The panes of the sandbox's window."""

    agents: AgentsPane
    chats: ConversationsPane
    approvals: ApprovalsPane
    rehearsal: RehearsalPane


def panes_of(program: Program) -> Panes:
    """Return the panes by their own types."""
    panes = program.window.panes
    agents, chats, approvals = panes["agents"], panes["conversations"], panes["approvals"]
    rehearsal = panes["rehearsal"]
    assert isinstance(agents, AgentsPane)
    assert isinstance(chats, ConversationsPane)
    assert isinstance(approvals, ApprovalsPane)
    assert isinstance(rehearsal, RehearsalPane)
    return Panes(agents, chats, approvals, rehearsal)


def looks(program: Program) -> Iterator[str]:
    """Give the window every size and colour in turn; yields the end of a picture's name, such as "dark-1280x720"."""
    window = program.window
    for suffix, size in SIZES.items():
        window.resize(*size)
        for dark in (False, True):
            window.set_dark(dark)
            yield f"{'dark' if dark else 'light'}{suffix}"
    window.resize(*SIZES[""])
    window.set_dark(False)


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
        if approvals.desk.target is None:
            approvals.list.press("R")  # does nothing for a moment after the cursor has slipped
        return hand.button(approvals, "No reason")

    await hand.until("the question for a reason", asked)
    await press(approvals, "No reason")


async def mailbox(program: Program, name: str = PARTNER) -> list[str]:
    """Return what the server has delivered to a partner, oldest first."""
    sandbox = program.running.sandbox
    assert sandbox is not None
    partner = next(one for one in await sandbox.partners() if one.name == name)
    return [delivery.text for delivery in await sandbox.mailbox(partner.user_id)]
