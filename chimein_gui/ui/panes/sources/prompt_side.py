"""Beside the Markdown of a prompt: which agents use it, and the prompt as the model would get it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QTextEdit, QVBoxLayout, QWidget

from chimein_gui.domain.prompt.variables import filler
from chimein_gui.ui.widgets.controls.form_fields import Choice
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.text.shown_text import ShownText, utf16
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.sources.list import SourceRow, used_by_words

if TYPE_CHECKING:
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.sources.editor import SourceEditorModel

PAUSE_MS = 150
"""Milliseconds after a change until the preview follows."""

MOST_SHOWN = 60_000
"""Most characters of a preview."""


class PromptSide(QWidget):
    """Follows the shown prompt; the preview is filled by the same function as the real call."""

    def __init__(self, context: PaneContext, model: SourceEditorModel) -> None:
        super().__init__()
        self._context, self._model, theme = context, model, context.theme
        self._used = PlainLabel(theme, "", Face.BODY, "text1")
        self._used.setWordWrap(True)
        self.chat = Choice(theme, self.tr("Preview for"))
        self.preview = QPlainTextEdit()
        self.preview.setReadOnly(True)
        self.preview.setFrameShape(QFrame.Shape.NoFrame)
        self.preview.setTabChangesFocus(True)
        self.preview.setAccessibleName(self.tr("Preview"))
        self.preview.document().setDocumentMargin(12)
        theme.apply(self.preview, Face.BODY)
        self._is_example = True
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self.fill)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = QVBoxLayout()
        set_rtl_margins(head, 16, 12, 16, 10)
        head.setSpacing(8)
        head.addWidget(self._used)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(PlainLabel(theme, self.tr("Preview for"), Face.STRONG, "text1"))
        line.addWidget(self.chat, 1)
        head.addLayout(line)
        column.addLayout(head)
        column.addWidget(self.preview, 1)
        context.models.chats.feed.chats_changed.connect(self._look_for_chats)
        self.chat.currentIndexChanged.connect(lambda _place: self.fill())
        theme.changed.connect(self.fill)
        theme.fonts_changed.connect(lambda: theme.apply(self.preview, Face.BODY))

    def show_prompt(self) -> None:
        """Show who uses the prompt, and offer chats of those agents for the preview."""
        document = self._model.document
        if document is None or document.is_agent:
            return
        row = self._model.files.find(document.file.path)
        if isinstance(row, SourceRow):
            self._used.setText(foreign_text.line(used_by_words(row), 400))
        self.chat.set_entries(self._chats())
        self.fill()

    def follow(self) -> None:
        """Follow the text after a moment."""
        if self.isVisible() and not self._timer.isActive():
            self._timer.start()

    def showEvent(self, event: object) -> None:
        self.fill()

    def _look_for_chats(self) -> None:
        """Offer chats in place of the example, once there are some."""
        if self.isVisible() and self._is_example:
            self.show_prompt()

    def _chats(self) -> list[tuple[str, object]]:
        """Return the newest chats of the agents that use the prompt; without any those of all agents."""
        models, document = self._context.models, self._model.document
        row = self._model.files.find(document.file.path) if document is not None else None
        users = set(row.used_by) if row is not None else set()
        names = {one.agent_id: one.spec.name for one in models.agents.items()}
        found = [
            (names[chat.agent_id], chat.info.title)
            for chat in models.chats.all_chats()
            if chat.agent_id in names and (not users or names[chat.agent_id] in users)
        ]
        entries: list[tuple[str, object]] = [
            (self.tr("{agent} with {partner}").format(agent=foreign_text.name(a), partner=foreign_text.name(p)), (a, p))
            for a, p in found[:50]
        ]
        self._is_example = not entries
        return entries or [(self.tr("An example"), (self.tr("Nora"), self.tr("Marta")))]

    def fill(self) -> None:
        """Show the prompt with the names of the chosen chat."""
        document, chosen = self._model.document, self.chat.currentData()
        if document is None or document.is_agent or not isinstance(chosen, tuple):
            return
        agent, partner = chosen
        fill = filler(agent, partner)
        text, places = fill(ShownText(document.text[:MOST_SHOWN].rstrip()).shown)
        self.preview.setPlainText(ShownText(text).shown)
        made = []
        for start, end in places[:500]:
            one = QTextEdit.ExtraSelection()
            one.format = QTextCharFormat()
            one.format.setBackground(self._context.theme.color("accent_soft"))
            cursor = QTextCursor(self.preview.document())
            cursor.setPosition(utf16(text[:start]))
            cursor.setPosition(utf16(text[:end]), QTextCursor.MoveMode.KeepAnchor)
            one.cursor = cursor
            made.append(one)
        self.preview.setExtraSelections(made)
