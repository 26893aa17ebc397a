"""The head above form and Markdown: which file, whether it is saved, and what can be done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from chimein_gui.domain.text.line_merge import with_both
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.icon_button import MenuButton
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, InlineMessage
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.text.tips import give_tip
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.sources.document import SaveState
from chimein_gui.viewmodels.sources.list import place_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.sources.document import SourceDocument
    from chimein_gui.viewmodels.sources.editor import SourceEditorModel


class SourceHead(Surface):
    """Name, path and state of the shown file, and its buttons; below them the choice in a conflict."""

    def __init__(self, context: PaneContext, model: SourceEditorModel) -> None:
        theme = context.theme
        super().__init__(theme, "pane", bottom_line="line")
        self._model, self._clock = model, context.models.clock
        self._name = ElidedLabel(theme, "", Face.TITLE)
        self._place = ElidedLabel(theme, "", Face.SMALL, "text2")
        self.chip = StateChip(theme)
        self.more = MenuButton(theme, self.tr("File"), icon="file", kind=Kind.QUIET)
        self.discard = ActionButton(theme, self.tr("Discard"))
        self.save = ActionButton(theme, self.tr("Save"), key="Ctrl+S", kind=Kind.PRIMARY)
        self.message = InlineMessage(theme, BOX, is_alert=True)
        self.mine = ActionButton(theme, self.tr("Keep mine"))
        self.theirs = ActionButton(theme, self.tr("Take theirs"))
        self.both = ActionButton(theme, self.tr("Show both"))
        for button in (self.mine, self.theirs, self.both):
            self.message.add(button)
        self._row = QHBoxLayout()
        self._build()
        self.save.clicked.connect(lambda _checked=False: model.save())
        self.discard.clicked.connect(lambda _checked=False: self._discard())
        self.mine.clicked.connect(lambda _checked=False: self._resolve(lambda mine, _theirs: mine))
        self.theirs.clicked.connect(lambda _checked=False: self._resolve(lambda _mine, theirs: theirs))
        self.both.clicked.connect(lambda _checked=False: self._resolve(self._both))

    def add_button(self, button: ActionButton) -> None:
        """Put a button before those that every file has."""
        self._row.insertWidget(self._row.indexOf(self.more), button)

    def _build(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(self._name)
        words.addWidget(self._place)
        row = self._row
        row.setSpacing(8)
        row.addLayout(words, 1)
        for part in (self.chip, self.more, self.discard, self.save):
            row.addWidget(part)
        column = QVBoxLayout(self)
        set_rtl_margins(column, 16, 7, 12, 7)
        column.setSpacing(6)
        column.addLayout(row)
        column.addWidget(self.message)

    def _discard(self) -> None:
        if self._model.document is not None:
            self._model.document.edit(self._model.document.base)

    def _resolve(self, choose: Callable[[str, str], str]) -> None:
        document = self._model.document
        if document is not None and document.theirs is not None:
            document.resolve(choose(document.text, document.theirs))

    def _both(self, mine: str, theirs: str) -> str:
        return with_both(mine, theirs, (self.tr("my version"), self.tr("version on the disk")))

    def show_state(self) -> None:
        """Show the state of the shown file."""
        document = self._model.document
        self.setVisible(document is not None)
        if document is None:
            return
        file = document.file
        self._name.setText(foreign_text.name(file.name))
        self._place.setText(foreign_text.line(place_words(file), 400))
        give_tip(self._place, file.path)
        self.chip.say(self._icon_label(document))
        is_closed = file.is_fixed or file.is_archived
        self.save.setVisible(not is_closed)
        self.discard.setVisible(not is_closed)
        self.save.allow(self._model.why_not_save())
        self.discard.setEnabled(document.is_edited and document.state is not SaveState.CONFLICT)
        self._show_message(document)

    def _icon_label(self, document: SourceDocument) -> IconLabel:
        if document.file.is_fixed or document.file.is_archived:
            archived, fixed = self.tr("archived, not loaded"), self.tr("comes with Chimein, read only")
            return IconLabel("lock", archived if document.file.is_archived else fixed, "text2")
        if document.problem:
            return IconLabel("alert", self.tr("Error"), "danger")
        if document.state is SaveState.SAVED:
            return self._saved_label(document)
        merged, edited = self.tr("edited, merged with the disk"), self.tr("edited, not saved")
        return {
            SaveState.SAVING: IconLabel("spinner", self.tr("Saving…"), "info"),
            SaveState.CONFLICT: IconLabel("warning", self.tr("changed on the disk, too"), "danger"),
        }.get(document.state, IconLabel("pencil", merged if document.was_merged else edited, "attention"))

    def _saved_label(self, document: SourceDocument) -> IconLabel:
        if document.saved_at is None:
            return IconLabel("check", self.tr("as on the disk"), "text2")
        merged, saved = self.tr("Saved {time}, merged with the disk"), self.tr("Saved {time}")
        words = merged if document.was_merged else saved
        return IconLabel("check", words.format(time=self._clock.clock(document.saved_at)), "ok")

    def _show_message(self, document: SourceDocument) -> None:
        is_conflict = document.state is SaveState.CONFLICT
        for button in (self.mine, self.theirs, self.both):
            button.setVisible(is_conflict)
        if is_conflict:
            title = self.tr("Another program has changed the same lines")
            words = self.tr("Nothing was written. Choose which version to keep. Undo brings yours back.")
            self.message.say(IconLabel("warning", title, "danger"), words)
            return
        problem = foreign_text.line(document.problem or self._model.problem, 400)
        self.message.say(IconLabel("alert", problem, "danger") if problem else None)
