"""How a row of buttons adapts to its width: smaller forms come first, and the rest goes into the menu "More"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtGui import QAction

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMenu


class Fit(NamedTuple):
    """What fits into a row.

    Attributes:
        form: Index of the form in which the members are drawn.
        shown: Indices of the visible members.
        has_more: The button "More" is shown.
        left: Remaining width, logical pixels; negative if not all members fit.
    """

    form: int
    shown: frozenset[int]
    has_more: bool
    left: int


class Overflow(NamedTuple):
    """How a row distributes its width among its members; widths in logical pixels.

    Attributes:
        gap: Distance between neighbours.
        more: Width of "More"; 0 in a row without it, in which all members are always shown.
        always_more: "More" is shown even if everything fits.
        order: Indices in the order of importance; empty for the order of the row.
        last: Members that are shown only if all are.
        must: Members for which a smaller form is better than a form that shows others in their place.
    """

    gap: int
    more: int = 0
    always_more: bool = False
    order: tuple[int, ...] = ()
    last: frozenset[int] = frozenset()
    must: frozenset[int] = frozenset()

    def fit(self, room: int, forms: Sequence[Sequence[int]]) -> Fit:
        """Return the first form that shows the most members; without "More" the first that fits, else the last.

        Args:
            room: Width of the row.
            forms: The widths of the members in each form, the widest form first.
        """
        fits = [self._fit_form(room, place, widths) for place, widths in enumerate(forms)]
        if not self.more:
            return next((one for one in fits if one.left >= 0), fits[-1])
        return max(fits, key=lambda one: (self.must <= one.shown, len(one.shown)))

    def _fit_form(self, room: int, form: int, widths: Sequence[int]) -> Fit:
        left = room - sum(widths) - self.gap * (len(widths) - 1)
        left -= self.more + self.gap if self.always_more else 0
        if left >= 0 or not self.more:
            return Fit(form, frozenset(range(len(widths))), self.always_more, left)
        left, shown = room - self.more - self.gap, set[int]()
        for place in self.order or range(len(widths)):
            if place not in self.last and (widths[place] <= left or not shown):
                shown.add(place)
                left -= widths[place] + self.gap
        return Fit(form, frozenset(shown), has_more=True, left=left)


class Entry(NamedTuple):
    """A member of a row as an entry of the menu "More", while it does not fit.

    Attributes:
        words: The text of the entry.
        press: Does the same as a click on the member.
        why_not: Why it is disabled; empty if it is enabled.
        is_checked: Whether a switch is on; None if it is no switch.
    """

    words: str
    press: Callable[[], object]
    why_not: str = ""
    is_checked: bool | None = None


def offer_first(menu: QMenu, entries: Iterable[Entry]) -> None:
    """Insert the members that do not fit at the top of the menu "More"."""
    first = next(iter(menu.actions()), None)
    made = []
    for entry in entries:
        action = QAction(entry.words, menu)
        action.setEnabled(not entry.why_not)
        action.setCheckable(entry.is_checked is not None)
        action.setChecked(bool(entry.is_checked))
        action.triggered.connect(partial(_press, entry.press))
        made.append(action)
    if made and first is not None:
        menu.insertActions(first, made)
        menu.insertSeparator(first)
    else:
        menu.addActions(made)


def _press(press: Callable[[], object], _checked: bool = False) -> None:
    press()
