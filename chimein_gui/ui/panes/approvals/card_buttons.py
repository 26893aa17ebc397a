"""The verbs of the focused card: real buttons that lie on the painted card."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.domain.approvals import Approval, may_be_taken_up
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.panes.approvals.delegate import GAP, PAD_LEFT, PAD_RIGHT, SIDE
from chimein_gui.ui.widgets import foreign_text
from chimein_gui.ui.widgets.theme import Theme
from chimein_gui.ui.widgets.verb_button import Kind, VerbButton
from chimein_gui.ui.widgets.verb_keys import VerbKeys
from chimein_gui.viewmodels.approvals import waits_for_operator
from chimein_gui.viewmodels.card_words import deed_word, has_text
from chimein_gui.viewmodels.decisions import ApprovalActions


class CardButtons(QWidget):
    """Covers its row; all but the buttons lets the card shine through.

    Attributes:
        verb_pressed: The key of the verb: A, E, R, Z; of a failure S to ask for it again, X to put it away.
    """

    verb_pressed = Signal(str)

    def __init__(self, theme: Theme, keys: VerbKeys, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self._buttons = {
            "A": VerbButton(theme, self.tr("Approve"), icon="check", key="A", kind=Kind.PRIMARY),
            "E": VerbButton(theme, self.tr("Edit"), key="E"),
            "R": VerbButton(theme, self.tr("Reject"), key="R"),
            "Z": VerbButton(theme, self.tr("Undo"), icon="undo", key="Z"),
            "S": VerbButton(theme, self.tr("Ask again"), icon="undo"),
            "X": VerbButton(theme, self.tr("Put away"), icon="check"),
        }
        row = QHBoxLayout()
        row.setContentsMargins(SIDE + PAD_LEFT - 2, 0, SIDE + PAD_RIGHT - 4, GAP + 10)
        row.setSpacing(7)
        for verb, button in self._buttons.items():
            row.addWidget(button)
            button.clicked.connect(lambda _checked=False, pressed=verb: self.verb_pressed.emit(pressed))
            keys.watch(button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addStretch(1)
        column.addLayout(row)

    def show_approval(self, approval: Approval, actions: ApprovalActions) -> None:
        """Offer what can be done now."""
        waits = waits_for_operator(approval)
        for verb in "AER":
            self._buttons[verb].setVisible(waits)
            self._buttons[verb].setEnabled(not actions.is_in_flight(approval.approval_id))
        self._buttons["E"].setVisible(waits and has_text(approval))
        self._buttons["Z"].setVisible(approval.task_status is TaskStatus.APPROVED)
        self._buttons["S"].setVisible(approval.task_status is TaskStatus.FAILED and may_be_taken_up(approval))
        self._buttons["X"].setVisible(approval.task_status is TaskStatus.FAILED)
        again, deed = actions.is_acknowledged(approval), deed_word(approval)
        self._buttons["A"].set_look(
            self.tr("Press A again") if again else deed or self.tr("Approve"),
            icon="" if again else "alert" if deed else "check",
            kind=Kind.DANGER if deed else Kind.PRIMARY,
        )
        who = self.tr("{agent} to {who}").format(
            agent=foreign_text.name(approval.agent_name), who=foreign_text.name(approval.chat_title)
        )
        for button in self._buttons.values():
            button.setAccessibleName(f"{button.text()}: {who}")
