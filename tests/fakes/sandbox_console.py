"""A small sandbox behind its port: stores rules, plays scenarios step by step on demand, records messages.

Its long poll really waits. `Errands` is the spawn for it: it keeps waiting jobs and resumes them on demand.
"""

from __future__ import annotations

from collections.abc import Coroutine, Generator
from dataclasses import replace
from typing import Any

from chimein_gui.sandbox_api import (
    ActiveFault,
    Cast,
    DuplicateMode,
    FaultKind,
    FaultOffer,
    FaultRule,
    Incident,
    RehearsalState,
    SandboxAccount,
    SandboxConsole,
    SandboxDelivery,
    SandboxGroup,
    SandboxLoginCode,
    SandboxPartner,
    Scenario,
    ScenarioProgress,
)

BIG = 2**40
NORA, JONAS = BIG + 1, BIG + 2
MARTA, RUI, YUKI = BIG + 1001, BIG + 1002, BIG + 1003
TRAIL = -(BIG + 501)

ACCOUNTS = (SandboxAccount(NORA, "Nora Vale"), SandboxAccount(JONAS, "Jonas Weidt"))
PARTNERS = (
    SandboxPartner(MARTA, "Marta Oliveira"),
    SandboxPartner(RUI, "Rui Cardoso"),
    SandboxPartner(YUKI, "田辺ゆき"),
)
GROUPS = (SandboxGroup(TRAIL, "Trilhos do Gerês", (NORA, MARTA, RUI)),)
SCENARIOS = (
    Scenario("busy-friday", "Busy Friday", "Six people want something at once. Watch the order of the drafts.", 40),
    Scenario("flood-wait", "Flood wait", "Telegram asks for patience in the middle of a conversation.", 6),
    Scenario("hostile-stranger", "Hostile stranger", "Somebody tries to make the persona obey.", 9),
)
_SEND = "messages.sendMessage"
_FLOOD = FaultRule(FaultKind.FLOOD_WAIT, _SEND, seconds=30)
_STRANGERS = FaultRule(FaultKind.RPC_ERROR, _SEND, message="PEER_FLOOD")
_QUOTA = FaultRule(FaultKind.MODEL_ERROR, code=429, message="RESOURCE_EXHAUSTED", seconds=20)
OFFERS = (
    FaultOffer("flood", "Flood wait", "Telegram asks to wait before the next try.", _FLOOD),
    FaultOffer("strangers", "Too many strangers", "PEER_FLOOD on a send.", _STRANGERS),
    FaultOffer("slow", "Slow answer", "Done at once, answered late.", FaultRule(FaultKind.SLOW, seconds=5)),
    FaultOffer("kick", "Connection cut", "It happens at once.", FaultRule(FaultKind.KICK), needs_account=True),
    FaultOffer("lost", "Lost updates", "No update tells of a message.", FaultRule(FaultKind.LOSE_UPDATES)),
    FaultOffer("quota", "Quota used up", "429 with RetryInfo.", _QUOTA),
    FaultOffer("empty", "Empty answer", "A candidate without content.", FaultRule(FaultKind.MODEL_EMPTY)),
)


class _Turn:
    """One wait for the next `Errands.go_on`."""

    def __await__(self) -> Generator[None, None, None]:
        yield


class Errands:
    """A spawn that keeps waiting jobs."""

    def __init__(self) -> None:
        self.waiting: list[Coroutine[Any, Any, None]] = []

    def __call__(self, job: Coroutine[Any, Any, None], *, name: str) -> None:
        self._step(job)

    def go_on(self) -> None:
        """Resume all waiting jobs, once."""
        waiting, self.waiting = self.waiting, []
        for job in waiting:
            self._step(job)

    def close(self) -> None:
        for job in self.waiting:
            job.close()
        self.waiting = []

    def _step(self, job: Coroutine[Any, Any, None]) -> None:
        try:
            job.send(None)
        except StopIteration:
            return
        self.waiting.append(job)


class FakeSandboxConsole(SandboxConsole):
    """Implements the whole port without a server."""

    def __init__(self, **cast: Any) -> None:
        self.everybody = Cast(ACCOUNTS, PARTNERS, GROUPS, SCENARIOS, OFFERS)
        self.everybody = replace(self.everybody, **cast)
        self.state = RehearsalState(revision=1, seed=7)
        self.said: list[tuple[int, int, str]] = []
        self.injected: list[FaultRule] = []
        self.scanned: list[tuple[str, str]] = []
        self.asked = 0
        self.refuse: Exception | None = None
        self.gone = False
        self.slow = False
        self._last_fault = 0

    # --- the port -------------------------------------------------------------------------------------------------

    async def cast(self) -> Cast:
        await self._reach()
        return self.everybody

    async def partners(self) -> tuple[SandboxPartner, ...]:
        return self.everybody.partners

    async def speak(self, partner_id: int, peer_id: int, text: str) -> int:
        await self._reach()
        self.said.append((partner_id, peer_id, text))
        return len(self.said)

    async def mailbox(self, partner_id: int) -> tuple[SandboxDelivery, ...]:
        return ()

    async def login_codes(self) -> tuple[SandboxLoginCode, ...]:
        return self.state.login_codes

    async def scan_login(self, url: str, phone: str) -> None:
        await self._reach()
        self.scanned.append((url, phone))

    async def rehearsal(self, *, after: int = -1) -> RehearsalState:
        self.asked += 1
        while self.state.revision <= after and not self.gone:
            await _Turn()
        if self.gone:
            raise ConnectionError("the sandbox closed")
        return self.state

    async def inject(self, rule: FaultRule) -> int:
        await self._reach()
        self.injected.append(rule)
        self._last_fault += 1
        self.put(faults=(*self.state.faults, ActiveFault(self._last_fault, rule)))
        return self._last_fault

    async def remove_fault(self, fault_id: int) -> None:
        await self._reach()
        self.put(faults=tuple(fault for fault in self.state.faults if fault.fault_id != fault_id))

    async def clear_faults(self) -> None:
        await self._reach()
        self.put(faults=())

    async def set_duplicate_mode(self, mode: DuplicateMode) -> None:
        await self._reach()
        self.put(duplicate_mode=mode)

    async def set_seed(self, seed: int) -> None:
        await self._reach()
        self.put(seed=seed)

    async def start_scenario(self, name: str) -> None:
        await self._reach()
        self.put(scenario=ScenarioProgress(name))

    async def stop_scenario(self) -> None:
        await self._reach()
        if self.state.scenario is not None:
            self.put(scenario=replace(self.state.scenario, stopped=True))

    async def pause_scenario(self, *, paused: bool) -> None:
        await self._reach()
        if self.state.scenario is not None:
            self.put(scenario=replace(self.state.scenario, paused=paused))

    async def set_speed(self, speed: float) -> None:
        await self._reach()
        self.put(speed=speed)

    async def aclose(self) -> None:
        return None

    # --- what a test does to it -----------------------------------------------------------------------------------

    def put(self, **changes: Any) -> None:
        """Change the state; jobs that wait for it get it when they are next resumed."""
        self.state = replace(self.state, revision=self.state.revision + 1, **changes)

    def strike(self, fault_id: int, incident: Incident) -> None:
        """Apply a rule once."""
        faults = tuple(
            replace(fault, hits=fault.hits + 1) if fault.fault_id == fault_id else fault for fault in self.state.faults
        )
        self.put(faults=faults, recent=(incident, *self.state.recent))

    async def _reach(self) -> None:
        if self.slow:
            await _Turn()
        if self.gone:
            raise ConnectionError("the sandbox closed")
        if self.refuse is not None:
            refused, self.refuse = self.refuse, None
            raise refused
