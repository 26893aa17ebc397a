"""Server salts: a client has to use the present one, or the one before, and is told when it uses another.

A salt is begun every half hour of real time (message ids follow real time too) and stays good for an hour. Salt 0 is
what a client that knows none yet sends; live Telegram answers bad_server_salt, we let it pass and tell the right one in
new_session_created, which saves every connect a round trip.
"""

from collections.abc import Callable

from chimein_gui.sandbox.timekeeping import wall_clock

_PERIOD_S = 30 * 60


class Salts:
    """The salts of one key.

    Args:
        derive: Gives the salt of a period.
    """

    def __init__(self, derive: Callable[[int], int]) -> None:
        self._derive = derive
        self._period = -1
        self._good = (0, 0, 0)

    def current(self) -> int:
        """Return the salt to use now."""
        self._turn()
        return self._good[0]

    def accepts(self, salt: int) -> bool:
        """Tell whether a message with this salt may pass."""
        self._turn()
        return salt in self._good

    def _turn(self) -> None:
        period = int(wall_clock()) // _PERIOD_S
        if period != self._period:
            self._period = period
            self._good = (self._derive(period), self._derive(period - 1), 0)
