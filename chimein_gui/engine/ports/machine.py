"""Ports for time, jobs, and desktop notifications."""

from __future__ import annotations

from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable


class Clock(Protocol):
    """The engine's clock; virtual in tests."""

    def now(self) -> datetime:
        """Return the wall-clock time, aware UTC."""
        ...

    async def sleep_until(self, when: datetime) -> None:
        """Return once the wall clock has reached `when`; re-checked, so that a clock jump does not oversleep."""
        ...

    def timeout(self, seconds: float) -> AbstractAsyncContextManager[object]:
        """Cancel the body after `seconds` and raise TimeoutError."""
        ...


class Spawn(Protocol):
    """Starts a job that is owned and named, and whose failure is reported (`engine.core.jobs.JobRunner.spawn`)."""

    def __call__(self, job: Coroutine[Any, Any, None], *, name: str) -> object:
        """Start `job` and return its handle."""
        ...


@dataclass(frozen=True, slots=True)
class DesktopNotification:
    """One notification as plain text; markup in it is shown literally.

    Attributes:
        key: A later one with the same key replaces it.
        title: One line.
        body: More lines, perhaps none.
        actions: Identifiers and labels of its buttons; ``default`` is a click on the notification itself.
        has_sound: It may make a sound.
    """

    key: str
    title: str
    body: str = ""
    actions: tuple[tuple[str, str], ...] = ()
    has_sound: bool = False


class DesktopNotifications(Protocol):
    """The notification service of the desktop. Only `run` waits for it."""

    async def run(self, found: Callable[[bool], None], pressed: Callable[[str, str, str], None]) -> None:
        """Talk to the service until cancelled; if there is none, wait for one.

        Args:
            found: Called with whether there is a service, at first and after each change.
            pressed: Called with the key of a notification, the chosen action, and the token with which a window may
                come to the front (empty if the desktop gives none).
        """
        ...

    def show(self, notification: DesktopNotification) -> None:
        """Show a notification; without a service nothing happens."""
        ...

    def close(self, key: str) -> None:
        """Remove a notification."""
        ...
