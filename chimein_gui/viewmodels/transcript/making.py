"""Makes the rows of a transcript from messages, albums and hidden steps, each once until it changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.viewmodels.transcript.rows import CLOSED, AnyRow, Opened, Parent, StepRow, TranscriptRow

if TYPE_CHECKING:
    from datetime import date

    from chimein_gui.domain.messages import Message
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.transcript.parents import Parents
    from chimein_gui.viewmodels.transcript.window import Entries, Key


@dataclass(slots=True)
class Surroundings:
    """What all rows of one chat depend on.

    Attributes:
        own_name: The agent's name.
        read_up_to: Newest outgoing message that the partner has read; 0 if none.
        unread_from: First message that was unread when the chat was opened; 0 if none was.
    """

    own_name: str = ""
    read_up_to: int = 0
    unread_from: int = 0


class RowMaker:
    """Makes rows.

    Attributes:
        around: What all rows depend on.
        today: The local day of now.
    """

    def __init__(self, clock: ClockFace, entries: Entries, parents: Parents) -> None:
        self._clock, self._entries, self._parents = clock, entries, parents
        self.around = Surroundings()
        self.today: date = clock.now().astimezone().date()
        self._opened: dict[int, Opened] = {}
        self._made: dict[Key, AnyRow] = {}

    def begin(self, around: Surroundings) -> None:
        """Make rows of another chat."""
        self.around = around
        self._opened.clear()
        self._made.clear()

    def forget_all(self) -> None:
        """Make all rows anew."""
        self._made.clear()

    def forget(self, key: Key) -> None:
        """Make a row anew."""
        self._made.pop(key, None)

    def row_at(self, row: int) -> AnyRow:
        """Return what a row shows; the same object until the row changes."""
        key = self._entries[row].key
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = self._make(row)
        return made

    def reveal(self, row: int, *, secrets: bool, whole: bool) -> bool:
        """Show the spoilers or the full text of a row, until another chat is opened; False if it has none."""
        shown = self.row_at(row)
        if not isinstance(shown, TranscriptRow):
            return False
        old = shown.opened
        self._opened[self._entries[row].key[0]] = Opened(old.secrets or secrets, old.whole or whole)
        return True

    def _make(self, row: int) -> AnyRow:
        entry, around = self._entries[row], self.around
        if entry.step is not None:
            return StepRow(entry.step, self._clock.clock(entry.step.at))
        message = next((one for one in entry.messages if not one.deleted), entry.messages[0])
        above = self._entries.message_before(row)
        before = above.messages[-1] if above is not None else None
        new_day = before is None or _day_of(before) != _day_of(message)
        day = self._clock.day(message.sent_at) if new_day or _day_of(message) != self.today else ""
        unread = bool(around.unread_from) and self._entries.begins_unread(row, around.unread_from)
        reply_to, parent = self._parent_of(message)
        follows = before is not None and not new_day and not unread and not before.is_service
        return TranscriptRow(
            message,
            reply_to,
            day if new_day else "",
            self._clock.clock(message.sent_at),
            message.out and message.key.message_id <= around.read_up_to,
            around.own_name,
            follows and before is not None and before.sender_id == message.sender_id,
            album=entry.messages if len(entry.messages) > 1 else (),
            parent=parent,
            unread=unread,
            opened=self._opened.get(entry.key[0], CLOSED),
            date=day,
        )

    def _parent_of(self, message: Message) -> tuple[Message | None, Parent]:
        if message.reply_to_id is None:
            return None, Parent.NONE
        found = self._entries.message(message.reply_to_id)
        return (found, Parent.FOUND) if found is not None else self._parents.get(message.reply_to_id)


def _day_of(message: Message) -> object:
    return message.sent_at.astimezone().date()
