"""Server salts: a client must use the current or the previous one, and is corrected if it uses another.

A salt begins every half hour of real time (as message ids follow real time) and is valid for an hour. Salt 0 comes from
a client that has none yet. Live Telegram answers bad_server_salt; the sandbox accepts it and gives the right salt in
new_session_created, which saves a round trip for each connection.
"""

from collections.abc import Callable

from chimein_gui.sandbox.timekeeping import wall_clock

_PERIOD_S = 30 * 60


class Salts:
    """The salts of one key.

    Args:
        derive: Returns the salt of a period.
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
        """Tell whether a message with this salt is accepted."""
        self._turn()
        return salt in self._good

    def _turn(self) -> None:
        period = int(wall_clock()) // _PERIOD_S
        if period != self._period:
            self._period = period
            self._good = (self._derive(period), self._derive(period - 1), 0)
