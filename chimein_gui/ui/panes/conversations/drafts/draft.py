"""A planned message in the conversation: a dashed bubble with its status and buttons."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.domain.approvals import Approval
from chimein_gui.ui.draft_editor.fields import Task, move_into
from chimein_gui.ui.pane import PaneContext
from chimein_gui.ui.panes.conversations.drafts.buttons import DraftButtons
from chimein_gui.ui.panes.conversations.drafts.planned_text import PlannedText
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.countdown_bar import CountdownBar
from chimein_gui.ui.widgets.surfaces.change_lines import change_lines
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.text.wrapped_text import WrappedText
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.approvals.available_actions import available_actions, state_of
from chimein_gui.viewmodels.approvals.card_changes import Change, ChangeKind
from chimein_gui.viewmodels.approvals.card_words import card_text
from chimein_gui.viewmodels.drafts.open_editor import EditorPlace
from chimein_gui.viewmodels.drafts.status import DraftStatus, draft_status
from chimein_gui.viewmodels.transcript.rows import planned_row
from chimein_gui.viewmodels.words.notes import note_beside_status

if TYPE_CHECKING:
    from chimein_gui.ui.draft_editor.editor import DraftEditor

translate = QCoreApplication.translate

_HEAD = 20
_PAD = 13
_STRIPE = 4


class DraftBubble(QWidget):
    """One planned send of the open chat.

    Attributes:
        action_pressed: An `Action` was clicked; carries it and the approval.
        key_pressed: The key of an `Action` was pressed; carries it and the approval.
        menu_asked: "…" was pressed; carries the approval and a position on the screen.
        resized: The preferred height has changed.
        fold: The button that expands the list of changes in the conversation.
    """

    action_pressed = Signal(object, object)
    key_pressed = Signal(object, object)
    menu_asked = Signal(object, object)
    resized = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._theme = context, context.theme
        self._approval: Approval | None = None
        self._status: DraftStatus | None = None
        self._painted: tuple[str, str, int] | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._state = PlainLabel(self._theme, "", Face.SMALL_STRONG, "attention")
        self._status_words = ElidedLabel(self._theme, "", Face.SMALL_STRONG, "attention")
        self._status_words.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.bar = CountdownBar(self._theme)
        self.words = PlannedText(context)
        self.fold = ActionButton(self._theme, "", kind=Kind.QUIET)
        self._unfolded = False
        self._changes = WrappedText(self._theme, "text2", face=Face.SMALL)
        self._note = WrappedText(self._theme, "text2")
        self.buttons = DraftButtons(self._theme, context.models.single_keys)
        self._editor: DraftEditor | None = None
        self._build()
        self.fold.clicked.connect(self._toggle_fold)
        self.buttons.pressed.connect(self._press)
        self.buttons.key_pressed.connect(self._press_key)
        self.buttons.menu_asked.connect(self._ask_menu)
        self._theme.changed.connect(self.update)
        context.models.clock.ticked.connect(self._tick)
        context.models.approvals.send_status.stepped.connect(self._step)
        context.models.approvals.send_status.words_changed.connect(self._tick)

    @property
    def approval(self) -> Approval | None:
        """The current approval; None at first."""
        return self._approval

    def _build(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addSpacing(_HEAD)
        head.addWidget(self._state)
        head.addWidget(self._status_words, 1)
        self._column = column = QVBoxLayout(self)
        set_rtl_margins(column, _PAD + 2, 10, _PAD, 11)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.bar)
        column.addWidget(self.words)
        column.addWidget(self.fold, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._changes)
        column.addWidget(self._note)
        column.addWidget(self.buttons)

    def show_approval(self, approval: Approval) -> None:
        """Show the current state of an approval."""
        self._approval = approval
        models = self._context.models
        answered = models.transcript.rows.message(approval.reply_to_id)
        self.words.show_row(planned_row(approval, answered, models.clock), models.agents.identity_of(approval.agent_id))
        self._tick()

    def take_editor(self, editor: DraftEditor | None) -> None:
        """Show the editor instead of the buttons, and of the edited text; None removes it."""
        self._editor = editor
        if editor is not None and self._column.indexOf(editor) < 0:
            move_into(editor, self._column, self._column.indexOf(self.buttons))
        self._tick()

    def in_order(self) -> tuple[QWidget, ...]:
        """Return the focusable widgets in tab order."""
        editor = self._editor.fields.stations() if self._editor is not None else ()
        return self.fold, *editor, *self.buttons.in_order()

    def heightForWidth(self, width: int) -> int:
        """Return the height; without wrapped texts it is the sum of the parts."""
        wrapped = super().heightForWidth(width)
        return wrapped if wrapped >= 0 else self._column.totalSizeHint().height()

    def sizeHint(self) -> QSize:
        # For the current width: the layout's own hint would lay out long texts for another width.
        return QSize(self.width(), self.heightForWidth(self.width()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        path = QPainterPath()
        path.addRoundedRect(rect, 10, 10)
        painter.fillPath(path, self._theme.color("draft"))
        if self._approval is not None:
            painter.setClipPath(path)
            identity = self._context.models.agents.identity_of(self._approval.agent_id)
            left = rect.right() - _STRIPE if self.isRightToLeft() else rect.left()
            painter.fillRect(QRectF(left, rect.top(), _STRIPE, rect.height()), self._theme.identity(identity))
            painter.setClipping(False)
        pen = QPen(self._theme.color("attention_line"), 1)
        pen.setDashPattern([4, 3])
        painter.setPen(pen)
        painter.drawPath(path)
        if self._status is not None:
            middle = self._state.geometry().center().y()
            left = self.width() - 30.0 if self.isRightToLeft() else 15.0
            color = self._theme.color(self._status.token)
            icons.draw(painter, self._status.icon, color, QRectF(left, middle - 7, 15, 15))
        painter.end()

    def _step(self) -> None:
        """Shorten the countdown bar; with reduced motion only once a second."""
        if self._approval is not None and self.bar.isVisible() and not self._theme.reduced_motion:
            self.bar.set_share(self._context.models.approvals.send_status.share_left(self._approval) or 0.0)

    def _press(self, action: object) -> None:
        if self._approval is not None:
            self.action_pressed.emit(action, self._approval)

    def _press_key(self, action: object) -> None:
        if self._approval is not None:
            self.key_pressed.emit(action, self._approval)

    def _ask_menu(self, place: object) -> None:
        if self._approval is not None:
            self.menu_asked.emit(self._approval, place)

    def _tick(self) -> None:
        """Update countdown and actions; called each second."""
        approval, models = self._approval, self._context.models
        if approval is None:
            return
        status = draft_status(models.approvals, approval)
        editor = self._editor
        is_edited = editor is not None and editor.task is Task.EDIT
        if is_edited:
            status = replace(status, state=self.tr("You are editing"), icon="pencil", token="info")
        self._status = status
        self.words.setVisible(not is_edited)
        self._state.setText(status.state)
        self._status_words.setText(status.status_words)
        for label in (self._state, self._status_words):
            label.set_color(status.token)
        self.bar.setVisible(status.share is not None)
        self.bar.set_share(status.share or 0.0)
        changes = models.draft_changes.of(approval)
        self._show_changes(changes)
        self._show_note(approval)
        who = self.tr("{agent} to {who}").format(
            agent=foreign_text.name(approval.agent_name), who=foreign_text.name(approval.chat_title)
        )
        offered = available_actions(approval, state_of(approval, models, in_chat=True)) if editor is None else ()
        self.buttons.offer(offered, who)
        words = foreign_text.body(card_text(approval, foreign_text.name))
        self.words.setAccessibleName(words)
        self.setAccessibleName(f"{status.state}, {status.status_words}, {who}: {words}")
        painted = status.icon, status.token, models.agents.identity_of(approval.agent_id)
        if painted != self._painted:  # repainting the background repaints everything on it
            self._painted = painted
            self.update()

    def _show_changes(self, changes: tuple[Change, ...] | None) -> None:
        """Show the changes in the conversation since the draft was made; several are folded into their number."""
        lines = change_lines(changes) if changes else ()
        folds = changes is not None and len(changes) > 1
        if folds:
            words = self._count_words(changes or ())
            shown = self.tr("{what} · Hide") if self._unfolded else self.tr("{what} · Show")
            self.fold.set_look(
                shown.format(what=words), icon="caret-down" if self._unfolded else "caret-right", kind=Kind.QUIET
            )
        self.fold.setVisible(folds)
        self._changes.set_text("\n".join(lines))
        self._changes.setVisible(bool(lines) and (self._unfolded or not folds))

    def _count_words(self, changes: tuple[Change, ...]) -> str:
        number = len(changes)
        if all(change.kind is ChangeKind.NEW for change in changes):
            return translate("DraftBubble", "%n newer message(s)", "", number)
        return translate("DraftBubble", "%n change(s) in the conversation", "", number)

    def _toggle_fold(self) -> None:
        self._unfolded = not self._unfolded
        self._tick()
        self.resized.emit()

    def _show_note(self, approval: Approval) -> None:
        models = self._context.models
        beside = note_beside_status(approval, held=models.approvals.send_status.is_held(approval))
        note = models.actions.explanation_of(approval.approval_id)
        note = note or models.open_editor.words(approval.approval_id, EditorPlace.CHAT) or beside
        making = models.regenerations.making_of(approval.graph_id)
        note = self.tr("Writing another version…") if making is not None else note
        note = note or models.regenerations.note_of(approval.graph_id)
        self._note.set_text(note[:600])
        self._note.setVisible(bool(note))
