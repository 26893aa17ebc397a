"""What Telethon logs about losses that the gateway reports itself."""

import logging

import pytest

from chimein_gui.adapters.telegram.transport.log_filter import EXPECTED_RECORDS_FILTER


@pytest.mark.parametrize(
    ("attempts", "words"),
    [
        (0, "Telethon leaves it to Chimein to connect again"),
        (3, "Automatic reconnection failed 3 time(s)"),
    ],
)
def test_a_loss_that_is_reported_elsewhere_is_a_detail_and_no_attempt_is_no_failure(attempts, words):
    record = logging.LogRecord(
        "telethon", logging.ERROR, __file__, 1, "Automatic reconnection failed %d time(s)", (attempts,), None
    )
    assert EXPECTED_RECORDS_FILTER.filter(record)
    assert (record.levelno, record.getMessage()) == (logging.DEBUG, words)
