"""How often a host is asked: in small bursts, and not before the time that it named."""

from __future__ import annotations

import asyncio

BURST = 12
"""Requests that a host may get at once, redirects included."""

PER_SECOND = 2.0
"""Requests a second after that."""

PATIENCE_S = 5.0
"""Longest wait for a turn, in seconds."""

LONGEST_PAUSE_S = 300.0
"""Longest pause in seconds that a host can ask for."""

_MOST_HOSTS = 1_000


class HostBusyError(Exception):
    """The turn would come too late."""


class Rates:
    """Gives turns, by host."""

    def __init__(self) -> None:
        """Create it without any host."""
        self._free_at: dict[str, float] = {}

    async def turn(self, host: str, delay_s: float = 0.0) -> None:
        """Wait for the next turn.

        Args:
            host: Name or address.
            delay_s: Seconds that the host wants between two requests, or 0.

        Raises:
            HostBusyError: It would take more than `PATIENCE_S`.
        """
        now = asyncio.get_running_loop().time()
        gap = min(delay_s, LONGEST_PAUSE_S) or 1 / PER_SECOND
        slack = 0.0 if delay_s else (BURST - 1) / PER_SECOND
        due = max(self._free_at.get(host, 0.0), now - slack)
        wait = due - now
        if wait > PATIENCE_S:
            raise HostBusyError(host)
        self._free_at.pop(host, None)
        self._free_at[host] = due + gap
        while len(self._free_at) > _MOST_HOSTS:
            del self._free_at[next(iter(self._free_at))]
        if wait > 0:
            await asyncio.sleep(wait)

    def pause(self, host: str, retry_after: str) -> None:
        """Leave a host alone that said that it is asked too often; without a number of seconds for one minute."""
        seconds = float(retry_after) if retry_after.isascii() and retry_after.isdecimal() else 60.0
        until = asyncio.get_running_loop().time() + min(seconds, LONGEST_PAUSE_S)
        self._free_at[host] = max(self._free_at.get(host, 0.0), until)
