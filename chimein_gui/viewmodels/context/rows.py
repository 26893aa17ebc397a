"""The candidates of one plan as rows: days, silences, folded runs of messages left out, and messages."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from chimein_gui.viewmodels.context.words import cut_words, fold_words, sentence, silence_words
from chimein_gui.viewmodels.core.roles import Index, ItemRole, KeyRole

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import date

    from chimein_gui.domain.chats import PinKind
    from chimein_gui.domain.ids import MessageId
    from chimein_gui.domain.prompt.considered import ConsideredMessage, ContextSelection
    from chimein_gui.viewmodels.core.clock import ClockFace

SILENCE_S = 1800.0
"""A longer silence between two messages gets a row of its own."""

RULE_S = 3600.0
"""The silence that ends a session for the time-gap rule."""

FOLDED_BELOW = 4
"""Messages left out with less than this many percent are folded."""

LEAST_FOLDED = 3
"""Shortest run that is folded."""


class RowKind(IntEnum):
    """What a row shows."""

    DAY = 0
    GAP = 1
    FOLD = 2
    MESSAGE = 3


@dataclass(frozen=True, slots=True)
class ContextRow:
    """One row.

    Attributes:
        kind: What it shows.
        one: The message; of a fold the first one.
        words: The text of other rows.
        cuts: The time-gap rule would start at this silence.
        folded: The messages in a fold.
    """

    kind: RowKind
    one: ConsideredMessage | None = None
    words: str = ""
    cuts: bool = False
    folded: tuple[ConsideredMessage, ...] = ()


def rows_of(
    messages: Sequence[ConsideredMessage],
    clock: ClockFace,
    open_folds: Collection[MessageId] = (),
    *,
    only_taken: bool = False,
) -> list[ContextRow]:
    """Arrange messages as rows.

    Args:
        messages: Oldest first.
        clock: Formats days.
        open_folds: Ids of the first messages of runs that are shown nevertheless.
        only_taken: Messages left out are not shown at all.
    """
    made = _Arranged(clock, open_folds)
    for one in messages:
        if one.included or not only_taken:
            made.add(one)
    made.end_run()
    return made.rows


class _Arranged:
    """The rows so far, and the run of messages that may be folded."""

    def __init__(self, clock: ClockFace, open_folds: Collection[MessageId]) -> None:
        self.rows: list[ContextRow] = []
        self._clock, self._open_folds = clock, open_folds
        self._run: list[ConsideredMessage] = []
        self._before: ConsideredMessage | None = None
        self._day: date | None = None

    def add(self, one: ConsideredMessage) -> None:
        """Add the next message, with the silence and the day before it."""
        before, self._before = self._before, one
        silence = 0.0 if before is None else (one.message.sent_at - before.message.sent_at).total_seconds()
        if before is None or silence > SILENCE_S:
            self.end_run()
            self._add_break(one, silence, cuts=before is not None and one.in_session and not before.in_session)
        if not one.included and one.percent is not None and one.percent < FOLDED_BELOW:
            self._run.append(one)
        else:
            self.end_run()
            self.rows.append(ContextRow(RowKind.MESSAGE, one))

    def end_run(self) -> None:
        """Add the messages of the run, folded if they are many."""
        run, self._run = self._run, []
        if len(run) < LEAST_FOLDED or run[0].message_id in self._open_folds:
            self.rows.extend(ContextRow(RowKind.MESSAGE, one) for one in run)
        else:
            words = fold_words(len(run), max(one.percent or 0 for one in run))
            self.rows.append(ContextRow(RowKind.FOLD, run[0], words, folded=tuple(run)))

    def _add_break(self, one: ConsideredMessage, silence: float, *, cuts: bool) -> None:
        at, cuts = one.message.sent_at, cuts and silence > RULE_S
        if silence > SILENCE_S:
            words = silence_words(silence)
            self.rows.append(ContextRow(RowKind.GAP, None, cut_words(words) if cuts else words, cuts))
        day = at.astimezone().date()
        if day != self._day:
            self.rows.append(ContextRow(RowKind.DAY, None, self._clock.day(at)))
            self._day = day


class ContextRows(QAbstractListModel):
    """The rows of the selection that is shown; replaced as a whole.

    Attributes:
        rows: All rows, the oldest message first.
        places: The row that shows each message, or hides it in a fold.
        pins: How each message is pinned for later plans.
    """

    def __init__(self, clock: ClockFace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self._messages: tuple[ConsideredMessage, ...] = ()
        self.places: dict[MessageId, int] = {}
        self._open: set[MessageId] = set()
        self._only_taken = False
        self.rows: list[ContextRow] = []
        self.pins: dict[MessageId, PinKind] = {}

    @property
    def only_taken(self) -> bool:
        """Whether messages left out are hidden."""
        return self._only_taken

    def show(self, selection: ContextSelection | None, *, same_chat: bool = False) -> None:
        """Show another selection; opened folds stay open within a chat."""
        self._messages = selection.messages if selection is not None else ()
        if not same_chat:
            self._open.clear()
        self._arrange()

    def show_pins(self, pins: dict[MessageId, PinKind]) -> None:
        """Mark the messages that are pinned for later plans."""
        self.pins = pins
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, 0))

    def show_only_taken(self, *, only: bool) -> None:
        """Hide the messages that were left out, or show them."""
        if only is not self._only_taken:
            self._only_taken = only
            self._arrange()

    def open_fold(self, row: int) -> None:
        """Show the messages of a folded run."""
        one = self.rows[row].one if 0 <= row < len(self.rows) else None
        if one is not None and self.rows[row].kind is RowKind.FOLD:
            self._open.add(one.message_id)
            self._arrange()

    def reveal(self, message_id: MessageId) -> int:
        """Return the row of a message; the run that hides it is opened. -1 if it is not there."""
        row = self.places.get(message_id, -1)
        if row < 0 and self._only_taken:
            self.show_only_taken(only=False)
            row = self.places.get(message_id, -1)
        if row >= 0 and self.rows[row].kind is RowKind.FOLD:
            self.open_fold(row)
            row = self.places[message_id]
        return row

    def place_of(self, message_id: MessageId | None) -> int:
        """Return the row that shows a message or hides it in a fold; -1 if there is none."""
        return -1 if message_id is None else self.places.get(message_id, -1)

    def _arrange(self) -> None:
        rows = rows_of(self._messages, self._clock, self._open, only_taken=self._only_taken)
        places: dict[MessageId, int] = {}
        for place, row in enumerate(rows):
            if row.kind is RowKind.MESSAGE and row.one is not None:
                places[row.one.message.key.message_id] = place
            for one in row.folded:
                places[one.message_id] = place
        self.beginResetModel()
        self.rows, self.places = rows, places
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()] if index.isValid() and index.row() < len(self.rows) else None
        if row is None:
            return None
        if role == ItemRole:
            return row
        if role == KeyRole:
            return row.one.message_id if row.one is not None else None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            is_message = row.kind is RowKind.MESSAGE and row.one is not None
            if not is_message or row.one is None:
                return row.words
            return sentence(row.one, self._clock, self.pins.get(row.one.message_id))
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        row = self.rows[index.row()] if index.isValid() and index.row() < len(self.rows) else None
        if row is None or row.kind in (RowKind.DAY, RowKind.GAP):
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
