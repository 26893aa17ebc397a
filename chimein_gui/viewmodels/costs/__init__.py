"""Today's cost of the model calls, how long they take, and the caps on it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal

from chimein_gui.domain.costs import DRY_RUN
from chimein_gui.domain.events import CapsChanged, ChatChanged, ModelCallBooked
from chimein_gui.domain.notes import PlanningKind
from chimein_gui.domain.spending.caps import STEP_USD, Release
from chimein_gui.viewmodels.core.commands import CommandRunner
from chimein_gui.viewmodels.core.numbers import dollars_words
from chimein_gui.viewmodels.engine_api.costs import CostsApi

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from chimein_gui.domain.costs import CostToday
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.spending.caps import CapDay, CapKey
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.core.feed import Feed

translate = QCoreApplication.translate

MOST_LATENCIES = 101


def dollars(usd: float) -> str:
    """Return an amount such as $1.84; one that would be rounded to zero reads < $0.01."""
    if 0 < usd < 0.005:
        return translate("Costs", "< {amount}").format(amount=dollars_words(0.01))
    return dollars_words(usd)


class CostModel(CommandRunner[CostsApi]):
    """Fetches the day's total once, adds each booked call, and fetches again at midnight.

    Attributes:
        changed: `today` changed.
        caps_changed: `caps` changed.
        today: The sums of the day; None until they are known.
        caps: The caps on the day, the widest first, and the models without a price that plans wait for.
    """

    changed = Signal()
    caps_changed = Signal()

    def __init__(self, bridge: EngineBridge, clock: ClockFace, parent: QObject | None = None) -> None:
        super().__init__(bridge, parent)
        self._clock = clock
        self._early: list[ModelCallBooked] = []
        self._asking = False
        self.today: CostToday | None = None
        self.caps: tuple[CapDay, ...] = ()
        self._again = False
        self._asks_caps = False
        bridge.batch_ready.connect(self._receive)
        clock.ticked.connect(self._look_at_midnight)

    def attach(self, api: CostsApi, spawn: Spawn) -> None:
        """Fetch the day's total; the bridge must be attached before."""
        super().attach(api, spawn)
        self._fetch()
        self._fetch_caps()

    def median_s(self) -> float | None:
        """Return the median of the model's answer times, in seconds; None before the first one."""
        if self.today is None or not self.today.latencies_s:
            return None
        ordered, middle = sorted(self.today.latencies_s), len(self.today.latencies_s) // 2
        return (ordered[~middle] + ordered[middle]) / 2

    def cap(self, key: CapKey) -> CapDay | None:
        """Return a cap on the current day, or None."""
        return next((one for one in self.caps if one.key == key), None)

    def set_cap(self, key: CapKey, usd: float | None) -> None:
        """Set a cap in US dollars a day, or remove it."""
        if self._api is not None:
            self._send(_set_cap(self._api, key, usd), f"set cap {key}")

    def release(self, key: CapKey, answer: Release, usd: float = STEP_USD) -> None:
        """Answer a cap that is reached."""
        if self._api is not None:
            self._send(_release(self._api, key, answer, usd), f"release cap {key}")

    def put_caps(self, caps: tuple[CapDay, ...]) -> None:
        """Show caps that were read."""
        if caps != self.caps:
            self.caps = caps
            self.caps_changed.emit()

    def _fetch_caps(self) -> None:
        if self._asks_caps:
            self._again = True
        elif self._api is not None:
            self._asks_caps, self._again = True, False
            self._send(self._ask_caps(self._api), "load caps")

    async def _ask_caps(self, api: CostsApi) -> None:
        caps = self.caps
        try:
            caps = await api.caps.standings()
        finally:
            self._bridge.deliver(lambda: self._install_caps(caps))

    def _install_caps(self, caps: tuple[CapDay, ...]) -> None:
        self._asks_caps = False
        self.put_caps(caps)
        if self._again:
            self._fetch_caps()

    def _fetch(self) -> None:
        if self._api is not None:
            self._asking = True
            self._send(self._ask(self._api), "load costs")

    async def _ask(self, api: CostsApi) -> None:
        today = await api.costs.today()
        self._bridge.deliver(lambda: self._install(today))

    def _install(self, today: CostToday) -> None:
        self.today, self._asking = today, False
        early, self._early = self._early, []
        for event in early:
            self._add(event)
        self.changed.emit()

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        if CapsChanged in map(type, events):
            self._fetch()
            self._fetch_caps()
        elif _move_caps(events, has_caps=bool(self.caps)):
            self._fetch_caps()
        booked = [event for event in events if isinstance(event, ModelCallBooked)]
        for event in booked:
            self._add(event)
            if self._asking:
                self._early.append(event)
        if booked and self.today is not None:
            self.changed.emit()

    def _add(self, event: ModelCallBooked) -> None:
        today, call = self.today, event.call
        if today is None or event.revision <= today.revision:
            return
        if not today.began_at <= call.began_at < today.ends_at:
            return
        answered = (call.latency_s,) if call.is_answer else ()
        self.today = replace(
            today,
            usd=today.usd + (call.cost_usd or 0.0),
            calls=today.calls + 1,
            unpriced=today.unpriced + (call.cost_usd is None),
            latencies_s=(*today.latencies_s, *answered)[-MOST_LATENCIES:],
            dry_runs_usd=today.dry_runs_usd + ((call.cost_usd or 0.0) if call.purpose == DRY_RUN else 0.0),
        )

    def _look_at_midnight(self) -> None:
        if self.today is not None and self._clock.now() >= self.today.ends_at:
            self._fetch()
            self._fetch_caps()


async def _set_cap(api: CostsApi, key: CapKey, usd: float | None) -> None:
    await api.caps.set_cap(key, usd)


async def _release(api: CostsApi, key: CapKey, answer: Release, usd: float) -> None:
    await api.caps.release(key, answer, usd)


def _move_caps(events: tuple[EngineEvent, ...], *, has_caps: bool) -> bool:
    """Return whether events change how much of a cap is left, or how many chats wait for it."""
    for event in events:
        if isinstance(event, ChatChanged):
            problem = event.chat.planning_problem
            if problem is not None and problem.kind is PlanningKind.CAP:
                return True
        elif has_caps and isinstance(event, ModelCallBooked):
            return True
    return False


def make_costs(feed: Feed) -> CostModel:
    """Return the model that the shell's bars show, registered with the engine."""
    model = CostModel(feed.bridge, feed.clock)
    feed.register(model)
    return model
