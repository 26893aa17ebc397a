"""Watching the config directories: the system wakes us, and what the files hold tells whether it counts.

A thread of our own waits, because it waits for as long as the program runs. The system says nothing of what happens on
some network drives, and has only so many watches to give: so the files are looked at now and then in any case.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from typing import TYPE_CHECKING

from watchfiles import watch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from chimein_gui.adapters.files.config_traces import ConfigTraces

_log = logging.getLogger(__name__)

QUIET_MS = 100
"""A burst is over when nothing has happened for so long."""

LONGEST_BURST_MS = 1_500
TICK_MS = 1_000
"""How often it is looked whether directories have come or gone; the first time also tells that the watch stands."""

POLL_S = 5.0
"""How often files are looked at that nobody reported."""


class ConfigWatch:
    """Tells, from a thread, when files hold something else than what is known.

    Attributes:
        told: What was told last and is not known yet; None if everything is known.
    """

    def __init__(
        self,
        traces: ConfigTraces,
        is_known: Callable[[Mapping[str, bytes]], bool],
        tell: Callable[[], None],
        poll_s: float = POLL_S,
    ) -> None:
        """Prepare the thread.

        Args:
            traces: Looks at the files.
            is_known: Tells whether these traces are those of what was loaded last.
            tell: Called in the thread, once for each other content.
            poll_s: Seconds between two looks without a report.
        """
        self._traces = traces
        self._is_known = is_known
        self._tell = tell
        self._poll_s = poll_s
        self.told: Mapping[str, bytes] | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="config directories", daemon=True)

    def start(self) -> None:
        """Begin; what has changed since it was loaded is told, too."""
        self._thread.start()

    def close(self) -> None:
        """End; returns when the thread is over, which takes a moment."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._watch_until_roots_change()
            except (OSError, RuntimeError) as error:
                # No watches left, or a directory went while it was asked for: looking now and then still works.
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
                # The first tick says that the watch stands: what happened before it came into being is found now.
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
            self.told = None
        elif traces != self.told:
            self.told = traces
            self._tell()
