"""One row of the form: the label, the control of a field, and its problems with their repairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.domain.agent_files.edits import splice_between
from chimein_gui.domain.agent_files.repairs import Repair
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.form_fields import Choice, LineField
from chimein_gui.ui.widgets.controls.message_editor import MessageEditor
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.surfaces.inline_message import LINE, InlineMessage
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.text.shown_text import STAND_IN, ShownText
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.sources.words import field_label, repair_words
from chimein_gui.viewmodels.words.notes import note_sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.sources.findings import FileProblemRow

LABEL_WIDTH = 110
MOST_TYPED = 20_000


class Control(Protocol):
    """What edits the value of a field."""

    @property
    def widget(self) -> QWidget:
        """What stands in the form; it has the focus while the value is edited."""
        ...

    def show_value(self, value: str) -> None:
        """Show a value without telling of it."""
        ...

    def allow(self, *, allowed: bool) -> None:
        """Let the value be changed, or only be read."""
        ...


class _Typed:
    """Translates between a value and what a control shows of it: characters that can't be seen stay as they are."""

    def __init__(self, changed: Callable[[str], object]) -> None:
        self._changed, self._shown = changed, ShownText("")

    def show(self, value: str) -> str:
        self._shown = ShownText(value)
        return self._shown.shown

    def tell(self, now: str) -> None:
        value = self._shown.edited(splice_between(self._shown.shown, now))
        self._shown = ShownText(value)
        self._changed(value)


class LineControl:
    """A field of one line."""

    def __init__(self, theme: Theme, name: str, changed: Callable[[str], object], hint: str = "") -> None:
        self._typed = _Typed(changed)
        self.widget = self.line = LineField(theme, field_label(name), hint=hint)
        self.line.textEdited.connect(self._typed.tell)

    def show_value(self, value: str) -> None:
        shown = self._typed.show(value.strip()[:MOST_TYPED]).replace("\n", STAND_IN)
        if self.line.text() != shown:
            place = self.line.cursorPosition()
            self.line.setText(shown)
            self.line.setCursorPosition(min(place, len(shown)))

    def allow(self, *, allowed: bool) -> None:
        self.line.setReadOnly(not allowed)


class LinesControl:
    """A field with one entry a line."""

    def __init__(self, theme: Theme, name: str, changed: Callable[[str], object]) -> None:
        self._typed = _Typed(changed)
        self.widget = self.lines = MessageEditor(theme, lines=(1, 7), most=MOST_TYPED)
        self.lines.field.setAccessibleName(field_label(name))
        self.lines.field.setUndoRedoEnabled(False)
        self._is_quiet = False
        self.lines.changed.connect(self._tell)

    def show_value(self, value: str) -> None:
        before = self.lines.text()
        shown = self._typed.show(value)
        if before.rstrip() == shown.rstrip():
            self._typed.show(value + before[len(before.rstrip()) :])  # a line that was just begun is no value yet
            return
        self._is_quiet = True
        self.lines.set_text(shown)
        self._is_quiet = False

    def allow(self, *, allowed: bool) -> None:
        self.lines.field.setReadOnly(not allowed)
        self.lines.update()

    def _tell(self) -> None:
        if not self._is_quiet:
            self._typed.tell(self.lines.text())


class SegmentsControl:
    """A field with a few fixed values; no value means the default, which is shown as chosen."""

    def __init__(
        self,
        theme: Theme,
        name: str,
        choices: Sequence[tuple[str, str]],
        default: str,
        changed: Callable[[str], object],
    ) -> None:
        self._values = [value for value, _words in choices]
        self._default = default
        self.widget = self.segments = Segments(theme, tuple(words for _value, words in choices), field_label(name))
        self.segments.chosen.connect(lambda place: changed(self._values[place]))

    def show_value(self, value: str) -> None:
        wanted = value.strip().casefold() or self._default
        self.segments.choose(self._values.index(wanted) if wanted in self._values else -1)

    def allow(self, *, allowed: bool) -> None:
        self.segments.setEnabled(allowed)


class ChoiceControl:
    """A field with frequent values; another value is shown as it is written."""

    def __init__(
        self, theme: Theme, name: str, choices: Sequence[tuple[str, str]], changed: Callable[[str], object]
    ) -> None:
        self._choices = [(words, value) for value, words in choices]
        self.widget = self.box = Choice(theme, field_label(name))
        self.box.currentIndexChanged.connect(lambda _place: changed(str(self.box.currentData() or "")))

    def show_value(self, value: str) -> None:
        known = {" ".join(one.casefold().split()): one for _words, one in self._choices}
        wanted = known.get(" ".join(value.casefold().split()))
        entries: list[tuple[str, object]] = [*self._choices]
        if wanted is None:
            wanted = value
            entries.append((foreign_text.line(", ".join(value.split("\n"))), value))
        self.box.set_entries(entries, wanted)

    def allow(self, *, allowed: bool) -> None:
        self.box.setEnabled(allowed)


class FieldRow(QWidget):
    """Label and control, and below them what is wrong, each with the button that repairs it.

    Attributes:
        entered: The focus came into it; carries the field.
        undone: Undo is wanted (True), or redo (False).
        repaired: The button of a problem was pressed; carries the row of the problem.
    """

    entered = Signal(str)
    undone = Signal(bool)
    repaired = Signal(object)

    def __init__(self, theme: Theme, name: str, control: Control, *, is_required: bool = False, hint: str = "") -> None:
        super().__init__()
        self._theme, self.name, self.control = theme, name, control
        self._rows: tuple[FileProblemRow, ...] = ()
        self._label = PlainLabel(theme, field_label(name) + (" *" if is_required else ""), Face.STRONG, "text1")
        self._label.setFixedWidth(LABEL_WIDTH)
        self._hint = PlainLabel(theme, hint, Face.SMALL, "text2")
        self._hint.setWordWrap(True)
        self._hint.setVisible(bool(hint))
        self._problems = QVBoxLayout()
        self._problems.setSpacing(4)
        side = QVBoxLayout()
        side.setSpacing(4)
        self.line = QHBoxLayout()
        self.line.setSpacing(8)
        is_narrow = isinstance(control.widget, (Segments, ActionButton))
        self.line.addWidget(control.widget, 0 if is_narrow else 1)
        if is_narrow:
            self.line.addStretch(1)
        side.addLayout(self.line)
        self.below = QHBoxLayout()
        side.addLayout(self.below)
        side.addWidget(self._hint)
        side.addLayout(self._problems)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        label = QVBoxLayout()
        label.setContentsMargins(0, 6, 0, 0)
        label.addWidget(self._label)
        label.addStretch(1)
        row.addLayout(label)
        row.addLayout(side, 1)
        for part in (control.widget, *control.widget.findChildren(QWidget)):
            part.installEventFilter(self)

    def say_hint(self, words: str) -> None:
        """Show another sentence below the control."""
        self._hint.setText(words)
        self._hint.setVisible(bool(words))

    def mark(self, *, current: bool) -> None:
        """Tint the label of the field in which the cursor of the Markdown is."""
        self._label.set_color("accent_text" if current else "text1")

    def show_problems(self, rows: tuple[FileProblemRow, ...]) -> None:
        """Show what is wrong with the field."""
        if rows == self._rows:
            return
        self._rows = rows
        while self._problems.count():
            item = self._problems.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for one in rows:
            message = InlineMessage(self._theme, LINE)
            message.refuse(note_sentence(one.problem.note))
            if isinstance(one.repair, Repair):
                button = ActionButton(self._theme, foreign_text.line(repair_words(one.repair), 60), kind=Kind.LINK)
                button.clicked.connect(lambda _checked=False, row=one: self.repaired.emit(row))
                message.add(button)
            self._problems.addWidget(message)
        reason = " ".join(note_sentence(one.problem.note) for one in rows)
        if isinstance(self.control, LineControl):
            self.control.line.mark_wrong(wrong=any(not one.is_warning for one in rows))
        self.focus_widget().setAccessibleDescription(foreign_text.line(reason, 400))

    def focus_widget(self) -> QWidget:
        """Return the widget that gets the focus of the row."""
        widget = self.control.widget
        if isinstance(widget, Segments):
            return widget.focus_widget()
        return widget.field if isinstance(widget, MessageEditor) else widget

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn:
            self.entered.emit(self.name)
        elif isinstance(event, QKeyEvent) and event.type() in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            for key, back in ((QKeySequence.StandardKey.Undo, True), (QKeySequence.StandardKey.Redo, False)):
                if event.matches(key):
                    event.accept()
                    if event.type() == QEvent.Type.KeyPress:
                        self.undone.emit(back)
                    return True
        return super().eventFilter(watched, event)
