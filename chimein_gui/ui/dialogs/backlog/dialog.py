"""Reviews the messages that were held: a list by account, whose selected messages one click confirms.

The release has sent nothing, and closing the dialog loses nothing: every card waits in the Approvals pane.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QElapsedTimer, QPoint, Qt, QTimer
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.domain.approvals import Approval, Outcome, Verdict
from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.holds import Backlog, BacklogItem
from chimein_gui.domain.ids import AccountId, ApprovalId
from chimein_gui.ui.dialogs.backlog.held_card import HeldCard
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.rows.single_key_shortcuts import letter_of
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import GROUND, Face, Theme
from chimein_gui.viewmodels.panes.approvals import make_approvals
from chimein_gui.viewmodels.words.notes import note_sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtGui import QKeyEvent

    from chimein_gui.domain.ids import ChatId
    from chimein_gui.viewmodels.approvals.batch import Done
    from chimein_gui.viewmodels.window import WindowModels

translate = QCoreApplication.translate

AGENT_ON_BUTTON = 24
"""Most characters of an agent's name on a button."""

BUTTONS_IN_A_ROW = 2

SLIP_GUARD_MS = 300
"""How long the key that rejects is ignored after the dialog has opened by itself, ms."""


class _AccountPart(QWidget):
    """The held messages of one account, and the button that sends the selected ones."""

    def __init__(self, theme: Theme, first: Approval, models: WindowModels) -> None:
        super().__init__()
        self._theme, self._models = theme, models
        self.account_id: AccountId = first.account_id
        self._agent = foreign_text.name(first.agent_name)
        self._lines: dict[ApprovalId, HeldCard] = {}
        self.send = ActionButton(theme, "", icon="check", kind=Kind.PRIMARY, parent=self)
        self.changed: Callable[[], None] = lambda: None
        self.send.clicked.connect(self._confirm)
        self._is_alone = True
        self._column = QVBoxLayout()
        self._column.setSpacing(8)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 12)
        whole.setSpacing(8)
        whole.addWidget(PlainLabel(theme, self._agent, Face.STRONG))
        whole.addLayout(self._column)

    def name_button(self, *, is_alone: bool) -> None:
        """Name the agent on the button, unless it is the only one in the dialog."""
        self._is_alone = is_alone
        self._count()

    def first_ticked(self) -> HeldCard | None:
        """Return the first selected card, or None."""
        return next((line for line in self._lines.values() if line.tick.isChecked()), None)

    def put(self, items: Iterable[BacklogItem], groups: frozenset[ChatId]) -> None:
        """Show held messages in their current version. A card whose version is unchanged keeps its checkbox."""
        for item in items:
            approval_id = item.approval.approval_id
            known = self._lines.get(approval_id)
            if known is not None and known.approval.version == item.approval.version:
                continue
            line = HeldCard(self._theme, self._models.agents, self._models.clock, item, groups)
            line.tick.toggled.connect(self._count)
            if known is None:
                self._column.addWidget(line)
            else:
                self._column.replaceWidget(known, line)
                _remove(known)
            self._lines[approval_id] = line
        self._count()

    def take(self, outcome: Outcome) -> None:
        """Process the result of a confirmation; those of other accounts are ignored."""
        line = self._lines.get(outcome.approval.approval_id)
        if line is None:
            return
        if outcome.verdict is Verdict.ACCEPTED:
            self.drop(outcome.approval.approval_id)
        else:
            line.refuse(outcome.approval, note_sentence(outcome.explanation))
            self._count()

    def drop(self, approval_id: ApprovalId) -> None:
        """Remove a card from the list."""
        line = self._lines.pop(approval_id, None)
        if line is not None:
            _remove(line)
            self._count()

    def cards(self) -> tuple[HeldCard, ...]:
        """Return the cards, from above."""
        return tuple(self._lines.values())

    def is_empty(self) -> bool:
        """Tell whether no card is left."""
        return not self._lines

    def ticked(self) -> tuple[Approval, ...]:
        """Return the selected approvals."""
        return tuple(line.approval for line in self._lines.values() if line.tick.isChecked())

    def _count(self) -> None:
        n = len(self.ticked())
        whose = translate("_AccountPart", "Send %n selected of {agent}", "", n)
        short = translate("_AccountPart", "Send %n selected", "", n)
        self.send.setText(
            short if self._is_alone else whose.format(agent=foreign_text.line(self._agent, AGENT_ON_BUTTON))
        )
        self.send.setAccessibleName(whose.format(agent=self._agent))
        self.send.allow("" if n else self.tr("Nothing is selected"))
        self.send.setVisible(self._is_alone or n > 0)
        self.changed()

    def _confirm(self) -> None:
        self.send.allow(self.tr("Saving your decision…"))
        self._models.holds.confirm(self.account_id, self.ticked())


class BacklogDialog(QDialog):
    """Shows the held messages of a release, and those of further releases while it is open.

    It can be closed without loss: every message in it waits in the Approvals pane.
    """

    def __init__(self, theme: Theme, models: WindowModels, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._models = theme, models
        self._opened = QElapsedTimer()
        self.setWindowTitle(self.tr("Review held messages"))
        self.setProperty(GROUND, "pane")
        self.setMinimumSize(520, 260)
        words = self.tr(
            "Nothing was sent. Messages you approved while on hold are selected; the rest wait in Approvals."
        )
        explanation = PlainLabel(theme, words, Face.BODY, "text2")
        explanation.setWordWrap(True)
        self.accounts: list[_AccountPart] = []
        inside = QWidget()
        self._inside = inside
        self._column = QVBoxLayout(inside)
        set_rtl_margins(self._column, 0, 0, 8, 0)
        self._column.addStretch(1)
        self.later = ActionButton(theme, self.tr("Keep all for later"), kind=Kind.QUIET)
        self.later.clicked.connect(self.close)
        self.reject_all = ActionButton(theme, "", icon="x", key="R")
        self.reject_all.clicked.connect(self._reject)
        self.out_of_sight = PlainLabel(theme, "", Face.SMALL_STRONG, "text2")
        self._sends = QGridLayout()
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addLayout(self._sends)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(18, 16, 18, 14)
        whole.setSpacing(12)
        whole.addWidget(explanation)
        self._scroll = ScrollBox(inside)
        whole.addWidget(self._scroll, 1)
        above_foot = QHBoxLayout()
        above_foot.addWidget(self.out_of_sight, 1)
        above_foot.addWidget(self.later)
        above_foot.addWidget(self.reject_all)
        whole.addLayout(above_foot)
        whole.addLayout(foot)
        self.later.setFocus()  # a stray Space must not decide
        bar = self._scroll.verticalScrollBar()
        bar.valueChanged.connect(self._tell_hidden)
        bar.rangeChanged.connect(self._tell_hidden)
        models.holds.confirmed.connect(self._take)
        models.holds.decided.connect(self._forget)
        self._batch = models.own(make_approvals).batch
        self._batch.changed.connect(self._show_selected)
        self._batch.answered.connect(self._take_rejection)
        self.finished.connect(self._clear)

    def show_backlog(self, backlog: Backlog) -> None:
        """Show the held messages of a release beside those that are still listed, and open the dialog."""
        groups = frozenset(one.chat_id for one in backlog.chats if one.info.kind is not ChatKind.DM)
        for items in _by_account(backlog):
            part = next((one for one in self.accounts if one.account_id == items[0].approval.account_id), None)
            if part is None:
                part = _AccountPart(self._theme, items[0].approval, self._models)
                part.changed = self._show_selected
                self._column.insertWidget(len(self.accounts), part)
                self.accounts.append(part)
            part.put(items, groups)
        self._place_buttons()
        self._show_selected()
        if not self.isVisible():
            around = self.sizeHint().height() - self._scroll.sizeHint().height()
            self.resize(max(620, self.minimumSizeHint().width()), min(480, around + self._inside.sizeHint().height()))
            self.open()
            self._opened.start()
            QTimer.singleShot(0, self._show_first_ticked)  # by then the cards have their places

    def _show_first_ticked(self) -> None:
        """Scroll to the first card that a click would send."""
        card = next((card for part in self.accounts if (card := part.first_ticked()) is not None), None)
        if card is not None:
            self._scroll.ensureWidgetVisible(card, 0, 8)
        self._tell_hidden()

    def _tell_hidden(self) -> None:
        """Say how many messages are above and below what is in sight."""
        top = self._scroll.verticalScrollBar().value()
        bottom = top + self._scroll.viewport().height()
        places = [card.mapTo(self._inside, QPoint()).y() for part in self.accounts for card in part.cards()]
        heights = [card.height() for part in self.accounts for card in part.cards()]
        above = sum(y < top for y in places)
        below = sum(y + height > bottom for y, height in zip(places, heights, strict=True))
        words = []
        if above:
            words.append(translate("BacklogDialog", "%n more above", "", above))
        if below:
            words.append(translate("BacklogDialog", "%n more below", "", below))
        self.out_of_sight.setText(" · ".join(words))

    def _ticked(self) -> tuple[Approval, ...]:
        return tuple(approval for part in self.accounts for approval in part.ticked())

    def _show_selected(self) -> None:
        count, busy = len(self._ticked()), self._batch.is_busy
        QTimer.singleShot(0, self._tell_hidden)  # by then the rest has moved up
        self.reject_all.setText(translate("BacklogDialog", "Reject %n selected", "", count))
        self.reject_all.updateGeometry()
        self.reject_all.allow(
            self.tr("Saving your decision…") if busy else "" if count else self.tr("Nothing is selected")
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """R rejects what is selected; not just after the dialog has opened, as it may be meant for the window."""
        plain = not event.isAutoRepeat() and event.modifiers() == Qt.KeyboardModifier.NoModifier
        if letter_of(event) != "R" or not plain or not self._models.single_keys.enabled:
            super().keyPressEvent(event)
        elif self.reject_all.isEnabled() and self._opened.hasExpired(SLIP_GUARD_MS):
            self._reject()

    def _reject(self) -> None:
        """Reject the selected messages; Z in Approvals undoes it. Only what was seen to its end can be selected."""
        cards = self._ticked()
        for card in cards:
            self._batch.note_read(card.approval_id, card.version)
        self._batch.reject(cards)

    def _take_rejection(self, done: Done) -> None:
        """Show the current version of the cards that changed meanwhile, unselected."""
        if not done.refused:
            return
        for part in self.accounts:
            for card in part.cards():
                now = self._models.approvals.find(card.approval.approval_id)
                if now is not None and now.version != card.approval.version:
                    card.refuse(now, self.tr("Changed meanwhile"))

    def _place_buttons(self) -> None:
        """Put the buttons of all accounts into the foot, which is always in sight."""
        for place, part in enumerate(self.accounts):
            self._sends.addWidget(part.send, *divmod(place, BUTTONS_IN_A_ROW))
            part.name_button(is_alone=len(self.accounts) == 1)

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
            _remove(part.send)
            _remove(part)
        self._place_buttons()
        if not self.accounts and self.isVisible():
            self.close()

    def _clear(self) -> None:
        for part in self.accounts:
            _remove(part.send)
            _remove(part)
        self.accounts.clear()


def _remove(widget: QWidget) -> None:
    """Hide a widget at once and delete it later, because a click handler inside it may still be running."""
    widget.hide()
    widget.deleteLater()


def _by_account(backlog: Backlog) -> tuple[tuple[BacklogItem, ...], ...]:
    """Group the held messages by account, in their order."""
    accounts: dict[AccountId, list[BacklogItem]] = {}
    for item in backlog.items:
        accounts.setdefault(item.approval.account_id, []).append(item)
    return tuple(tuple(items) for items in accounts.values())
