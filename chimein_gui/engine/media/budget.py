"""How many media may be described between two ticks of the scheduler."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.settings.rules import LIMITS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from chimein_gui.engine.core.environment import LivePreferences

_log = logging.getLogger(__name__)

PER_TICK = Preferences().descriptions_per_tick
"""Descriptions a tick, unless the operator has set another number; each covers the download and the model's call."""

VARIABLE = "MEDIA_DESC_BUDGET_PER_TICK"
"""Environment variable with another number than that of the preferences."""

LEAST, MOST = LIMITS["descriptions_per_tick"]


def per_tick_of(environment: Mapping[str, str]) -> int | None:
    """Return how many descriptions a tick allows by the environment; None if that does not say it.

    A value that is no number from 0 to 1,000 is logged and ignored.
    """
    written = environment.get(VARIABLE, "").strip()
    if not written:
        return None
    if written.isascii() and written.isdecimal() and LEAST <= int(written[:9]) <= MOST:
        return int(written)
    _log.warning("%s has to be a number from %d to %d; the preference is used", VARIABLE, LEAST, MOST)
    return None


def descriptions_per_tick(said: int | None, preferences: LivePreferences) -> int:
    """Return how many descriptions a tick allows now: what the environment said at the start, or the preference."""
    return preferences.now.descriptions_per_tick if said is None else said


class DescriptionBudget:
    """Counts attempts to describe media. A tick makes the budget full again; nothing is saved up."""

    def __init__(
        self,
        now: Callable[[], datetime],
        per_tick: Callable[[], int] = lambda: PER_TICK,
        rounds: set[Callable[[float], None]] | None = None,
    ) -> None:
        """Start with a full budget.

        Args:
            now: Returns the time, aware UTC.
            per_tick: Returns how many attempts a tick allows.
            rounds: What the scheduler calls before each round; the budget joins it until it is full again.
        """
        self._now, self._per_tick = now, per_tick
        self._rounds = set() if rounds is None else rounds
        self._tick, self._spent = 0, 0
        self._renewed_at = now()
        self._on_renewed: list[Callable[[], bool]] = []

    @property
    def per_tick(self) -> int:
        """Return how many attempts a tick allows."""
        return self._per_tick()

    @property
    def left(self) -> int:
        """Return how many attempts are left until the next tick."""
        return max(0, self._per_tick() - self._spent)

    def take(self) -> int | None:
        """Take one attempt; returns the number of the tick that pays for it, or None if nothing is left."""
        if not self.left:
            return None
        if not self._spent:
            self.expect_renewal()
        self._spent += 1
        return self._tick

    def restore(self, tick: int) -> None:
        """Restore an attempt that has cost nothing; one of an earlier tick is over."""
        if tick == self._tick:
            self._spent -= 1

    def expect_renewal(self) -> None:
        """Let a tick begin now, unless one is running; what waits is called at its end."""
        if self.expect_round not in self._rounds:
            self._rounds.add(self.expect_round)
            self._renewed_at = self._now()

    def on_renewed(self, called: Callable[[], bool]) -> None:
        """Let a function be called whenever the budget is full again; it returns whether anything waited for that."""
        self._on_renewed.append(called)

    def expect_round(self, tick_s: float) -> None:
        """Renew the budget if a tick has passed; called before each round of the scheduler, of which a tick has many.

        Args:
            tick_s: Length of a tick, in seconds.
        """
        passed_s = (self._now() - self._renewed_at).total_seconds()
        if passed_s < 0:  # the clock was set back
            self._renewed_at = self._now()
        elif passed_s >= tick_s:
            self._renewed_at = self._now()
            self._tick += 1
            was_idle = not self._spent
            self._spent = 0
            waits = [called() for called in self._on_renewed]
            if was_idle and not any(waits):
                self._rounds.discard(self.expect_round)
