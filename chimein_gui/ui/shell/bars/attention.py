"""Whether anything beside drafts needs the operator, for the tick of the top bar."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.ui.widgets.rows.waiting_age import FROM_S
from chimein_gui.viewmodels.chats.unanswered import make_unanswered
from chimein_gui.viewmodels.core.throttle import TELL_MS, Throttle
from chimein_gui.viewmodels.costs import make_costs
from chimein_gui.viewmodels.problems.words import Severity

if TYPE_CHECKING:
    from chimein_gui.viewmodels.window import WindowModels


class Attention(QObject):
    """Follows the chats, the problem bars and the caps.

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
        self._costs.caps_changed.connect(self._tell)

    def _tell(self) -> None:
        self.changed.emit()

    def is_needed(self) -> bool:
        """Return whether the operator is needed: by a bar that asks, a cap that is reached, or an unanswered chat.

        A message that has just come needs nobody yet: most are planned within a minute.
        """
        models = self._models
        return (
            any(bar.severity <= Severity.DECIDE for bar in models.bars.bars)
            or any(cap.asks for cap in self._costs.caps)
            or self._unanswered.count(models.clock.now() - timedelta(seconds=FROM_S)) > 0
        )
