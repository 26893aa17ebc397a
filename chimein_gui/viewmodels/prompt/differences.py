"""What changed from one prompt to another, part by part and line by line, as rows with the unchanged ones folded."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QModelIndex, QObject, Qt

from chimein_gui.domain.text.line_changes import LineChange, line_changes
from chimein_gui.domain.text.word_changes import WordChange
from chimein_gui.viewmodels.core.numbers import count_words
from chimein_gui.viewmodels.core.roles import Index, ItemRole
from chimein_gui.viewmodels.core.sanitize import spoken
from chimein_gui.viewmodels.prompt.sections import RowKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.viewmodels.prompt.sections import PartRow, PromptParts

translate = QCoreApplication.translate

CONTEXT = 2
"""Unchanged lines that are shown before and after changed ones."""


class PartState(StrEnum):
    """What became of a part."""

    SAME = "same"
    CHANGED = "changed"
    NEW = "new"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class PartDiff:
    """One part of two prompts.

    Attributes:
        row: The part in the newer prompt; in the older one if it is gone.
        state: What became of it.
        by: How many tokens it grew, or shrank if negative.
        lines: All lines of both.
        was: Its tokens in the older prompt, estimated; 0 if it is new.
        now: Its tokens in the newer prompt, estimated alike; 0 if it is gone.
    """

    row: PartRow
    state: PartState
    by: int
    lines: tuple[LineChange, ...]
    was: int = 0
    now: int = 0


@dataclass(frozen=True, slots=True)
class PromptDiff:
    """Two prompts.

    Attributes:
        parts: Their parts, in the order of the newer one.
    """

    parts: tuple[PartDiff, ...] = ()

    @property
    def by(self) -> int:
        """Return how many tokens the newer one has more: the sum of its parts, so that all figures add up."""
        return sum(one.by for one in self.parts)

    @property
    def changed(self) -> int:
        """Return the number of parts that are not the same."""
        return sum(one.state is not PartState.SAME for one in self.parts)

    def figure_of(self, row: PartRow) -> str:
        """Return what became of a row of the newer prompt: its tokens with a sign, or a word; empty for others."""
        if row.kind is RowKind.TOTAL:
            return by_words(self.by)
        place = self.place_of(row)
        if place < 0:
            return ""
        part = self.parts[place]
        return by_words(part.by) if part.by else state_words(part)

    def as_in(self, shown: PromptParts) -> PromptDiff:
        """Return the same with the tokens of the shown rows of the newer prompt; the older one's on the same scale.

        What the provider counted of the older prompt is of no use here: a part that is the same would differ.
        """
        rows = iter(shown.sent)
        now, figures = sum(one.now for one in self.parts), sum(row.tokens for row in shown.sent)
        scale = figures / now if now else 1.0
        return PromptDiff(
            tuple(
                replace(one, by=-round(one.was * scale)) if one.state is PartState.GONE else _on_scale(one, next(rows))
                for one in self.parts
            )
        )

    def place_of(self, row: PartRow) -> int:
        """Return the index of a row of the newer prompt, whose tokens may be counted meanwhile; -1 for other rows."""
        return next(
            (at for at, one in enumerate(self.parts) if one.state is not PartState.GONE and is_same_part(one.row, row)),
            -1,
        )


def is_same_part(one: PartRow, other: PartRow) -> bool:
    """Return whether two rows of one prompt are the same part of it, counted or not."""
    return (one.kind, one.number, one.title) == (other.kind, other.number, other.title)


def diff_of(before: PromptParts, after: PromptParts) -> PromptDiff:
    """Compare two prompts. It may take long; for any thread."""
    old, new = _keyed(before.sent), _keyed(after.sent)
    order = list(new)
    above = None
    for key in old:
        if key not in new:  # a part that is gone stands below the part that it stood below
            order.insert(order.index(above) + 1 if above is not None else 0, key)
        above = key
    return PromptDiff(tuple(_compared(old.get(key), new.get(key)) for key in order))


def _on_scale(part: PartDiff, row: PartRow) -> PartDiff:
    """Return a part of the newer prompt with the tokens of its shown row; the older ones in the same proportion."""
    was = round(row.tokens * part.was / part.now) if part.now else part.was
    return replace(part, row=row, by=0 if part.state is PartState.SAME else row.tokens - was)


_Key = tuple[str, str, int]


def _keyed(rows: Iterable[PartRow]) -> dict[_Key, PartRow]:
    seen: Counter[tuple[str, str]] = Counter()
    keyed = {}
    for row in rows:
        title = "" if row.number == 0 else row.title
        seen[row.kind, title] += 1
        keyed[row.kind.value, title, seen[row.kind, title]] = row
    return keyed


def _compared(old: PartRow | None, new: PartRow | None) -> PartDiff:
    if new is None:
        assert old is not None  # one of both has it
        lines = (one for one in line_changes(old.text, "") if one.change is WordChange.REMOVED)
        return PartDiff(old, PartState.GONE, -old.tokens, tuple(lines), was=old.tokens)
    if old is None:
        lines = (one for one in line_changes("", new.text) if one.change is WordChange.ADDED)
        return PartDiff(new, PartState.NEW, new.tokens, tuple(lines), now=new.tokens)
    state = PartState.SAME if old.text == new.text else PartState.CHANGED
    lines_of_both = line_changes(old.text, new.text)
    return PartDiff(new, state, new.tokens - old.tokens, lines_of_both, old.tokens, new.tokens)


class DiffKind(StrEnum):
    """What a row of the comparison is."""

    FOLD = "fold"
    HEAD = "head"
    GAP = "gap"
    LINE = "line"


@dataclass(frozen=True, slots=True)
class DiffRow:
    """One row.

    Attributes:
        kind: A fold of same parts, the head of a part, a gap of same lines, or a line.
        part: Index of the part; of a fold, of the first one.
        count: Of a fold the number of parts, of a gap the number of lines.
        line: The line; beside another one the removed line.
        other: The added line that stands beside it, where both sides are shown.
        place: Index of the line in the part; of a gap, of the first one.
        is_open: Below a fold or a head, its rows are shown.
    """

    kind: DiffKind
    part: int
    count: int = 0
    line: LineChange | None = None
    place: int = 0
    is_open: bool = False
    other: LineChange | None = None

    @property
    def sides(self) -> tuple[LineChange | None, LineChange | None]:
        """Return the line of the older prompt and that of the newer one."""
        line = self.line
        if line is None or line.change is WordChange.SAME:
            return line, line
        return (line, self.other) if line.change is WordChange.REMOVED else (None, line)

    @property
    def newer_line(self) -> int:
        """Return the number of the line in the newer prompt, or 0."""
        newer = self.sides[1]
        return newer.new if newer is not None else 0

    @property
    def is_change(self) -> bool:
        """Return whether it is a line of one of the prompts only."""
        return self.line is not None and self.line.change is not WordChange.SAME


_Fold = tuple[DiffKind, int, int]


class DiffModel(QAbstractListModel):
    """The rows; `ItemRole` is the `DiffRow`.

    Attributes:
        diff: What is shown.
        is_beside: What was removed stands beside what was added.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.diff = PromptDiff()
        self.is_beside = False
        self._rows: list[DiffRow] = []
        self._turned: set[_Fold] = set()

    def show_diff(self, diff: PromptDiff) -> None:
        """Show another comparison, folded."""
        if diff == self.diff:
            return
        self.beginResetModel()
        if [one.row.title for one in diff.parts] != [one.row.title for one in self.diff.parts]:
            self._turned.clear()
        self.diff = diff
        self._rows = self._made()
        self.endResetModel()

    def show_beside(self, *, beside: bool) -> None:
        """Show what was removed beside what was added, or below it."""
        if beside is not self.is_beside:
            self.beginResetModel()
            self.is_beside = beside
            self._rows = self._made()
            self.endResetModel()

    def toggle(self, number: int) -> None:
        """Open or close the fold, gap or head in a row; a line closes the head above it."""
        row = self._rows[number]
        kind = DiffKind.HEAD if row.kind is DiffKind.LINE else row.kind
        self._turned ^= {(kind, row.part, row.place if kind is DiffKind.GAP else 0)}
        self.beginResetModel()
        self._rows = self._made()
        self.endResetModel()

    def row_of(self, part: int) -> int:
        """Return the row of a part's head, or of the fold that it is in; -1 if there is none."""
        for number, row in enumerate(self._rows):
            in_fold = row.kind is DiffKind.FOLD and row.part <= part < row.part + row.count and not row.is_open
            if in_fold or (row.kind is DiffKind.HEAD and row.part == part):
                return number
        return -1

    def row_like(self, wanted: DiffRow) -> int:
        """Return the row that shows the line, or the fold, of another arrangement; -1 if there is none."""
        for number, row in enumerate(self._rows):
            if row.kind is wanted.kind and row.part == wanted.part:
                mine = {id(side) for side in row.sides if side is not None}
                if row.place == wanted.place or mine & {id(side) for side in wanted.sides if side is not None}:
                    return number
        return -1

    def part_row(self, number: int) -> PartRow | None:
        """Return the part that a row belongs to."""
        return self.diff.parts[self._rows[number].part].row if 0 <= number < len(self._rows) else None

    def next_change(self, number: int, by: int) -> int:
        """Return the first row of the next change below a row, with 1, or above it, with -1; -1 if there is none.

        After the last change the first one follows.
        """
        starts = [
            place for place, row in enumerate(self._rows) if row.is_change and not self._rows[place - 1].is_change
        ]
        if by > 0:
            return next((place for place in starts if place > number), starts[0] if starts else -1)
        return next((place for place in reversed(starts) if place < number), starts[-1] if starts else -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < len(self._rows):
            return None
        row = self._rows[index.row()]
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return self.sentence(row)
        return row if role == ItemRole else None

    # --- rows -----------------------------------------------------------------------------------------------------

    def _made(self) -> list[DiffRow]:
        rows: list[DiffRow] = []
        parts = self.diff.parts
        number = 0
        while number < len(parts):
            if parts[number].state is not PartState.SAME:
                rows += self._of_part(number)
                number += 1
                continue
            end = number
            while end < len(parts) and parts[end].state is PartState.SAME:
                end += 1
            is_open = (DiffKind.FOLD, number, 0) in self._turned
            rows.append(DiffRow(DiffKind.FOLD, number, end - number, is_open=is_open))
            if is_open:
                for place in range(number, end):
                    rows += self._of_part(place)
            number = end
        return rows

    def _of_part(self, number: int) -> list[DiffRow]:
        part = self.diff.parts[number]
        is_open = (DiffKind.HEAD, number, 0) not in self._turned
        rows = [DiffRow(DiffKind.HEAD, number, is_open=is_open)]
        if not is_open:
            return rows
        shown = self._shown(part)
        place = 0
        while place < len(part.lines):
            end = place
            while end < len(part.lines) and not shown[end]:
                end += 1
            if end - place > 1 and (DiffKind.GAP, number, place) not in self._turned:
                rows.append(DiffRow(DiffKind.GAP, number, end - place, place=place))
                place = end
                continue
            end = max(end, place + 1)
            rows += [DiffRow(DiffKind.LINE, number, line=part.lines[at], place=at) for at in range(place, end)]
            place = end
        return paired(rows) if self.is_beside else rows

    def _shown(self, part: PartDiff) -> list[bool]:
        """Return which lines are changed, or near a changed one; all lines of a part that is the same."""
        if part.state is PartState.SAME:
            return [True] * len(part.lines)
        shown = [False] * len(part.lines)
        for place, line in enumerate(part.lines):
            if line.change is not WordChange.SAME:
                near = range(max(0, place - CONTEXT), min(len(shown), place + CONTEXT + 1))
                for at in near:
                    shown[at] = True
        return shown

    # --- words ----------------------------------------------------------------------------------------------------

    def fold_words(self, row: DiffRow) -> str:
        """Return what a fold or a gap holds."""
        count = row.count
        if row.kind is DiffKind.GAP:
            return translate("PromptDiff", "%n line(s) the same", "", count)
        parts = self.diff.parts[row.part : row.part + count]
        total = sum(one.row.tokens for one in parts)
        tokens = translate("PromptDiff", "%Ln token(s)", "", total)
        names = spoken(parts[0].row.title)
        if count > 1:
            names = translate("PromptDiff", "{first} to {last}").format(first=names, last=spoken(parts[-1].row.title))
        same = translate("PromptDiff", "%n part(s) the same", "", count)
        return translate("PromptDiff", "{same}: {names} · {tokens}").format(same=same, names=names, tokens=tokens)

    def sentence(self, row: DiffRow) -> str:
        """Return a row as one sentence, for screen readers."""
        if row.kind in {DiffKind.FOLD, DiffKind.GAP}:
            return self.fold_words(row)
        part = self.diff.parts[row.part]
        if row.kind is DiffKind.HEAD or row.line is None:
            return ", ".join((spoken(part.row.title), state_words(part), by_words(part.by)))
        if row.other is not None:
            halves = (replace(row, other=None), replace(row, line=row.other, other=None))
            return ". ".join(self.sentence(half) for half in halves)
        line, text = row.line, spoken(row.line.text)
        if line.change is WordChange.REMOVED:
            return translate("PromptDiff", "Removed, line {n}: {text}").format(n=line.old, text=text)
        if line.change is WordChange.ADDED:
            return translate("PromptDiff", "Added, line {n}: {text}").format(n=line.new, text=text)
        return translate("PromptDiff", "Line {n}: {text}").format(n=line.new, text=text)


def paired(rows: list[DiffRow]) -> list[DiffRow]:
    """Put each added line beside a removed one of the same change, in their order; the rest of either stays alone."""
    made: list[DiffRow] = []
    place = 0
    while place < len(rows):
        end = place
        while end < len(rows) and rows[end].is_change:
            end += 1
        if end == place:
            made.append(rows[place])
            place += 1
            continue
        removed = [row for row in rows[place:end] if row.line is not None and row.line.change is WordChange.REMOVED]
        added = [row for row in rows[place:end] if row.line is not None and row.line.change is WordChange.ADDED]
        made += [replace(one, other=other.line) for one, other in zip(removed, added, strict=False)]
        made += removed[len(added) :] + added[len(removed) :]
        place = end
    return made


def state_words(part: PartDiff) -> str:
    """Return what became of a part."""
    return {
        PartState.SAME: translate("PromptDiff", "same"),
        PartState.CHANGED: translate("PromptDiff", "changed"),
        PartState.NEW: translate("PromptDiff", "new"),
        PartState.GONE: translate("PromptDiff", "gone"),
    }[part.state]


def by_words(by: int) -> str:
    """Return how many tokens were added or removed, with a sign."""
    return f"{'+' if by >= 0 else '−'}{count_words(abs(by))}"


def tokens_by_words(by: int) -> str:
    """Return how many tokens were added or removed, with a sign and their unit."""
    if by < 0:
        return translate("PromptDiff", "−%Ln token(s)", "", -by)
    return translate("PromptDiff", "+%Ln token(s)", "", by)
