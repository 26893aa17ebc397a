"""Who speaks, who is named and who talks to whom in a chat, as of each row."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from struct import Struct

from chimein_gui.domain.context.digest import Digest, bare
from chimein_gui.domain.context.rows import HistoryRow

NAMED = 3
"""Most persons that one row can name."""

PARTNERS = 3
"""Number of recent partners kept of a sender."""

FAR = 9
"""Most candidates from further back that a row gets from its people."""

COLUMNS = (
    "sender",
    *(f"named{n}" for n in range(NAMED)),
    *(f"partner{n}" for n in range(PARTNERS)),
    "leads",
    "spoken",
    "prev_same",
    "prev_named",
    "named_last",
    "topic",
    *(f"far{n}" for n in range(FAR)),
)
"""Persons and positions of each row as numbers, -1 for none.

`leads` is 1 if the row addresses somebody who has not spoken here, 2 if they have.
"""

NOBODY = -1
NEVER = 2**30
ABSENT, PRESENT = 1, 2
_NO_TOPIC = -1
_TOPIC_BITS = 0x7FFFFFFF
_MIN_NAME, _MIN_BARE = 2, 3

Trio = tuple[int, int, int]


@dataclass(slots=True)
class Person:
    """State of a person at some row; newest first, -1 for none.

    Attributes:
        spoken: Positions of their last rows.
        named: Positions of the last rows that name them.
        partners: The persons they last talked to.
        unanswered: Positions of their rows since they were last named.
        turns: How many rows they wrote.
    """

    spoken: Trio = (-1, -1, -1)
    named: tuple[int, int] = (-1, -1)
    partners: Trio = (NOBODY, NOBODY, NOBODY)
    unanswered: list[int] = field(default_factory=list)
    turns: int = 0

    def deal_with(self, who: int) -> None:
        """Move a partner to the front."""
        first, second, _ = self.partners
        if who == second:
            self.partners = (who, first, self.partners[2])
        elif who != first:
            self.partners = (who, first, second)


class People:
    """All persons of one chat.

    Attributes:
        next_same: For each row, the position of its sender's next row, or `NEVER`.
        next_named: For each row, the position of the next row that names its sender, or `NEVER`.
        senders: For each row, its sender.
    """

    def __init__(self) -> None:
        self.next_same = array("i")
        self.next_named = array("i")
        self.senders: list[int] = []
        self._persons: list[Person] = []
        self._by_key: dict[str, int] = {}
        self._by_name: dict[str, int] = {}
        self._called: list[tuple[str, tuple[str, ...]]] = []

    def note(self, row: HistoryRow, read: Digest, answered: int) -> bytes:
        """Add the next row.

        Args:
            row: The row.
            read: Its digest.
            answered: Sender of the row that it replies to, or `NOBODY`.

        Returns:
            A number for each of `COLUMNS`, packed; the order of the `FAR` rows does not matter.
        """
        me = self._by_key.get(row.sender)
        if me is None:
            me = self._newcomer(row)
        elif self._called[me] != (row.sender_name, row.aliases):
            self._rename(me, row)
        leads, named = self._marked(read, me) if read.leading or read.marked else _NOBODY_NAMED
        if len(named) < NAMED and not self._by_name.keys().isdisjoint(read.tokens):
            named = self._with_mentioned(named, read, me)
        if answered not in (NOBODY, me):
            named = [answered, *(one for one in named if one != answered)][:NAMED]
        person = self._persons[me]
        s1, s2, s3 = person.spoken
        t1, t2 = person.named
        p1, p2, p3 = person.partners
        topic = _NO_TOPIC if row.thread_id is None else row.thread_id & _TOPIC_BITS
        n1 = n2 = n3 = last = a1 = a2 = b1 = b2 = -1
        if named:
            n1 = named[0]
            a1, a2, _ = self._persons[n1].spoken
            if len(named) > 1:
                n2, n3 = named[1], named[2] if len(named) > 2 else NOBODY  # noqa: PLR2004
                b1, b2, _ = self._persons[n2].spoken
            last = a1 if a1 > b1 else b1
            self._deal(person, me, named)
        turns = person.turns
        self._speak(person, me)
        return _pack(me, n1, n2, n3, p1, p2, p3, leads, turns, s1, t1, last, topic, s1, s2, s3, t1, t2, a1, a2, b1, b2)

    def copy(self) -> People:
        """Return an independent copy that can grow."""
        other = People()
        other.next_same, other.next_named = self.next_same[:], self.next_named[:]
        other._by_key, other._by_name = self._by_key.copy(), self._by_name.copy()
        other._called, other.senders = self._called.copy(), self.senders.copy()
        other._persons = [
            Person(one.spoken, one.named, one.partners, one.unanswered.copy(), one.turns) for one in self._persons
        ]
        return other

    def _newcomer(self, row: HistoryRow) -> int:
        names = [row.sender.lower(), *_names_of(row)]
        # A person may have been addressed before their first row.
        waiting = (self._by_name.get(name) for name in names)
        me = next((one for one in waiting if one is not None and not self._persons[one].turns), None)
        if me is None:
            me = self._new()
        self._by_key[row.sender] = me
        self._called[me] = (row.sender_name, row.aliases)
        for name in (bare(names[0]), *names):
            if len(name) >= _MIN_NAME:
                self._by_name[name] = me
        return me

    def _rename(self, me: int, row: HistoryRow) -> None:
        self._by_name.update(dict.fromkeys(_names_of(row), me))
        self._called[me] = (row.sender_name, row.aliases)

    def _new(self) -> int:
        self._persons.append(Person())
        self._called.append(("", ()))
        return len(self._persons) - 1

    def _marked(self, read: Digest, me: int) -> tuple[int, Sequence[int]]:
        """Return who is addressed explicitly; a name at the beginning creates its person if unknown."""
        found: list[int] = []
        by_name = self._by_name
        if read.leading:
            who = by_name.get(read.leading)
            if who is None and len(read.leading) >= _MIN_BARE:
                who = by_name.get(bare(read.leading))
            if who is None:
                who = by_name[read.leading] = self._new()
            if who != me:
                found.append(who)
        for name in read.marked:
            who = by_name.get(name, me)
            if who != me and who not in found:
                found.append(who)
        if not found:
            return _NOBODY_NAMED
        return PRESENT if self._persons[found[0]].turns else ABSENT, found[:NAMED]

    def _with_mentioned(self, named: Sequence[int], read: Digest, me: int) -> Sequence[int]:
        """Add persons whose names occur anywhere in the row and who have spoken."""
        by_name, persons = self._by_name, self._persons
        others = {by_name[name] for name in filter(by_name.__contains__, read.tokens)}
        more = sorted([who for who in others if who != me and who not in named and persons[who].turns])
        return [*named, *more][:NAMED] if more else named

    def _speak(self, person: Person, me: int) -> None:
        place = len(self.senders)
        last, before, _ = person.spoken
        if last >= 0:
            self.next_same[last] = place
        self.next_same.append(NEVER)
        self.next_named.append(NEVER)
        self.senders.append(me)
        person.spoken = (place, last, before)
        person.unanswered.append(place)
        person.turns += 1

    def _deal(self, person: Person, me: int, named: Sequence[int]) -> None:
        """Record that a person names others in the current row."""
        place = len(self.senders)
        for who in named:
            other = self._persons[who]
            other.named = (place, other.named[0])
            if other.unanswered:
                for waiting in other.unanswered:
                    self.next_named[waiting] = place
                other.unanswered = []
            person.deal_with(who)
            other.deal_with(me)


_NOBODY_NAMED: tuple[int, Sequence[int]] = (0, ())
_pack = Struct(f"{len(COLUMNS)}i").pack


def _names_of(row: HistoryRow) -> list[str]:
    whole = row.sender_name.lower().strip()
    first = whole.split(maxsplit=1)[0] if whole else ""
    names = (whole, first, bare(first), *(one.lower().lstrip("@") for one in row.aliases))
    return [name for name in names if len(name) >= _MIN_NAME]
