"""Conflicts: entries that both the operator and another program have changed, until the operator has decided."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from chimein_gui.domain.memory.merging.three_way import (
    ChangedBy,
    Choice,
    Difference,
    MemoryConflict,
    ThreeWay,
    three_way,
)
from chimein_gui.domain.memory.provenance import provenance_of

if TYPE_CHECKING:
    from chimein_gui.domain.memory.entries import MemoryFile
    from chimein_gui.domain.memory.provenance import Provenance

    ConflictKey = tuple[MemoryFile, str]

translate = QCoreApplication.translate


class OpenConflict:
    """One conflict with what was decided so far.

    Attributes:
        conflict: The three contents.
        merged: Their differences.
        choices: What was chosen, by the place among the differences; what only one side changed is decided already.
    """

    def __init__(self, conflict: MemoryConflict) -> None:
        self.conflict = conflict
        self.merged: ThreeWay = three_way(conflict.file.kind, conflict.base, conflict.mine, conflict.theirs)
        self.choices: dict[int, Choice] = {
            place: one.default for place, one in enumerate(self.merged.differences) if one.default is not None
        }

    @property
    def key(self) -> ConflictKey:
        """Return what identifies it."""
        return self.conflict.file, self.conflict.block

    @property
    def reply(self) -> Provenance | None:
        """Return where the newest entry comes from that a reply of the agent brought or changed; None if none did."""
        theirs = [one.theirs for one in self.merged.differences if one.changed_by is not ChangedBy.MINE and one.theirs]
        found = [origin for origin in map(provenance_of, theirs) if origin.plan is not None and origin.chat is not None]
        return max(found, key=lambda origin: origin.plan or 0, default=None)

    @property
    def open_places(self) -> tuple[int, ...]:
        """Return the differences that are not decided."""
        return tuple(place for place in range(len(self.merged.differences)) if place not in self.choices)

    @property
    def result(self) -> str | None:
        """Return what would be written; None while something is not decided."""
        return self.merged.result(self.choices)


class ConflictsModel(QObject):
    """The conflicts, each about one entry that the operator has changed.

    Attributes:
        changed: There are others, or something was decided.
    """

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._open: dict[ConflictKey, OpenConflict] = {}

    @property
    def all(self) -> tuple[OpenConflict, ...]:
        """The conflicts, oldest first."""
        return tuple(self._open.values())

    @property
    def files(self) -> frozenset[MemoryFile]:
        """The files with conflicts."""
        return frozenset(file for file, _block in self._open)

    def put(self, conflict: MemoryConflict) -> None:
        """Add a conflict, or begin a known one anew with what the file holds meanwhile."""
        self._open[conflict.file, conflict.block] = OpenConflict(conflict)
        self.changed.emit()

    def see(self, file: MemoryFile, content: str) -> None:
        """Note what a file holds on disk now."""
        for one in self.all:
            if one.conflict.file == file and one.conflict.theirs != content:
                self.put(replace(one.conflict, theirs=content))

    def remove(self, one: OpenConflict) -> None:
        """Forget a conflict."""
        if self._open.pop(one.key, None) is not None:
            self.changed.emit()

    def choose(self, one: OpenConflict, place: int, choice: Choice) -> None:
        """Decide one difference."""
        if 0 <= place < len(one.merged.differences):
            one.choices[place] = choice
            self.changed.emit()

    def choose_all(self, one: OpenConflict, choice: Choice) -> None:
        """Decide all differences alike."""
        one.choices = dict.fromkeys(range(len(one.merged.differences)), choice)
        self.changed.emit()


def difference_words(one: Difference) -> str:
    """Return where a difference is, and who made it."""
    if one.changed_by is ChangedBy.BOTH:
        if one.mine is None:
            words = translate("MemoryPane", "Line {number} · you removed it, another program changed it")
        elif one.theirs is None:
            words = translate("MemoryPane", "Line {number} · you changed it, another program removed it")
        else:
            words = translate("MemoryPane", "Line {number} · both changed the same entry")
    elif one.changed_by is ChangedBy.MINE:
        words = translate("MemoryPane", "Line {number} · only you changed it")
    elif one.base is None:
        words = translate("MemoryPane", "Line {number} · new on disk")
    else:
        words = translate("MemoryPane", "Line {number} · only another program changed it")
    return words.format(number=one.line)


def choice_words(one: Difference) -> tuple[tuple[Choice, str], ...]:
    """Return the choices of a difference."""
    mine, theirs = translate("MemoryPane", "Mine"), translate("MemoryPane", "On disk")
    if one.base is None and one.mine is None:
        return (Choice.THEIRS, translate("MemoryPane", "Keep")), (Choice.MINE, translate("MemoryPane", "Drop"))
    both = ((Choice.BOTH, translate("MemoryPane", "Both")),) if one.changed_by is ChangedBy.BOTH else ()
    return ((Choice.MINE, mine), (Choice.THEIRS, theirs), *both)
