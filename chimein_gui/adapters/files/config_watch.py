"""Watches the config directories: system notifications trigger a check of the files' fingerprints.

It runs in a thread of its own, because it waits as long as the program runs. Some network drives send no notifications,
and the number of watches is limited, so the files are also checked regularly.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from typing import TYPE_CHECKING, Protocol

from watchfiles import watch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_log = logging.getLogger(__name__)

QUIET_MS = 100
"""A burst ends after this long without a change."""

LONGEST_BURST_MS = 1_500
TICK_MS = 1_000
"""Interval of checks whether directories have come or gone; the first one also shows that the watch is active."""

POLL_S = 5.0
"""Interval of checks without a notification."""


class Traces(Protocol):
    """Computes fingerprints of files."""

    def take(self, *, thorough: bool) -> Mapping[str, bytes]:
        """Return a fingerprint for every file, by path; `thorough` reads files that look unchanged, too."""
        ...

    def roots(self) -> Mapping[str, tuple[int, int]]:
        """Return the directories to watch, not recursively, each with device and inode."""
        ...


class ConfigWatch:
    """Reports from a thread when the files differ from what is loaded.

    Attributes:
        reported: The last reported fingerprints that are not loaded yet; None if everything is loaded.
    """

    def __init__(
        self,
        traces: Traces,
        is_known: Callable[[Mapping[str, bytes]], bool],
        tell: Callable[[], None],
        poll_s: float = POLL_S,
    ) -> None:
        """Create the thread.

        Args:
            traces: Computes the fingerprints.
            is_known: Returns whether fingerprints are those of the last load.
            tell: Called in the thread, once for each different content.
            poll_s: Seconds between two checks without a notification.
        """
        self._traces = traces
        self._is_known = is_known
        self._tell = tell
        self._poll_s = poll_s
        self.reported: Mapping[str, bytes] | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="config directories", daemon=True)

    def start(self) -> None:
        """Start the thread; changes since the load are reported, too."""
        self._thread.start()

    def close(self) -> None:
        """Stop the thread and wait for its end."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._watch_until_roots_change()
            except (OSError, RuntimeError) as error:
                # No watches left, or a directory vanished meanwhile: regular checks still work.
                _log.info("The config directories are looked at every %s s: %s", self._poll_s, error)
                self._stop.wait(self._poll_s)
                self._compare(thorough=False)

    def _watch_until_roots_change(self) -> None:
        roots = self._traces.roots()
        reports = watch(
            *roots,
            watch_filter=None,
            debounce=LONGEST_BURST_MS,
            step=QUIET_MS,
            stop_event=self._stop,
            rust_timeout=TICK_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
            recursive=False,
            ignore_permission_denied=True,
        )
        ticks = 0
        with contextlib.closing(reports):
            for changes in reports:
                # The first tick shows that the watch is active: changes before that are found now.
                if changes or ticks == 0 or ticks * TICK_MS >= self._poll_s * 1_000:
                    self._compare(thorough=bool(changes))
                    ticks = 0
                ticks += 1
                if self._traces.roots() != roots:
                    self._compare(thorough=True)
                    return

    def _compare(self, *, thorough: bool) -> None:
        traces = self._traces.take(thorough=thorough)
        if self._is_known(traces):
            self.reported = None
        elif traces != self.reported:
            self.reported = traces
            self._tell()
