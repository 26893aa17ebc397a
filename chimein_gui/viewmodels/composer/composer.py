"""The composer: what the operator types as the agent in each chat, what it replies to, and how sending ended."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Signal

from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.messages import MAX_MESSAGE_UNITS, utf16_length
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.viewmodels.composer.attachments import MOST_FILES, Attachment, FileLooker
from chimein_gui.viewmodels.core.commands import CommandRunner
from chimein_gui.viewmodels.words.errors import error_words, is_answer
from chimein_gui.viewmodels.words.notes import note_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from PySide6.QtCore import QObject
    from PySide6.QtGui import QImage

    from chimein_gui.domain.ids import ChatId
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.operator.composer import Written
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.composer import ComposerService, SentService

NEAR_LIMIT = MAX_MESSAGE_UNITS * 7 // 8
"""The length in UTF-16 units from which the count is shown."""


class ComposerApi(Protocol):
    """What this model asks of the engine."""

    @property
    def composer(self) -> ComposerService:
        """The operator's own messages."""
        ...

    @property
    def sent(self) -> SentService:
        """Edits and deletes sent messages."""
        ...


@dataclass(frozen=True, slots=True)
class ComposerDraft:
    """The composer's content in one chat.

    Attributes:
        text: As typed.
        answers: The message it replies to, or None.
        edits: The sent message whose text is being edited; None for a new message.
        note: Why the last send was refused, or what it waits for; may hold foreign text.
        asks: The next press sends it in spite of the question in `note`.
        sending: A send is in progress.
        files: The attachments; the text is the caption of the first, and each is sent as its own message.
        client_id: Id of that send, so that a repeated press is the same message; empty for none.
    """

    text: str = ""
    answers: Message | None = None
    edits: Message | None = None
    note: str = ""
    asks: bool = False
    sending: bool = False
    client_id: str = ""
    files: tuple[Attachment, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to send."""
        return not self.files and not self.text.strip()


EMPTY = ComposerDraft()


def messages_of(text: str) -> int:
    """Return the least number of messages that a text takes; the engine splits at the ends of sentences."""
    return max(1, -(-utf16_length(text.strip()) // MAX_MESSAGE_UNITS))


class Composer(CommandRunner[ComposerApi]):
    """One draft per chat; a text stays in it until the engine has stored it as a message.

    Attributes:
        changed: A chat's draft changed; carries the chat id.
        written: The engine has stored a message; carries chat id and its `Approval`.
        edited: A sent message has its new text; carries the chat id.
        deleted: A sent message was deleted for everyone; carries the chat id.
    """

    changed = Signal(object)
    written = Signal(object, object)
    edited = Signal(object)
    deleted = Signal(object)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(bridge, parent)
        self._sheets: dict[ChatId, ComposerDraft] = {}
        self._laid_by: dict[ChatId, ComposerDraft] = {}
        self._looker = FileLooker(self)
        self._looker.found.connect(self._take_files)

    def detach(self) -> None:
        """End the thread that examines files."""
        self._looker.close()

    def draft(self, chat_id: ChatId) -> ComposerDraft:
        """Return the draft of a chat; `EMPTY` where nothing is written."""
        return self._sheets.get(chat_id, EMPTY)

    def text_of(self, chat_id: ChatId) -> str:
        """Return the text of a chat's new message that is not being sent; empty while a sent message is edited."""
        draft = self.draft(chat_id)
        return "" if draft.edits is not None or draft.sending else draft.text.strip()

    def type(self, chat_id: ChatId, text: str) -> None:
        """Set the text; a changed text withdraws the question of the last press."""
        draft = self.draft(chat_id)
        if draft.text != text:
            self._put(chat_id, replace(draft, text=text, note="", asks=False, client_id=""))

    def restore(self, chat_id: ChatId, text: str, answers: Message | None) -> None:
        """Restore the text that an earlier run saved, unless the draft is in use already."""
        if self.draft(chat_id) == EMPTY:
            self._put(chat_id, ComposerDraft(text, answers))

    def answer(self, chat_id: ChatId, message: Message | None) -> None:
        """Reply to a message, or (None) to none; ends the edit of a sent message."""
        self.end_edit(chat_id)
        self._put(chat_id, replace(self.draft(chat_id), answers=message))

    def begin_edit(self, chat_id: ChatId, message: Message) -> None:
        """Start to edit a sent message; the new message is kept meanwhile."""
        draft = self.draft(chat_id)
        if draft.edits is None:
            self._laid_by[chat_id] = draft
        self._put(chat_id, ComposerDraft(message.text, edits=message))

    def end_edit(self, chat_id: ChatId) -> None:
        """Cancel the edit of a sent message, and return to the new message."""
        if self.draft(chat_id).edits is not None:
            self._put(chat_id, self._laid_by.pop(chat_id, EMPTY))

    def add_files(self, chat_id: ChatId, sources: Sequence[Path | QImage]) -> None:
        """Attach files and pictures once a thread has examined them; ignored while a sent message is edited."""
        if sources and self.draft(chat_id).edits is None:
            self._looker.look(chat_id, tuple(sources))

    def change_files(self, chat_id: ChatId, files: tuple[Attachment, ...]) -> None:
        """Replace the attachments."""
        self._put(chat_id, replace(self.draft(chat_id), files=files, note="", asks=False, client_id=""))

    def send(self, chat_id: ChatId) -> None:
        """Send the new message, or save the edit of a sent one. Where `asks` is set, this confirms."""
        draft = self.draft(chat_id)
        if self._api is None or draft.sending or draft.is_empty:
            return
        client_id = draft.client_id if draft.client_id and not draft.asks else os.urandom(16).hex()
        draft = replace(draft, sending=True, client_id=client_id)
        self._put(chat_id, draft)
        if draft.edits is None:
            self._send(self._write(self._api, chat_id, draft), f"write in {chat_id}")
        else:
            # A name for each press: the operator may edit another message while one is being saved.
            self._send(self._change(self._api, chat_id, draft, draft.edits), f"change {chat_id} {client_id}")

    def delete(self, chat_id: ChatId, message: Message) -> None:
        """Delete a sent message for everyone."""
        if self._api is not None:
            self._send(self._delete(self._api, chat_id, message), f"delete {chat_id} {message.key.message_id}")

    async def _write(self, api: ComposerApi, chat_id: ChatId, draft: ComposerDraft) -> None:
        answers = draft.answers.key.message_id if draft.answers is not None else None
        attached = draft.files[0].file if draft.files else None
        try:
            written = await api.composer.write(
                chat_id,
                draft.text,
                client_id=draft.client_id,
                reply_to_id=answers,
                confirm=draft.asks,
                attached=attached,
            )
        except Exception as error:
            reason = error_words(error)
            # It may have been stored: with the same id a repeated press stores no second message.
            self._bridge.deliver(lambda: self._refuse(chat_id, reason, keep_id=True))
            if not is_answer(error):
                raise
        else:
            self._bridge.deliver(lambda: self._take(chat_id, draft, written))

    async def _change(self, api: ComposerApi, chat_id: ChatId, draft: ComposerDraft, message: Message) -> None:
        try:
            refusal = note_sentence(await api.sent.edit(chat_id, message.key.message_id, draft.text))
        except TimeoutError:
            refusal = self.tr("Telegram did not answer. Try again; nothing is sent twice.")
        except Exception as error:
            reason = error_words(error)
            self._bridge.deliver(lambda: self._refuse_edit(chat_id, draft, reason))
            if not is_answer(error):
                raise
            return
        if refusal:
            self._bridge.deliver(lambda: self._refuse_edit(chat_id, draft, refusal))
        else:
            self._bridge.deliver(lambda: self._settle_edit(chat_id, draft))

    async def _delete(self, api: ComposerApi, chat_id: ChatId, message: Message) -> None:
        try:
            refusal = await api.sent.delete(chat_id, message.key.message_id)
        except TimeoutError as error:
            raise RefusedError(Note(Reason.DELETE_UNANSWERED)) from error
        if refusal is not None:
            raise RefusedError(refusal)
        self._bridge.deliver(lambda: self.deleted.emit(chat_id))

    def _take(self, chat_id: ChatId, draft: ComposerDraft, written: Written) -> None:
        now = self.own_words(chat_id)
        if written.approval is None:
            # Only an unchanged text can be confirmed.
            asks = written.asks and (now.text, now.files) == (draft.text, draft.files)
            self._refuse(chat_id, note_sentence(written.explanation), asks=asks)
            return
        # A text typed, or a reply chosen, while it was being sent belongs to the next message.
        left = now.text.removeprefix(draft.text)
        answers = now.answers if now.answers != draft.answers else None
        files = tuple(one for one in now.files if one is not draft.files[0]) if draft.files else now.files
        text = left.lstrip() if left != now.text else left
        self._put_own_words(
            chat_id,
            ComposerDraft(
                text, answers, note=note_sentence(written.explanation), asks=bool(files) and draft.asks, files=files
            ),
        )
        self.written.emit(chat_id, written.approval)
        if files and draft.files and not text:
            self.send(chat_id)  # each file is sent as its own message

    def _refuse(self, chat_id: ChatId, reason: str, *, asks: bool = False, keep_id: bool = False) -> None:
        draft = self.own_words(chat_id)
        client_id = draft.client_id if keep_id else ""
        self._put_own_words(chat_id, replace(draft, note=reason, asks=asks, sending=False, client_id=client_id))

    def settle_sticker(self, chat_id: ChatId, answered: Message | None, written: Written) -> None:
        """Apply the outcome of sending a sticker: the reply is used up, or the next press confirms."""
        now = self.own_words(chat_id)
        if written.approval is None:
            self._put_own_words(chat_id, replace(now, note=note_sentence(written.explanation), asks=written.asks))
            return
        answers = None if now.answers == answered else now.answers
        self._put_own_words(chat_id, replace(now, answers=answers, note=note_sentence(written.explanation), asks=False))
        self.written.emit(chat_id, written.approval)

    def _take_files(self, chat_id: ChatId, found: tuple[Attachment, ...], problems: tuple[str, ...]) -> None:
        draft = self.own_words(chat_id)
        files = (*draft.files, *found)[:MOST_FILES]
        note = ", ".join(problems)
        self._put_own_words(chat_id, replace(draft, files=files, note=note, asks=False, client_id=""))

    def own_words(self, chat_id: ChatId) -> ComposerDraft:
        """Return the draft of the new message, also while a sent one is being edited."""
        draft = self.draft(chat_id)
        return draft if draft.edits is None else self._laid_by.get(chat_id, EMPTY)

    def _put_own_words(self, chat_id: ChatId, draft: ComposerDraft) -> None:
        if self.draft(chat_id).edits is None:
            self._put(chat_id, draft)
        else:
            self._laid_by[chat_id] = draft

    def _refuse_edit(self, chat_id: ChatId, sent: ComposerDraft, reason: str) -> None:
        now = self.draft(chat_id)
        if _same_edit(now, sent):
            self._put(chat_id, replace(now, note=reason, sending=False))
        else:
            self.failed.emit(reason)  # the operator edits something else by now

    def _settle_edit(self, chat_id: ChatId, sent: ComposerDraft) -> None:
        now = self.draft(chat_id)
        if _same_edit(now, sent) and now.text == sent.text:
            self.end_edit(chat_id)
        elif _same_edit(now, sent):
            # More was typed meanwhile: it needs another press.
            self._put(chat_id, replace(now, sending=False, client_id=""))
        self.edited.emit(chat_id)

    def _put(self, chat_id: ChatId, draft: ComposerDraft) -> None:
        if draft == self.draft(chat_id):
            return
        if draft == EMPTY:
            self._sheets.pop(chat_id, None)
        else:
            self._sheets[chat_id] = draft
        self.changed.emit(chat_id)


def _same_edit(one: ComposerDraft, other: ComposerDraft) -> bool:
    return one.edits is not None and other.edits is not None and one.edits.key == other.edits.key
