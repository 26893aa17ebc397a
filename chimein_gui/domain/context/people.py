"""Who speaks in a chat, who is named, and who deals with whom, as it stands at each row."""

from __future__ import annotations

from dataclasses import dataclass, field

from chimein_gui.domain.context.digest import Digest, bare
from chimein_gui.domain.context.rows import HistoryRow

NAMED = 3
"""Persons that one row can name."""

PARTNERS = 3
"""People a sender dealt with last."""

FAR = 9
"""Rows of its people from further back that a row can have as candidates."""

COLUMNS = (
    "sender",
    *(f"named{n}" for n in range(NAMED)),
    "leads",
    "prev_same",
    "prev_named",
    "named_last",
    *(f"partner{n}" for n in range(PARTNERS)),
    "spoken",
    "topic",
    *(f"far{n}" for n in range(FAR)),
)
"""What is kept of each row: persons and positions as numbers, -1 for none; `leads` is 1 where it is addressed to
somebody who has not spoken here, 2 where he has."""

NOBODY = -1
NEVER = 2**30
ABSENT, PRESENT = 1, 2
_SPOKEN, _TOLD = 4, 3
_MIN_NAME, _MIN_BARE = 2, 3


@dataclass(slots=True)
class Person:
    """What is known of a person at some point: positions of his last rows and of rows that name him, his partners."""

    spoken: list[int] = field(default_factory=list)
    named: list[int] = field(default_factory=list)
    partners: list[int] = field(default_factory=list)
    unanswered: list[int] = field(default_factory=list)
    turns: int = 0


class People:
    """Everybody of one chat.

    Attributes:
        next_same: Of each row, the position of its sender's next row, or `NEVER`.
        next_named: Of each row, the position of the next row that names its sender, or `NEVER`.
    """

    def __init__(self) -> None:
        self.next_same: list[int] = []
        self.next_named: list[int] = []
        self._persons: list[Person] = []
        self._by_key: dict[str, int] = {}
        self._by_name: dict[str, int] = {}
        self._called: dict[int, tuple[str, tuple[str, ...]]] = {}

    def note(self, place: int, row: HistoryRow, read: Digest, answered: int) -> tuple[int, ...]:
        """Take in a row.

        Args:
            place: Its position.
            row: The row.
            read: The same, read.
            answered: Who wrote what it replies to, or `NOBODY`.

        Returns:
            A number for each of `COLUMNS`.
        """
        me = self._person_of(row)
        named, leads = self._named(read, me)
        if answered not in (NOBODY, me):
            named = [answered, *(one for one in named if one != answered)][:NAMED]
        column = self._column(me, named, leads, -1 if row.thread_id is None else row.thread_id & 0x7FFFFFFF)
        self._deal(place, me, named)
        return column

    def copy(self) -> People:
        """Return one that can grow by itself."""
        other = People()
        other.next_same, other.next_named = self.next_same.copy(), self.next_named.copy()
        other._by_key, other._by_name = self._by_key.copy(), self._by_name.copy()
        other._called = self._called.copy()
        other._persons = [
            Person(one.spoken, one.named, one.partners, one.unanswered.copy(), one.turns) for one in self._persons
        ]
        return other

    def _person_of(self, row: HistoryRow) -> int:
        me = self._by_key.get(row.sender)
        called = (row.sender_name, row.aliases)
        if me is not None:
            if self._called[me] != called:
                self._by_name.update(dict.fromkeys(_names_of(row), me))
                self._called[me] = called
            return me
        names = [row.sender.lower(), *_names_of(row)]
        # Somebody may have been addressed before he spoke.
        waiting = (self._by_name.get(name) for name in names)
        me = next((one for one in waiting if one is not None and not self._persons[one].turns), None)
        if me is None:
            me = self._new()
        self._by_key[row.sender] = me
        self._called[me] = called
        for name in (bare(names[0]), *names):
            if len(name) >= _MIN_NAME:
                self._by_name[name] = me
        return me

    def _new(self) -> int:
        self._persons.append(Person())
        return len(self._persons) - 1

    def _named(self, read: Digest, me: int) -> tuple[list[int], int]:
        found: list[int] = []
        by_name = self._by_name
        if read.leading:
            who = by_name.get(read.leading)
            if who is None and len(read.leading) >= _MIN_BARE:
                who = by_name.get(bare(read.leading))
            if who is None:
                who = by_name[read.leading] = self._new()
            found.append(who)
        found += [by_name[name] for name in read.marked if name in by_name]
        found = [who for who in dict.fromkeys(found) if who != me]
        leads = 0 if not found else PRESENT if self._persons[found[0]].turns else ABSENT
        if len(found) < NAMED:
            others = {by_name[name] for name in by_name.keys() & read.tokens}
            if others:
                found += sorted(who for who in others if who != me and who not in found and self._persons[who].turns)
        return found[:NAMED], leads

    def _column(self, me: int, named: list[int], leads: int, topic: int) -> tuple[int, ...]:
        person = self._persons[me]
        far = person.spoken[-3:] + person.named[-2:]
        named_last = NOBODY
        for who in named[:2]:
            spoken = self._persons[who].spoken
            far = far + spoken[-2:]
            if spoken:
                named_last = max(named_last, spoken[-1])
        return (
            me,
            *named,
            *(NOBODY,) * (NAMED - len(named)),
            leads,
            person.spoken[-1] if person.spoken else -1,
            person.named[-1] if person.named else -1,
            named_last,
            *person.partners,
            *(NOBODY,) * (PARTNERS - len(person.partners)),
            person.turns,
            topic,
            *far,
            *(-1,) * (FAR - len(far)),
        )

    def _deal(self, place: int, me: int, named: list[int]) -> None:
        person = self._persons[me]
        if person.spoken:
            self.next_same[person.spoken[-1]] = place
        self.next_same.append(NEVER)
        self.next_named.append(NEVER)
        person.spoken = [*person.spoken[1 - _SPOKEN :], place]
        person.unanswered.append(place)
        person.turns += 1
        for who in named:
            other = self._persons[who]
            other.named = [*other.named[1 - _TOLD :], place]
            for waiting in other.unanswered:
                self.next_named[waiting] = place
            other.unanswered = []
            person.partners = [who, *(one for one in person.partners if one != who)][:PARTNERS]
            other.partners = [me, *(one for one in other.partners if one != me)][:PARTNERS]


def _names_of(row: HistoryRow) -> list[str]:
    whole = row.sender_name.lower().strip()
    first = whole.split(maxsplit=1)[0] if whole else ""
    names = (whole, first, bare(first), *(one.lower().lstrip("@") for one in row.aliases))
    return [name for name in names if len(name) >= _MIN_NAME]
