"""The buttons of the current card in the dock: real widgets over the painted card."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.ids import ApprovalId
from chimein_gui.ui.panes.approvals.actions.action_bar import ActionBar
from chimein_gui.ui.panes.approvals.list.delegate import GAP, PAD_LEFT, PAD_RIGHT, SIDE
from chimein_gui.ui.widgets.controls.check_box import CheckBox
from chimein_gui.ui.widgets.controls.spoken_role import SpokenGuest
from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Theme
from chimein_gui.viewmodels.approvals.available_actions import offers_tick, state_of
from chimein_gui.viewmodels.approvals.store import name_of
from chimein_gui.viewmodels.window import WindowModels


class CardButtons(SpokenGuest):
    """Covers its row; except for the buttons it is transparent.

    Attributes:
        action_pressed: An action was pressed.
        menu_wanted: An action with a menu was pressed; carries it and a position on the screen.
        ticked: The checkbox for changes was ticked or cleared.
    """

    action_pressed = Signal(str)
    menu_wanted = Signal(str, QPoint)
    ticked = Signal(bool)

    def __init__(self, theme: Theme, keys: SingleKeyShortcuts) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.bar = ActionBar(theme, keys, compact=True)
        self._buttons = self.bar.buttons
        self._editing: ApprovalId | None = None
        self._shown: ApprovalId | None = None
        self.tick = CheckBox(theme, self.tr("I've read the changes"))
        self.tick.toggled.connect(self.ticked)  # not clicked: a screen reader toggles it without a click
        keys.watch(self.tick)
        column = QVBoxLayout(self)
        set_rtl_margins(column, SIDE + PAD_LEFT - 2, 0, SIDE + PAD_RIGHT - 4, GAP + 10)
        column.setSpacing(6)
        column.addStretch(1)
        column.addWidget(self.tick)
        column.addWidget(self.bar)
        self.bar.pressed.connect(self.action_pressed)
        self.bar.menu_wanted.connect(self.menu_wanted)

    def set_editing(self, approval_id: ApprovalId | None) -> None:
        """Hide the buttons of a card whose text is open, as the draft editor has its own; None: no text is open."""
        self._editing = approval_id
        self.bar.setVisible(self._shown is None or self._shown != approval_id)

    def show_approval(self, approval: Approval, models: WindowModels, *, looked_away: bool = False) -> None:
        """Show the available actions. Screen readers find them in a group with the name of the card."""
        self.setAccessibleName(name_of(approval))
        self.tick.setVisible(offers_tick(approval, models.open_editor))
        with QSignalBlocker(self.tick):
            self.tick.setChecked(models.actions.is_acknowledged(approval))
        self._shown = approval.approval_id
        self.bar.setVisible(self._shown != self._editing)
        self.bar.show_actions(approval, state_of(approval, models, looked_away=looked_away))
