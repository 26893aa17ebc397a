"""Short news that go away by themselves: one is shown, the others wait behind it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

SHOWN_MS = 6000
"""How long a toast stays while nobody points at it."""

MOST_WAITING = 20
"""Older ones give way: nobody reads two minutes of toasts."""


@dataclass(frozen=True, slots=True)
class Toast:
    """One piece of news.

    Attributes:
        number: Counts up; two toasts with the same words are two.
        text: What happened, a few words.
        detail: A second, quieter line; may be empty.
        action_text: What its button says; empty for none.
        action: What the button does.
        icon: Name of an icon.
        token: Colour of the icon.
    """

    number: int
    text: str
    detail: str = ""
    action_text: str = ""
    action: Callable[[], object] | None = None
    icon: str = "info"
    token: str = "info"


class Toasts(QObject):
    """Shows one toast after the other, six seconds each; the clock stands while the operator points at it.

    Attributes:
        changed: `current` is another one now, or none.
        rewritten: `current` is the same, its quieter line says something else.
    """

    changed = Signal()
    rewritten = Signal()

    def __init__(self, parent: QObject | None = None, *, shown_ms: int = SHOWN_MS) -> None:
        super().__init__(parent)
        self._waiting: deque[Toast] = deque(maxlen=MOST_WAITING)
        self._number = 0
        self._left_ms = self._shown_ms = shown_ms
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._time_is_up)
        self.current: Toast | None = None

    def show(
        self,
        text: str,
        action_text: str = "",
        action: Callable[[], object] | None = None,
        *,
        detail: str = "",
        icon: str = "info",
        token: str = "info",
    ) -> int:
        """Show a piece of news when those before it have had their time; returns its number."""
        self._number += 1
        toast = Toast(self._number, text, detail, action_text if action else "", action, icon, token)
        if self.current is None:
            self._bring(toast)
        else:
            self._waiting.append(toast)
        return toast.number

    def act(self) -> None:
        """Do what the button of the toast in sight does, and put it away."""
        toast = self.current
        if toast is not None:
            self.put_away(toast.number)
            if toast.action is not None:
                toast.action()

    def rewrite(self, number: int, detail: str) -> None:
        """Bring the quieter line of a toast up to date; its time runs on."""
        toast = self.current
        if toast is not None and toast.number == number and toast.detail != detail:
            self.current = replace(toast, detail=detail)
            self.rewritten.emit()
        self._waiting = deque(
            (replace(one, detail=detail) if one.number == number else one for one in self._waiting), MOST_WAITING
        )

    def put_away(self, number: int) -> None:
        """Take a toast away, in sight or not: its time is over, or what it offers cannot be done any more."""
        if self.current is not None and self.current.number == number:
            self._bring(self._waiting.popleft() if self._waiting else None)
        else:
            self._waiting = deque((one for one in self._waiting if one.number != number), maxlen=MOST_WAITING)

    def pause(self) -> None:
        """Stop the clock: the operator points at it, or has the focus in it."""
        if self._timer.isActive():
            self._left_ms = max(self._timer.remainingTime(), 1)
            self._timer.stop()

    def go_on(self) -> None:
        """Let the clock run for what is left."""
        if self.current is not None and not self._timer.isActive():
            self._timer.start(self._left_ms)

    def is_paused(self) -> bool:
        """Tell whether a toast is in sight whose clock stands."""
        return self.current is not None and not self._timer.isActive()

    def detach(self) -> None:
        """Come to rest."""
        self._waiting.clear()
        self._bring(None)

    def _bring(self, toast: Toast | None) -> None:
        self.current = toast
        self._left_ms = self._shown_ms
        self._timer.stop()
        if toast is not None:
            self._timer.start(self._left_ms)
        self.changed.emit()

    def _time_is_up(self) -> None:
        if self.current is not None:
            self.put_away(self.current.number)
