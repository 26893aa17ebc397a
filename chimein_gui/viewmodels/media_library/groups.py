"""The files of the Media pane in groups: sticker sets, then chats; in each those that need work first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.domain.media.library import MediaEntry


class Order(StrEnum):
    """The order in a group."""

    USES = "uses"
    NEWEST = "newest"
    NAME = "name"


class GroupKey(NamedTuple):
    """What the files of a group have in common: a set, or else a chat, or neither.

    Attributes:
        set_name: Short name of the sticker set.
        chat: Number of the chat, as text.
    """

    set_name: str = ""
    chat: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Files with one heading.

    Attributes:
        key: What they have in common.
        title: Foreign text: the set, or the chat; empty for neither.
        entries: Ids of the files, in order.
        members: The files themselves, as they were when the group was made.
    """

    key: GroupKey
    title: str
    entries: tuple[str, ...]
    members: tuple[MediaEntry, ...]

    @property
    def agents(self) -> tuple[str, ...]:
        """Return the names of the agents that met them."""
        return tuple(dict.fromkeys([one.agent_name for entry in self.members for one in entry.seen]))

    @property
    def moving(self) -> int:
        """Return how many of them move."""
        return sum(map(moves, self.members))


MOVING = frozenset({"application/x-tgsticker", "video/webm", "video/mp4", "image/gif"})


_MOVING_KINDS = frozenset({"gif", "video", "round video"})


def moves(entry: MediaEntry) -> bool:
    """Tell whether a file is an animation or a video."""
    media = entry.media
    mime_type = media.mime_type if media is not None and media.mime_type else mime_of(entry)
    return mime_type in MOVING or entry.kind in _MOVING_KINDS


def mime_of(entry: MediaEntry) -> str:
    """Return the type of a file, as Telegram or a record says; empty if neither does."""
    if entry.media is not None and entry.media.mime_type:
        return entry.media.mime_type
    records = [*entry.curated, *([entry.generated] if entry.generated is not None else [])]
    return next((one.mime_type for one in records if one.mime_type), "")


def duration_of(entry: MediaEntry) -> float:
    """Return the length in seconds; 0 if it is not known or does not move."""
    if entry.media is not None and entry.media.duration_s:
        return entry.media.duration_s
    records = [*entry.curated, *([entry.generated] if entry.generated is not None else [])]
    return next((one.duration_s for one in records if one.duration_s), 0.0)


def _newest(entry: MediaEntry) -> float:
    return entry.seen[0].at.timestamp() if entry.seen else 0.0


_KEYS: dict[Order, Callable[[MediaEntry], tuple[object, ...]]] = {
    Order.USES: lambda entry: (not entry.needs_look, -entry.uses, not entry.seen, entry.unique_id),
    Order.NEWEST: lambda entry: (-_newest(entry), entry.unique_id),
    Order.NAME: lambda entry: (entry.name.casefold(), entry.unique_id),
}


def key_of(entry: MediaEntry) -> GroupKey:
    """Return the group that an entry belongs to."""
    if entry.set_name:
        return GroupKey(entry.set_name, "")
    return GroupKey("", str(int(entry.seen[0].chat_id)) if entry.seen else "")


def in_order(entries: Iterable[MediaEntry], order: Order) -> list[MediaEntry]:
    """Return the files in the order that they have in their groups."""
    return sorted(entries, key=_KEYS[order])


def groups_of(entries: Iterable[MediaEntry]) -> tuple[Group, ...]:
    """Return the groups: sets by the uses of their files, then chats, then what was met nowhere.

    Args:
        entries: The files as `in_order` returns them.
    """
    sets: dict[str, list[MediaEntry]] = {}
    chats: dict[str, list[MediaEntry]] = {}
    for entry in entries:
        if entry.set_name:
            name, found = entry.set_name, sets
        else:
            name, found = str(int(entry.seen[0].chat_id)) if entry.seen else "", chats
        if name in found:
            found[name].append(entry)
        else:
            found[name] = [entry]
    made = [(False, GroupKey(name, ""), name, ones) for name, ones in sets.items()]
    made += [(True, GroupKey("", name), ones[0].seen[0].title if name else "", ones) for name, ones in chats.items()]
    made.sort(key=lambda one: (one[0], not one[2], -sum([entry.uses for entry in one[3]]), one[2].casefold(), one[1]))
    return tuple(
        Group(key, title, tuple([entry.unique_id for entry in ones]), tuple(ones))
        for _is_chat, key, title, ones in made
    )
