"""The rows of a transcript: messages in their order, albums as one row, hidden steps between them. No Qt here."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chimein_gui.domain.messages import Message
    from chimein_gui.domain.plans.hidden_steps import HiddenStep

Key = tuple[int, int, float, int, str]
"""Sort key of rows: a step comes after its message."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One row: a message, an album, or a hidden step.

    Attributes:
        key: Its sort key.
        messages: One, or those of an album; empty for a step.
        step: The step; None for messages.
    """

    key: Key
    messages: tuple[Message, ...] = ()
    step: HiddenStep | None = None


def message_entry(messages: Sequence[Message]) -> Entry:
    """Make the row of a message or an album."""
    return Entry((messages[0].key.message_id, 0, 0.0, 0, ""), tuple(messages))


def step_entry(step: HiddenStep) -> Entry:
    """Make the row of a hidden step."""
    key = (step.after_message_id, 1, step.at.timestamp(), step.task_id or 0, f"{step.kind} {step.text[:80]}")
    return Entry(key, step=step)


def belong_together(one: Message, other: Message) -> bool:
    """Tell whether two neighbours belong to one album."""
    return one.grouped_id is not None and one.grouped_id == other.grouped_id and one.sender_id == other.sender_id


def entries_of(messages: Iterable[Message]) -> list[Entry]:
    """Make the rows of sorted messages."""
    made: list[list[Message]] = []
    for message in messages:
        if made and belong_together(made[-1][-1], message):
            made[-1].append(message)
        else:
            made.append([message])
    return [message_entry(group) for group in made]


class Entries:
    """The rows of a window, always sorted."""

    def __init__(self) -> None:
        self._rows: list[Entry] = []
        self._keys: list[Key] = []

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, row: int) -> Entry:
        return self._rows[row]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._rows)

    def put(self, row: int, entries: Sequence[Entry]) -> None:
        """Insert rows at the place that their keys require."""
        self._rows[row:row] = entries
        self._keys[row:row] = [entry.key for entry in entries]

    def take(self, first: int, last: int) -> list[Entry]:
        """Remove rows, the last one included, and return them."""
        gone = self._rows[first : last + 1]
        del self._rows[first : last + 1], self._keys[first : last + 1]
        return gone

    def change(self, row: int, entry: Entry) -> None:
        """Replace a row; its new key must sort to the same place."""
        self._rows[row], self._keys[row] = entry, entry.key

    def place_of(self, key: Key) -> int:
        """Return where a row with this key is or would be."""
        return bisect_left(self._keys, key)

    def row_of(self, message_id: int) -> int:
        """Return the row with a message, or -1."""
        row = bisect_right(self._keys, (message_id, 0, 0.0, 0, "")) - 1
        while row >= 0 and self._rows[row].step is not None:
            row -= 1
        held = row >= 0 and any(one.key.message_id == message_id for one in self._rows[row].messages)
        return row if held else -1

    def message(self, message_id: int) -> Message | None:
        """Return a message of the window, or None."""
        row = self.row_of(message_id)
        if row < 0:
            return None
        return next(one for one in self._rows[row].messages if one.key.message_id == message_id)

    def message_before(self, row: int) -> Entry | None:
        """Return the nearest row above with a message, or None."""
        return next((self._rows[above] for above in range(row - 1, -1, -1) if self._rows[above].messages), None)

    def begins_unread(self, row: int, unread_from: int) -> bool:
        """Tell whether a row is the first incoming one from `unread_from` on: outgoing messages are never unread."""
        if self._rows[row].messages[-1].out or self._rows[row].messages[-1].key.message_id < unread_from:
            return False
        before = (self._rows[above].messages[-1] for above in range(row - 1, -1, -1) if self._rows[above].messages)
        nearest = next((message for message in before if not message.out or message.key.message_id < unread_from), None)
        return nearest is None or nearest.key.message_id < unread_from

    def message_row_from(self, row: int) -> int:
        """Return the nearest row at or below with a message, or the number of rows."""
        below = (number for number in range(row, len(self._rows)) if self._rows[number].messages)
        return next(below, len(self._rows))

    @property
    def first_id(self) -> int:
        """The lowest message id; 0 if there is none."""
        return next((entry.messages[0].key.message_id for entry in self._rows if entry.messages), 0)

    @property
    def last_id(self) -> int:
        """The highest message id; 0 if there is none."""
        return next((entry.messages[-1].key.message_id for entry in reversed(self._rows) if entry.messages), 0)

    def album_beside(self, row: int, message: Message) -> int:
        """Return the row of the album that a new message at `row` belongs to, or -1."""
        above = row - 1
        while above >= 0 and self._rows[above].step is not None:
            above -= 1
        if above >= 0 and belong_together(self._rows[above].messages[-1], message):
            return above
        below = self.message_row_from(row)
        if below < len(self._rows) and belong_together(message, self._rows[below].messages[0]):
            return below
        return -1


def with_message(entry: Entry, message: Message) -> Entry:
    """Return a row with a message added or replaced."""
    others = [one for one in entry.messages if one.key.message_id != message.key.message_id]
    messages = tuple(sorted((*others, message), key=lambda one: one.key.message_id))
    return replace(message_entry(messages))


def join(edge: Entry, page: list[Entry], *, above: bool) -> Entry | None:
    """Join a row with the adjoining end of a page, which loses that row; None if they are not one album."""
    other = page[-1 if above else 0].messages
    first, last = (other, edge.messages) if above else (edge.messages, other)
    if not belong_together(first[-1], last[0]):
        return None
    page.pop(-1 if above else 0)
    return message_entry((*first, *last))
