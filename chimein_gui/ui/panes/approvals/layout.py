"""The layouts of the pane: a list of cards when it is narrow; list, wide card and reasons when it is wide."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from chimein_gui.ui.draft_editor.fields import Task, move_into
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.drafts.open_editor import EditorPlace

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.ui.draft_editor.editor import DraftEditor
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.panes.approvals.card.view import CardView

WIDE_FROM, WHY_FROM = 760, 1180
LIST_WIDTH, LIST_LEAST, WHY_WIDTH = 316, 264, 348
USUAL_LINE = 18.0
"""Line height of the usual text size of 13 px, px."""


class LayoutMode(StrEnum):
    """How wide the pane is."""

    NARROW = "narrow"
    WIDE = "wide"
    FULL = "full"


def mode_for(width: int, letters: float = 1.0) -> LayoutMode:
    """Return the layout for a width; with larger text the card needs more of it.

    Args:
        width: Of the pane, logical pixels.
        letters: Text size relative to the usual one.
    """
    if width < WIDE_FROM:
        return LayoutMode.NARROW
    return LayoutMode.WIDE if width < WHY_FROM * max(1.0, letters - 0.2) else LayoutMode.FULL


class ApprovalsLayout(QWidget):
    """List, card and reasons. It moves the same widgets between the layouts, so that selection and text are kept.

    Attributes:
        changed: The layout has changed.
        had_focus: The wide card had the focus before the last change.
    """

    changed = Signal()

    def __init__(
        self, context: PaneContext, left: QWidget, left_foot: QVBoxLayout, card: CardView, editor: DraftEditor
    ) -> None:
        """Start with the narrow layout.

        Args:
            context: Models and colours.
            left: The column with the list.
            left_foot: Layout for the draft editor below the list.
            card: The wide card.
            editor: The draft editor.
        """
        super().__init__()
        self._left, self._left_foot, self._card, self._editor = left, left_foot, card, editor
        self._theme, self._open_editor = context.theme, context.models.open_editor
        self._theme.fonts_changed.connect(lambda: self.fit(self.width()))
        self.had_focus = False
        self.mode = LayoutMode.NARROW
        self._margin = QWidget()
        around = QVBoxLayout(self._margin)
        around.setContentsMargins(16, 14, 16, 14)
        around.addWidget(card)
        self._why_scroll = QScrollArea()
        self._why_scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._why_scroll.setWidgetResizable(True)
        self._why_scroll.setFixedWidth(WHY_WIDTH)
        self._why_scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._why_scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._why_side = QWidget()
        self._why_column = QVBoxLayout(self._why_side)
        set_rtl_margins(self._why_column, 2, 6, 18, 8)
        self._why_scroll.setWidget(self._why_side)
        for ground in (self._why_side, self._why_scroll.viewport()):
            ground.setAutoFillBackground(False)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(left, 1)
        row.addWidget(self._margin, 1)
        row.addWidget(self._why_scroll)
        if self.has_editor():  # else it is in a conversation
            left_foot.addWidget(editor)
        card.take_why(card.why)
        self._margin.hide()
        self._why_scroll.hide()

    def fit(self, width: int) -> None:
        """Use the layout for a width in px."""
        mode = mode_for(width, self._theme.metrics(Face.BODY).height() / USUAL_LINE)
        if mode is not LayoutMode.NARROW:
            self._left.setFixedWidth(LIST_WIDTH if width >= WHY_FROM - 140 else LIST_LEAST)
        if mode is self.mode:
            return
        before, self.mode = self.mode, mode
        # Read before anything is hidden, which moves the focus.
        focus = self.window().focusWidget()
        wide = mode is not LayoutMode.NARROW
        self.had_focus = self._card.isAncestorOf(focus or self) and not self._editor.isAncestorOf(focus or self)
        if not wide:
            self._left.setMinimumWidth(0)
            self._left.setMaximumWidth(16_777_215)
        self._margin.setVisible(wide)
        if wide is (before is LayoutMode.NARROW) and self.has_editor():
            self.take_editor(focus)
        if mode is LayoutMode.FULL:
            self._why_column.addWidget(self._card.why)
            self._card.take_why(None)
        elif before is LayoutMode.FULL:
            self._card.take_why(self._card.why)
        self._why_scroll.setVisible(mode is LayoutMode.FULL)
        self.changed.emit()

    def has_editor(self) -> bool:
        """Tell whether the draft editor is in this pane, and not in a conversation."""
        return self._open_editor.place is EditorPlace.APPROVALS

    def open_editor(self, task: Task, approval: Approval) -> None:
        """Take the draft editor, wherever it is, and open it on a card."""
        self.take_editor()
        if task is Task.EDIT:
            self._editor.edit(approval)
        else:
            self._editor.ask(task, approval)

    def take_editor(self, focus: QWidget | None = None) -> None:
        """Take the draft editor from the other layout or from a conversation; `focus` as in `move_into`."""
        wide = self.mode is not LayoutMode.NARROW
        place = self._card.place_for_editor() if wide else self._left_foot
        if place.indexOf(self._editor) < 0:
            move_into(self._editor, place, focus=focus)
            self._editor.fields.set_margins(22 if wide else 14, 22 if wide else 14)
