"""Whether anything is open beside the cards that ask, for the tick of the top bar."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.ui.widgets.rows.waiting_age import FROM_S
from chimein_gui.viewmodels.chats.unanswered import make_unanswered
from chimein_gui.viewmodels.core.throttle import TELL_MS, Throttle
from chimein_gui.viewmodels.costs import make_costs

if TYPE_CHECKING:
    from chimein_gui.viewmodels.window import WindowModels


class Attention(QObject):
    """Follows the chats, the accounts, the planned sends, the problem bars and the caps.

    Attributes:
        changed: It may have changed.
    """

    changed = Signal()

    def __init__(self, models: WindowModels, parent: QObject) -> None:
        super().__init__(parent)
        self._models = models
        self._unanswered, self._costs = models.own(make_unanswered), models.own(make_costs)
        throttle = Throttle(TELL_MS, self._tell, self)
        self._unanswered.changed.connect(throttle.ask)
        models.bars.changed.connect(self._tell)
        models.approvals.upcoming_changed.connect(self._tell)
        self._costs.caps_changed.connect(self._tell)

    def _tell(self) -> None:
        self.changed.emit()

    def is_anything_open(self) -> bool:
        """Return whether anything waits or has failed, whoever it waits for: a tick would deny it.

        That is a problem bar, a cap that is reached, an account that waits, a planned send that has not left or whose
        end nobody knows, and an unanswered chat. A message that has just come waits for nobody yet: most are planned
        within a minute.
        """
        models, now = self._models, self._models.clock.now()
        agents, approvals = models.agents, models.approvals
        return (
            bool(models.bars.bars)
            or any(cap.asks for cap in self._costs.caps)
            or bool(agents.trying_again() or agents.rate_limited(now))
            or approvals.total() > len(approvals.lingering)
            or approvals.leaving.any_left
            or self._unanswered.count(now - timedelta(seconds=FROM_S)) > 0
        )
