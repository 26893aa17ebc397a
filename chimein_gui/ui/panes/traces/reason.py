"""The box that says why a plan failed, was refused or waits, with the next steps as buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, InlineMessage
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.viewmodels.problems.words import SEVERITY_TOKENS

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.problems.words import Problem, ProblemAction, ProblemCommand

MOST_ACTIONS = 4
CAUSE, CONSEQUENCE = 160, 500
"""Most characters of the title and of the paragraph."""


class ReasonBox(QWidget):
    """Hidden while there is nothing to say.

    Attributes:
        asked: A button was pressed; carries its `ProblemAction`.
        changed: It says something else, or nothing.
    """

    asked = Signal(object)
    changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.message = InlineMessage(theme, BOX)
        self.buttons = tuple(ActionButton(theme, "") for _ in range(MOST_ACTIONS))
        self.shown: Problem | None = None
        for place, button in enumerate(self.buttons):
            self.message.add(button)
            button.clicked.connect(lambda _checked=False, place=place: self._ask(place))
        column = QVBoxLayout(self)
        set_rtl_margins(column, 16, 6, 12, 8)
        column.addWidget(self.message)
        self.hide()

    def say(self, problem: Problem | None) -> None:
        """Show a reason and its next steps; None hides the box."""
        if problem == self.shown:
            return
        self.shown = problem
        self.setVisible(problem is not None)
        if problem is not None:
            self._show(problem)
        self.changed.emit()

    def _show(self, problem: Problem) -> None:
        cause = foreign_text.line(problem.cause, CAUSE)
        label = IconLabel(problem.icon, cause, SEVERITY_TOKENS[problem.severity])
        self.message.say(label, foreign_text.line(problem.consequence, CONSEQUENCE))
        for place, button in enumerate(self.buttons):
            action = problem.actions[place] if place < len(problem.actions) else None
            button.setVisible(action is not None)
            if action is not None:
                button.setText(action.word)

    def press(self, *commands: ProblemCommand) -> bool:
        """Press the first button of one of these commands; returns whether there is one."""
        action = self._find(commands)
        if action is not None:
            self.asked.emit(action)
        return action is not None

    def offers(self, *commands: ProblemCommand) -> bool:
        """Return whether there is a button of one of these commands."""
        return self._find(commands) is not None

    def _find(self, commands: tuple[ProblemCommand, ...]) -> ProblemAction | None:
        actions = self.shown.actions[:MOST_ACTIONS] if self.shown is not None else ()
        return next((one for one in actions if one.command in commands), None)

    def _ask(self, place: int) -> None:
        if self.shown is not None and place < len(self.shown.actions):
            self.asked.emit(self.shown.actions[place])
