"""What a click, a key or a menu entry on a row of the transcript does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from chimein_gui.ui.dialogs.open_file import ask_to_open
from chimein_gui.ui.dialogs.picture_viewer import PictureViewer
from chimein_gui.ui.messages.contents import PICTURES
from chimein_gui.ui.messages.files import WITH_FILES
from chimein_gui.ui.messages.parts import Hit, HitKind
from chimein_gui.ui.messages.text_runs import runs_of
from chimein_gui.ui.requests import ShowPlan
from chimein_gui.ui.widgets.text import external_links, foreign_text
from chimein_gui.viewmodels.media.opening import make_media_opening
from chimein_gui.viewmodels.transcript.message_words import own_words
from chimein_gui.viewmodels.transcript.order_undo import make_order_undo
from chimein_gui.viewmodels.transcript.rows import Parent, StepRow, TranscriptRow

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from chimein_gui.domain.messages import Message
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.transcript.rows import AnyRow

WITH_PICTURE = frozenset({"photo", "sticker"})
"""Media kinds that the picture viewer shows."""


class MessageActions(QObject):
    """Executes actions on messages; files that are needed are downloaded first."""

    def __init__(self, context: PaneContext, window_of: QWidget) -> None:
        super().__init__(window_of)
        self._context, self._parent = context, window_of
        self._transcript, self._media = context.models.transcript, context.own(make_media_opening)
        self._media.ready.connect(self._file_ready)
        self._media.failed.connect(self._file_failed)
        self._media.saved.connect(self._file_saved)
        self._orders = context.own(make_order_undo)
        self._orders.ended.connect(self._context.models.toasts.show)

    def do(self, hit: Hit, number: int) -> None:
        """Execute a click in a bubble."""
        row = self._transcript.rows.row_at(number)
        if isinstance(row, StepRow):
            self.show_step(row)
        if not isinstance(row, TranscriptRow):
            return
        if hit.kind is HitKind.LINK:
            self.open_link(hit.target)
        elif hit.kind is HitKind.SECRET:
            self._transcript.rows.reveal(number, secrets=True)
        elif hit.kind is HitKind.WHOLE:
            self._transcript.rows.reveal(number, whole=True)
        elif hit.kind is HitKind.PARENT and row.message.reply_to_id is not None:
            self._transcript.jump_to(row.message.reply_to_id)
        elif hit.kind is HitKind.MEDIA:
            self.open_media(hit.message or row.message, row.messages)

    def first_of(self, number: int) -> Hit | None:
        """Return what Return does on a row: open its file, link or plan, show spoilers or the quoted message."""
        row = self._transcript.rows.row_at(number)
        if isinstance(row, StepRow):
            return step_hit(row)
        if row.message.is_service:
            return None
        if opens_media(row.message):
            spoiler = row.message.media is not None and row.message.media.has_spoiler and not row.opened.secrets
            return Hit(HitKind.SECRET if spoiler else HitKind.MEDIA, message=row.message)
        if not row.opened.secrets and any(one.kind == "spoiler" for one in row.message.entities):
            return Hit(HitKind.SECRET)
        if row.message.reply_to_id is not None and row.parent is not Parent.GONE:
            return Hit(HitKind.PARENT)
        links = links_of(row.message)
        return Hit(HitKind.LINK, links[0]) if links else None

    def show_step(self, row: StepRow) -> None:
        """Show a hidden step in its plan."""
        chat, step = self._transcript.chat, row.step
        if chat is not None and step.graph_id is not None:
            self._context.requests.send(ShowPlan(chat.chat_id, step.task_id, step.graph_id))

    def undo_order(self, row: StepRow) -> None:
        """Take back what the partner ordered to remember."""
        chat = self._transcript.chat
        if chat is not None:
            self._orders.undo_order(chat.chat_id, row.step.after_message_id)

    def open_link(self, target: str) -> None:
        """Open an address in the default browser, or show why it can't be opened."""
        if not external_links.open_link(target):
            self._context.models.toasts.show(self.tr("Only web and Telegram links are opened"))

    def open_media(self, message: Message, album: Iterable[Message] = ()) -> None:
        """Show a picture, or download a file and ask whether to open it."""
        if message.media_kind in WITH_PICTURE:
            shown = self._pictures_of_chat() or [*album] or [message]
            viewer = PictureViewer(self._context.theme, self._context.models.pictures, shown, message, self._parent)
            viewer.save_wanted.connect(self._media.save)
            viewer.open()
        elif opens_media(message):
            self._media.fetch(message)

    def _pictures_of_chat(self) -> list[Message]:
        """Return all loaded messages with pictures, oldest first."""
        rows = (self._transcript.rows.row_at(number) for number in range(self._transcript.rows.rowCount()))
        messages = [one for row in rows if isinstance(row, TranscriptRow) for one in row.messages]
        return [one for one in messages if one.media_kind in WITH_PICTURE and not one.deleted]

    def copy(self, numbers: Iterable[int]) -> None:
        """Copy the text of rows to the clipboard, oldest first."""
        if text := self.text_of(numbers):
            QGuiApplication.clipboard().setText(text)

    def text_of(self, numbers: Iterable[int]) -> str:
        """Return the text of rows, oldest first."""
        rows = [self._transcript.rows.row_at(number) for number in sorted(numbers)]
        return "\n".join(filter(None, (_text(row) for row in rows)))

    def _file_ready(self, message: Message, path: Path) -> None:
        if self._parent.isVisible() and self._is_here(message):
            ask_to_open(self._context.theme, message, path, self._parent)

    def _file_failed(self, message: Message, why: str) -> None:
        if self._parent.isVisible() and self._is_here(message):
            self._context.models.toasts.show(self.tr("The file cannot be opened: {why}").format(why=why))

    def _file_saved(self, path: Path) -> None:
        self._context.models.toasts.show(self.tr("Saved as {name}").format(name=foreign_text.isolated(path.name)))

    def _is_here(self, message: Message) -> bool:
        chat, key = self._transcript.chat, message.key
        return chat is not None and (chat.info.account_id, chat.info.peer_id) == (key.account_id, key.peer_id)


def step_hit(row: StepRow) -> Hit | None:
    """Return what a click on a hidden step does; None if its plan was never stored."""
    return Hit(HitKind.STEP) if row.step.graph_id is not None else None


def _text(row: AnyRow) -> str:
    if not isinstance(row, TranscriptRow):
        return ""
    texts = [one.text for one in row.messages if one.text]
    return "\n".join(texts) if len(row.messages) > 1 and texts else own_words(row.message)


def opens_media(message: Message) -> bool:
    """Tell whether a message has a file that can be opened."""
    return not message.deleted and message.media_kind in PICTURES | WITH_FILES | WITH_PICTURE


def links_of(message: Message) -> list[str]:
    """Return the real targets of a message's links, without those that may not be opened."""
    targets = [
        one.target
        for run in runs_of(message.text, message.entities, secrets=True)
        for one in run.stretches
        if one.target
    ]
    return list(dict.fromkeys(target for target in targets if external_links.may_open(target)))
