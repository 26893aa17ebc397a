"""FLOOD_WAIT of each verb of each account, remembered over connections and shown."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.agents import MethodWait
from chimein_gui.engine.core.clock import pause

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from chimein_gui.domain.ids import AgentId
    from chimein_gui.engine.ports import Clock, Spawn


class MethodWaits:
    """Knows which verbs of which accounts have to wait, and tells when that changes.

    Attributes:
        on_told: Hears of a look-up's wait that outlives the program: agent, verb, until when.
    """

    def __init__(
        self, clock: Clock, spawn: Spawn, on_changed: Callable[[AgentId], None], on_over: Callable[[AgentId], None]
    ) -> None:
        """Wire the services; `on_changed` hears of a wait that began, `on_over` of one whose time has passed."""
        self._on_over = on_over
        self._clock = clock
        self._spawn = spawn
        self._on_changed = on_changed
        self._until: dict[AgentId, dict[str, datetime]] = {}
        self.on_told: Callable[[AgentId, str, datetime], None] = lambda _agent_id, _method, _until: None

    def of(self, agent_id: AgentId) -> tuple[MethodWait, ...]:
        """Return an account's waits that are not over, the one that ends first in front."""
        now = self._clock.now()
        waits = [MethodWait(method, until) for method, until in self._until.get(agent_id, {}).items() if until > now]
        return tuple(sorted(waits, key=lambda wait: (wait.until, wait.method)))

    def left_s(self, agent_id: AgentId, method: str) -> float:
        """Return for how many seconds a verb still has to wait; 0 if it is free."""
        until = self._until.get(agent_id, {}).get(method)
        return 0.0 if until is None else max(0.0, (until - self._clock.now()).total_seconds())

    def begin(self, agent_id: AgentId, method: str, until: datetime) -> None:
        """Telegram told a verb to wait; a shorter word does not shorten a longer one."""
        mine = self._until.setdefault(agent_id, {})
        if until <= self._clock.now() or until <= mine.get(method, self._clock.now()):
            return
        mine[method] = until
        self._on_changed(agent_id)
        self._spawn(self._end(agent_id, method, until), name=f"flood wait of agent {agent_id}")

    def told(self, agent_id: AgentId, method: str, seconds: float) -> None:
        """Telegram has just told a look-up to wait: it does so after a restart, too."""
        until = self._clock.now() + timedelta(seconds=seconds)
        self.begin(agent_id, method, until)
        self.on_told(agent_id, method, until)

    def forget(self, agent_id: AgentId) -> None:
        """Another account stands under this agent: the waits were not its."""
        if self._until.pop(agent_id, None):
            self._on_changed(agent_id)

    async def _end(self, agent_id: AgentId, method: str, until: datetime) -> None:
        """Tell when one wait is over, unless it has become a longer one, or another account's."""
        shown = until

        def show(now_until: datetime) -> None:
            nonlocal shown
            mine = self._until.get(agent_id, {})
            if mine.get(method) == shown and now_until < shown:  # the clock was set back
                mine[method] = shown = now_until
                self._on_changed(agent_id)

        await pause(self._clock, (until - self._clock.now()).total_seconds(), show)
        mine = self._until.get(agent_id, {})
        if mine.get(method) == shown:
            del mine[method]
            self._on_over(agent_id)
