"""FLOOD_WAIT of each verb of each account, remembered over connections and shown (SPEC §3, Failures)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.agents import MethodWait

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from chimein_gui.domain.ids import AgentId
    from chimein_gui.engine.ports import Clock, Spawn


class MethodWaits:
    """Knows which verbs of which accounts have to wait, and tells when that changes."""

    def __init__(
        self, clock: Clock, spawn: Spawn, on_changed: Callable[[AgentId], None], on_over: Callable[[AgentId], None]
    ) -> None:
        """Wire the services; `on_changed` hears of a wait that began, `on_over` of one whose time has passed."""
        self._on_over = on_over
        self._clock = clock
        self._spawn = spawn
        self._on_changed = on_changed
        self._until: dict[AgentId, dict[str, datetime]] = {}

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

    def forget(self, agent_id: AgentId) -> None:
        """Another account stands under this agent: the waits were not its."""
        if self._until.pop(agent_id, None):
            self._on_changed(agent_id)

    async def _end(self, agent_id: AgentId, method: str, until: datetime) -> None:
        """Tell when one wait is over, unless it has become a longer one, or another account's."""
        await self._clock.sleep_until(until)
        mine = self._until.get(agent_id, {})
        if mine.get(method) == until:
            del mine[method]
            self._on_over(agent_id)
