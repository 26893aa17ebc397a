"""The form of the selected fault: whose calls, which ones, for how long, how often; then it is injected."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.form_fields import Choice, LineField, NumberField, RadioLine, SecondsField
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.surfaces.inline_message import InlineMessage
from chimein_gui.ui.widgets.surfaces.surface import Footer
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.rehearsal.commands import RehearsalCommand
from chimein_gui.viewmodels.rehearsal.fault_words import (
    AT_ONCE,
    ONCE,
    WITH_ERROR,
    WITH_SECONDS,
    knows_account,
    methods_of,
    what_words,
)

if TYPE_CHECKING:
    from chimein_gui.sandbox_api import FaultOffer, FaultRule
    from chimein_gui.ui.pane import PaneContext

LONGEST_S = 86_400.0
TIMES, CHANCE, ALWAYS = range(3)


class FaultForm(Footer):
    """Shown below the list while a fault is selected.

    Attributes:
        closed: The operator closed it with Escape or its close button.
    """

    closed = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context.theme)
        self._context, self._rehearsal = context, context.models.rehearsal
        self._offer: FaultOffer | None = None
        self._asked: FaultOffer | None = None
        theme = self._theme
        self._title = ElidedLabel(theme, "", Face.STRONG)
        self._summary = PlainLabel(theme, "", Face.SMALL, "text2")
        self._summary.setWordWrap(True)
        self.account = Choice(theme, self.tr("Account"))
        self.method = Choice(theme, self.tr("Call"), editable=True)
        self.seconds = SecondsField(theme, self.tr("Seconds"), most=LONGEST_S)
        self.code = NumberField(theme, self.tr("Error code"), least=300, most=599, width=70)
        self.words = LineField(theme, self.tr("Error words"))
        self.times = NumberField(theme, self.tr("How many calls"), least=1, most=9999, width=68)
        self.chance = NumberField(theme, self.tr("Chance in percent"), least=1, most=100, suffix=" %", width=72)
        self.often = QButtonGroup(self)
        self.inject = ActionButton(theme, self.tr("Inject"), icon="bolt", kind=Kind.UNREAL)
        self.inject.setAutoDefault(True)
        self._close = ActionButton(theme, "", icon="x", kind=Kind.QUIET)
        self._close.setAccessibleName(self.tr("Close this fault"))
        self._close.setAutoDefault(True)
        self._answer = InlineMessage(theme)
        self._rows: dict[str, tuple[QWidget, ...]] = {}
        self._build()
        self._wire()
        self.hide()

    # --- parts ----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        column = QVBoxLayout(self)
        set_rtl_margins(column, 14, 8, 12, 10)
        column.setSpacing(7)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self._close)
        column.addLayout(head)
        inside = QWidget()
        middle = QVBoxLayout(inside)
        middle.setContentsMargins(0, 0, 0, 0)
        middle.setSpacing(7)
        middle.addWidget(self._summary)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        error = self._line(self.code, self.words)
        self._add(grid, 0, "account", self.tr("Account"), self.account)
        self._add(grid, 1, "method", self.tr("Call"), self.method)
        self._add(grid, 2, "error", self.tr("Error"), error)
        self._add(grid, 3, "seconds", self.tr("Seconds"), self._line(self.seconds, None))
        self._add(grid, 4, "often", self.tr("When"), self._often_lines())
        middle.addLayout(grid)
        self._middle = ScrollBox(inside)
        column.addWidget(self._middle)
        foot = QHBoxLayout()
        foot.setSpacing(10)
        foot.addWidget(self._answer, 1)
        foot.addStretch(0)
        foot.addWidget(self.inject, 0, Qt.AlignmentFlag.AlignBottom)
        column.addLayout(foot)

    def _add(self, grid: QGridLayout, row: int, key: str, word: str, widget: QWidget) -> None:
        label = PlainLabel(self._theme, word, Face.SMALL, "text2")
        top = Qt.AlignmentFlag.AlignVCenter
        if key == "often":  # label at the height of the first line
            top = Qt.AlignmentFlag.AlignTop
            label.setContentsMargins(0, (self.times.height() - label.sizeHint().height()) // 2, 0, 0)
        grid.addWidget(label, row, 0, top)
        grid.addWidget(widget, row, 1)
        self._rows[key] = (label, widget)

    def _line(self, first: QWidget, second: QWidget | None) -> QWidget:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(first)
        if second is None:
            row.addStretch(1)
        else:
            row.addWidget(second, 1)
        return line

    def _often_lines(self) -> QWidget:
        lines = QWidget()
        column = QVBoxLayout(lines)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        for place, word, field in (
            (TIMES, self.tr("on the next calls:"), self.times),
            (CHANCE, self.tr("at random, chance:"), self.chance),
            (ALWAYS, self.tr("until removed"), None),
        ):
            radio = RadioLine(self._theme, word)
            self.often.addButton(radio, place)
            column.addWidget(self._line(radio, None) if field is None else self._pair(radio, field))
        return lines

    def _pair(self, radio: QWidget, field: QWidget) -> QWidget:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(radio)
        row.addWidget(field)
        row.addStretch(1)
        return line

    def _wire(self) -> None:
        self.inject.clicked.connect(self._inject)
        self._close.clicked.connect(self.closed)
        self.times.valueChanged.connect(lambda _value: self._pick(TIMES))
        self.chance.valueChanged.connect(lambda _value: self._pick(CHANCE))
        self._rehearsal.changed.connect(self._follow)
        self._rehearsal.cast_changed.connect(self._fill_accounts)
        self._rehearsal.commands.injected.connect(self._done)
        self._fill_accounts()

    # --- the selected fault ---------------------------------------------------------------------------------------

    def set_offer(self, offer: FaultOffer | None) -> None:
        """Show the fields of a fault; None hides the form."""
        self.setVisible(offer is not None)
        if offer is None or offer == self._offer:
            self._offer = offer
            return
        self._offer, rule = offer, offer.rule
        self._answer.say(None)
        self._rehearsal.forget_refusal(RehearsalCommand.INJECT)
        self._title.setText(foreign_text.name(offer.title))
        self._summary.setText(foreign_text.line(offer.summary, 300))
        self.setAccessibleName(foreign_text.name(offer.title))
        methods = methods_of(rule.kind)
        known = methods if not rule.method or rule.method in methods else (rule.method, *methods)
        self.method.set_entries([(self.tr("any call"), ""), *((name, name) for name in known)], rule.method)
        self.seconds.setValue(rule.seconds)
        self.code.setValue(rule.code)
        self.words.setText(rule.message)
        self.words.setCursorPosition(0)
        self.times.setValue(max(1, rule.times))
        self.chance.setValue(round(rule.probability * 100) if rule.probability < 1 else 25)
        self._pick(CHANCE if rule.probability < 1 else TIMES if rule.times else ALWAYS)
        self._fill_accounts()
        self._show("account", shown=knows_account(rule.kind))
        self._show("method", shown=bool(methods))
        self._show("seconds", shown=rule.kind in WITH_SECONDS)
        self._show("error", shown=rule.kind in WITH_ERROR)
        self._show("often", shown=rule.kind not in ONCE)
        self._follow()

    def enter(self) -> None:
        """Focus the first field."""
        first = next((field for field in (self.account, self.method, self.seconds) if field.isVisible()), self.inject)
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def rule(self) -> FaultRule | None:
        """Return the rule that the fields describe; None if no fault is selected."""
        if self._offer is None:
            return None
        kind, chosen = self._offer.rule.kind, self.often.checkedId()
        method = self._method()
        rule = replace(
            self._offer.rule,
            account_id=int(self.account.currentData() or 0) if knows_account(kind) else 0,
            method=method if methods_of(kind) else "",
            seconds=self.seconds.value() if kind in WITH_SECONDS else 0.0,
        )
        if kind in WITH_ERROR:
            rule = replace(rule, code=self.code.value(), message=self.words.text().strip())
        if kind in ONCE:
            return rule
        times = self.times.value() if chosen == TIMES else 0
        return replace(rule, times=times, probability=self.chance.value() / 100 if chosen == CHANCE else 1.0)

    def _method(self) -> str:
        """Return the call that is chosen or typed; empty for any."""
        typed = self.method.currentText().strip()
        entry = self.method.findText(typed)
        return typed if entry < 0 else str(self.method.itemData(entry))

    def _fill_accounts(self) -> None:
        accounts = [(foreign_text.name(one.name), one.user_id) for one in self._rehearsal.cast.accounts]
        needs = self._offer is not None and self._offer.needs_account
        anybody: list[tuple[str, object]] = [] if needs else [(self.tr("all accounts"), 0)]
        wanted = self.account.currentData() or (self._offer.rule.account_id if self._offer is not None else 0)
        self.account.set_entries([*anybody, *accounts], wanted)

    def _show(self, key: str, *, shown: bool) -> None:
        for widget in self._rows[key]:
            widget.setVisible(shown)

    def _pick(self, place: int) -> None:
        self.often.button(place).setChecked(True)

    def _follow(self) -> None:
        busy = self._rehearsal.busy(RehearsalCommand.INJECT)
        self.inject.set_look(self.tr("Inject"), icon="spinner" if busy else "bolt", kind=Kind.UNREAL)
        self.inject.setAccessibleName(f"{self.tr('Inject')}: {self._title.text()}")
        if reason := self._rehearsal.refusal(RehearsalCommand.INJECT):
            self._answer.refuse(reason)

    def _inject(self) -> None:
        rule = self.rule()
        if rule is not None and not self._rehearsal.busy(RehearsalCommand.INJECT):
            self._asked = self._offer
            self._answer.say(None)
            self._rehearsal.commands.inject(rule)

    def _done(self, rule: FaultRule) -> None:
        if self._offer is None or self._offer != self._asked:
            return  # the operator has selected another fault meanwhile
        words = self.tr("Done: {what}") if rule.kind in AT_ONCE else self.tr("Active: {what}")
        self._answer.say(IconLabel("bolt", words.format(what=what_words(rule)), "unreal"))
