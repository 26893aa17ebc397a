"""Time and jobs, as the engine sees them."""

from __future__ import annotations

from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Any, Protocol


class Clock(Protocol):
    """Time as the engine sees it; virtual in tests."""

    def now(self) -> datetime:
        """Return the wall-clock time, aware UTC."""
        ...

    async def sleep_until(self, when: datetime) -> None:
        """Return once the wall clock has reached `when`; re-checked, so that a clock jump does not oversleep."""
        ...

    def timeout(self, seconds: float) -> AbstractAsyncContextManager[object]:
        """Cancel the body after `seconds` and raise TimeoutError."""
        ...


class Spawn(Protocol):
    """Starts a job that is owned, named, and whose failure is reported (`engine.jobs.JobRunner.spawn`)."""

    def __call__(self, job: Coroutine[Any, Any, None], *, name: str) -> object:
        """Start `job` and return its handle."""
        ...
