"""Reviews the messages that were held: a list by account, the selected ones of each confirmed by one click.

Nothing was sent by the release, and nothing is lost by closing this: every card waits in the Approvals pane.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.domain.approvals import Approval, AskReason, Outcome, Verdict
from chimein_gui.domain.holds import Backlog, BacklogItem
from chimein_gui.domain.ids import AccountId, ApprovalId
from chimein_gui.ui.widgets.controls.check_box import CheckBox
from chimein_gui.ui.widgets.controls.verb_button import Kind, VerbButton
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.theme import GROUND, Face, Theme
from chimein_gui.viewmodels.approvals.card_words import card_text, reason_words
from chimein_gui.viewmodels.holds import HoldModel

if TYPE_CHECKING:
    from collections.abc import Iterable

SHOWN = 160
"""Characters of a text in the list; the card shows it whole."""


class _Line(QWidget):
    """One send: a tick, and below it what is in the way of it."""

    def __init__(self, theme: Theme, item: BacklogItem) -> None:
        super().__init__()
        self.approval = item.approval
        who = foreign_text.name(item.approval.chat_title)
        text = foreign_text.line(card_text(item.approval, foreign_text.name), SHOWN)
        self.tick = CheckBox(theme, f"{who}: {text}")
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
        return ", ".join(
            reason_words(reason, approval, foreign_text.name)
            for reason in approval.shown_reasons
            if reason not in usual
        )


class _AccountPart(QWidget):
    """The sends of one account, and the press that confirms the ticked ones."""

    def __init__(self, theme: Theme, first: Approval, holds: HoldModel) -> None:
        super().__init__()
        self._theme, self._holds = theme, holds
        self.account_id: AccountId = first.account_id
        self._agent = foreign_text.name(first.agent_name)
        self._lines: dict[ApprovalId, _Line] = {}
        self.send = VerbButton(theme, "", icon="check", kind=Kind.PRIMARY)
        self.send.clicked.connect(self._confirm)
        self._column = QVBoxLayout()
        self._column.setSpacing(4)
        row = QHBoxLayout()
        row.addWidget(self.send)
        row.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 12)
        whole.setSpacing(4)
        whole.addWidget(PlainLabel(theme, self._agent, Face.STRONG))
        whole.addLayout(self._column)
        whole.addLayout(row)

    def put(self, items: Iterable[BacklogItem]) -> None:
        """Show sends, each as it is now; on one that has not changed the operator's own tick stays."""
        for item in items:
            approval_id = item.approval.approval_id
            known = self._lines.get(approval_id)
            if known is not None and known.approval.version == item.approval.version:
                continue
            line = _Line(self._theme, item)
            line.tick.toggled.connect(self._count)
            if known is None:
                self._column.addWidget(line)
            else:
                self._column.replaceWidget(known, line)
                _remove(known)
            self._lines[approval_id] = line
        self._count()

    def take(self, outcome: Outcome) -> None:
        """Take an answer in; those of other accounts concern nobody here."""
        line = self._lines.get(outcome.approval.approval_id)
        if line is None:
            return
        if outcome.verdict is Verdict.ACCEPTED:
            self.drop(outcome.approval.approval_id)
        else:
            line.refuse(outcome)
            self._count()

    def drop(self, approval_id: ApprovalId) -> None:
        """Show a send no more."""
        line = self._lines.pop(approval_id, None)
        if line is not None:
            _remove(line)
            self._count()

    def is_empty(self) -> bool:
        """Tell whether nothing is left to be seen here."""
        return not self._lines

    def ticked(self) -> tuple[Approval, ...]:
        """Return what one press would confirm."""
        return tuple(line.approval for line in self._lines.values() if line.tick.isChecked())

    def _count(self) -> None:
        number = len(self.ticked())
        self.send.setText(self.tr("Approve selected ({n})").format(n=number))
        self.send.setAccessibleName(self.tr("Approve selected of {agent} ({n})").format(agent=self._agent, n=number))
        self.send.allow("" if number else self.tr("Nothing is selected"))

    def _confirm(self) -> None:
        self.send.allow(self.tr("Saving your decision…"))
        self._holds.confirm(self.account_id, self.ticked())


class BacklogDialog(QDialog):
    """Opened by a release, and again by the next; what is released while it is open joins what it shows.

    It can be closed without loss: every send in it waits in the Approvals pane.
    """

    def __init__(self, theme: Theme, holds: HoldModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._holds = theme, holds
        self.setWindowTitle(self.tr("Review held messages"))
        self.setProperty(GROUND, "pane")
        self.setMinimumSize(520, 260)
        self.resize(620, 480)
        words = self.tr(
            "Nothing was sent. Messages you approved while on hold are selected; the rest wait in Approvals."
        )
        explanation = PlainLabel(theme, words, Face.BODY, "text2")
        explanation.setWordWrap(True)
        self.accounts: list[_AccountPart] = []
        inside = QWidget()
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(0, 0, 8, 0)
        self._column.addStretch(1)
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
        holds.decided.connect(self._forget)
        self.finished.connect(self._clear)

    def show_backlog(self, backlog: Backlog) -> None:
        """Show what a release has opened, beside what is still here from the one before."""
        for items in _by_account(backlog):
            part = next((one for one in self.accounts if one.account_id == items[0].approval.account_id), None)
            if part is None:
                part = _AccountPart(self._theme, items[0].approval, self._holds)
                self._column.insertWidget(len(self.accounts), part)
                self.accounts.append(part)
            part.put(items)
        if not self.isVisible():
            self.open()

    def _take(self, outcomes: tuple[Outcome, ...]) -> None:
        for outcome in outcomes:
            for part in self.accounts:
                part.take(outcome)
        self._leave_if_done()

    def _forget(self, approval_id: ApprovalId) -> None:
        for part in self.accounts:
            part.drop(approval_id)
        self._leave_if_done()

    def _leave_if_done(self) -> None:
        for part in [part for part in self.accounts if part.is_empty()]:
            self.accounts.remove(part)
            _remove(part)
        if not self.accounts and self.isVisible():
            self.close()

    def _clear(self) -> None:
        for part in self.accounts:
            _remove(part)
        self.accounts.clear()


def _remove(widget: QWidget) -> None:
    """Take a widget away at once; a press that is under way in it may still return."""
    widget.hide()
    widget.deleteLater()


def _by_account(backlog: Backlog) -> tuple[tuple[BacklogItem, ...], ...]:
    """Sort the sends by account; their order is kept."""
    accounts: dict[AccountId, list[BacklogItem]] = {}
    for item in backlog.items:
        accounts.setdefault(item.approval.account_id, []).append(item)
    return tuple(tuple(items) for items in accounts.values())
