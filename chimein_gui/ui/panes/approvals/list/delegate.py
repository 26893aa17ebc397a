"""Paints a card: agent, recipient, age, text, reasons. The buttons of the current card are real widgets on top."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QListView, QStyledItemDelegate

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.messages.row_heights import RowHeights
from chimein_gui.ui.messages.row_pictures import RowPictures
from chimein_gui.ui.pane import PaneContext
from chimein_gui.ui.panes.approvals.card.words import follows_words, labels_of
from chimein_gui.ui.panes.approvals.list.folded import draw_folded, is_decided, is_undone_next
from chimein_gui.ui.panes.approvals.list.ticks import draw_tick, tick_of
from chimein_gui.ui.widgets.controls.countdown_bar import HEIGHT, draw_countdown
from chimein_gui.ui.widgets.surfaces.change_lines import change_lines
from chimein_gui.ui.widgets.text import foreign_text, text_block
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import Role, State, colours_of
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import is_turned, mirror
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.approvals.available_actions import offers_tick
from chimein_gui.viewmodels.approvals.card_words import shown_text
from chimein_gui.viewmodels.approvals.saved_marks import make_saved_edit_marks
from chimein_gui.viewmodels.approvals.send_status import HoldReason
from chimein_gui.viewmodels.approvals.store import waits_for_operator
from chimein_gui.viewmodels.chats.previews import is_usual_trust
from chimein_gui.viewmodels.drafts.open_editor import EditorPlace
from chimein_gui.viewmodels.panes.approvals import make_approvals
from chimein_gui.viewmodels.words.notes import note_beside_status

if TYPE_CHECKING:
    from PySide6.QtWidgets import QStyleOptionViewItem

    from chimein_gui.domain.ids import ApprovalId

SIDE, GAP = 10, 4
PAD_LEFT, PAD_RIGHT, PAD_TOP, PAD_BOTTOM = 16, 12, 11, 10
SQUARE, LEAST_BAR = 20, 30

WHOLE = 200
"""Most lines of the current card: more than real texts have, but a limit for texts of many line breaks."""


class Lines(NamedTuple):
    """Heights of the parts of a card, px; they grow with the text size (22, 24, 38, 32, 20 at the usual size)."""

    header: int
    marks: int
    buttons: int
    tick: int
    change: int


def lines_of(theme: Theme) -> Lines:
    """Return the heights for the theme's text size."""
    strong, body, small, meta = (
        math.ceil(theme.metrics(face).height()) for face in (Face.STRONG, Face.BODY, Face.SMALL, Face.META_STRONG)
    )
    button, tick = max(28, round(strong * 1.75)), max(24, body + 6)
    return Lines(max(22, strong + 5), max(24, meta + 8), button + 10, tick + 8, max(20, small + 4))


class CardLook(NamedTuple):
    """Everything that a card shows except its age, which would invalidate the cached image each second."""

    approval: Approval
    note: str
    status_words: str
    hold_reason: HoldReason
    age_width: float
    identity: int
    current: bool
    focused: bool
    changes: tuple[str, ...] = ()
    follows: str = ""
    kept: bool = False
    ticked: bool | None = None
    usual: bool = False
    undone: bool = False


class CardDelegate(QStyledItemDelegate):
    """One card per row; the current one shows its whole text."""

    def __init__(self, context: PaneContext, view: QListView) -> None:
        super().__init__(view)
        self._context, self._theme, self._view = context, context.theme, view
        self._marks = context.own(make_saved_edit_marks)
        self._approvals, self._queue = context.models.approvals, context.own(make_approvals).queue
        self.pictures = RowPictures(context.theme, "pane")
        self.heights = RowHeights(self._queue.rowCount)
        self._lines = lines_of(self._theme)
        self._editing: ApprovalId | None = None
        self._theme.fonts_changed.connect(self._measure)
        self._approvals.send_status.stepped.connect(self._step)

    def set_editing(self, approval_id: ApprovalId | None) -> None:
        """Leave no room for the buttons of a card whose text is open in the editor; None: no text is open."""
        if self._editing != approval_id:
            self._editing = approval_id
            self._view.scheduleDelayedItemsLayout()

    def _step(self) -> None:
        """Repaint the countdown bars; with reduced motion only once a second."""
        if self._view.isVisible() and self._view.itemDelegate() is self and not self._theme.reduced_motion:
            for approval in self._approvals.send_status.running():
                self._view.update(self._queue.index_of(approval.approval_id))

    def _measure(self) -> None:
        """Recompute the heights after a change of the text size."""
        self._lines = lines_of(self._theme)
        self.pictures.clear()
        self.heights.clear()
        self._view.scheduleDelayedItemsLayout()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        width = self._view.viewport().width()
        return QSize(width, self.height_of(index.row(), width))

    def height_of(self, row: int, width: int) -> int:
        """Return a card's height in px; it is cached."""
        approval = self._queue.item_at(row)
        if approval is None:
            return 40
        current = row == self._view.currentIndex().row()
        ticks = current and offers_tick(approval, self._context.models.open_editor)
        has_buttons = current and approval.approval_id != self._editing
        look = (width, current, self._note(approval), self._changes(approval) if current else (), ticks, has_buttons)
        known = self.heights.known(approval.approval_id, approval, look)
        if known is not None:
            return known
        height = self._height(approval, look[2], look[3], current=current, ticks=ticks)
        height += self._lines.buttons if has_buttons else 0
        return self.heights.learn(approval.approval_id, approval, look, height)

    def grows(self, row: int) -> bool:
        """Tell whether a card's height has changed since its last layout."""
        approval = self._queue.item_at(row)
        if approval is None:
            return True
        last = self.heights.last(approval.approval_id)
        return last != self.height_of(row, self._view.viewport().width())

    def _height(self, approval: Approval, note: str, changes: tuple[str, ...], *, current: bool, ticks: bool) -> int:
        lines, text = self._lines, self._text(approval, current=current)
        if not current and is_decided(approval):
            return 2 * GAP + lines.header
        height = 2 * GAP + PAD_TOP + lines.header + 5 + text.height + lines.marks + PAD_BOTTOM
        if note:
            height += self._note_block(note).height + 4
        if current and waits_for_operator(approval) and approval.is_stale:
            height += lines.tick * ticks + len(changes) * lines.change
        return round(height)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        approval = self._queue.item_at(index.row())
        if approval is None:
            return
        current = index.row() == self._view.currentIndex().row()
        age, old = self.times_of(approval)
        look = CardLook(
            approval,
            self._note(approval),
            self._approvals.status_words_of(approval),
            self._approvals.send_status.hold_reason_of(approval),
            self._theme.metrics(Face.SMALL).horizontalAdvance(age),
            self._context.models.agents.identity_of(approval.agent_id),
            current,
            current and self._view.hasFocus(),
            self._changes(approval) if current else (),
            follows_words(self._approvals.of_chat(approval.chat_id), approval) if current else "",
            self._marks.has(approval),
            tick_of(self._context, approval),
            self._is_usual(approval),
        )
        turned = self._view.isRightToLeft()
        if not current and is_decided(approval):
            look = look._replace(age_width=0, undone=is_undone_next(self._context, approval))
            self.pictures.draw(
                painter, option.rect, look, lambda p, rect: self._paint_folded(p, rect, look), turned=turned
            )
            return
        self.pictures.draw(painter, option.rect, look, lambda p, rect: self._paint_card(p, rect, look), turned=turned)
        middle = option.rect.top() + GAP + PAD_TOP + self._lines.header / 2
        place = QPointF(option.rect.right() + 1 - SIDE - PAD_RIGHT - look.age_width, middle)
        color = self._theme.color("attention" if old else "text3")
        painter.save()
        if turned:
            mirror(painter, option.rect)
        marks.draw_line(painter, self._theme.font(Face.SMALL), color, place, age)
        self._paint_countdown(painter, QRectF(option.rect), look)
        painter.restore()

    def times_of(self, approval: Approval) -> tuple[str, bool]:
        """Return a card's age, and whether it is shown as a warning."""
        clock = self._context.models.clock
        age = clock.age(approval.created_at)
        return age, waits_for_operator(approval) and clock.is_old(approval.created_at)

    def _paint_card(self, painter: QPainter, row: QRectF, look: CardLook) -> None:
        rect, approval = row.adjusted(SIDE, GAP, -SIDE, -GAP), look.approval
        self._paint_frame(painter, rect, look)
        inner = rect.adjusted(PAD_LEFT, PAD_TOP, -PAD_RIGHT, -PAD_BOTTOM)
        self._paint_header(painter, inner, look)
        y = inner.top() + self._lines.header + 5
        block = self._text(approval, current=look.current)
        gone = approval.task_status is TaskStatus.DONE
        self._paint_block(painter, block, QPointF(inner.left(), y), "text2" if gone else "text1")
        y += block.height
        if look.note:
            lines = self._note_block(look.note)
            self._paint_block(painter, lines, QPointF(inner.left(), y + 4), "text2")
            y += lines.height + 4
        for words in look.changes:
            middle = QPointF(inner.left(), y + self._lines.change / 2)
            marks.draw_line(
                painter, self._theme.font(Face.SMALL), self._theme.color("text2"), middle, words, inner.width()
            )
            y += self._lines.change
        self._paint_labels(painter, QRectF(inner.left(), y, inner.width(), self._lines.marks), look)

    def _paint_folded(self, painter: QPainter, row: QRectF, look: CardLook) -> None:
        rect = row.adjusted(SIDE + PAD_LEFT, GAP, -SIDE - PAD_RIGHT, -GAP)
        draw_folded(painter, self._theme, rect, look.approval, look.status_words, is_undone=look.undone)

    def _paint_block(self, painter: QPainter, block: text_block.TextBlock, place: QPointF, token: str) -> None:
        painter.save()
        if is_turned(painter):
            mirror(painter, QRectF(place.x(), place.y(), self._inner_width(), block.height))
        text_block.draw(painter, block, place, self._theme.color(token))
        painter.restore()

    def _changes(self, approval: Approval) -> tuple[str, ...]:
        """Return the known changes of the conversation that matter, one line each."""
        card = self._context.models.card
        if not (approval.is_stale and waits_for_operator(approval) and card.approval == approval):
            return ()
        return change_lines(card.changes())

    def _inner_width(self) -> float:
        return max(60.0, self._view.viewport().width() - 2 * SIDE - PAD_LEFT - PAD_RIGHT)

    def _text(self, approval: Approval, *, current: bool) -> text_block.TextBlock:
        # Only the current card, which can be decided on, is shown whole.
        is_whole = current and waits_for_operator(approval)
        whole = shown_text(approval, foreign_text.name)
        text = foreign_text.body(whole if is_whole else whole[:600])
        return text_block.lay_out(text, self._theme.font(Face.BODY), self._inner_width(), WHOLE if is_whole else 2)

    def _note(self, approval: Approval) -> str:
        models = self._context.models
        explanation = models.actions.explanation_of(approval.approval_id)
        explanation = explanation or models.open_editor.words(approval.approval_id, EditorPlace.APPROVALS)
        return explanation or note_beside_status(approval, held=self._approvals.send_status.is_held(approval))

    def _note_block(self, note: str) -> text_block.TextBlock:
        return text_block.lay_out(foreign_text.body(note[:600]), self._theme.font(Face.SMALL), self._inner_width(), 4)

    def _paint_frame(self, painter: QPainter, rect: QRectF, look: CardLook) -> None:
        path = QPainterPath()
        path.addRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)
        painter.fillPath(path, self._theme.color("card"))
        painter.save()
        painter.setClipPath(path)
        painter.fillRect(QRectF(rect.left(), rect.top(), 4.5, rect.height()), self._theme.identity(look.identity))
        painter.restore()
        colours = colours_of(self._theme, Role.CARD, State(checked=look.current, focused=look.focused))
        painter.setPen(QPen(colours.edge, colours.width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)

    def _paint_header(self, painter: QPainter, inner: QRectF, look: CardLook) -> None:
        theme, approval = self._theme, look.approval
        middle = inner.top() + self._lines.header / 2
        age_width = look.age_width
        room = inner.width() - age_width - 12 - SQUARE - 7 - 18
        square = QRectF(inner.left(), middle - SQUARE / 2, SQUARE, SQUARE)
        if look.ticked is None:
            marks.draw_square(painter, theme, square, approval.agent_name, look.identity)
        else:
            draw_tick(painter, theme, square, on=look.ticked)
        font, ink = theme.font(Face.STRONG), theme.color("text1")
        x = square.right() + 7
        agent = foreign_text.name(approval.agent_name)
        x += marks.draw_line(painter, font, ink, QPointF(x, middle), agent, room * 0.45) + 4
        icons.draw(painter, "arrow-right", theme.color("text3"), QRectF(x, middle - 6, 12, 12))
        x += 16
        title = foreign_text.name(approval.chat_title)
        marks.draw_line(painter, font, ink, QPointF(x, middle), title, inner.right() - age_width - 10 - x)

    def _paint_labels(self, painter: QPainter, rect: QRectF, look: CardLook) -> None:
        x, middle = rect.left(), rect.center().y() + 1
        for number, whole in enumerate(self._labels(look)):
            label = whole if number else self._fitted(whole, rect.width())
            width = marks.mark_width(self._theme, label.word, Face.META_STRONG)
            if x > rect.left() and x + width > rect.right():
                break
            marks.draw_mark(
                painter, self._theme, QPointF(x, middle), label, self._theme.color(label.token), Face.META_STRONG
            )
            x += width + 14

    def _paint_countdown(self, painter: QPainter, row: QRectF, look: CardLook) -> None:
        """Paint the countdown bar over the cached image, which it would invalidate with every step."""
        share = self._approvals.send_status.share_left(look.approval)
        if share is None:
            return
        inner = row.adjusted(SIDE + PAD_LEFT, GAP + PAD_TOP, -SIDE - PAD_RIGHT, -GAP - PAD_BOTTOM)
        lines, note = self._lines, self._note_block(look.note).height + 4 if look.note else 0
        top = inner.top() + lines.header + 5 + self._text(look.approval, current=look.current).height + note
        left = inner.left() + 14 * len(self._labels(look))
        left += sum(marks.mark_width(self._theme, label.word, Face.META_STRONG) for label in self._labels(look))
        place = QRectF(left, top + lines.marks / 2 + 1 - HEIGHT / 2, inner.right() - left, HEIGHT)
        if place.width() >= LEAST_BAR:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            draw_countdown(painter, self._theme, place, share)

    def _is_usual(self, approval: Approval) -> bool:
        chat = self._context.models.chats.chat(approval.chat_id)
        return chat is not None and is_usual_trust(self._context.models, chat)

    def _labels(self, look: CardLook) -> tuple[IconLabel, ...]:
        labels = labels_of(look.approval, look.status_words, look.hold_reason, kept=look.kept, usual=look.usual)
        return (*labels, IconLabel("layers", look.follows, "text3")) if look.follows else labels

    def _fitted(self, label: IconLabel, room: float) -> IconLabel:
        """Return the label with its words elided to `room` px, because they may contain a long name."""
        wanted = marks.mark_width(self._theme, label.word, Face.META_STRONG)
        if wanted <= room:
            return label
        metrics = self._theme.metrics(Face.META_STRONG)
        icon = wanted - metrics.horizontalAdvance(label.word)
        return replace(label, word=elided(metrics, label.word, room - icon - 2))
