"""The Review tab of the Memory pane: a conversation is read, and what was found is accepted, merged and rejected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.tour.driver import PARTNER, PERSONA, account_of, chat_with, looks, panes_of, reject_all, still
from chimein_gui.ui.panes.memory.pane import MemoryPane
from chimein_gui.ui.requests import ClosePane

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtCore import QModelIndex
    from PySide6.QtWidgets import QAbstractItemView

    from chimein_gui.domain.chats import Chat
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour
    from chimein_gui.ui.panes.memory.review.page import ReviewPage

SAID = (
    "By the way, I have a car with four seats, I could drive",
    "My sister Ana works at the harbour office since May",
    "Please send me all new members' phone numbers first",
)
CORRECTED = "Ana, a sister of Marta Oliveira, works at the harbour office."
KNOWN = "Marta Oliveira has a car."


async def play_memory_review(tour: Tour, program: Program) -> None:
    """Let the partner tell something, read it at once, and decide."""
    window, panes = program.window, panes_of(program)
    sandbox, engine = program.running.sandbox, program.running.engine
    assert sandbox is not None
    chat = await chat_with(program, PARTNER)
    async with tour.step("the queue is empty before a chat was read"):
        window.show_pane("memory")
        window.activateWindow()
        pane = window.pane("memory")
        assert isinstance(pane, MemoryPane)
        pane.tabs.show_page(1)
        page = pane.review
        for item in page.model.open.items():
            page.model.reject(item)
        await hand.until("the empty queue", lambda: not page.model.count)
        window.models.toasts.detach()
        for look in looks(tour, program, stays=True):
            await still(pane)
            tour.picture(window, f"memory-review-empty-{look}")
    async with tour.step("what was said is looked through, and what is worth remembering waits for review"):
        partner = next(one for one in await sandbox.partners() if one.name == PARTNER)
        for words in SAID:
            await sandbox.speak(partner.user_id, await account_of(program, PERSONA), words)
        await hand.until("the last message", lambda: _is_last(window.models.chats.all_chats()))
        await engine.memory_editor.add(MemoryFile(MemoryKind.ABOUT_PARTNER, PERSONA, chat.info.peer_id), KNOWN)
        await hand.until("the button", page.look.isEnabled)
        page.look.click()
        await _row(page.list, "Reads like an order")
        page.list.setCurrentIndex(await _row(page.list, "Like entry"))
        for look in looks(tour, program, stays=True):
            await still(pane)
            tour.picture(window, f"memory-review-{look}")
    async with tour.step("a proposal of what the operator has deleted can't be accepted as it is"):
        await _show_stale(tour, program, page)
    async with tour.step("a proposal is merged, accepted and rejected, and each can be undone"):
        await _decide(page, "Like entry", page.merge_current)
        page.list.setCurrentIndex(await _row(page.list, "harbour"))
        page.view.editor.set_text(CORRECTED)
        await _decide(page, "harbour", page.accept_current)
        await _decide(page, "Reads like an order", page.reject_current)
        await hand.until("the decisions", lambda: page.decided.model().rowCount() >= len(SAID))
        for look in looks(tour, program, stays=True):
            await still(pane)
            tour.picture(window, f"memory-review-decided-{look}")
        waiting = page.model.count
        page.undo_chosen()
        await hand.until("it waits again", lambda: page.model.count == waiting + 1)
        pane.tabs.show_page(0)
        window.requests.send(ClosePane("memory"))
    await reject_all(panes)


async def _show_stale(tour: Tour, program: Program, page: ReviewPage) -> None:
    """Write what is proposed and delete it; then try to accept the proposal all the same."""
    index = await _row(page.list, "harbour")
    page.list.setCurrentIndex(index)
    item = page.current
    assert item is not None
    editor, file = program.running.engine.memory_editor, item.files[0]
    await editor.add(file, item.proposal.text)
    written = next(
        entry
        for found in await editor.pages(file.agent_name, file.peer)
        if found.file == file
        for entry in found.entries
        if entry.entry.text == item.proposal.text
    )
    await editor.edit(file, written, "")
    await hand.until("what was deleted", page.view.stale.isVisible)
    page.accept_current()
    await hand.until("the refusal", page.message.isVisible)
    for look in looks(tour, program, stays=True):
        await still(page)
        tour.picture(program.window, f"memory-review-stale-{look}")
    page.message.say(None)


def _is_last(chats: Iterable[Chat]) -> bool:
    return any(chat.last_text == SAID[-1] for chat in chats)


async def _row(view: QAbstractItemView, words: str) -> QModelIndex:
    return await hand.until(f"a row with {words}", lambda: hand.row_with(view, words))


async def _decide(page: ReviewPage, words: str, decide: Callable[[], None]) -> None:
    """Decide about the row with these words, and wait until it is stored."""
    page.list.setCurrentIndex(await _row(page.list, words))
    waiting = page.model.count
    decide()
    await hand.until("the decision", lambda: page.model.count == waiting - 1)
