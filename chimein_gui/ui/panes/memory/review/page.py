"""The Review tab: the proposed memories at the left, the chosen one with its evidence at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.domain.memory.proposals import Proposal, ProposalDetails
from chimein_gui.ui.panes.memory.review.proposal import ProposalView
from chimein_gui.ui.panes.memory.review.rows import ProposalList
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.check_box import CheckBox
from chimein_gui.ui.widgets.controls.legend import KeyLegend
from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, InlineMessage
from chimein_gui.ui.widgets.surfaces.padded import Padded
from chimein_gui.ui.widgets.surfaces.surface import Footer
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.panes.memory import make_review
from chimein_gui.viewmodels.preferences.catalogue import OFF, ON, SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QShowEvent

    from chimein_gui.ui.pane import PaneContext


EXTRACTION = next(setting for setting in SETTINGS if setting.name == "extraction")


class ReviewPage(QWidget):
    """Nothing is remembered of a proposal before the operator accepts it.

    Attributes:
        counted: How many wait.
    """

    counted = Signal(int)

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, theme = context, context.theme
        self.model = context.own(make_review)
        self.list = ProposalList(context, self.model.open, self.tr("Proposed memories"), is_open=True)
        self.decided = ProposalList(context, self.model.closed, self.tr("Decided today"), is_open=False)
        self.view = ProposalView(context)
        self.message = InlineMessage(theme, BOX, is_alert=True)
        self._count = PlainLabel(theme, "", Face.STRONG)
        self._age = ElidedLabel(theme, "", Face.SMALL, "text2")
        self.accept_new = ActionButton(theme, self.tr("Accept all new"), kind=Kind.QUIET)
        self._today = PlainLabel(theme, "", Face.SMALL_STRONG, "text2")
        self.accept = ActionButton(theme, self.tr("Accept"), key="A", kind=Kind.PRIMARY)
        self.edit = ActionButton(theme, self.tr("Edit"), key="E")
        self.reject = ActionButton(theme, self.tr("Reject"), key="R", kind=Kind.DANGER)
        self.never = ActionButton(theme, self.tr("Never about this person"), kind=Kind.QUIET)
        self.never_chat = ActionButton(theme, self.tr("Never from this chat"), kind=Kind.QUIET)
        self.undo = ActionButton(theme, self.tr("Undo"), key="Z", kind=Kind.QUIET)
        self.is_on = CheckBox(theme, self.tr("Propose memories"))
        self.look = ActionButton(theme, self.tr("Look now"), kind=Kind.QUIET)
        self._empty = EmptyState(theme, "memory")
        self._right = QStackedWidget()
        self._build()
        self._wire()
        self._show()

    def _build(self) -> None:
        theme = self._context.theme
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = QHBoxLayout()
        set_rtl_margins(head, 14, 8, 8, 8)
        head.setSpacing(8)
        head.addWidget(self._count)
        head.addWidget(self._age, 1)
        head.addWidget(self.accept_new)
        column.addLayout(head)
        column.addWidget(self.list, 3)
        today = QHBoxLayout()
        set_rtl_margins(today, 14, 8, 8, 4)
        today.addWidget(self._today, 1)
        today.addWidget(self.undo)
        column.addLayout(today)
        column.addWidget(self.decided, 2)
        rule = PlainLabel(
            theme,
            self.tr("Chats are read when they have come to rest. Nothing is remembered before you accept it."),
            Face.SMALL,
            "text2",
        )
        rule.setWordWrap(True)
        rule.setContentsMargins(14, 8, 14, 8)
        column.addWidget(rule)
        switch = QHBoxLayout()
        set_rtl_margins(switch, 14, 0, 14, 8)
        switch.addWidget(self.is_on, 1)
        switch.addWidget(self.look)
        column.addLayout(switch)
        self._right.addWidget(self._shown())
        self._right.addWidget(self._empty)
        sides = QSplitter()
        sides.addWidget(left)
        sides.addWidget(self._right)
        sides.setChildrenCollapsible(False)
        sides.setSizes([388, 1000])
        sides.setStretchFactor(1, 1)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.setSpacing(0)
        around.addWidget(Padded(self.message, 12, 6))
        around.addWidget(sides, 1)
        around.addWidget(self._legend())

    def _shown(self) -> QWidget:
        """Return the chosen proposal with the buttons below it."""
        foot = Footer(self._context.theme)
        row = QHBoxLayout(foot)
        set_rtl_margins(row, 20, 8, 20, 8)
        row.setSpacing(8)
        for button in (self.accept, self.edit, self.reject, self.never, self.never_chat):
            row.addWidget(button)
        row.addStretch(1)
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.view, 1)
        column.addWidget(foot)
        return made

    def _legend(self) -> KeyLegend:
        entries = (
            (("J", "K"), self.tr("Move")),
            (("A",), self.tr("Accept")),
            (("E",), self.tr("Edit")),
            (("M",), self.tr("Merge")),
            (("B",), self.tr("Keep both")),
            (("R",), self.tr("Reject")),
            (("Z",), self.tr("Undo")),
            (("Ctrl+Enter",), self.tr("Accept the edited text")),
        )
        return KeyLegend(self._context.theme, entries, self)

    def _wire(self) -> None:
        model = self.model
        model.changed.connect(self._show)
        preferences = self._context.models.preferences_model
        preferences.changed.connect(self._show_switch)
        self.is_on.clicked.connect(lambda on: preferences.change(EXTRACTION, ON if on else OFF))
        self._show_switch()
        model.failed.connect(self._fail)
        model.decided.connect(self._say_decided)
        self.list.selectionModel().currentChanged.connect(lambda _now, _before: self._show_current())
        self.accept_new.clicked.connect(model.accept_new)
        self.look.clicked.connect(model.look_now)
        for button, do in (
            (self.accept, self.accept_current),
            (self.edit, self.begin_edit),
            (self.reject, self.reject_current),
            (self.never, self.never_current),
            (self.never_chat, self.leave_chat_out),
            (self.undo, self.undo_chosen),
        ):
            button.clicked.connect(do)
        self.view.submitted.connect(self.accept_current)
        self.view.left.connect(self.list.setFocus)
        self.view.merge_pressed.connect(self.merge_current)
        self.view.keep_pressed.connect(self.accept_current)
        keys: dict[str, Callable[[], None]] = {
            "J": lambda: self.list.step(1),
            "K": lambda: self.list.step(-1),
            "A": self.accept_current,
            "E": self.begin_edit,
            "M": self.merge_current,
            "B": self.accept_current,
            "R": self.reject_current,
            "Z": self.undo_chosen,
        }
        shortcuts = SingleKeyShortcuts(keys, self, self._context.models.single_keys)
        for watched in (self.list, self.decided):
            shortcuts.watch(watched)

    # --- contents -------------------------------------------------------------------------------------------------

    def focus_widget(self) -> QWidget:
        """Return the widget that gets the focus when the tab is entered."""
        return self.list

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.model.refresh()  # the files may have changed

    @property
    def current(self) -> ProposalDetails | None:
        """The chosen proposal."""
        item = self.list.current
        return item if isinstance(item, ProposalDetails) else None

    def _show(self) -> None:
        model, count = self.model, self.model.count
        self._count.setText(self.tr("%n to review", "", count))
        oldest = model.oldest
        age = self._context.models.clock.age(oldest) if oldest is not None else ""
        self._age.setText(self.tr("oldest {age}").format(age=age) if age else "")
        self.accept_new.setEnabled(bool(model.new_ones()))
        self.look.setText(self.tr("Looking …") if model.is_looking else self.tr("Look now"))
        self.look.setEnabled(model.can_look)
        decided = model.closed.rowCount()
        self._today.setText(self.tr("%n decided today", "", decided))
        self._today.setVisible(bool(decided))
        self.undo.setVisible(bool(decided))
        self.decided.setVisible(bool(decided))
        if count and self.current is None:
            self.list.setCurrentIndex(model.open.index(0, 0))
        self._show_current()
        self.counted.emit(count)

    def _show_switch(self) -> None:
        self.is_on.setChecked(self._context.models.preferences.extraction)

    def _show_current(self) -> None:
        item = self.current
        self._right.setCurrentIndex(1 if item is None else 0)
        if item is None:
            self._empty.say(
                self.tr("Nothing to review"),
                self.tr("Memories that are proposed wait here. Nothing is remembered before you accept it."),
            )
            return
        self.never_chat.setVisible(item.is_group)
        self.view.show_item(item, self.list.currentIndex().row() + 1, self.model.count)

    # --- decisions ------------------------------------------------------------------------------------------------

    def accept_current(self) -> None:
        """Write the chosen proposal, with the text and into the file that the operator sees."""
        item = self.current
        if item is not None and self.view.editor.text().strip():
            self._begin()
            self.model.accept(item, self.view.text, self.view.chosen_file)

    def begin_edit(self) -> None:
        """Edit the text."""
        if self.current is not None:
            self.view.editor.field.setFocus()

    def merge_current(self) -> None:
        """Give the nearest entry the text that says both, as it is shown."""
        item = self.current
        if item is not None and item.nearest is not None:
            self._begin()
            self.model.merge(item, self.view.merged_text)

    def reject_current(self) -> None:
        """Do not remember the chosen proposal."""
        if self.current is not None:
            self._begin()
            self.model.reject(self.current)

    def never_current(self) -> None:
        """Propose nothing about this person any more."""
        if self.current is not None:
            self._begin()
            self.model.never(self.current)

    def leave_chat_out(self) -> None:
        """Read nothing of this chat any more."""
        if self.current is not None:
            self._begin()
            self.model.never_chat(self.current)

    def undo_chosen(self) -> None:
        """Take back the decision that is chosen below, else the newest one of today."""
        chosen, is_chosen = self.decided.current, self.decided.hasFocus()
        self._begin()
        if is_chosen and isinstance(chosen, Proposal):
            self.model.undo(chosen)
        else:
            self.model.undo_last()

    def _begin(self) -> None:
        self.message.say(None)
        self.list.setFocus()

    def _fail(self, words: str) -> None:
        self.message.say(IconLabel("alert", foreign_text.line(words, 400), "danger"))

    def _say_decided(self, words: str, proposal: Proposal) -> None:
        toasts = self._context.models.toasts
        toasts.show(words, self.tr("Undo"), lambda: self.model.undo(proposal), icon="memory")
