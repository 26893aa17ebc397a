"""The Conversations pane in its states: filters, a countdown in its place, the operator's own words, groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.chats import ChatKind, TrustLevel
from chimein_gui.resource_files import resource_path
from chimein_gui.tour.driver import (
    PARTNER,
    chat_with,
    looks,
    mailbox,
    panes_of,
    pictures,
    press,
    schemes,
    speak,
    still,
)
from chimein_gui.viewmodels.chats.show import Show
from chimein_gui.viewmodels.transcript.rows import TranscriptRow

if TYPE_CHECKING:
    from chimein_gui.program import Program
    from chimein_gui.tour.report import Tour

COUNTED = "Shall I bring the plums tomorrow?"
OWN_WORDS = "Bring them! It's me for a moment, the boathouse key is under the blue pot."
NOBODY = "zzz"
PHOTO = ("sandbox", "media", "photos", "kitchen.jpg")
"""Path of the attached photo among our resources."""


async def play_conversations(tour: Tour, program: Program) -> None:
    """Do it step by step."""
    await _filters(tour, program)
    await _countdown(tour, program)
    await _own_words(tour, program)
    await _other_chats(tour, program)


async def _filters(tour: Tour, program: Program) -> None:
    window, chats = program.window, panes_of(program).chats
    async with tour.step("the tree lists the unread, and says so where a name is not found"):
        chats.filter.buttons[Show.UNREAD].click()
        for look in looks(tour, program):
            tour.picture(chats, f"chats-unread-{look}")
        chats.filter.begin_search()
        chats.filter.field.setText(NOBODY)
        await hand.until("nothing found", lambda: hand.button(chats, "Show all chats"))
        for dark in (False, True):
            window.set_dark(dark)
            tour.picture(chats, f"chats-not-found-{'dark' if dark else 'light'}")
        window.set_dark(False)
        await press(chats, "Show all chats")
        await hand.until("Marta's chat", lambda: hand.row_with(chats.tree, PARTNER))


async def _countdown(tour: Tour, program: Program) -> None:
    window, panes = program.window, panes_of(program)
    chats, settings = panes.chats, program.running.engine.chat_settings
    async with tour.step("a countdown runs where the message will stand, and is stopped"):
        before, chat = await mailbox(program), await chat_with(program, PARTNER)
        chats.open_chat(chat.chat_id)
        await settings.set_trust(chat.chat_id, TrustLevel.COUNTDOWN)
        await hand.until("the level", lambda: hand.button(chats, "Trust: Countdown"))
        await speak(panes, COUNTED)
        await hand.until("the countdown", lambda: hand.button(chats, "Send now"))
        for look in looks(tour, program):
            tour.picture(window, f"countdown-{look}")
        await press(chats, "Hold: ")
        await hand.until("the draft that waits", lambda: hand.button(chats, "Approve: "))
        assert await mailbox(program) == before
        await settings.set_trust(chat.chat_id, None)
        await press(chats, "Reject: ")
        await press(chats, "Reject, no reason")
        await hand.until("no draft", lambda: hand.button(chats, "Approve: ") is None)


async def _own_words(tour: Tour, program: Program) -> None:
    window, chats = program.window, panes_of(program).chats
    async with tour.step("the operator writes as the agent; whose words they are is in sight"):
        await press(chats, "as Nora Vale")
        field = await hand.until("the agent's field", lambda: hand.field(chats, "Write as Nora Vale"))
        for look in looks(tour, program):
            tour.picture(window, f"composer-{look}")
        await _enrich(tour, program)
        field.setPlainText(OWN_WORDS)
        tour.picture(window, "composer-typed-light")
        await press(chats, f"Send as Nora Vale to {PARTNER}")
        await hand.until("his message", lambda: hand.row_with(chats.transcript, "blue pot"))
        assert (await mailbox(program))[-1:] == [OWN_WORDS]
        await press(chats, "Resume")
        await hand.until("the end of the pause", lambda: hand.button(chats, "Resume") is None)
        await press(chats, f"as {PARTNER} (partner)")


async def _enrich(tour: Tour, program: Program) -> None:
    """Photograph the composer with a reply and a photo, and the stickers; everything is taken back."""
    window, chats = program.window, panes_of(program).chats
    chat, composer = await chat_with(program, PARTNER), window.models.composer
    row = chats.transcript.transcript.rows.row_at(chats.transcript.model().rowCount() - 1)
    assert isinstance(row, TranscriptRow)
    composer.answer(chat.chat_id, row.messages[-1])
    composer.add_files(chat.chat_id, [resource_path(*PHOTO)])
    await hand.until("the photo", lambda: hand.button(chats, "Send as file"))
    for look in looks(tour, program):
        await still(window)
        tour.picture(window, f"composer-reply-photo-{look}")
    await press(chats, "Emoji and stickers")
    picker = await hand.until("the stickers", lambda: chats.writer.agent.picker)
    picker.show_tab(stickers=True)
    await hand.until("a sticker", picker.list.count)
    for scheme in schemes(tour, program):
        await still(picker)
        tour.picture(picker, f"composer-stickers-{scheme}")
    picker.hide()
    composer.change_files(chat.chat_id, ())
    composer.answer(chat.chat_id, None)


async def _other_chats(tour: Tour, program: Program) -> None:
    window, chats = program.window, panes_of(program).chats
    async with tour.step("a group, and names of every script"):
        known = (await program.running.engine.queries.chats()).rows
        home = await chat_with(program, PARTNER)
        group = next(chat for chat in known if chat.info.kind is not ChatKind.DM)
        foreign = [chat for chat in known if any(char.isalpha() and char > "\u036f" for char in chat.info.title)][:3]
        for number, chat in enumerate((group, *foreign)):
            chats.open_chat(chat.chat_id)
            title = chat.info.title
            await hand.until("its head", lambda title=title: title in chats.header.accessibleName())  # type: ignore[misc]
            await hand.until("its messages", lambda: chats.transcript.model().rowCount() > 0)
            await pictures(chats.transcript)
            for dark in (False, True):
                window.set_dark(dark)
                tour.picture(chats, f"chats-other-{number}-{'dark' if dark else 'light'}")
        window.set_dark(False)
        chats.open_chat(home.chat_id)
        await hand.until("Marta's messages", lambda: hand.row_with(chats.transcript, "plums"))
