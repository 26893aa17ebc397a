"""Short messages that disappear by themselves: one is shown, the others wait."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

SHOWN_MS = 6000
"""Milliseconds that a toast is shown while nobody points at it."""

MOST_WAITING = 20
"""Most waiting toasts; the oldest ones are dropped: nobody reads two minutes of toasts."""


@dataclass(frozen=True, slots=True)
class Toast:
    """One short message.

    Attributes:
        number: Counts up; two toasts with the same text differ by it.
        text: What happened, a few words.
        detail: A secondary line; may be empty.
        action_text: The label of its button; empty for none.
        action: What the button does; None for no button.
        icon: Name of an icon.
        token: Colour name of the icon.
    """

    number: int
    text: str
    detail: str = ""
    action_text: str = ""
    action: Callable[[], object] | None = None
    icon: str = "info"
    token: str = "info"


class Toasts(QObject):
    """Shows one toast after the other, six seconds each; the time stops while the operator points at it.

    Attributes:
        changed: `current` is another toast, or None.
        rewritten: `current` has another detail.
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
        """Show a toast after those that wait before it; returns its number."""
        self._number += 1
        toast = Toast(self._number, text, detail, action_text if action else "", action, icon, token)
        if self.current is None:
            self._bring(toast)
        else:
            self._waiting.append(toast)
        return toast.number

    def act(self) -> None:
        """Remove the shown toast and run its action."""
        toast = self.current
        if toast is not None:
            self.dismiss(toast.number)
            if toast.action is not None:
                toast.action()

    def rewrite(self, number: int, detail: str) -> None:
        """Change the detail of a toast; its time goes on."""
        toast = self.current
        if toast is not None and toast.number == number and toast.detail != detail:
            self.current = replace(toast, detail=detail)
            self.rewritten.emit()
        self._waiting = deque(
            (replace(one, detail=detail) if one.number == number else one for one in self._waiting), MOST_WAITING
        )

    def dismiss(self, number: int) -> None:
        """Remove a toast, shown or waiting: its time is over, or its action is not possible any more."""
        if self.current is not None and self.current.number == number:
            self._bring(self._waiting.popleft() if self._waiting else None)
        else:
            self._waiting = deque((one for one in self._waiting if one.number != number), maxlen=MOST_WAITING)

    def pause(self) -> None:
        """Stop the time of the shown toast: the operator points at it, or has the focus in it."""
        if self._timer.isActive():
            self._left_ms = max(self._timer.remainingTime(), 1)
            self._timer.stop()

    def go_on(self) -> None:
        """Continue with the time that is left."""
        if self.current is not None and not self._timer.isActive():
            self._timer.start(self._left_ms)

    def is_paused(self) -> bool:
        """Tell whether the time of the shown toast is stopped; False if none is shown."""
        return self.current is not None and not self._timer.isActive()

    def detach(self) -> None:
        """Remove all toasts."""
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
            self.dismiss(self.current.number)
