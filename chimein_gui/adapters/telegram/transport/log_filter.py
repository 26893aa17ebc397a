"""Filter for Telethon's log records about failures that the gateway reports itself."""

from __future__ import annotations

import logging

_NO_RETRIES = "Automatic reconnection failed %d time(s)"
"""What Telethon logs with 0 if it was told not to reconnect, and so has not tried."""


class ExpectedRecordsFilter(logging.Filter):
    """Lowers records about failures that the gateway reports itself to debug level."""

    LOGGERS = (
        "telethon.network.mtprotosender",
        "telethon.network.connection.connection",
        "telethon.client.users",
    )
    _BEGINNINGS = (
        "Server closed the connection",
        "Automatic reconnection failed",
        "Attempt %d at connecting failed",
        "Attempt %d at new auth_key failed",
        "Connection error %d during auth_key gen",
        "Telegram is having internal issues",
    )

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep every record, the expected ones at debug level."""
        if str(record.msg).startswith(self._BEGINNINGS):
            record.levelno, record.levelname = logging.DEBUG, "DEBUG"
        if record.msg == _NO_RETRIES and record.args == (0,):
            record.msg, record.args = "Telethon leaves it to Chimein to connect again", ()
        return True


EXPECTED_RECORDS_FILTER = ExpectedRecordsFilter()
