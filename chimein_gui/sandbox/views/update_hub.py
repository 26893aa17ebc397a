"""Pushes updates to the connected clients."""

from collections.abc import Callable
from typing import Protocol

from chimein_gui.sandbox.faults.pushes import PushFaults
from chimein_gui.sandbox.views.views import Views
from chimein_gui.sandbox.world.records import Change, Happening, Happenings, LogEntry, Notice, Typing
from chimein_gui.sandbox.world.world import World

_PUSH_SIZE = 100

Witness = Callable[[Happenings], None]
"""Called with what happened, after the commit and the push; it must not change the world."""


class Subscriber(Protocol):
    """A connection that gets an account's updates."""

    @property
    def key_id(self) -> int:
        """Id of the auth key it uses."""
        ...

    def push(self, update: bytes) -> None:
        """Send a serialised update."""
        ...


class Hub:
    """Commits what happened and pushes it to the connected sessions.

    `settle` must run before answers are sent, so that the state is on the disk first.
    """

    def __init__(self, world: World, views: Views, faults: PushFaults) -> None:
        self._world = world
        self._faults = faults
        self._views = views
        self._subscribers: dict[int, list[Subscriber]] = {}
        self._witness: Witness | None = None

    def listen(self, witness: Witness | None) -> None:
        """Set the function that is called with what happens; None for none."""
        self._witness = witness

    def attach(self, user_id: int, subscriber: Subscriber) -> None:
        """Start pushing an account's updates to a connection; a second call has no effect."""
        present = self._subscribers.setdefault(user_id, [])
        if subscriber not in present:
            present.append(subscriber)

    def detach(self, subscriber: Subscriber) -> None:
        """Stop pushing to a connection."""
        for user_id, present in self._subscribers.items():
            if subscriber in present:
                present.remove(subscriber)
                if not present:
                    self._faults.forget(user_id)

    def expel(self, key_id: int) -> list[Subscriber]:
        """Stop pushing to all connections of a key that has been logged out; return them."""
        expelled = [one for present in self._subscribers.values() for one in present if one.key_id == key_id]
        for subscriber in expelled:
            self.detach(subscriber)
        return expelled

    def settle(self, origin: Subscriber | None = None) -> None:
        """Commit, then push everything that happened since the last call.

        Args:
            origin: The connection whose calls caused it, which is skipped for its own account: its answers have the
                updates. None if no call caused it.
        """
        self._world.journal.commit()
        if not self._world.happenings:
            return
        happenings = self._world.take_happenings()
        by_owner: dict[int, list[Happening]] = {}
        for happening in happenings:
            for owner_id in self._world.receivers(happening):
                by_owner.setdefault(owner_id, []).append(happening)
        for owner_id, own in by_owner.items():
            listeners = [one for one in self._subscribers.get(owner_id, ()) if one is not origin]
            if listeners:
                self._push(owner_id, own, listeners)
        if self._witness is not None:
            self._witness(happenings)

    def _push(self, owner_id: int, happenings: list[Happening], listeners: list[Subscriber]) -> None:
        entries = [happening.entry for happening in happenings if isinstance(happening, Change)]
        pushes = [bytes(self._views.updates(owner_id, part)) for part in _parts(entries)]
        pushes += [
            bytes(self._views.bundle(owner_id, [happening.update], happening.peer_ids))
            for happening in happenings
            if isinstance(happening, Notice)
        ]
        pushes += [bytes(self._views.typing(happening)) for happening in happenings if isinstance(happening, Typing)]
        sent = self._faults.passed(owner_id, pushes)
        for listener in listeners:
            for push in sent:
                listener.push(push)


def _parts(entries: list[LogEntry]) -> list[list[LogEntry]]:
    return [entries[start : start + _PUSH_SIZE] for start in range(0, len(entries), _PUSH_SIZE)]
