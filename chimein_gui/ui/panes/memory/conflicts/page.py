"""The tab Conflicts: what was, what the operator typed, what is on disk; and the result, one difference at a time."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.domain.ids import GraphId
from chimein_gui.domain.memory.merging.three_way import ChangedBy, Choice, entry_text
from chimein_gui.ui.panes.memory.conflicts.column import Column
from chimein_gui.ui.panes.memory.conflicts.difference import DifferenceBlock
from chimein_gui.ui.requests import ShowPlan
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.legend import KeyLegend
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, InlineMessage
from chimein_gui.ui.widgets.surfaces.surface import Footer
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face

if TYPE_CHECKING:
    from chimein_gui.domain.memory.merging.three_way import Difference
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.memory.conflicts import OpenConflict
    from chimein_gui.viewmodels.memory.model import MemoryModel


class ConflictsPage(QWidget):
    """One conflict at a time.

    Attributes:
        edit_wanted: The operator wants to write on; carries the conflict.
    """

    edit_wanted = Signal(object)

    def __init__(self, context: PaneContext, model: MemoryModel) -> None:
        super().__init__()
        self._context, self._model, self._changes = context, model, model.changes
        self._conflicts = model.changes.conflicts
        theme = context.theme
        self._place = 0
        self.blocks: list[DifferenceBlock] = []
        self.message = InlineMessage(theme, BOX)
        self.open_plan = ActionButton(theme, self.tr("Open plan"), icon="planned")
        self.message.add(self.open_plan)
        self._none = PlainLabel(theme, self.tr("No conflicts. Nothing that you typed waits here."), Face.BODY, "text2")
        self._none.setContentsMargins(24, 24, 24, 24)
        self.columns = (
            Column(theme, self.tr("Before"), self.tr("when you began"), "attention"),
            Column(theme, self.tr("Yours"), self.tr("typed here, not saved yet"), "info"),
            Column(theme, self.tr("On disk"), self.tr("written by another program"), "ok"),
        )
        self.all_mine = ActionButton(theme, self.tr("All mine"), kind=Kind.QUIET)
        self.all_theirs = ActionButton(theme, self.tr("All from disk"), kind=Kind.QUIET)
        self._decided = ElidedLabel(theme, "", Face.SMALL_STRONG, "attention")
        self.keep = ActionButton(theme, self.tr("Keep editing"))
        self.discard = ActionButton(theme, self.tr("Discard mine"), kind=Kind.DANGER)
        self.write = ActionButton(theme, self.tr("Write the result"), key="Ctrl+Enter", kind=Kind.PRIMARY)
        self._whole = QWidget()
        self._results = QVBoxLayout()
        self._build()
        self._wire()
        self.show_conflicts()

    def _build(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(10)
        column.addWidget(self.message)
        texts = QHBoxLayout()
        texts.setSpacing(8)
        for one in self.columns:
            texts.addWidget(one, 1)
        column.addLayout(texts)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(PlainLabel(self._context.theme, self.tr("Result"), Face.STRONG))
        head.addWidget(PlainLabel(self._context.theme, self.tr("what will be written"), Face.SMALL, "text2"))
        head.addStretch(1)
        head.addWidget(self.all_mine)
        head.addWidget(self.all_theirs)
        column.addLayout(head)
        self._results.setSpacing(8)
        column.addLayout(self._results)
        column.addStretch(1)
        bar = Footer(self._context.theme)
        row = QHBoxLayout(bar)
        set_rtl_margins(row, 16, 8, 16, 8)
        row.setSpacing(8)
        row.addWidget(self._decided, 1)
        for button in (self.keep, self.discard, self.write):
            row.addWidget(button)
        whole = QVBoxLayout(self._whole)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(ScrollBox(inside), 1)
        whole.addWidget(bar)
        keys = (
            (("N",), self.tr("Next conflict")),
            (("1",), self.tr("Mine")),
            (("2",), self.tr("On disk")),
            (("3",), self.tr("Both")),
            (("E",), self.tr("Edit")),
            (("Ctrl+Enter",), self.tr("Write")),
        )
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(0)
        page.addWidget(self._none)
        page.addWidget(self._whole, 1)
        page.addStretch(0)
        page.addWidget(KeyLegend(self._context.theme, keys, self))

    def _wire(self) -> None:
        self._conflicts.changed.connect(self.show_conflicts)
        self.all_mine.clicked.connect(lambda _checked=False: self._choose_all(Choice.MINE))
        self.all_theirs.clicked.connect(lambda _checked=False: self._choose_all(Choice.THEIRS))
        self.keep.clicked.connect(lambda _checked=False: self._keep_editing())
        self.discard.clicked.connect(lambda _checked=False: self._discard())
        self.write.clicked.connect(lambda _checked=False: self.write_result())
        self.open_plan.clicked.connect(lambda _checked=False: self.show_plan())
        shortcut = QShortcut(QKeySequence("Ctrl+Return"), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.setAutoRepeat(False)
        shortcut.activated.connect(self.write_result)

    @property
    def current(self) -> OpenConflict | None:
        """The conflict in sight."""
        found = self._conflicts.all
        return found[min(self._place, len(found) - 1)] if found else None

    def focus_widget(self) -> QWidget:
        """Return what takes the focus: the first difference that is not decided."""
        waiting = [block for block in self.blocks if block.is_open] or self.blocks
        return waiting[0].choices.focus_widget() if waiting else self

    # --- contents -------------------------------------------------------------------------------------------------

    def show_conflicts(self) -> None:
        """Show the conflict in its present state."""
        one = self.current
        self._none.setVisible(one is None)
        self._whole.setVisible(one is not None)
        if one is None:
            return
        name = foreign_text.line("/".join(Path(one.conflict.path).parts[-3:]), 200)
        title = self.tr("{file} changed on disk while you were editing it").format(file=name)
        words = self.tr("Nothing is lost: your text and the file are both kept until you decide.")
        self.message.say(IconLabel("alert", title, "danger"), words)
        reply = one.reply
        self.open_plan.setVisible(self._plan(one) is not None)
        if reply is not None:
            self.open_plan.setText(self.tr("Open plan {number}").format(number=reply.plan))
        differences = one.merged.differences
        for column, side in zip(self.columns, ("base", "mine", "theirs"), strict=True):
            column.show_texts([(entry_text(d.base), entry_text(getattr(d, side)), d.line) for d in differences])
        while len(self.blocks) < len(differences):
            block = DifferenceBlock(self._context.theme, len(self.blocks) + 1)
            place = len(self.blocks)
            block.chosen.connect(partial(self._choose, place))
            keys = SingleKeyShortcuts(
                {"N": self.go_to_next, "E": self._keep_editing}, block, self._context.models.single_keys
            )
            for button in block.choices.buttons():
                keys.watch(button)
            self.blocks.append(block)
            self._results.addWidget(block)
        for place, block in enumerate(self.blocks):
            block.setVisible(place < len(differences))
            if place < len(differences):
                block.show_difference(differences[place], one.choices.get(place))
        self._show_decided(differences, one)

    def _show_decided(self, differences: tuple[Difference, ...], one: OpenConflict) -> None:
        count, by_merge = len(one.open_places), sum(d.changed_by is not ChangedBy.BOTH for d in differences)
        total = len(differences)
        decided = self.tr("{n} of {total} decided by the merge itself").format(n=by_merge, total=total)
        waiting = self.tr("%n need(s) a look", "", count) if count else self.tr("all are decided")
        self._decided.setText(f"{decided} · {waiting}")
        self.write.allow(self.tr("Decide what both have changed first") if count else "")

    # --- decisions ------------------------------------------------------------------------------------------------

    def _choose(self, place: int, choice: Choice) -> None:
        one = self.current
        if one is not None:
            self._conflicts.choose(one, place, choice)

    def _choose_all(self, choice: Choice) -> None:
        one = self.current
        if one is not None:
            self._conflicts.choose_all(one, choice)

    def go_to_next(self) -> None:
        """Focus the next difference that is not decided, of this conflict or the next one."""
        waiting = [block for block in self.blocks if block.is_open and not block.isHidden()]
        behind = [block for block in waiting if not block.has_focus]
        if not behind and len(self._conflicts.all) > 1:
            self._place = (self._place + 1) % len(self._conflicts.all)
            self.show_conflicts()
            behind = [block for block in self.blocks if block.is_open and not block.isHidden()]
        if behind:
            behind[0].choices.focus_widget().setFocus()

    def write_result(self) -> None:
        """Write what was decided."""
        one = self.current
        if one is not None and one.result is not None:
            self._changes.resolve(one)

    def _plan(self, one: OpenConflict) -> ShowPlan | None:
        """Return what shows the plan whose reply changed the file; None if that was none, or its chat is unknown."""
        reply = one.reply
        chat = self._model.chat_of(reply.chat, one.conflict.file.agent_name) if reply is not None else None
        if reply is None or reply.plan is None or chat is None:
            return None
        return ShowPlan(chat.chat_id, None, GraphId(reply.plan))

    def show_plan(self) -> None:
        """Show the plan whose reply changed the file."""
        one = self.current
        plan = self._plan(one) if one is not None else None
        if plan is not None:
            self._context.requests.send(plan)

    def _discard(self) -> None:
        one = self.current
        if one is not None:
            self._changes.discard(one)

    def _keep_editing(self) -> None:
        one = self.current
        if one is not None:
            self.edit_wanted.emit(one)
