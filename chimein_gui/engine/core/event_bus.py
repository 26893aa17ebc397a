"""A typed event bus without Qt, and the lines of the problem bar that are published on it.

Bound methods are held weakly, so that a closed pane need not unsubscribe.
"""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from types import MethodType
from typing import TYPE_CHECKING, Any

from chimein_gui.domain.events import FaultReported
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason

if TYPE_CHECKING:
    from chimein_gui.domain.events import EngineEvent

_log = logging.getLogger(__name__)

Subscriber = Callable[["EngineEvent"], None]


@dataclass(frozen=True, slots=True, eq=False)
class _Subscription:
    """A subscriber with its event types; without types it gets all events.

    Attributes:
        function: Called with an event; the function of a method with its object before it.
        owner: Returns the object of a method, or None if it is gone; None for a function, which is held strongly.
        kinds: The event types.
        only: Returns for an event of these types whether it is called.
    """

    function: Callable[..., None]
    owner: weakref.ref[Any] | None
    kinds: tuple[type[EngineEvent], ...]
    only: Callable[[EngineEvent], bool] | None


class EventBus:
    """Hands every event to every subscriber, in the order of publication.

    A subscriber must return at once and may not publish from inside; one that raises is logged and stays.
    """

    def __init__(self) -> None:
        """Start without subscribers."""
        self._subscribers: list[_Subscription] = []
        self._by_kind: dict[type[EngineEvent], tuple[_Subscription, ...]] = {}

    def subscribe(
        self, subscriber: Subscriber, *kinds: type[EngineEvent], only: Callable[[EngineEvent], bool] | None = None
    ) -> Callable[[], None]:
        """Add a subscriber and return a function that removes it; removing twice is harmless.

        Args:
            subscriber: The function to call; a bound method does not keep its object alive.
            kinds: The event types it is called for; without any, for all.
            only: Returns for an event of these types whether it is called.
        """
        if isinstance(subscriber, MethodType):
            subscription = _Subscription(subscriber.__func__, weakref.ref(subscriber.__self__), kinds, only)
        else:
            subscription = _Subscription(subscriber, None, kinds, only)
        self._subscribers.append(subscription)
        self._by_kind.clear()
        return lambda: self._remove(subscription)

    def publish(self, *events: EngineEvent) -> None:
        """Hand the events to all subscribers."""
        for event in events:
            # Looked up for each: the previous event may have added or removed a subscriber.
            called = self._by_kind.get(type(event))
            for one in self._called_for(type(event)) if called is None else called:
                owner = None if one.owner is None else one.owner()
                if owner is None and one.owner is not None:
                    self._remove(one)
                elif one.only is None or one.only(event):
                    try:
                        if owner is None:
                            one.function(event)
                        else:
                            one.function(owner, event)
                    except Exception:  # noqa: BLE001 - a subscriber's error must not reach the publisher
                        _log.exception("A subscriber failed on %s", type(event).__name__)

    def _called_for(self, kind: type[EngineEvent]) -> tuple[_Subscription, ...]:
        """Find the subscriptions to an event type; they are kept until the subscriptions change."""
        wanted = [one for one in self._subscribers if not one.kinds or issubclass(kind, one.kinds)]
        called = self._by_kind[kind] = tuple(wanted)
        return called

    def _remove(self, subscription: _Subscription) -> None:
        if subscription in self._subscribers:
            self._subscribers.remove(subscription)
            self._by_kind.clear()


class FaultLine:
    """Shows and clears one line of the problem bar."""

    def __init__(self, bus: EventBus, key: str, remedy: FaultReason) -> None:
        """`remedy` says what the fault means for messages and what to do."""
        self._bus = bus
        self._key = key
        self._remedy = Note(remedy)
        self._shown = False

    def show(self, cause: Note) -> None:
        """Show the line with its cause, one sentence."""
        self._shown = True
        self._bus.publish(FaultReported(self._key, cause, self._remedy, Revision(0)))

    def clear(self) -> None:
        """Clear the line, if it is shown."""
        if self._shown:
            self._shown = False
            self._bus.publish(FaultReported(self._key, None, None, Revision(0)))
