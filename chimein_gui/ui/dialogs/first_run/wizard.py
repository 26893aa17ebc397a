"""The first-run dialog: sidebar, one step at a time, Back and Next. It can be closed at any step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimeZone
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLayout, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.ui.dialogs.first_run.directories_step import DirectoriesStep
from chimein_gui.ui.dialogs.first_run.keys_step import KeysStep
from chimein_gui.ui.dialogs.first_run.login_step import LoginStep
from chimein_gui.ui.dialogs.first_run.page import MARGIN
from chimein_gui.ui.dialogs.first_run.persona_step import PersonaStep
from chimein_gui.ui.dialogs.first_run.safety_step import SafetyStep
from chimein_gui.ui.dialogs.first_run.steps import StepRail
from chimein_gui.ui.dialogs.first_run.trust_step import TrustStep
from chimein_gui.ui.requests import StartSandbox
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import GROUND, Face, Theme

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from chimein_gui.ui.dialogs.first_run.page import Step
    from chimein_gui.ui.requests import Requests
    from chimein_gui.viewmodels.window import WindowModels

WIDTH, HEIGHT = 960, 600


class FirstRunDialog(QDialog):
    """The wizard; what a step has saved stays saved when the dialog is closed. Open it with open()."""

    def __init__(self, theme: Theme, models: WindowModels, requests: Requests, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._models = theme, models
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self.setProperty(GROUND, "card")
        self.setWindowTitle(self.tr("Set up a persona"))
        models.first_run.begin(bytes(QTimeZone.systemTimeZoneId().data()).decode("ascii", "replace"))
        self.safety = SafetyStep(theme)
        self.keys = KeysStep(theme, models.keys)
        self.directories = DirectoriesStep(theme, models.first_run, models.preferences_model, requests)
        self.persona = PersonaStep(theme, models.first_run)
        self.login = LoginStep(theme, models, requests)
        self.trust = TrustStep(theme, models.preferences_model)
        self.steps: tuple[Step, ...] = (
            self.safety,
            self.persona,
            self.directories,
            self.keys,
            self.login,
            self.trust,
        )
        self.rail = StepRail(theme, [step.name for step in self.steps])
        self.back = ActionButton(theme, self.tr("Back"), icon="caret-left")
        self.later = ActionButton(theme, self.tr("Close"), kind=Kind.QUIET)
        self.next = ActionButton(theme, "", kind=Kind.PRIMARY)
        self._count = PlainLabel(theme, "", Face.SMALL, "text2")
        self._why_not = PlainLabel(theme, "", Face.SMALL, "text2")
        self._stack = QStackedWidget()
        self._visited: set[int] = set()
        self._build()
        for step in self.steps:
            step.changed.connect(self.refresh)
            step.finished.connect(self._finished)
        self.rail.sandbox.pressed.connect(lambda: requests.send(StartSandbox()))
        self.back.clicked.connect(lambda _checked=False: self.show_step(self.current() - 1))
        self.later.clicked.connect(self.reject)
        self.next.clicked.connect(lambda _checked=False: self._go_on())
        room, share = parent.size(), theme.percent / 100
        self.resize(
            min(round(WIDTH * share), max(720, room.width() - 80)),
            min(round(HEIGHT * share), max(480, room.height() - 60)),
        )
        self.show_step(0)

    def current(self) -> int:
        """Return the index of the current step."""
        return self._stack.currentIndex()

    def show_step(self, place: int) -> None:
        """Go to the step with this index, and focus its first widget."""
        step = self.steps[place]
        self._stack.setCurrentWidget(step)
        step.enter()
        self.refresh()
        self.setAccessibleName(step.title)
        step.focus_widget().setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh(self) -> None:
        """Update the sidebar and the buttons for the current step."""
        place = self.current()
        step, last = self.steps[place], place + 1 == len(self.steps)
        done = frozenset(at for at in self._visited if self.steps[at].is_done())
        self.rail.steps.show_step(place, done)
        self._count.setText(self.tr("Step {n} of {all}").format(n=place + 1, all=len(self.steps)))
        self.back.setVisible(place > 0)
        if last:
            words = self.tr("Finish")
        elif step.skips():
            words = self.tr("Skip for now")
        else:
            words = self.tr("Next: {step}").format(step=self.steps[place + 1].name)
        self.next.set_look(words, kind=Kind.PLAIN if step.skips() and not last else Kind.PRIMARY)
        why_not = step.why_not()
        if why_not and self.next.hasFocus():
            step.focus_widget().setFocus()  # else the sandbox button is focused, and Space starts it
        self.next.allow(why_not)
        self._why_not.setText("" if step.says_why() else why_not)
        self.later.setVisible(not last)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and self.next.isEnabled():
            if not self.steps[self.current()].says_why():  # Return does not skip an invalid input; a click on Next does
                self._go_on()
        elif not enter:
            super().keyPressEvent(event)

    def _build(self) -> None:
        for step in self.steps:
            self._stack.addWidget(step)
        foot = Surface(self._theme, top_line="line")
        line = QHBoxLayout(foot)
        set_rtl_margins(line, MARGIN, 10, MARGIN - 8, 11)
        line.setSpacing(10)
        self._why_not.setWordWrap(True)
        self._why_not.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        line.addWidget(self.back)
        line.addWidget(self._count)
        line.addWidget(self._why_not, 1)
        line.addWidget(self.later)
        line.addWidget(self.next)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(self._stack, 1)
        right.addWidget(foot)
        whole = QHBoxLayout(self)
        whole.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.rail)
        whole.addLayout(right, 1)

    def _go_on(self) -> None:
        self._visited.add(self.current())
        if self.steps[self.current()].leave():
            self._advance()

    def _finished(self) -> None:
        if self.sender() is self.steps[self.current()]:
            self._advance()

    def _advance(self) -> None:
        if self.current() + 1 == len(self.steps):
            self.accept()
        else:
            self.show_step(self.current() + 1)
