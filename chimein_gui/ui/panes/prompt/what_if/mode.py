"""The mode *What-if*: the prompt of today is edited and tried, or a stored call is sent once more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from chimein_gui.domain.text.tokens import tokens_of
from chimein_gui.ui.panes.prompt.modes import PromptMode
from chimein_gui.ui.panes.prompt.part_list import PartList
from chimein_gui.ui.panes.prompt.what_if.band import CannotSendBand
from chimein_gui.ui.panes.prompt.what_if.editor import PlaceEditor
from chimein_gui.ui.panes.prompt.what_if.result import RunResult
from chimein_gui.ui.panes.prompt.what_if.run_bar import RunBar
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.form_fields import Choice
from chimein_gui.ui.widgets.controls.icon_button import IconButton
from chimein_gui.ui.widgets.surfaces.inline_message import ROW, InlineMessage
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.text.word_diff import WordDiff
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.numbers import count_words
from chimein_gui.viewmodels.prompt.differences import tokens_by_words
from chimein_gui.viewmodels.prompt.sections import RowKind
from chimein_gui.viewmodels.prompt.what_if import PlaceKind, PromptPlace

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.panes.prompt import PromptModels
    from chimein_gui.viewmodels.prompt.file_edit import Proposal
    from chimein_gui.viewmodels.prompt.sections import PartRow

THREE_COLUMNS = 1000
"""From this width on the parts stand beside the editor, px; below it they are in its choice alone."""

MOST_CHANGED = 4
"""Lines of changed text that are shown below the editor."""

TWO_COLUMNS = 700
"""From this width on the result stands beside the editor, px; below it it stands under it."""


class WhatIfMode(PromptMode):
    """It has no control that sends, approves or queues; its two ways out open a dialog."""

    def __init__(self, context: PaneContext, models: PromptModels) -> None:
        super().__init__()
        self.word, self.letter = self.tr("What-if"), "W"
        self.keys = (
            (("Ctrl+↵",), self.tr("Run dry")),
            (("Ctrl+Z",), self.tr("Undo typing")),
            (("Esc",), self.tr("Back to reading")),
        )
        theme = context.theme
        self._context, self._model, self._prompt = context, models.what_if, models.prompt
        self._file_edit = models.file_edit
        self._place = PromptPlace(PlaceKind.SECTION, 0)
        self.list = PartList(theme, self._model.parts)
        self.place = Choice(theme, self.tr("Edit"))
        self._edited = StateChip(theme)
        self.reset = IconButton(theme, "undo", self.tr("Reset to the built text"))
        self.rebuild = IconButton(theme, "refresh", self.tr("Build it again of today’s files"))
        self.apply = ActionButton(theme, self.tr("Apply to file…"), icon="file")
        self.written = InlineMessage(theme, ROW)
        self.undo = ActionButton(theme, self.tr("Undo"), icon="undo", kind=Kind.QUIET)
        self.written.add(self.undo)
        self.editor = PlaceEditor(theme, self.tr("Text of the part"))
        self.changes = WordDiff(theme, face=Face.SMALL, max_lines=MOST_CHANGED)
        self._change = ElidedLabel(theme, "", Face.SMALL, "text2")
        self._figures = ElidedLabel(theme, "", Face.SMALL, "text2")
        self.bar = RunBar(context, self._model)
        self.result = RunResult(theme)
        self._build()
        self._wire()

    def _build(self) -> None:
        self._editing = QWidget()
        column = QVBoxLayout(self._editing)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        head = QHBoxLayout()
        set_rtl_margins(head, 12, 6, 12, 2)
        head.setSpacing(8)
        head.addWidget(self.place, 1)
        head.addWidget(self.reset)
        head.addWidget(self.rebuild)
        head.addWidget(self.apply)
        column.addLayout(head)
        column.addWidget(self.written)
        column.addWidget(self.editor, 1)
        changes = QHBoxLayout()
        set_rtl_margins(changes, 12, 2, 12, 0)
        changes.addWidget(self.changes, 1)
        column.addLayout(changes)
        figures = QHBoxLayout()
        set_rtl_margins(figures, 12, 0, 12, 0)
        figures.setSpacing(8)
        figures.addWidget(self._edited)
        figures.addWidget(self._change, 1)
        figures.addWidget(self._figures, 1)
        column.addLayout(figures)
        column.addWidget(self.bar)
        self._split = split = QSplitter()
        split.setChildrenCollapsible(False)
        split.addWidget(self.list)
        split.addWidget(self._editing)
        split.addWidget(self.result)
        split.setSizes([300, 500, 500])
        for place, stretch in enumerate((0, 1, 1)):
            split.setStretchFactor(place, stretch)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(CannotSendBand(self._context.theme))
        whole.addWidget(split, 1)

    def _wire(self) -> None:
        self._model.changed.connect(self._show_if_in_sight)
        self._context.models.approvals.chats_changed.connect(lambda *_chats: self._show_if_in_sight())
        self.list.chosen.connect(self._choose_row)
        self.list.entered.connect(self.editor.setFocus)
        self.place.currentIndexChanged.connect(lambda _at: self._choose_place(self.place.currentData()))
        self.editor.edited.connect(lambda text: self._model.edit(self._place, text))
        self.reset.clicked.connect(lambda _checked=False: self._model.reset(self._place))
        self.rebuild.clicked.connect(lambda _checked=False: self._model.read())
        self.apply.clicked.connect(lambda _checked=False: self._propose())
        self.undo.clicked.connect(lambda _checked=False: self._file_edit.undo())
        self._file_edit.proposed.connect(self._ask)
        self._file_edit.written.connect(self._say_written)
        self._file_edit.failed.connect(self._say_failed)
        self.result.regenerate_wanted.connect(self._regenerate)
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(self.bar.run)

    # --- the mode -------------------------------------------------------------------------------------------------

    def show_prompt(self) -> None:
        self._model.begin()
        self._show()

    @property
    def first_field(self) -> QWidget:
        """What gets the focus first: the list of parts, or the choice where there is no room for it."""
        return self.list if self.list.isVisible() else self.place

    def enter(self, row: PartRow | None) -> None:
        self.editor.setFocus()

    def minimumSizeHint(self) -> QSize:
        # The list gives way, and the result goes below the text; else they would keep the pane from becoming narrow.
        width = max(part.minimumSizeHint().width() for part in (self._editing, self.result))
        return QSize(width, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        share = self.width() / self._context.theme.percent * 100
        self.list.setVisible(share >= THREE_COLUMNS)
        is_wide = share >= TWO_COLUMNS
        self._split.setOrientation(Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical)

    def _show_if_in_sight(self) -> None:
        if self.isVisible():
            self._show()

    def _show(self) -> None:
        model = self._model
        entries = self._entries()
        if self._place not in [place for _words, place in entries]:
            self._place = PromptPlace(PlaceKind.SECTION, 0)
        self.place.set_entries(entries, self._place)
        if not self.list.currentIndex().isValid():
            self._mark_row()
        self.editor.setReadOnly(model.base is None)
        before, after = model.original(self._place), model.text(self._place)
        self.editor.show_text(before, after)
        is_edited = self._place in model.edited
        self._edited.say(IconLabel("pencil", self.tr("edited here only"), "unreal") if is_edited else None)
        self.changes.setVisible(is_edited)
        self.changes.compare(*(self.editor.rewritten if is_edited else ("", "")))
        self.reset.setEnabled(is_edited)
        if not is_edited:
            why = self.tr("Nothing is changed in this part")
        else:
            why = "" if model.section(self._place) else self.tr("This part does not stand in a file")
        self.apply.allow(why)
        old, new = tokens_of((before,)), tokens_of((after,))
        lines = self.editor.lines_changed
        changed = self.tr("%n line(s) changed", "", lines)
        tokens = tokens_by_words(new - old)
        self._change.setText(f"{tokens} · {changed}" if is_edited else "")
        words = self.tr("before: {old}, now: {new}").format(old=count_words(old), new=count_words(new))
        self._figures.setText(words if is_edited else "")
        self.bar.refresh()
        draft = self._draft()
        self.result.regenerate.allow("" if draft else self.tr("No draft of this chat waits for a decision"))
        drafts = self._drafts()
        text = "\n\n".join(one.text for one in drafts)
        self.result.show_runs(model.runs, model.problem, text if drafts else None)

    def _entries(self) -> list[tuple[str, object]]:
        base = self._model.base
        if base is None:
            return []
        edited = self._model.edited
        entries: list[tuple[str, object]] = []
        for number, section in enumerate(base.prompt.sections):
            place = PromptPlace(PlaceKind.SECTION, number)
            words = self.tr("{n}  {title}").format(n=number + 1, title=foreign_text.line(section.title, 60))
            entries.append((self._marked(words, is_edited=place in edited), place))
        for number, turn in enumerate(base.prompt.turns):
            place = PromptPlace(PlaceKind.TURN, number)
            said = " ".join(turn.parts[1:] or turn.parts)
            words = self.tr("Message {n}: {text}").format(n=number + 1, text=foreign_text.line(said, 50))
            entries.append((self._marked(words, is_edited=place in edited), place))
        return entries

    def _marked(self, words: str, *, is_edited: bool) -> str:
        return self.tr("{part} (edited)").format(part=words) if is_edited else words

    def _choose_row(self, row: PartRow | None) -> None:
        """Edit the section of a row; with the contents their newest message."""
        base = self._model.base
        if row is None or base is None:
            return
        if row.kind is RowKind.SECTION and row.number:
            self._choose_place(PromptPlace(PlaceKind.SECTION, row.number - 1))
        elif row.kind is RowKind.CONTENTS and base.prompt.turns:
            self._choose_place(PromptPlace(PlaceKind.TURN, len(base.prompt.turns) - 1))

    def _choose_place(self, place: object) -> None:
        if not isinstance(place, PromptPlace) or place == self._place:
            return
        self._place = place
        self._mark_row()
        self._show()

    def _mark_row(self) -> None:
        """Put the cursor of the list on the section that is edited."""
        place, rows = self._place, self._model.parts.parts.rows
        wanted = place.number + 1 if place.kind is PlaceKind.SECTION else 0
        at = next((at for at, row in enumerate(rows) if row.kind is RowKind.SECTION and row.number == wanted), -1)
        if at >= 0:
            with QSignalBlocker(self.list):
                self.list.setCurrentIndex(self._model.parts.index(at))

    # --- ways out -------------------------------------------------------------------------------------------------

    def _propose(self) -> None:
        section = self._model.section(self._place)
        if section is not None:
            self.written.say(None)
            self._file_edit.propose(section, self._model.text(self._place))

    def _ask(self, proposal: Proposal) -> None:
        if proposal.is_again or not self.isVisible():
            return  # the dialog that is open shows it
        from chimein_gui.ui.panes.prompt.what_if.apply_dialog import ApplyDialog

        ApplyDialog(self._context.theme, self._file_edit, proposal, self.window()).open()

    def _say_written(self, path: str, is_undone: bool) -> None:
        words = self.tr("{file} is as it was") if is_undone else self.tr("Written to {file}")
        self.undo.setVisible(not is_undone)
        self.written.say(IconLabel("check", words.format(file=foreign_text.line(path)), "ok"))
        self._model.read()

    def _say_failed(self, words: str) -> None:
        self.undo.setVisible(False)
        self.written.refuse(words)

    def _drafts(self) -> tuple[Approval, ...]:
        chat_id = self._prompt.chat_id
        return self._context.models.approvals.of_chat(chat_id) if chat_id is not None else ()

    def _draft(self) -> Approval | None:
        drafts = self._drafts()
        return drafts[0] if drafts else None

    def _regenerate(self) -> None:
        from chimein_gui.domain.text.line_changes import line_changes
        from chimein_gui.domain.text.word_changes import WordChange
        from chimein_gui.ui.dialogs.instruction import InstructionDialog

        draft = self._draft()
        if draft is None:
            return
        edits = [
            one.text.strip()
            for place in sorted(self._model.edited)
            for one in line_changes(self._model.original(place), self._model.text(place))
            if one.change is WordChange.ADDED and one.text.strip()
        ]
        dialog = InstructionDialog(self._context.theme, self.window(), " ".join(edits), may_be_empty=True)
        dialog.given.connect(lambda words: self._context.models.regenerations.regenerate(draft, words))
        dialog.open()
