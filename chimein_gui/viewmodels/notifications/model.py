"""Notifications while the operator looks elsewhere: gathered, never repeated, and withdrawn when they are over."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, time, timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.chats import QuietHours
from chimein_gui.engine.policy.timing import quiet_until
from chimein_gui.viewmodels.notifications.news import (
    NewsKind,
    Notification,
    SendNews,
    is_plainly_waiting,
    kind_of,
)
from chimein_gui.viewmodels.notifications.words import problem_notification, send_notification
from chimein_gui.viewmodels.problems.words import Severity

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Set as AbstractSet
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.ids import ApprovalId, ChatId
    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.viewmodels.approvals.store import ApprovalStore
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.holds import HoldModel
    from chimein_gui.viewmodels.problems.bars import ProblemModel
    from chimein_gui.viewmodels.problems.words import Problem

GATHER_MS = 1_000
"""Milliseconds before a notification: what arrives within them is gathered, and what is over by then is dropped."""

URGENT_MS = 300
"""The same for the first countdown of an hour: a countdown is short."""

REST = timedelta(seconds=10)
"""Shortest time between two notifications."""

FLASH_EVERY = timedelta(hours=1)

FIRST_COUNTDOWN = "first countdown"

_SENDS = (NewsKind.COUNTDOWN, NewsKind.UNKNOWN, NewsKind.WAITING)
_BARS = (NewsKind.ACCOUNT, NewsKind.PLANNING)


class NotificationModel(QObject):
    """Decides which notifications are shown, and when.

    Attributes:
        notified: A `Notification` is to be shown.
        withdrawn: The notification with this key is over, or the operator has come to the window.
        flashed: The first countdown of an hour has begun.
        service_changed: `has_service` changed.
        in_sight: Tells whether a planned send is visible now; set by the window.
        is_active: Tells whether the operator works in the window; set by the window.
    """

    notified = Signal(object)
    withdrawn = Signal(str)
    flashed = Signal()
    service_changed = Signal()

    def __init__(
        self,
        approvals: ApprovalStore,
        bars: ProblemModel,
        holds: HoldModel,
        clock: ClockFace,
        preferences: Callable[[], Preferences],
        parent: QObject | None = None,
        muted: AbstractSet[ChatId] = frozenset(),
    ) -> None:
        super().__init__(parent)
        self._muted = muted
        self._approvals, self._bars, self._clock, self._preferences = approvals, bars, clock, preferences
        self.in_sight: Callable[[Approval], bool] = lambda _approval: False
        self.is_active: Callable[[], bool] = lambda: False
        self.has_service: bool | None = None
        """Whether the desktop can show notifications; None while that is unknown."""
        self._news = SendNews()
        self._postponed: dict[ApprovalId, Approval] = {}
        self._standing: set[str] = set()
        """Keys of the notifications that are shown."""
        self._known_bars: set[str] = set()
        self._notified_bars: set[str] = set()
        self._last_at: datetime | None = None
        self._flashed_at: datetime | None = None
        self._first: ApprovalId | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.gather)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._take_up)
        approvals.filled.connect(self._learn)
        approvals.put.connect(self._put)
        approvals.gone.connect(self._drop)
        approvals.waiting_changed.connect(self._settle)
        bars.changed.connect(self._look_at_bars)
        holds.changed.connect(self._follow_holds)

    def set_service(self, *, found: bool) -> None:
        """Set whether the desktop can show notifications."""
        if found != self.has_service:
            self.has_service = found
            self.service_changed.emit()

    def detach(self) -> None:
        """Stop, and withdraw all notifications: a click on one would have no effect any more."""
        self._timer.stop()
        self._later.stop()
        self.look_up()

    def look_up(self) -> None:
        """Withdraw all notifications: the operator has come to the window, which shows everything."""
        self._news.see(lambda item: not self._news.is_new(item))
        self._notified_bars.clear()
        for key in sorted(self._standing):
            self._withdraw(key)

    def is_silenced(self) -> bool:
        """Tell whether notifications are turned off or quiet hours are on."""
        preferences = self._preferences()
        begins, ends = preferences.notify_quiet_from, preferences.notify_quiet_to
        hours = QuietHours(time.fromisoformat(begins), time.fromisoformat(ends))
        zone = self._clock.now().astimezone().tzinfo or UTC
        return not preferences.notify or quiet_until(hours, zone, self._clock.now()) is not None

    def gather(self) -> None:
        """Show notifications for what is new."""
        self._timer.stop()
        silenced, with_text = self.is_silenced(), self._preferences().notify_text
        news, muted = self._news, self._muted
        news.see(lambda item: (silenced and news.is_new(item)) or item.chat_id in muted or self.in_sight(item))
        self._withdraw_settled()
        now = self._clock.now()
        if self._news.has_new(NewsKind.COUNTDOWN) and self._is_first_of_hour(now):
            self._tell_first(now, with_text=with_text)
        if self._last_at is not None and now - self._last_at < REST:
            self._wait_for_more(round((self._last_at + REST - now).total_seconds() * 1000))
            return
        for kind in _SENDS:
            if self._news.has_new(kind):
                items, quiet = self._news.tell(kind)
                self._tell(send_notification(kind, items, self._clock, with_text=with_text, is_quiet=quiet), now)
        for kind in _BARS:
            self._tell_bars(kind, now, silenced=silenced, with_text=with_text)

    # --- planned sends --------------------------------------------------------------------------------------------

    def _learn(self) -> None:
        """Record the planned sends of the first read without a notification: the number in the tray counts them."""
        plain: list[Approval] = []
        others: list[Approval] = []
        for item in self._approvals.items():
            (plain if is_plainly_waiting(item) else others).append(item)
        self._news.learn(plain)
        for item in others:
            self._take(item, known=True)

    def _put(self, approval: Approval) -> None:
        self._take(approval)
        if self._news.has_new():
            self._soon()

    def _take(self, approval: Approval, *, known: bool = False) -> None:
        now, held = self._clock.now(), self._approvals.send_status.is_held(approval)
        known = known or AskReason.HELD in approval.reasons  # it waits again because of the operator's own hold
        self._news.put(approval, kind_of(approval, now, held=held), known=known)
        self._postponed.pop(approval.approval_id, None)
        if approval.is_postponed(now):
            self._postponed[approval.approval_id] = approval
            self._wake()

    def _drop(self, approval_id: ApprovalId) -> None:
        self._news.drop(approval_id)
        self._postponed.pop(approval_id, None)

    def _follow_holds(self) -> None:
        """Update the countdowns: a held one does not run."""
        for item in self._news.items_of(NewsKind.COUNTDOWN):
            self._take(item)
        self._withdraw_settled()

    def _settle(self) -> None:
        if self._standing and not self._news.has_new():
            self._withdraw_settled()

    def _withdraw_settled(self) -> None:
        """Withdraw the notifications that are over."""
        for kind in _SENDS:
            if kind.value in self._standing and not self._news.is_notified(kind) and not self._news.has_new(kind):
                self._withdraw(kind.value)
        if self._first is not None and not self._still_runs(self._first):
            self._withdraw(FIRST_COUNTDOWN)

    def _still_runs(self, approval_id: ApprovalId) -> bool:
        item = self._approvals.find(approval_id)
        held = item is not None and self._approvals.send_status.is_held(item)
        return item is not None and kind_of(item, self._clock.now(), held=held) is NewsKind.COUNTDOWN

    def _take_up(self) -> None:
        """Notify of the postponed sends whose time has come."""
        now = self._clock.now()
        for item in [item for item in self._postponed.values() if not item.is_postponed(now)]:
            self._put(item)
        self._wake()

    def _wake(self) -> None:
        times = [item.postponed_until for item in self._postponed.values() if item.postponed_until is not None]
        if times:
            left = (min(times) - self._clock.now()).total_seconds()
            self._later.start(min(max(round(left * 1000), 0) + 1, 3_600_000))

    # --- accounts and plans ---------------------------------------------------------------------------------------

    def _look_at_bars(self) -> None:
        found = {bar.key: kind for bar in self._bars.bars if (kind := _kind_of_bar(bar)) is not None}
        self._notified_bars &= found.keys()
        self._known_bars &= found.keys()
        for kind in _BARS:
            if not any(found[key] is kind for key in self._notified_bars):
                self._withdraw(kind.value)
        if found.keys() - self._known_bars:
            self._soon()

    def _tell_bars(self, kind: NewsKind, now: datetime, *, silenced: bool, with_text: bool) -> None:
        bars = [bar for bar in self._bars.bars if _kind_of_bar(bar) is kind]
        new = [bar for bar in bars if bar.key not in self._known_bars]
        if not new:
            return
        self._known_bars.update(bar.key for bar in new)
        if silenced or self.is_active():
            return  # the window shows the problems
        self._notified_bars.update(bar.key for bar in new)
        notified = [bar for bar in bars if bar.key in self._notified_bars]
        self._tell(problem_notification(kind, notified, with_text=with_text), now)

    # --- inside ---------------------------------------------------------------------------------------------------

    def _is_first_of_hour(self, now: datetime) -> bool:
        return self._flashed_at is None or now - self._flashed_at >= FLASH_EVERY

    def _tell_first(self, now: datetime, *, with_text: bool) -> None:
        first = self._news.tell_first(NewsKind.COUNTDOWN)
        if first is not None:
            self._flashed_at, self._first = now, first.approval_id
            notification = send_notification(NewsKind.COUNTDOWN, (first,), self._clock, with_text=with_text)
            self._show(replace(notification, key=FIRST_COUNTDOWN))
            self.flashed.emit()

    def _tell(self, notification: Notification, now: datetime) -> None:
        self._last_at = now
        self._show(notification)

    def _show(self, notification: Notification) -> None:
        self._standing.add(notification.key)
        self.notified.emit(notification)

    def _withdraw(self, key: str) -> None:
        if key == FIRST_COUNTDOWN:
            self._first = None
        if key in self._standing:
            self._standing.remove(key)
            self.withdrawn.emit(key)

    def _soon(self) -> None:
        now = self._clock.now()
        if self._news.has_new(NewsKind.COUNTDOWN) and self._is_first_of_hour(now):
            self._wait_for_more(URGENT_MS)
        else:
            rest = timedelta(0) if self._last_at is None else self._last_at + REST - now
            self._wait_for_more(max(GATHER_MS, round(rest.total_seconds() * 1000)))

    def _wait_for_more(self, milliseconds: int) -> None:
        """Gather after this time, or earlier if the timer already runs."""
        if not self._timer.isActive() or self._timer.remainingTime() > milliseconds:
            self._timer.start(milliseconds)


def _kind_of_bar(bar: Problem) -> NewsKind | None:
    if bar.key.startswith(("agent ", "limited ")):
        return NewsKind.ACCOUNT
    return NewsKind.PLANNING if bar.key.startswith("plan ") and bar.severity is Severity.BROKEN else None
