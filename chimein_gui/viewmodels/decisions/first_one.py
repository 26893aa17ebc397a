"""Whether anything was ever decided here: an operator without a decision is shown how to make one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.events import ApprovalResolved, TaskStatusChanged
from chimein_gui.domain.plans.decision_log import DecisionFilter

if TYPE_CHECKING:
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.engine_api.decision_log import DecisionLogService, HistoryApi


class FirstDecision(QObject):
    """Reads the decision log once at start; the first decision, of the operator or of a rule, ends it.

    Attributes:
        changed: `is_ahead` changed.
        is_ahead: Nothing was ever decided here; False until that is known.
    """

    changed = Signal()

    def __init__(self, feed: Feed) -> None:
        super().__init__()
        self._bridge = feed.bridge
        self.is_ahead = False
        feed.bridge.batch_ready.connect(self._receive)

    def attach(self, api: HistoryApi, spawn: Spawn) -> None:
        """Read the log; the bridge must be attached before."""
        spawn(self._ask(api.decision_log), name="look for decisions")

    async def _ask(self, log: DecisionLogService) -> None:
        page = await log.page(DecisionFilter(), limit=1)
        self._bridge.deliver(lambda: self._set(is_ahead=not page.rows))

    def _set(self, *, is_ahead: bool) -> None:
        if is_ahead is not self.is_ahead:
            self.is_ahead = is_ahead
            self.changed.emit()

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        if self.is_ahead and any(
            isinstance(event, TaskStatusChanged | ApprovalResolved) and event.approval.decided_by for event in events
        ):
            self._set(is_ahead=False)


def make_first_decision(feed: Feed) -> FirstDecision:
    """Return the model, registered with the engine; for `PaneContext.own`."""
    model = FirstDecision(feed)
    feed.register(model)
    return model
