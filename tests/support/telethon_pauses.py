"""Shortens pauses of two seconds that Telethon makes by itself, for tests that prove something else."""

import asyncio
from types import ModuleType
from typing import Any

import pytest

_PAUSE_S, _SHORTENED_S = 2, 0.02


class _ShortPauses:
    """asyncio, but for these pauses; waits of any other length stay as they are."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, delay: float) -> None:
        await asyncio.sleep(_SHORTENED_S if delay == _PAUSE_S else delay)

    async def wait_for(self, awaitable: Any, timeout: float | None) -> Any:  # noqa: ASYNC109 - the name is asyncio's
        return await asyncio.wait_for(awaitable, _SHORTENED_S if timeout == _PAUSE_S else timeout)


def shorten_pauses(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> None:
    """Shorten the pauses in one of Telethon's modules."""
    monkeypatch.setattr(module, "asyncio", _ShortPauses())
