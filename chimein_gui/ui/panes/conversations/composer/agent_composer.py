"""The composer in which the operator writes as the agent; it always shows who the sender will be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QSizePolicy, QVBoxLayout

from chimein_gui.domain.messages import MAX_MESSAGE_UNITS, utf16_length
from chimein_gui.ui.draft_editor.picker import Picker
from chimein_gui.ui.panes.conversations.composer.attachments import Attachments, Uploading
from chimein_gui.ui.panes.conversations.composer.chip import ComposerChip
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.icon_button import IconButton
from chimein_gui.ui.widgets.controls.message_editor import MessageEditor
from chimein_gui.ui.widgets.controls.spoken_role import spoken
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.text.tips import give_tip
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.mirror import from_leading_edge, set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.composer.composer import NEAR_LIMIT, ComposerDraft, messages_of
from chimein_gui.viewmodels.composer.uploads import make_uploads
from chimein_gui.viewmodels.panes.conversations import make_conversations

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import ApprovalId
    from chimein_gui.domain.plans.stickers import StickerRef
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.composer.attachments import Attachment

translate = QCoreApplication.translate

LEAD = 26
SQUARE = 20.0
SHOWN_NAME = 28
"""Most characters of a name in the placeholder."""


class _Field(MessageEditor):
    """The text field with the agent's avatar before the text."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, lines=(1, 7), enter_submits=True, lead=LEAD)
        self.name, self.identity = "", 0

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        first_line = self._theme.metrics(Face.BODY).lineSpacing() + 20
        rect = from_leading_edge(self, 9, (min(self.height(), first_line) - SQUARE) / 2, SQUARE, SQUARE)
        marks.draw_square(painter, self._theme, rect, self.name, self.identity)
        painter.end()


class AgentComposer(Surface):
    """A field with a separate text for each chat, the message it replies to, and a button that names both sides.

    Attributes:
        left: Escape was pressed, and there was nothing to cancel.
    """

    left = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context.theme, "pane", top_line="line", stripe=0)
        self._context, self._theme, self._model = context, context.theme, context.models.composer
        self._uploads = context.own(make_uploads)
        self._chat: Chat | None = None
        self._shown = ComposerDraft()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.chip = ComposerChip(context)
        self.note = ElidedLabel(self._theme, "", Face.SMALL_STRONG, "attention")
        self.count = ElidedLabel(self._theme, "", Face.META, "text2")
        self.count.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.editor = _Field(self._theme)
        self.editor.setObjectName("agent composer")
        self.editor.take_files()
        self.send = ActionButton(self._theme, "", icon="send")
        self.attach = IconButton(self._theme, "clip", self.tr("Attach photos or files"))
        self.smile = IconButton(self._theme, "smiley", self.tr("Emoji and stickers"))
        self.picker: Picker | None = None
        self.attachments, self.uploading = Attachments(self._theme), Uploading(self._theme)
        self.chooser: QFileDialog | None = None
        self._build()
        self._model.changed.connect(self._follow)
        self._model.failed.connect(self._tell)
        context.models.clock.ticked.connect(self._show_placeholder)
        self.hide()

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def set_chat(self, chat: Chat | None) -> None:
        """Show the unsent text of this chat; None for no chat."""
        known, self._chat = self._chat, chat
        if chat is not None and (known is None or known.chat_id != chat.chat_id):
            # First of all: the field must never contain a text for another chat.
            self._show(self._model.draft(chat.chat_id))
            self._show_uploads(chat.chat_id)
        agent = self._context.models.chats.agent(chat.agent_id) if chat is not None else None
        if chat is None or agent is None:
            return
        if (agent.spec.name, agent.identity) != (self.editor.name, self.editor.identity):
            self.editor.name, self.editor.identity = agent.spec.name, agent.identity
            self.editor.update()
            self.set_stripe(agent.identity)
        who, to = foreign_text.isolated(agent.spec.name), foreign_text.isolated(chat.info.title)
        words = spoken(self.tr("Write as {who} to {to}").format(who=who, to=to))
        if self.editor.field.accessibleName() != words:
            self.editor.field.setAccessibleName(words)
            self.send.setAccessibleName(spoken(self.tr("Send as {who} to {to}").format(who=who, to=to)))
        self._allow_files()
        self._show_placeholder()

    def go_in(self) -> None:
        """Focus the field."""
        self.editor.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_placeholder()

    def _build(self) -> None:
        below = QHBoxLayout()
        below.setSpacing(10)
        below.addWidget(self.note, 1)
        below.addWidget(self.count, 0, Qt.AlignmentFlag.AlignRight)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.attach, 0, Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self.editor, 1)
        row.addWidget(self.smile, 0, Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self.send, 0, Qt.AlignmentFlag.AlignBottom)
        column = QVBoxLayout(self)
        set_rtl_margins(column, 16, 10, 14, 10)
        column.setSpacing(6)
        column.addWidget(self.uploading)
        column.addWidget(self.chip)
        column.addWidget(self.attachments)
        column.addLayout(below)
        column.addLayout(row)
        for widget in (self.chip, self.note, self.count, self.attachments, self.uploading):
            widget.hide()
        self.editor.changed.connect(self._typed)
        self.editor.left_out.connect(self._tell_left_out)
        self.editor.submitted.connect(self._submit)
        self.editor.cancelled.connect(self._cancel)
        self.send.clicked.connect(self._submit)
        self.chip.closed.connect(self._cancel)
        self.attach.clicked.connect(self._choose_files)
        self.smile.clicked.connect(self._open_picker)
        self.editor.files_given.connect(self._add_files)
        self.attachments.changed.connect(self._change_files)
        self.uploading.stopped.connect(self._stop_upload)
        self._uploads.changed.connect(self._show_uploads)

    # --- files ----------------------------------------------------------------------------------------------------

    def _choose_files(self) -> None:
        """Open a file dialog; the files are attached in the chat in which it was opened."""
        chat = self._chat
        if chat is None:
            return
        chooser = self.chooser = QFileDialog(self, self.tr("Attach photos or files"))
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.setFileMode(QFileDialog.FileMode.ExistingFiles)
        chooser.filesSelected.connect(lambda paths: self._model.add_files(chat.chat_id, [Path(one) for one in paths]))
        chooser.open()

    def _open_picker(self) -> None:
        if self._chat is None:
            return
        if self.picker is None:
            self.picker = Picker(self._context, self)
            self.picker.emoji_picked.connect(self.editor.type_in)
            self.picker.sticker_picked.connect(self._send_sticker)
        self.picker.open_at(self._chat, self.smile.mapToGlobal(QPoint(self.smile.width() - self.picker.width(), -4)))

    def _send_sticker(self, sticker: StickerRef) -> None:
        if self._chat is not None:
            self._context.own(make_conversations).stickers.send(self._chat, sticker)
            self.editor.setFocus()

    def _add_files(self, sources: list[Path | QImage]) -> None:
        if self._chat is not None:
            self._model.add_files(self._chat.chat_id, sources)

    def _allow_files(self) -> None:
        why_not = self.tr("Files can't be added to a sent message") if self._shown.edits is not None else ""
        if self._chat is not None and not self._chat.may_write:
            why_not = self.tr("This account can't write here")
        self.attach.allow(why_not)

    def _change_files(self, files: tuple[Attachment, ...]) -> None:
        if self._chat is not None:
            self._model.change_files(self._chat.chat_id, files)
            self.editor.setFocus()

    def _show_uploads(self, chat_id: object) -> None:
        chat, models = self._chat, self._context.models
        if chat is None or chat.chat_id != chat_id:
            return
        shown: dict[ApprovalId, tuple[str, float]] = {}
        parts = self._uploads.of_chat(chat.chat_id)
        for approval in models.approvals.of_chat(chat.chat_id) if parts else ():
            if approval.approval_id in parts and approval.file is not None:
                shown[approval.approval_id] = (approval.file.file_name, parts[approval.approval_id])
        self.uploading.show_uploads(shown)
        self.updateGeometry()

    def _stop_upload(self, approval_id: ApprovalId) -> None:
        models = self._context.models
        for approval in models.approvals.of_chat(self._chat.chat_id) if self._chat is not None else ():
            if approval.approval_id == approval_id:
                models.actions.reject_plan(approval)

    # --- the text -------------------------------------------------------------------------------------------------

    def _typed(self) -> None:
        if self._chat is not None:
            self._model.type(self._chat.chat_id, self.editor.text())
        self._show_count()

    def _submit(self) -> None:
        if self._chat is not None:
            self._model.send(self._chat.chat_id)

    def _cancel(self) -> None:
        """Cancel the edit of a sent message, else the reply, else the attachments; the typed text is kept.

        With none of them and no text, emit `left`.
        """
        if self._chat is None:
            return
        chat_id, draft = self._chat.chat_id, self._model.draft(self._chat.chat_id)
        if draft.edits is not None:
            self._model.end_edit(chat_id)
        elif draft.answers is not None:
            self._model.answer(chat_id, None)
        elif draft.files and not draft.sending:
            self._model.change_files(chat_id, ())
        elif not self.editor.text():
            self.left.emit()

    def _follow(self, chat_id: object) -> None:
        if self._chat is not None and self._chat.chat_id == chat_id:
            self._show(self._model.draft(self._chat.chat_id))

    def _show(self, draft: ComposerDraft) -> None:
        self._shown = draft
        if self.editor.text() != draft.text:
            self.editor.set_text(draft.text)
        self.chip.show_sheet(draft)
        self.attachments.show_files(draft.files)
        self._allow_files()
        self.note.setText(foreign_text.line(draft.note, 300))
        give_tip(self.note, draft.note)
        self.note.set_color("attention" if draft.asks else "danger" if not draft.is_empty else "info")
        self.note.setVisible(bool(draft.note))
        self.note.setAccessibleName(draft.note)
        self._show_send(draft)
        self._show_count()
        self._show_placeholder()
        self.updateGeometry()

    def _show_send(self, draft: ComposerDraft) -> None:
        why_not = self.tr("Nothing typed yet") if draft.is_empty else ""
        self.send.allow(self.tr("Sending your message…") if draft.sending else why_not)
        kind = Kind.PRIMARY if not draft.is_empty and not draft.sending else Kind.PLAIN
        if draft.sending:
            self.send.set_look("", icon="spinner", kind=kind)
        elif draft.asks:
            self.send.set_look(self.tr("Press again"), icon="warning", kind=kind)
        elif draft.edits is not None:
            self.send.set_look(self.tr("Save"), icon="check", kind=kind)
        else:
            self.send.set_look("", icon="send", kind=kind)
        self.send.setAccessibleDescription(draft.note)

    def _show_count(self) -> None:
        """Show the length near Telegram's limit, and beyond it the number of messages."""
        text = self.editor.text().strip()
        units, parts, locale = utf16_length(text), messages_of(text), QLocale()
        words = ""
        if parts > 1:
            words = translate("AgentComposer", "will be sent as %n message(s)", "", parts)
            if self._shown.edits is not None:
                words = self.tr("longer than one message")
        elif units >= NEAR_LIMIT:
            most = locale.toString(MAX_MESSAGE_UNITS)
            words = self.tr("{n} of {most}").format(n=locale.toString(units), most=most)
        self.count.setText(words)
        self.count.setVisible(bool(words))

    def _tell_left_out(self, characters: int) -> None:
        words = translate("AgentComposer", "the pasted text was %Ln character(s) too long and was cut", "", characters)
        self.count.setText(words)
        self.count.setVisible(True)

    def _show_placeholder(self) -> None:
        chat = self._chat
        if chat is None:
            return
        field = self.editor.field
        metrics = self._theme.metrics(Face.BODY)
        name = foreign_text.isolated(foreign_text.short(self.editor.name, SHOWN_NAME))
        words = self.tr("Write as {who}").format(who=name)
        then = self._then(chat)
        room = self.editor.width() - LEAD - 34
        whole = f"{words}\u2003{then}" if then else words
        if metrics.horizontalAdvance(whole) > room:
            whole = elided(metrics, words, max(40.0, room))
        if field.placeholderText() != whole:
            field.setPlaceholderText(whole)
            field.setAccessibleDescription(spoken(then))

    def _then(self, chat: Chat) -> str:
        """Return what the agent will do after the message is sent."""
        if not chat.may_write:
            return self.tr("This account can't write here")
        models = self._context.models
        first = foreign_text.isolated(foreign_text.short(next(iter(self.editor.name.split()), ""), SHOWN_NAME))
        if chat.takeover_until is not None and chat.takeover_until > models.clock.now():
            until = models.clock.clock(chat.takeover_until)
            return self.tr("{agent} waits here until {time}").format(agent=first, time=until)
        minutes = round(models.preferences.takeover_s / 60)
        return (
            translate("AgentComposer", "{agent} then waits %n min here", "", minutes).format(agent=first)
            if minutes
            else ""
        )

    def _tell(self, reason: str) -> None:
        self._context.models.toasts.show(foreign_text.line(reason, 200))
