"""Keys that work in the list of traces and in the waterfall, and what the foot says of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent

from chimein_gui.ui.widgets.controls.legend import Entries, KeyLegend
from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts
from chimein_gui.viewmodels.problems.words import ProblemCommand

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from chimein_gui.ui.panes.traces.page import TracePage
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.preferences.single_keys import SingleKeys

translate = QCoreApplication.translate

TABS = 5

AGAIN = (ProblemCommand.PLAN_NOW, ProblemCommand.ASK_AGAIN)
"""What G does: whichever of them the box below the steps offers."""


class TraceKeys(QObject):
    """Digits choose a tab, the slash the search field; letters are single keys.

    Attributes:
        stepped: The next trace is wanted (1), or the one before (-1).
        tab_wanted: A tab is wanted; carries its place.
        searched: The search field is wanted.
        prompt_wanted, context_wanted: The prompt or the context of the plan is wanted.
        again_wanted, edit_wanted: The plan shall be made again, or a message be edited, as the box below says.
    """

    stepped = Signal(int)
    tab_wanted = Signal(int)
    searched = Signal()
    prompt_wanted = Signal()
    context_wanted = Signal()
    again_wanted = Signal()
    edit_wanted = Signal()

    def __init__(self, single_keys: SingleKeys, parent: QObject) -> None:
        super().__init__(parent)
        self._switch = single_keys
        actions = {
            "J": lambda: self.stepped.emit(1),
            "K": lambda: self.stepped.emit(-1),
            "P": self.prompt_wanted.emit,
            "C": self.context_wanted.emit,
            "G": self.again_wanted.emit,
            "E": self.edit_wanted.emit,
        }
        self._letters = SingleKeyShortcuts(actions, self, single_keys)

    def watch(self, widget: QWidget) -> None:
        """Listen on a list."""
        self._letters.watch(widget)
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent) or not self._switch.enabled:
            return False
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        place = event.key() - Qt.Key.Key_1
        if 0 <= place < TABS:
            self.tab_wanted.emit(place)
            return True
        if event.text() == "/":
            self.searched.emit()
            return True
        return False


class TraceLegend(KeyLegend):
    """Names the keys that do something now: they follow the rows, the head's buttons, and those of the box."""

    def __init__(
        self,
        theme: Theme,
        page: TracePage,
        is_open: Callable[[], bool],
        has_rows: Callable[[], bool],
        parent: QWidget,
    ) -> None:
        """Create a legend without keys.

        Args:
            theme: The colours.
            page: The open trace.
            is_open: Returns whether a trace is in sight.
            has_rows: Returns whether there is a trace to choose.
            parent: Where it stands.
        """
        super().__init__(theme, (), parent)
        self._page, self._is_open, self._has_rows = page, is_open, has_rows
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)
        page.reason.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Show the keys of now; hidden where none does anything."""
        page, is_open, has_rows = self._page, self._is_open(), self._has_rows()
        known = (
            (has_rows, ("J", "K"), translate("TracesPane", "plan")),
            (is_open, ("↵",), translate("TracesPane", "into the steps")),
            (is_open, ("1–5",), translate("TracesPane", "tab")),
            (is_open and page.head.prompt.isEnabled(), ("P",), translate("TracesPane", "prompt")),
            (is_open and page.head.context.isEnabled(), ("C",), translate("TracesPane", "context")),
            (is_open and page.reason.offers(*AGAIN), ("G",), translate("TracesPane", "plan again")),
            (is_open and page.reason.offers(ProblemCommand.EDIT_FIRST), ("E",), translate("TracesPane", "edit")),
            (True, ("/",), translate("TracesPane", "search")),
        )
        entries: Entries = tuple((keys, word) for acts, keys, word in known if acts)
        self.show_entries(entries)
        self.setVisible(is_open or has_rows)
