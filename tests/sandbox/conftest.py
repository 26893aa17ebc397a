"""These tests watch bare Telethon, so its log must be as it is without the product's own filter."""

import logging
from collections.abc import Iterator

import pytest
from telethon.client import users

from tests.support.telethon_pauses import shorten_pauses


@pytest.fixture(autouse=True)
def bare_telethon_log() -> Iterator[None]:
    """Take the filters that the Telegram adapter puts on Telethon's loggers off while such a test runs."""
    loggers = [
        logger
        for name, logger in logging.root.manager.loggerDict.items()
        if name.startswith("telethon") and isinstance(logger, logging.Logger)
    ]
    kept = {logger: list(logger.filters) for logger in loggers}
    for logger in loggers:
        logger.filters.clear()
    yield
    for logger, filters in kept.items():
        logger.filters[:] = filters


@pytest.fixture(autouse=True)
def no_pause_after_an_error_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Telethon sleeps for two seconds after each, before it gives up or tries again."""
    shorten_pauses(monkeypatch, users)
