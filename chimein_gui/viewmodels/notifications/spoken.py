"""What is announced to a listener of the window: planned sends that arrive, several at once in one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from chimein_gui.viewmodels.notifications.news import NewsKind, SendNews, kind_of
from chimein_gui.viewmodels.notifications.words import send_notification

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import ApprovalId, ChatId
    from chimein_gui.viewmodels.approvals.store import ApprovalStore
    from chimein_gui.viewmodels.core.clock import ClockFace

GATHER_MS = 1_000
"""Milliseconds in which arrivals are gathered: agents often draft several at once."""

REST_MS = 5_000
"""Shortest time between two sentences in milliseconds: a listener must be able to hear the first one to its end."""

_KINDS = (NewsKind.COUNTDOWN, NewsKind.UNKNOWN, NewsKind.WAITING)


class SpokenNews(QObject):
    """Follows the planned sends, whether or not the window is looked at.

    Attributes:
        said: What arrived, in one or two sentences; foreign texts in it are not sanitized yet.
    """

    said = Signal(str)

    def __init__(
        self,
        approvals: ApprovalStore,
        clock: ClockFace,
        parent: QObject | None = None,
        muted: AbstractSet[ChatId] = frozenset(),
    ) -> None:
        super().__init__(parent)
        self._muted = muted
        self._approvals, self._clock, self._news = approvals, clock, SendNews()
        self._timer, self._rest = QTimer(self), QTimer(self)
        for timer in (self._timer, self._rest):
            timer.setSingleShot(True)
            timer.setTimerType(Qt.TimerType.PreciseTimer)  # a coarse one ends up to 5 % later than it was asked to
        self._timer.timeout.connect(self.say)
        approvals.filled.connect(self._learn)
        approvals.put.connect(self._put)
        approvals.gone.connect(self._drop)

    def say(self) -> None:
        """Say what is new now."""
        self._timer.stop()
        self._news.see(lambda item: item.chat_id in self._muted)
        for kind in _KINDS:
            if self._news.has_new(kind):
                items, _quiet = self._news.tell(kind)
                news = send_notification(kind, items, self._clock, with_text=True)
                self.said.emit(f"{news.title}. {news.body}" if news.body else news.title)
                self._rest.start(REST_MS)
        self._news.see(lambda _item: True)  # a later sentence tells only of what came later

    def gathers(self) -> int:
        """Return in how many milliseconds something is said; 0 if nothing is new."""
        return max(0, self._timer.remainingTime())

    def _learn(self) -> None:
        for item in self._approvals.items():
            self._take(item, known=True)

    def _put(self, approval: Approval) -> None:
        self._take(approval)
        if self._news.has_new() and not self._timer.isActive():
            self._timer.start(max(GATHER_MS, self._rest.remainingTime()))

    def _take(self, approval: Approval, *, known: bool = False) -> None:
        kind = kind_of(approval, self._clock.now(), held=self._approvals.send_status.is_held(approval))
        self._news.put(approval, kind, known=known)

    def _drop(self, approval_id: ApprovalId) -> None:
        self._news.drop(approval_id)
