"""The page of active faults: the rules, the response to repeated messages, and the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QCoreApplication,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    QStringListModel,
    Qt,
    Signal,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QHBoxLayout,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from chimein_gui.sandbox_api import DuplicateMode
from chimein_gui.ui.panes.rehearsal.rules import Rules
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.form_fields import RadioLine
from chimein_gui.ui.widgets.controls.spoken_role import speak_rows_only
from chimein_gui.ui.widgets.rows.row_states import SELECTED
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.rows.spoken_views import SpokenListView
from chimein_gui.ui.widgets.surfaces.inline_message import InlineMessage
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text, text_block
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.control_colours import Role, State, colours_of
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.rehearsal.commands import RehearsalCommand
from chimein_gui.viewmodels.rehearsal.fault_words import duplicate_words
from chimein_gui.viewmodels.rehearsal.incident_words import incident_words
from chimein_gui.viewmodels.rehearsal.rehearsal import RehearsalModel

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter, QResizeEvent

    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.core.roles import Index

translate = QCoreApplication.translate

SIDE = 14
LOG_SHARE = 0.3


class _TriggeredDelegate(QStyledItemDelegate):
    """Paints a sentence on at most three lines."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        width = self._view.viewport().width()
        words = str(index.data() or "")
        return QSize(
            width, round(text_block.lay_out(words, self._theme.font(Face.SMALL), width - 2 * SIDE, 3).height + 7)
        )

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        rect, theme = QRectF(option.rect), self._theme
        if option.state.value & SELECTED and self._view.hasFocus():
            painter.fillRect(rect, colours_of(theme, Role.ROW, State(checked=True)).fill)
        inside = rect.adjusted(SIDE, 3, -SIDE, 0)
        ink = theme.color("text1" if index.row() == 0 else "text2")
        text_block.draw_in(painter, str(index.data() or ""), theme.font(Face.SMALL), ink, inside, 3)


class _Lines(QStringListModel):
    """Returns its texts to screen readers, too."""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        return super().data(index, Qt.ItemDataRole.DisplayRole if role == Qt.ItemDataRole.AccessibleTextRole else role)


class TriggeredList(SpokenListView):
    """The log of triggered faults, newest first.

    Attributes:
        contents_changed: The entries changed.
    """

    contents_changed = Signal()

    def __init__(self, theme: Theme, rehearsal: RehearsalModel) -> None:
        super().__init__()
        speak_rows_only(self)
        self._rehearsal = rehearsal
        self._lines = _Lines(self)
        self.setModel(self._lines)
        self.setItemDelegate(_TriggeredDelegate(theme, self))
        self.setAccessibleName(self.tr("Log, newest first"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        theme.changed.connect(self.viewport().update)
        rehearsal.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the newest entries."""
        lines = [foreign_text.line(incident_words(one), 300) for one in self._rehearsal.state.recent]
        if lines != self._lines.stringList():
            self._lines.setStringList(lines)
            self.contents_changed.emit()

    def contents_height(self) -> int:
        """Return the height of all entries, px."""
        return sum(self.sizeHintForRow(row) for row in range(self._lines.rowCount())) + 8


class DuplicateChoice(QWidget):
    """How the sandbox responds to a message that is sent twice: four choices with explanations."""

    def __init__(self, theme: Theme, rehearsal: RehearsalModel) -> None:
        super().__init__()
        self._rehearsal = rehearsal
        self.setAccessibleName(self.tr("If a message is sent twice"))
        self._group = QButtonGroup(self)
        self.radios: dict[DuplicateMode, RadioLine] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for mode in DuplicateMode:
            word, explanation = duplicate_words(mode)
            radio = self.radios[mode] = RadioLine(theme, word)
            radio.setAccessibleDescription(explanation)
            radio.toggled.connect(lambda on, mode=mode: self._choose(mode) if on else None)
            self._group.addButton(radio)
            why = PlainLabel(theme, explanation, Face.SMALL, "text2")
            why.setWordWrap(True)
            set_rtl_margins(why, 24, 0, 0, 5)
            column.addWidget(radio)
            column.addWidget(why)
        self._refused = InlineMessage(theme)
        column.addWidget(self._refused)
        rehearsal.changed.connect(self.refresh)
        self.refresh()

    def _choose(self, mode: DuplicateMode) -> None:
        if mode is not self._rehearsal.state.duplicate_mode:
            self._rehearsal.commands.set_duplicate_mode(mode)

    def refresh(self) -> None:
        """Show the current choice."""
        if not self._rehearsal.busy(RehearsalCommand.DUPLICATES):
            self.radios[self._rehearsal.state.duplicate_mode].setChecked(True)
        self._refused.refuse(self._rehearsal.refusal(RehearsalCommand.DUPLICATES))


class ActivePage(QWidget):
    """Rules and the choice for repeated messages in a scroll area, the log below."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        theme, rehearsal = context.theme, context.models.rehearsal
        self._theme, self._rehearsal = theme, rehearsal
        self.duplicates = DuplicateChoice(theme, rehearsal)
        self.triggered = TriggeredList(theme, rehearsal)
        self.take_all_back = ActionButton(theme, self.tr("Remove all"), icon="undo", kind=Kind.PLAIN)
        self.take_all_back.setAutoDefault(True)
        self.rules = Rules(theme, rehearsal, self.take_all_back)
        self._heading = PlainLabel(theme, "", Face.SMALL_STRONG, "text2")
        self._log_heading = PlainLabel(theme, self.tr("Log, newest first"), Face.SMALL_STRONG, "text2")
        self._log = Surface(theme, top_line="line")
        self._log_heading.setContentsMargins(SIDE, 8, SIDE, 4)
        self._refused = InlineMessage(theme)
        self._build()
        self.take_all_back.clicked.connect(self._clear)
        self.triggered.contents_changed.connect(self._fit)
        rehearsal.changed.connect(self.refresh)
        self.refresh()

    def _build(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        set_rtl_margins(column, SIDE, 2, 12, 6)
        column.setSpacing(8)
        head = QHBoxLayout()
        head.addWidget(self._heading, 1)
        head.addWidget(self.take_all_back)
        twice = PlainLabel(self._theme, self.tr("If a message is sent twice"), Face.SMALL_STRONG, "text2")
        twice.setContentsMargins(0, 8, 0, 0)
        column.addLayout(head)
        for widget in (self._refused, self.rules, twice, self.duplicates):
            column.addWidget(widget)
        column.addStretch(1)
        self._scroll = ScrollBox(inside)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self._scroll, 1)
        log = QVBoxLayout(self._log)
        log.setContentsMargins(0, 0, 0, 0)
        log.setSpacing(0)
        log.addWidget(self._log_heading)
        log.addWidget(self.triggered)
        whole.addWidget(self._log)

    def focus_widget(self) -> QWidget:
        """Return the widget that gets the focus when the page is entered."""
        first = next(iter(self.rules.cards.values()), None)
        mode = self._rehearsal.state.duplicate_mode
        return first.remove_button if first is not None else self.duplicates.radios[mode]

    def refresh(self) -> None:
        """Update the number of rules, the error, and whether the log is shown."""
        number = len(self._rehearsal.state.faults)
        words = translate("ActivePage", "%n active fault(s)", "", number)
        self._heading.setText(words if number else self.tr("No active faults"))
        if not number and self.take_all_back.hasFocus():
            self.focus_widget().setFocus(Qt.FocusReason.OtherFocusReason)
        self.take_all_back.setVisible(number > 0)
        self._refused.refuse(self._rehearsal.refusal(RehearsalCommand.REMOVE_FAULT))
        has_triggered = bool(self._rehearsal.state.recent)
        self._log.setVisible(has_triggered)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Give the log the height of its contents, up to a third of the page."""
        self.triggered.setFixedHeight(min(self.triggered.contents_height(), max(72, round(self.height() * LOG_SHARE))))

    def _clear(self) -> None:
        self._rehearsal.commands.take_all_back()
