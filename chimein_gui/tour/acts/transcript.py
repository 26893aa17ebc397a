"""The transcript in its states: every kind of message, search, hidden steps, a picture in the viewer, other scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.ids import MessageId
from chimein_gui.tour.driver import (
    PARTNER,
    chat_with,
    choose_waiting,
    looks,
    panes_of,
    pictures,
    reject_all,
    speak,
    still,
)
from chimein_gui.ui.dialogs.picture_viewer import PictureViewer
from chimein_gui.viewmodels.panes.conversations import make_conversations
from chimein_gui.viewmodels.transcript.rows import TranscriptRow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.messages import Message
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour
    from chimein_gui.ui.panes.conversations.transcript.view import TranscriptView

STOPS = ("photo", "voice", "document", "video")
"""Kinds of messages; the tour stops at the first of each."""

REMEMBERED = "Remember that my brother Tiago is allergic to nuts, please! 🥜"


async def play_transcript(tour: Tour, program: Program) -> None:
    """Do it step by step."""
    await _kinds(tour, program)
    await _viewer(tour, program)
    await _search(tour, program)
    await _steps(tour, program)
    await _scripts(tour, program)


async def _kinds(tour: Tour, program: Program) -> None:
    chats = panes_of(program).chats
    async with tour.step("photos, albums, stickers, voice, files and videos in a chat"):
        await _open(program, await chat_with(program, PARTNER))
        for number, kind in enumerate(STOPS):
            message = await hand.until(kind, lambda kind=kind: _first(chats.transcript, kind))  # type: ignore[misc]
            await _show(chats.transcript, message.key.message_id)
            for look in looks(tour, program):
                await pictures(chats.transcript)
                tour.picture(chats, f"transcript-{number}-{kind}-{look}")


async def _viewer(tour: Tour, program: Program) -> None:
    view = panes_of(program).chats.transcript
    async with tour.step("a photo opens in the viewer"):
        photo = _first(view, "photo")
        assert photo is not None
        view.open_media(photo)
        viewer = await hand.until("the viewer", lambda: view.findChild(PictureViewer))
        await hand.until("its picture", lambda: (viewer.grab() is not None and viewer.is_complete) or None)
        tour.picture(viewer, "transcript-viewer")
        viewer.close()


async def _search(tour: Tour, program: Program) -> None:
    chats = panes_of(program).chats
    async with tour.step("a search in the chat"):
        found = program.window.models.own(make_conversations).search
        chats.search_chat()
        chats.search_bar.field.setText("plums")
        await hand.until("a hit", lambda: found.position[0] == 1 and chats.search_bar.count.text())
        for look in looks(tour, program):
            tour.picture(chats, f"transcript-search-{look}")
        chats.search_bar.field.setText("xylophone")
        await hand.until("no hit", lambda: hand.begins(chats.search_bar.count.text(), "Nothing found") or None)
        tour.picture(chats, "transcript-search-nothing")
        chats.search_bar.end()


async def _steps(tour: Tour, program: Program) -> None:
    panes = panes_of(program)
    chats, view = panes.chats, panes.chats.transcript
    async with tour.step("what plans did unseen, between the messages"):
        await speak(panes, REMEMBERED)
        await choose_waiting(panes, PARTNER)
        chats.header.steps.click()
        view.go_to_foot()
        await hand.until("the newest message", lambda: not view.newest.isVisible() or None)
        await hand.until("what was remembered", lambda: any(hand.says(row, "remembered") for row in hand.rows(view)))
        for look in looks(tour, program):
            await still(chats)
            tour.picture(chats, f"transcript-steps-{look}")
        chats.header.steps.click()
        await reject_all(panes)


async def _scripts(tour: Tour, program: Program) -> None:
    chats = panes_of(program).chats
    async with tour.step("texts of other scripts"):
        known = (await program.running.engine.queries.chats()).rows
        found = {_script(chat.last_text): chat for chat in known}
        for script in sorted(set(found) - {""}):
            await _open(program, found[script])
            await pictures(chats.transcript)
            for look in looks(tour, program):
                tour.picture(chats, f"transcript-{script}-{look}")
        await _open(program, await chat_with(program, PARTNER))


def _script(text: str) -> str:
    """Name the script of a text, as far as it needs a look of its own."""
    if any("\u0590" <= char <= "\u06ff" for char in text):
        return "arabic"
    if any("\u3040" <= char <= "\u9fff" for char in text):
        return "cjk"
    return "thai" if any("\u0e00" <= char <= "\u0e7f" for char in text) else ""


def _messages(view: TranscriptView) -> Iterator[Message]:
    for number in range(view.model().rowCount()):
        row = view.transcript.rows.row_at(number)
        if isinstance(row, TranscriptRow):
            yield from row.messages


def _first(view: TranscriptView, kind: str) -> Message | None:
    return next((one for one in _messages(view) if one.media_kind == kind), None)


async def _open(program: Program, chat: Chat) -> None:
    chats = panes_of(program).chats
    chats.open_chat(chat.chat_id)
    await hand.until("its head", lambda: chat.info.title in chats.header.accessibleName() or None)
    await hand.until("its messages", lambda: chats.transcript.model().rowCount() > 0 or None)


async def _show(view: TranscriptView, message_id: MessageId) -> None:
    view.show_message(message_id)
    await hand.until("the message", lambda: view.visualRect(view.currentIndex()).isValid() or None)
