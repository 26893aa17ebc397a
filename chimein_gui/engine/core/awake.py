"""Since when the operator could stop what leaves: the program runs and answers, and the machine is awake.

See docs/behaviour.md, "The order of one send".
"""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

START_GRACE_S = 10.0
"""Nothing automatic leaves for so long after a start: the window has to be seen first."""

FROZEN = timedelta(seconds=5)
"""A round of the scheduler that comes so late was not late by chance: nobody could press anything meanwhile."""

EVER = datetime(1970, 1, 1, tzinfo=UTC)
"""Where nobody has noted a start or a break."""


class AwakeTime:
    """Notices breaks by the wall clock: it runs on while the machine sleeps, and while the program hangs.

    Whoever asks first after a break notices it, so that no claim comes before the round that would. Any thread may ask.
    """

    def __init__(self, now: Callable[[], datetime], start_grace_s: float = START_GRACE_S) -> None:
        """Begin without a start: until there is one, nothing was ever out of sight."""
        self._now, self._start_grace = now, timedelta(seconds=start_grace_s)
        self._lock = threading.Lock()
        self._since = self._automatic_from = EVER
        self._round_by: datetime | None = None

    def start(self) -> None:
        """The program starts now."""
        with self._lock:
            self._since = self._now()
            self._automatic_from = self._since + self._start_grace
            self._round_by = None

    def expect_round(self, within_s: float) -> None:
        """The scheduler looks round; it will do so again within so many seconds."""
        with self._lock:
            self._note_break()
            self._round_by = self._now() + timedelta(seconds=within_s)

    def since(self) -> datetime:
        """Return since when there was no break, aware UTC."""
        with self._lock:
            self._note_break()
            return self._since

    def automatic_from(self) -> datetime:
        """Return from when on anything automatic may leave after the start, aware UTC."""
        return self._automatic_from

    def _note_break(self) -> None:
        now = self._now()
        if self._round_by is not None and now > self._round_by + FROZEN:
            self._since = self._round_by = now
