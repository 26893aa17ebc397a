"""Formats times and dates, and ticks once a second."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from PySide6.QtCore import QDateTime, QLocale, QObject, QTimer, Signal

from chimein_gui.viewmodels.core.numbers import day_words, locale, short_day_words

TICK_MS = 1000


def system_now() -> datetime:
    """Return the machine's time, aware UTC."""
    return datetime.fromtimestamp(QDateTime.currentMSecsSinceEpoch() / 1000, UTC)


class ClockFace(QObject):
    """Formats times in the machine's own time zone.

    Attributes:
        ticked: Once a second while running; ages and countdowns are redrawn.
    """

    ticked = Signal()

    def __init__(self, now: Callable[[], datetime] = system_now, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.now = now
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self.ticked)

    def start(self) -> None:
        """Start the ticks."""
        self._timer.start()

    def stop(self) -> None:
        """Stop the ticks; times can still be formatted."""
        self._timer.stop()

    def clock(self, when: datetime) -> str:
        """Return the time of day, such as 14:31."""
        return _local(when)[1]

    def stamp(self, when: datetime) -> str:
        """Return the shortest useful time: the clock today, the weekday this week, else the date."""
        days = self._days_ago(when)
        if days <= 0:
            return self.clock(when)
        local = when.astimezone()
        if days < 7:
            return locale().dayName(local.isoweekday(), QLocale.FormatType.ShortFormat)
        return short_day_words(local)

    def stamp_ahead(self, when: datetime) -> str:
        """Return the weekday of a later time within a week, else its date."""
        local = when.astimezone()
        if -self._days_ago(when) < 7:
            return locale().dayName(local.isoweekday(), QLocale.FormatType.ShortFormat)
        return short_day_words(local)

    def clock_ahead(self, when: datetime) -> str:
        """Return the time of day of a later time, with its day unless that is today."""
        return self.clock(when) if self._days_ago(when) == 0 else f"{self.stamp_ahead(when)} {self.clock(when)}"

    def day(self, when: datetime) -> str:
        """Return the day as a heading: Today, Yesterday, or weekday and date."""
        days = self._days_ago(when)
        if days == 0:
            return self.tr("Today")
        if days == 1:
            return self.tr("Yesterday")
        local = when.astimezone()
        day = day_words(local, with_year=local.year != self.now().astimezone().year)
        return self.tr("{weekday}, {day}").format(weekday=locale().dayName(local.isoweekday()), day=day)

    def age(self, when: datetime) -> str:
        """Return the time since then in its largest whole unit, such as 5 min."""
        seconds = max(0, int((self.now() - when).total_seconds()))
        if seconds < 60:
            return self.tr("{n} s").format(n=seconds)
        if seconds < 3600:
            return self.tr("{n} min").format(n=seconds // 60)
        if seconds < 86400:
            return self.tr("{n} h").format(n=seconds // 3600)
        return self.tr("{n} d").format(n=seconds // 86400)

    def is_old(self, when: datetime) -> bool:
        """Return whether something has waited for more than ten minutes, so that its age is a warning."""
        return self.now() - when > timedelta(minutes=10)

    def left(self, when: datetime) -> str:
        """Return the time until then: 3 s, 0:47 or, since 2:41:00 would read like a clock, 2 h 41 min."""
        seconds = max(0, -int((self.now() - when).total_seconds() // 1))
        if seconds < 10:
            return self.tr("{n} s").format(n=seconds)
        minutes, rest = divmod(seconds, 60)
        hours, minutes = divmod(minutes, 60)
        if not hours:
            return f"{minutes}:{rest:02}"
        return self.tr("{h} h {m} min").format(h=hours, m=minutes) if minutes else self.tr("{h} h").format(h=hours)

    def today(self) -> date:
        """Return the date in the machine's zone, on which `stamp` depends."""
        # That of the whole minute is cached: every row in sight asks, and zones change at whole ones.
        return _local(self.now().replace(second=0, microsecond=0))[0]

    def _days_ago(self, when: datetime) -> int:
        return (self.today() - _local(when)[0]).days


@lru_cache(maxsize=2048)
def _local(when: datetime) -> tuple[date, str]:
    """Return date and time of day in the machine's zone; cached, because every visible row asks with every paint."""
    local = when.astimezone()
    return local.date(), f"{local.hour:02}:{local.minute:02}"
