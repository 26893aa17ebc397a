"""What lived through a hold: a list by account, the ticked of each confirmed by one press (SPEC §6).

Nothing was sent by the release, and nothing is lost by closing this: every card waits in the Approvals pane.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.domain.approvals import Approval, AskReason, Outcome, Verdict
from chimein_gui.domain.holds import Backlog, BacklogItem
from chimein_gui.domain.ids import AccountId, ApprovalId
from chimein_gui.ui.widgets import foreign_text
from chimein_gui.ui.widgets.labels import PlainLabel
from chimein_gui.ui.widgets.scroll_box import ScrollBox
from chimein_gui.ui.widgets.theme import Face, Theme
from chimein_gui.ui.widgets.tick_line import TickLine
from chimein_gui.ui.widgets.verb_button import Kind, VerbButton
from chimein_gui.viewmodels.card_words import card_text
from chimein_gui.viewmodels.holds import HoldModel

SHOWN = 160
"""Characters of a text in the list; the card shows it whole."""


class _Line(QWidget):
    """One send: a tick, and below it what is in the way of it."""

    def __init__(self, theme: Theme, item: BacklogItem) -> None:
        super().__init__()
        self.approval = item.approval
        who = foreign_text.name(item.approval.chat_title)
        text = foreign_text.line(card_text(item.approval, foreign_text.name), SHOWN)
        self.tick = TickLine(theme, f"{who}: {text}")
        self.tick.setChecked(item.ticked)
        self._why = PlainLabel(theme, self._reasons(item.approval), Face.META, "text2")
        self._why.setWordWrap(True)
        self._why.setContentsMargins(24, 0, 0, 4)
        self._why.setVisible(bool(self._why.text()))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        column.addWidget(self.tick)
        column.addWidget(self._why)

    def refuse(self, outcome: Outcome) -> None:
        """Say why it was not sent; it waits on its own card."""
        self.approval = outcome.approval
        self.tick.setChecked(False)
        self._why.setText(foreign_text.line(outcome.explanation, 300))
        self._why.set_color("attention")
        self._why.show()

    @staticmethod
    def _reasons(approval: Approval) -> str:
        usual = {AskReason.HELD, AskReason.REVIEW}  # of every one of them
        return ", ".join(reason.value for reason in approval.reasons if reason not in usual)


class _AccountPart(QWidget):
    """The sends of one account, and the press that confirms the ticked ones."""

    def __init__(self, theme: Theme, items: tuple[BacklogItem, ...], holds: HoldModel) -> None:
        super().__init__()
        self._account_id: AccountId = items[0].approval.account_id
        self._holds = holds
        agent = foreign_text.name(items[0].approval.agent_name)
        self._lines = {item.approval.approval_id: _Line(theme, item) for item in items}
        self.send = VerbButton(theme, "", icon="check", kind=Kind.PRIMARY)
        self.send.clicked.connect(self._confirm)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 12)
        column.setSpacing(4)
        column.addWidget(PlainLabel(theme, agent, Face.STRONG))
        for line in self._lines.values():
            column.addWidget(line)
            line.tick.toggled.connect(self._count)
        row = QHBoxLayout()
        row.addWidget(self.send)
        row.addStretch(1)
        column.addLayout(row)
        self._agent = agent
        self._count()

    def take(self, outcome: Outcome) -> bool:
        """Take an answer in; tells whether it was for this account."""
        approval_id: ApprovalId = outcome.approval.approval_id
        line = self._lines.get(approval_id)
        if line is None:
            return False
        if outcome.verdict is Verdict.ACCEPTED:
            del self._lines[approval_id]
            line.hide()
            line.deleteLater()
        else:
            line.refuse(outcome)
        self._count()
        return True

    def is_empty(self) -> bool:
        """Tell whether nothing is left to be seen here."""
        return not self._lines

    def ticked(self) -> tuple[Approval, ...]:
        """Return what one press would confirm."""
        return tuple(line.approval for line in self._lines.values() if line.tick.isChecked())

    def _count(self) -> None:
        number = len(self.ticked())
        self.send.setText(self.tr("Approve the ticked ({n})").format(n=number))
        self.send.setAccessibleName(self.tr("Approve the ticked of {agent} ({n})").format(agent=self._agent, n=number))
        self.send.allow("" if number else self.tr("Nothing is ticked"))

    def _confirm(self) -> None:
        self.send.allow(self.tr("Your last press is being stored"))
        self._holds.confirm(self._account_id, self.ticked())


class BacklogDialog(QDialog):
    """Opened by a release; opened with `open`, and closed without loss."""

    def __init__(self, theme: Theme, holds: HoldModel, backlog: Backlog, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("After the hold"))
        self.setMinimumSize(520, 260)
        self.resize(620, 480)
        words = self.tr("Nothing was sent. What you approved under hold is ticked; the rest waits in Approvals.")
        explanation = PlainLabel(theme, words, Face.BODY, "text2")
        explanation.setWordWrap(True)
        self.accounts = [_AccountPart(theme, items, holds) for items in _by_account(backlog)]
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 8, 0)
        for part in self.accounts:
            column.addWidget(part)
        column.addStretch(1)
        self.later = VerbButton(theme, self.tr("Decide later"), kind=Kind.QUIET)
        self.later.clicked.connect(self.close)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self.later)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(18, 16, 18, 14)
        whole.setSpacing(12)
        whole.addWidget(explanation)
        whole.addWidget(ScrollBox(inside), 1)
        whole.addLayout(foot)
        holds.confirmed.connect(self._take)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("pane"))
        painter.end()

    def _take(self, outcomes: tuple[Outcome, ...]) -> None:
        for outcome in outcomes:
            for part in self.accounts:
                if part.take(outcome):
                    break
        for part in [part for part in self.accounts if part.is_empty()]:
            self.accounts.remove(part)
            part.hide()
        if not self.accounts:
            self.close()


def _by_account(backlog: Backlog) -> tuple[tuple[BacklogItem, ...], ...]:
    """Sort the sends by account; their order is kept."""
    accounts: dict[AccountId, list[BacklogItem]] = {}
    for item in backlog.items:
        accounts.setdefault(item.approval.account_id, []).append(item)
    return tuple(tuple(items) for items in accounts.values())
