"""The two texts of a file: the operator's, which is edited, and the model's, with the words that differ tinted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QTextEdit, QVBoxLayout, QWidget

from chimein_gui.domain.media.records import retry_at
from chimein_gui.domain.messages import utf16_length
from chimein_gui.domain.text.word_changes import WordChange, word_sides
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.message_editor import MessageEditor
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.text.tinted_text import TintedText
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.media_library.changes import Saving
from chimein_gui.viewmodels.media_library.words import failure_words, place_words

if TYPE_CHECKING:
    from chimein_gui.domain.media.records import MediaRecord
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.media_library.editing import DescriptionEdit

MOST_TYPED = 4_000
PATH_PARTS = 4


class Texts(QWidget):
    """The field on top, the model's text below it.

    Attributes:
        submitted: Ctrl+Enter was pressed in the field.
        left: Escape was pressed in the field.
    """

    submitted = Signal()
    left = Signal()

    def __init__(self, context: PaneContext, edit: DescriptionEdit) -> None:
        super().__init__()
        theme = self._theme = context.theme
        self._clock, self._edit, self._problem = context.models.clock, edit, ""
        self.chip = StateChip(theme)
        self.retry = ActionButton(theme, self.tr("Retry"), icon="refresh", kind=Kind.QUIET)
        self.field = MessageEditor(theme, lines=(3, 8), most=MOST_TYPED)
        self.field.field.setAccessibleName(self.tr("Curated text"))
        self.field.field.setPlaceholderText(self.tr("Write what prompts will say"))
        self._why = PlainLabel(theme, "", Face.SMALL, "danger")
        self._why.setWordWrap(True)
        self._path = ElidedLabel(theme, "", Face.META, "text2")
        self._tokens = PlainLabel(theme, "", Face.META, "text2")
        self._made = ElidedLabel(theme, "", Face.META, "text2")
        self.take_over = ActionButton(theme, self.tr("Use as start"), icon="caret-up", kind=Kind.QUIET)
        self.generated = TintedText(theme, self.tr("AI text"))
        self._build()
        self.field.changed.connect(lambda: edit.type(self.field.text()))
        self.field.changed.connect(self._compare)
        self.field.submitted.connect(self.submitted)
        self.field.cancelled.connect(self.left)
        self.take_over.clicked.connect(self.use_generated)
        self.retry.clicked.connect(edit.retry)
        edit.replaced.connect(self._replace)
        edit.state_changed.connect(self._show_state)
        theme.changed.connect(self._compare)
        self._show_state()

    def _build(self) -> None:
        theme = self._theme
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(PlainLabel(theme, self.tr("Curated text"), Face.SMALL_STRONG))
        self._hint = ElidedLabel(theme, self.tr("what prompts will say"), Face.META, "text2")
        head.addWidget(self._hint, 1)
        head.addStretch(0)
        head.addWidget(self.retry)
        head.addWidget(self.chip)
        below = QHBoxLayout()
        below.setSpacing(8)
        below.addWidget(self._path, 1)
        below.addWidget(self._tokens)
        second = QHBoxLayout()
        second.setSpacing(8)
        second.addWidget(PlainLabel(theme, self.tr("AI text"), Face.SMALL_STRONG))
        second.addWidget(self._made, 1)
        second.addWidget(self.take_over)
        around = Surface(theme, "field", frame="line", radius=6)
        inside = QVBoxLayout(around)
        inside.setContentsMargins(8, 6, 8, 6)
        inside.addWidget(self.generated)
        self.generated.setMinimumHeight(56)
        self.generated.setMaximumHeight(120)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self.field)
        column.addWidget(self._why)
        column.addLayout(below)
        column.addLayout(second)
        column.addWidget(around)

    def use_generated(self) -> None:
        """Take the model's text into the field; Ctrl+Z takes that back."""
        entry = self._edit.entry
        if entry is not None and entry.generated is not None and entry.generated.has_words:
            self.field.replace_text(entry.generated.description)
            self.field.field.setFocus()

    def show_entry(self, problem: str = "") -> None:
        """Show the texts of the file that is edited; `problem` says why the model made none."""
        self._problem = problem
        self._show_state()
        self._compare()

    def _replace(self, text: str) -> None:
        if text != self.field.text():
            self.field.set_text(text)
        self._compare()

    # --- states ---------------------------------------------------------------------------------------------------

    def _show_state(self) -> None:
        state, edit = self._edit.state, self._edit
        why = ""
        icon_label = None
        if edit.is_changed and (state is None or state.saving is not Saving.SAVING):
            icon_label = IconLabel("pencil", self.tr("Not saved yet"), "text2")
        elif state is not None and state.saving is Saving.SAVING:
            icon_label = IconLabel("spinner", self.tr("Saving…"), "text2")
        elif state is not None and state.saving is Saving.SAVED:
            record = edit.entry.curated[0] if edit.entry is not None and edit.entry.curated else None
            at = self._clock.clock(record.at) if record is not None and record.at is not None else ""
            icon_label = IconLabel("check", self.tr("Saved {time}").format(time=at).strip(), "ok")
        failed = state is not None and state.saving is Saving.FAILED
        if failed and state is not None:
            icon_label, why = IconLabel("alert", self.tr("Not saved"), "danger"), state.words
        self.chip.say(icon_label)
        self.retry.setVisible(failed)
        self._hint.setVisible(not failed)
        self._why.setText(foreign_text.line(why, 300))
        self._why.setVisible(bool(why))
        tokens = edit.tokens
        self._tokens.setText(self.tr("%n token(s)", "", tokens) if tokens else "")
        self._show_path()
        self._show_generated_head()

    def _show_path(self) -> None:
        entry = self._edit.entry
        record = entry.curated[0] if entry is not None and entry.curated else None
        path = record.path if record is not None else ""
        short = "/".join(path.rsplit("/", PATH_PARTS)[-PATH_PARTS:])
        self._path.setText(foreign_text.line(short, 300))
        self._path.setToolTip(foreign_text.tool_tip(path))
        if record is not None and record.place is not None:
            self._path.setAccessibleDescription(place_words(record.place))

    def _show_generated_head(self) -> None:
        entry = self._edit.entry
        record = entry.generated if entry is not None else None
        self._made.setText(self._made_words(record))
        can_use = record is not None and record.has_words and record.description.strip() != self._edit.text.strip()
        self.take_over.setEnabled(can_use)

    def _made_words(self, record: MediaRecord | None) -> str:
        if record is None or record.at is None:
            return ""
        model = record.rest.get("model")
        parts = [model if isinstance(model, str) else "", self._clock.stamp(record.at)]
        return foreign_text.line(" · ".join(part for part in parts if part), 80)

    # --- the words that differ ------------------------------------------------------------------------------------

    def _compare(self) -> None:
        entry = self._edit.entry
        record = entry.generated if entry is not None else None
        if record is None or not record.has_words:
            why = self._problem or (self._failure(record) if record is not None else "")
            words = why or self.tr("The model has not described this yet.")
            self.generated.fill([(foreign_text.body(words), self.generated.plain("text2"))], words)
            self.field.field.setExtraSelections([])
            return
        said, mine = foreign_text.body(record.description), self.field.text()
        if not mine.strip():
            self.generated.fill([(said, self.generated.plain())], said)
            self.field.field.setExtraSelections([])
            return
        older, newer = word_sides(said, mine)
        tint = {WordChange.REMOVED: self._tint("diff_removed")}
        plain = self.generated.plain()
        self.generated.fill([(piece.text, tint.get(piece.change, plain)) for piece in older], said)
        selections, place = [], 0
        for piece in newer:
            length = utf16_length(piece.text)
            if piece.change is WordChange.ADDED:
                selections.append(self._selection(place, place + utf16_length(piece.text.rstrip())))
            place += length
        self.field.field.setExtraSelections(selections)

    def _failure(self, record: MediaRecord) -> str:
        """Return why there are no words, and when a model is asked again."""
        why, again_at = failure_words(record), retry_at(record)
        if not why or again_at is None:
            return why
        again = self.tr("With the next prompt after {time} it is tried again.").format(time=self._clock.stamp(again_at))
        return f"{why} {again}"

    def _tint(self, token: str) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setBackground(self._theme.color(token))
        made.setForeground(self._theme.color(f"{token}_text"))
        return made

    def _selection(self, start: int, end: int) -> QTextEdit.ExtraSelection:
        made = QTextEdit.ExtraSelection()
        made.format = self._tint("diff_added")
        cursor = QTextCursor(self.field.field.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        made.cursor = cursor
        return made
