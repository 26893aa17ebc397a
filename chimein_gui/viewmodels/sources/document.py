"""One open file: its text, its changes one by one, and what is wrong in it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.agent_files.checks import problems_of
from chimein_gui.domain.agent_files.edits import Splice, UnfitValueError, with_value
from chimein_gui.domain.agent_files.parsing import AgentFile, Field, parse
from chimein_gui.domain.agent_files.sources import SourceKind
from chimein_gui.viewmodels.sources.findings import FileProblemRow, Surroundings, field_at, rows_of
from chimein_gui.viewmodels.sources.history import EditHistory

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.agent_files.sources import SourceFile


class SaveState(StrEnum):
    """How an open file and the disk are to each other."""

    SAVED = "saved"
    EDITED = "edited"
    SAVING = "saving"
    CONFLICT = "conflict"
    """Another program has changed the same lines; the operator decides."""


class SourceDocument(QObject):
    """The text of one file with its changes. Form and Markdown change it, and follow it.

    Attributes:
        changed: The text has changed; carries the `Splice`.
        state_changed: State, problems, base or remarks have changed.
        file: Which file it is.
        base: The text on the disk as last read.
        text: The text with the changes.
        theirs: In a conflict, the text on the disk.
        saved_at: When it was last saved here, aware UTC; None before.
        problem: Why the last save failed, in words; or empty.
        was_merged: Changes of another program were taken in since the operator's last change.
        rows: The problems in the text, by line.
    """

    changed = Signal(object)
    state_changed = Signal()

    def __init__(self, file: SourceFile, text: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.file, self.base, self.text = file, text, text
        self.theirs: str | None = None
        self.saved_at: datetime | None = None
        self.problem = ""
        self.was_merged = self.is_saving = False
        self.rows: tuple[FileProblemRow, ...] = ()
        self._around = Surroundings()
        self._history = EditHistory()
        self._parsed: tuple[str, AgentFile] | None = None
        self._find_problems()

    # --- facts ----------------------------------------------------------------------------------------------------

    @property
    def is_agent(self) -> bool:
        """Whether it is an agent file, which has fields."""
        return self.file.kind is SourceKind.AGENT

    @property
    def is_edited(self) -> bool:
        """Whether there are unsaved changes."""
        return self.text != self.base

    @property
    def state(self) -> SaveState:
        """How text and disk are to each other."""
        if self.theirs is not None:
            return SaveState.CONFLICT
        if self.is_saving:
            return SaveState.SAVING
        return SaveState.EDITED if self.is_edited else SaveState.SAVED

    @property
    def parsed(self) -> AgentFile:
        """The fields of the text."""
        if self._parsed is None or self._parsed[0] is not self.text:
            self._parsed = (self.text, parse(self.text))
        return self._parsed[1]

    @property
    def errors(self) -> int:
        """Number of problems that keep the file from being used."""
        return sum(not row.is_warning for row in self.rows)

    @property
    def breaks_the_file(self) -> bool:
        """Whether saving would turn a usable file into one that is not used."""
        return self.is_agent and bool(self.errors) and not problems_of(parse(self.base))

    def field(self, name: str) -> Field | None:
        """Return a field of the text, or None."""
        return self.parsed.fields.get(name)

    def value(self, name: str) -> str:
        """Return the value of a field; empty if there is none."""
        field = self.field(name)
        return field.value if field is not None else ""

    def field_at(self, line: int) -> str:
        """Return the field whose heading or value is in a line, from 1; empty for none."""
        return field_at(self.parsed, line)

    def lines_of(self, name: str) -> tuple[int, int]:
        """Return the first and the last line of a field with its heading; (0, 0) if there is none."""
        field = self.field(name)
        return (0, 0) if field is None else (field.line, field.value_line + field.value.count("\n"))

    # --- changes --------------------------------------------------------------------------------------------------

    def edit(self, text: str, key: str = "") -> None:
        """Change the text; consecutive changes with the same key that is not empty are undone as one."""
        if text != self.text and not self.file.is_fixed and not self.file.is_archived:
            self.was_merged = False
            self._apply(self._history.note(self.text, text, key))

    def set_value(self, name: str, value: str, *, is_typed: bool = True) -> bool:
        """Change one field; False if the value can't stand in a file, and then nothing changes.

        What is typed in one go is undone as one; each other change by itself.
        """
        try:
            text = with_value(self.text, name, value)
        except UnfitValueError:
            return False
        self.edit(text, f"field {name}" if is_typed else "")
        return True

    def undo(self) -> None:
        """Undo the last change, wherever it was made."""
        self._apply(self._history.undo())

    def redo(self) -> None:
        """Make the change again that was undone last."""
        self._apply(self._history.redo())

    # --- the disk -------------------------------------------------------------------------------------------------

    def take_disk(self, text: str, merged: str | None) -> None:
        """Take in what the disk has now; `merged` holds both sides' changes, None if they are in conflict."""
        if text == self.base:
            return
        if merged is None:
            self.theirs = text
        else:
            was_edited = self.is_edited
            if not was_edited:
                self._history.clear()
            self.base, self.theirs = text, None
            self._replace(merged)
            self.was_merged = was_edited
        self.state_changed.emit()

    def resolve(self, text: str) -> None:
        """End a conflict with a text; it can be undone like any change."""
        if self.theirs is not None:
            self.base, self.theirs = self.theirs, None
            self._replace(text)
            self.state_changed.emit()

    def saved(self, written: str, sent: str, at: datetime) -> None:
        """Take in that a text was written; `sent` is what was to be written, before others' changes were merged."""
        self.base, self.problem, self.theirs, self.saved_at = written, "", None, at
        if self.text == sent and written != sent:
            self._replace(written)
            self.was_merged = True
        self._find_problems()

    def see(self, around: Surroundings) -> None:
        """Check the text against other prompts and agents."""
        if around != self._around:
            self._around = around
            self._find_problems()

    # --- parts ----------------------------------------------------------------------------------------------------

    def _replace(self, text: str) -> None:
        if text != self.text:
            self._apply(self._history.note(self.text, text))

    def _apply(self, splice: Splice | None) -> None:
        if splice is not None:
            self.text = splice.apply(self.text)
            self.changed.emit(splice)
            self._find_problems()

    def _find_problems(self) -> None:
        self.rows = rows_of(self.text, self.parsed, self.file.path, self._around) if self.is_agent else ()
        self.state_changed.emit()
