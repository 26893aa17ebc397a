"""The Rehearsal pane: five pages, or a message if the sandbox is not available."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QCoreApplication, Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.ui.pane import Pane, PaneContext
from chimein_gui.ui.panes.rehearsal.active_page import ActivePage
from chimein_gui.ui.panes.rehearsal.faults_page import FaultsPage
from chimein_gui.ui.panes.rehearsal.phone_page import PhonePage
from chimein_gui.ui.panes.rehearsal.scenarios_page import ScenariosPage
from chimein_gui.ui.panes.rehearsal.speak_page import SpeakPage
from chimein_gui.ui.requests import ShowActiveFaults
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.text import foreign_text

translate = QCoreApplication.translate

SCENARIOS, FAULTS, IN_FORCE, SPEAK, PHONE = range(5)


class RehearsalPane(Pane):
    """Starts scenarios, injects faults, and writes messages as simulated people; all in violet."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._rehearsal = context.models.rehearsal
        self.scenarios, self.faults = ScenariosPage(context), FaultsPage(context)
        self.active, self.speak = ActivePage(context), SpeakPage(context)
        self.phone = PhonePage(context)
        self._pages = (self.scenarios, self.faults, self.active, self.speak, self.phone)
        words = (
            self.tr("Scenarios"),
            self.tr("Faults"),
            self.tr("Active"),
            self.tr("Write"),
            self.tr("Phone"),
        )
        self.pages = Segments(context.theme, words, self.tr("Pages of the rehearsal"))
        self._empty = EmptyState(context.theme, "clapper", color="unreal", ground="unreal_soft")
        self._empty.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._stack, self._inside = QStackedWidget(), QStackedWidget()
        self._build()
        self.pages.chosen.connect(self._turn)
        self._rehearsal.changed.connect(self.refresh)
        self._rehearsal.cast_changed.connect(self.refresh)
        self.turn_to(SCENARIOS)
        self.refresh()

    def _build(self) -> None:
        for page in self._pages:
            self._inside.addWidget(page)
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        head = QHBoxLayout()
        head.setContentsMargins(12, 10, 12, 2)
        head.addWidget(self.pages)
        column.addLayout(head)
        column.addWidget(self._inside, 1)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(whole)
        outside = QVBoxLayout(self)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.addWidget(self._stack)

    def open(self, request: object) -> None:
        if isinstance(request, ShowActiveFaults):
            self.turn_to(IN_FORCE)

    def focus_widget(self) -> QWidget:
        if self._stack.currentWidget() is self._empty:
            return self._empty
        return self._pages[self._inside.currentIndex()].focus_widget()

    def save_layout(self) -> QByteArray:
        return QByteArray(str(self._inside.currentIndex()).encode())

    def restore_layout(self, state: QByteArray) -> None:
        text = bytes(state.data()).decode("ascii", "replace")
        if text.isdecimal() and int(text) < len(self._pages):
            self.turn_to(int(text))

    def turn_to(self, page: int) -> None:
        """Show the page with this index."""
        self.pages.choose(page)
        self._turn(page)

    def refresh(self) -> None:
        """Show the pages, or why they are not available, and update the number of active faults."""
        rehearsal = self._rehearsal
        number = len(rehearsal.state.faults)
        if rehearsal.gone:
            self._empty.say(
                self.tr("The sandbox has stopped"),
                self.tr("Close the window and start chimein sandbox again."),
            )
        else:
            self._empty.say(self.tr("Starting…"), self.tr("Loading the scenarios…"))
        usable = rehearsal.loaded and not rehearsal.gone
        self._stack.setCurrentIndex(1 if usable else 0)
        word = self.tr("Active")
        self.pages.set_word(IN_FORCE, f"{word} {number}" if number else word)
        self.subtitle_changed.emit(self._subtitle(number))

    def _subtitle(self, number: int) -> str:
        now = self._rehearsal.scenario
        parts = []
        if now is not None and self._rehearsal.plays():
            parts.append(foreign_text.isolated(self._rehearsal.title_of(now)))
        if number:
            parts.append(translate("RehearsalPane", "%n active fault(s)", "", number))
        return ", ".join(parts)

    def _turn(self, page: int) -> None:
        self._inside.setCurrentIndex(page)
