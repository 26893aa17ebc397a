"""The active faults: what each does, to whom, how often it was triggered, and a button that removes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.surfaces.surface import Card
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.text.tips import give_tip
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.rehearsal.fault_words import hits_words, often_words, what_words, where_words

if TYPE_CHECKING:
    from chimein_gui.sandbox_api import ActiveFault
    from chimein_gui.viewmodels.rehearsal.rehearsal import RehearsalModel

translate = QCoreApplication.translate

SHOWN = 40
"""Most rules that get a card; the heading shows the number of all."""


class RuleCard(Card):
    """One rule."""

    def __init__(self, theme: Theme, rehearsal: RehearsalModel, fault: ActiveFault) -> None:
        super().__init__(theme, stripe="unreal")
        self._rehearsal, self._fault_id = rehearsal, fault.fault_id
        self._what = ElidedLabel(theme, "", Face.STRONG)
        self._where = ElidedLabel(theme, "", Face.SMALL, "text2")
        self._often = ElidedLabel(theme, "", Face.SMALL, "unreal")
        self.remove_button = ActionButton(theme, "", icon="undo", kind=Kind.QUIET)
        self.remove_button.setFixedWidth(28)
        self.remove_button.setAutoDefault(True)
        self.remove_button.setToolTip(self.tr("Remove"))
        self.remove_button.clicked.connect(lambda: rehearsal.commands.remove_fault(self._fault_id))
        text = QVBoxLayout()
        text.setSpacing(2)
        for label in (self._what, self._where, self._often):
            text.addWidget(label)
        row = QHBoxLayout(self)
        set_rtl_margins(row, 16, 8, 8, 8)
        row.setSpacing(8)
        row.addLayout(text, 1)
        row.addWidget(self.remove_button)
        self.show_fault(fault)

    def show_fault(self, fault: ActiveFault) -> None:
        """Show the current state of the rule."""
        rule = fault.rule
        account = self._rehearsal.account(rule.account_id)
        name = account.name if account is not None else str(rule.account_id)
        what, where = foreign_text.line(what_words(rule)), foreign_text.line(where_words(rule, name))
        often = ", ".join((often_words(rule, fault.hits), hits_words(fault.hits)))
        for label, words in ((self._what, what), (self._where, where), (self._often, often)):
            label.setText(words)
            give_tip(label, words)
        self.remove_button.setAccessibleName(self.tr("Remove: {what}").format(what=what))
        self.setAccessibleName(f"{what}, {where}, {often}")


class Rules(QWidget):
    """A card for each rule. Cards are reused by id, so that an update does not move the focus."""

    def __init__(self, theme: Theme, rehearsal: RehearsalModel, above: QWidget) -> None:
        """Create the list; Tab goes from `above` into the cards."""
        super().__init__()
        self._theme, self._rehearsal, self._above = theme, rehearsal, above
        self.cards: dict[int, RuleCard] = {}
        self._none = PlainLabel(theme, self.tr("No simulated faults are active."), Face.BODY, "text2")
        self._none.setWordWrap(True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)
        self._column.addWidget(self._none)
        self._more = PlainLabel(theme, "", Face.SMALL, "text2")
        self._more.setWordWrap(True)
        rehearsal.changed.connect(self.refresh)
        rehearsal.cast_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Update the cards."""
        faults = {fault.fault_id: fault for fault in self._rehearsal.state.faults[:SHOWN]}
        for fault_id in [known for known in self.cards if known not in faults]:
            self._drop(fault_id)
        for fault_id, fault in faults.items():
            if fault_id in self.cards:
                self.cards[fault_id].show_fault(fault)
            else:
                self._add(fault_id, fault)
        self._none.setVisible(not faults)
        more = len(self._rehearsal.state.faults) - len(faults)
        self._more.setText(translate("Rules", "and %n more; “Remove all” removes them too", "", more) if more else "")
        self._more.setVisible(more > 0)
        self._column.removeWidget(self._more)
        self._column.addWidget(self._more)

    def _add(self, fault_id: int, fault: ActiveFault) -> None:
        last = next(reversed(self.cards.values()), None)
        card = self.cards[fault_id] = RuleCard(self._theme, self._rehearsal, fault)
        self._column.addWidget(card)
        before = last.remove_button if last is not None else self._above
        if before.window() is card.window():
            QWidget.setTabOrder(before, card.remove_button)  # else it would be last in the tab order

    def _drop(self, fault_id: int) -> None:
        places = list(self.cards)
        place = places.index(fault_id)
        card = self.cards.pop(fault_id)
        if card.remove_button.hasFocus() and self.cards:
            # The focus moves to the neighbour, not to the top.
            neighbour = (places[place + 1 :] + places[:place][::-1])[0]
            self.cards[neighbour].remove_button.setFocus(Qt.FocusReason.OtherFocusReason)
        self._column.removeWidget(card)
        card.hide()
        card.deleteLater()
