"""The postponed drafts below the list, with the time at which each returns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.panes.approvals import make_approvals

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts

translate = QCoreApplication.translate

MOST_ROWS, ROWS_IN_SIGHT = 50, 3


class _Row(QWidget):
    """One draft: recipient and time; a click on the name goes to its card."""

    shown = Signal(object)
    wanted = Signal(object)

    def __init__(self, context: PaneContext, keys: SingleKeyShortcuts) -> None:
        super().__init__()
        self._approval: Approval | None = None
        self.time = PlainLabel(context.theme, "", Face.SMALL_STRONG, "attention")
        self.text = ElidedLabel(context.theme, "", Face.SMALL, "text2")
        self.show_card = ActionButton(context.theme, "", kind=Kind.LINK)
        self.now = ActionButton(context.theme, self.tr("Now"), kind=Kind.QUIET)
        self.text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.text.setMinimumWidth(1)
        row = QHBoxLayout(self)
        set_rtl_margins(row, 12, 0, 6, 0)
        row.setSpacing(4)
        row.addWidget(self.time)
        row.addWidget(self.show_card)
        row.addWidget(self.text, 1)
        row.addWidget(self.now)
        self.show_card.clicked.connect(lambda: self.shown.emit(self._approval))
        self.now.clicked.connect(lambda: self.wanted.emit(self._approval))
        for button in (self.show_card, self.now):
            keys.watch(button)

    def show_draft(self, approval: Approval, time: str) -> None:
        """Show a draft with the time at which it returns."""
        self._approval = approval
        who = foreign_text.isolated(foreign_text.short(approval.chat_title, 16))
        self.time.setText(time)
        self.show_card.set_look(who, kind=Kind.LINK)
        self.text.setText(foreign_text.line(approval.text, 80))
        named = self.tr("{who}, postponed until {time}").format(who=foreign_text.name(approval.chat_title), time=time)
        self.show_card.setAccessibleName(self.tr("Show the card: {what}").format(what=named))
        self.now.setAccessibleName(self.tr("Bring back now: {what}").format(what=named))


class LaterGroup(Surface):
    """Hidden while nothing is postponed.

    Attributes:
        show_wanted: Go to a card; carries its approval id.
    """

    show_wanted = Signal(object)

    def __init__(self, context: PaneContext, keys: SingleKeyShortcuts) -> None:
        super().__init__(context.theme, "raised", top_line="line")
        self._context, self._keys, self._models = context, keys, context.models
        self._postponed = context.own(make_approvals).postponed
        self._open = True
        self.rows: list[_Row] = []
        self.head = ActionButton(context.theme, "", icon="caret-down", kind=Kind.QUIET)
        self.head.clicked.connect(self._turn)
        keys.watch(self.head)
        self._inside = QWidget()
        self._column = QVBoxLayout(self._inside)
        self._column.setContentsMargins(0, 0, 0, 6)
        self._column.setSpacing(0)
        self._scroll = QScrollArea()
        self._scroll.setWidget(self._inside)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for ground in (self._inside, self._scroll.viewport()):
            ground.setAutoFillBackground(False)
        head = QHBoxLayout()
        set_rtl_margins(head, 4, 3, 6, 0)
        head.addWidget(self.head)
        head.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(head)
        whole.addWidget(self._scroll)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._postponed.changed.connect(self._ask)
        context.theme.fonts_changed.connect(self._ask)
        self.hide()

    def _ask(self) -> None:
        self._models.bridge.deliver_once(self._show)

    def _turn(self) -> None:
        self._open = not self._open
        self._show()

    def _show(self) -> None:
        items = self._postponed.items()
        number = len(items)
        words = translate("LaterGroup", "Later · %n", "", number)
        self.head.set_look(words, icon="caret-down" if self._open else "caret-right", kind=Kind.QUIET)
        spoken = translate("LaterGroup", "%n draft(s) postponed", "", number)
        state = self.tr("shown") if self._open else self.tr("hidden")
        self.head.setAccessibleName(f"{spoken}, {state}")
        shown = items[:MOST_ROWS] if self._open else ()
        while len(self.rows) < len(shown):
            self._add_row()
        for place, row in enumerate(self.rows):
            row.setVisible(place < len(shown))
        for row, item in zip(self.rows, shown, strict=False):
            row.show_draft(item, self._postponed.words(item))
        self._scroll.setVisible(bool(shown))
        height = self.rows[0].sizeHint().height() if self.rows else 0
        self._scroll.setFixedHeight(height * min(len(shown), ROWS_IN_SIGHT) + 6)
        self.setVisible(number > 0)

    def _add_row(self) -> None:
        row = _Row(self._context, self._keys)
        row.wanted.connect(self._bring_back)
        row.shown.connect(self._go_to)
        self.rows.append(row)
        self._column.addWidget(row)

    def _go_to(self, approval: Approval) -> None:
        self.show_wanted.emit(approval.approval_id)

    def _bring_back(self, approval: Approval) -> None:
        self._postponed.bring_back(approval)
        self._go_to(approval)  # the row may belong to another draft by the next click
        words = self.tr("The draft to {who} is back").format(who=foreign_text.isolated(approval.chat_title))
        self._models.toasts.show(
            words, self.tr("Undo"), lambda: self._postponed.postpone_again(approval), icon="clock", token="text2"
        )
