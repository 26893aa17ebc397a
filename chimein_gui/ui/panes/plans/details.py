"""The chosen step in full: how it will look, its state, what it waits for, who decided, and its actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFormLayout, QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.plans.step_edits import StepAction
from chimein_gui.domain.tasks import TaskKind
from chimein_gui.ui.messages.bubble import BubblePainter
from chimein_gui.ui.messages.setting import Setting
from chimein_gui.ui.panes.plans.inserting import is_editable
from chimein_gui.ui.panes.plans.looks import NOW_KEY
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.spoken_buttons import tell_menu
from chimein_gui.ui.widgets.controls.spoken_role import speak_as_place
from chimein_gui.ui.widgets.rows.scroll_box import ScrollBox
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import follow_layout, set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.approvals.card_words import is_message
from chimein_gui.viewmodels.plans.step_facts import step_facts
from chimein_gui.viewmodels.plans.step_view import MOST_ATTEMPTS
from chimein_gui.viewmodels.transcript.rows import planned_row

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.plans.plan import PlanModel
    from chimein_gui.viewmodels.plans.step_view import StepView
    from chimein_gui.viewmodels.transcript.rows import TranscriptRow

PAD, SEGMENT, BAR = 10, 5, 3


class StepPreview(QWidget):
    """A planned message, painted like a message in the transcript."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, self._theme = context, context.theme
        self._painter = BubblePainter(context.theme, context.models.pictures)
        self._setting, self._row = Setting(), self._no_row()
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._theme.changed.connect(self.update)
        self._theme.fonts_changed.connect(self.updateGeometry)
        context.models.pictures.changed.connect(lambda _key: self.update())

    @staticmethod
    def _no_row() -> TranscriptRow | None:
        return None

    @property
    def row(self) -> TranscriptRow | None:
        """The shown message."""
        return self._row

    def show_card(self, card: Approval | None) -> None:
        """Show the message of a card; hidden without one."""
        models = self._context.models
        row = planned_row(card, None, models.clock) if card is not None and is_message(card) else None
        if card is not None and row != self._row:
            chat = models.chats.chat(card.chat_id)
            is_group = chat is not None and chat.info.kind is not ChatKind.DM
            self._setting = Setting(is_group=is_group, identity=models.agents.identity_of(card.agent_id))
            self.setAccessibleName(foreign_text.body(card.text))
        self._row = row
        self.setVisible(row is not None)
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if self._row is None:
            return 0
        return round(self._painter.measure(self._row, width - 2 * PAD, self._setting).height + 2 * PAD)

    def sizeHint(self) -> QSize:
        return QSize(240, self.heightForWidth(max(self.width(), 200)))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._row is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("chat"))
        painter.drawRoundedRect(QRectF(self.rect()), 8, 8)
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # each text has its own direction
        bubble = self._painter.measure(self._row, self.width() - 2 * PAD, self._setting)
        is_mirrored = self.isRightToLeft()
        left = PAD if is_mirrored else self.width() - PAD - bubble.width
        self._painter.paint(painter, bubble, QPointF(left, PAD), mirrored=is_mirrored)
        painter.end()


class AttemptsBar(QWidget):
    """One segment for each attempt that there may be; those that were made are filled."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self.made = theme, 0
        self.setFixedHeight(SEGMENT)
        theme.changed.connect(self.update)
        self.hide()

    def show_attempts(self, made: int) -> None:
        """Show how many were made; hidden if none was."""
        self.made = made
        self.setVisible(made > 0)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        painter.setPen(Qt.PenStyle.NoPen)
        wide = (self.width() - (MOST_ATTEMPTS - 1) * BAR) / MOST_ATTEMPTS
        for place in range(MOST_ATTEMPTS):
            painter.setBrush(self._theme.color("info" if place < self.made else "line_strong"))
            painter.drawRoundedRect(QRectF(place * (wide + BAR), 0, wide, SEGMENT), 2, 2)
        painter.end()


class StepDetails(Surface):
    """A column about the chosen step. Its buttons stay in sight, the rest is scrolled if there is no room.

    Attributes:
        step_buttons: The buttons, by what they do.
        edit: The button that edits a message's text.
        more: The button of the menu with the other actions.
    """

    def __init__(self, context: PaneContext, plan: PlanModel) -> None:
        super().__init__(context.theme, "pane", top_line="line")
        self._context, self._plan, theme = context, plan, context.theme
        self._view: StepView | None = None
        self.preview = StepPreview(context)
        self.title = ElidedLabel(theme, "", Face.TITLE)
        self.state = StateChip(theme)
        self.attempts = AttemptsBar(theme)
        self.rows: tuple[tuple[str, str], ...] = ()
        self._facts = QFormLayout()
        self.step_buttons: dict[StepAction, ActionButton] = {}
        self.edit = ActionButton(theme, self.tr("Edit…"), icon="pencil", key="E")
        self.more = ActionButton(theme, self.tr("More"), icon="dots", kind=Kind.QUIET)
        tell_menu(self.more)
        self._build()
        context.models.clock.ticked.connect(self._tick)

    def _build(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        set_rtl_margins(column, 14, 10, 12, 10)
        column.setSpacing(8)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title, 1)
        head.addWidget(self.state)
        column.addLayout(head)
        column.addWidget(self.preview)
        column.addWidget(self.attempts)
        self._facts.setContentsMargins(0, 0, 0, 0)
        self._facts.setHorizontalSpacing(12)
        self._facts.setVerticalSpacing(5)
        column.addLayout(self._facts)
        column.addStretch(1)
        buttons = QGridLayout()
        set_rtl_margins(buttons, 14, 8, 12, 8)
        buttons.setSpacing(8)
        for place, (action, words, icon, key) in enumerate(
            (
                (StepAction.RUN_NOW, self.tr("End wait now"), "play", NOW_KEY),
                (StepAction.RETRY, self.tr("Try now"), "refresh", NOW_KEY),
                (StepAction.SKIP, self.tr("Skip"), "forward", "S"),
                (StepAction.CANCEL, self.tr("Cancel from here"), "x", "Del"),
                (StepAction.UNDO, self.tr("Undo"), "undo", "Z"),
            )
        ):
            self.step_buttons[action] = ActionButton(self._context.theme, words, icon=icon, key=key)
            buttons.addWidget(self.step_buttons[action], max(place - 1, 0) // 2, max(place - 1, 0) % 2)
        buttons.addWidget(self.edit, 2, 0)
        buttons.addWidget(self.more, 2, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(ScrollBox(inside), 1)
        whole.addLayout(buttons)
        speak_as_place(self)

    def show_step(self, view: StepView | None) -> None:
        """Show a step; None shows that none is chosen."""
        self._view = view
        is_wait = view is not None and view.step.kind is TaskKind.WAIT
        self.step_buttons[StepAction.RUN_NOW].setVisible(is_wait)
        self.step_buttons[StepAction.RETRY].setVisible(not is_wait)
        for action, button in self.step_buttons.items():
            button.allow(view.refusals.get(action, "") if view is not None else self.tr("Choose a step first."))
        self.edit.allow(self._no_edit(view))
        self.title.setText(view.title if view is not None else "")
        self.preview.show_card(view.approval if view is not None else None)
        self.state.say(IconLabel(view.status_icon, view.state, view.tone) if view is not None else None)
        self.attempts.show_attempts(view.step.attempts if view is not None and view.attempts else 0)
        self._tell()

    def _no_edit(self, view: StepView | None) -> str:
        """Return why the text of a step can't be edited; empty if it can."""
        if view is None:
            return self.tr("Choose a step first.")
        return "" if is_editable(view) else self.tr("Only a message that asks you can be edited.")

    def _tell(self) -> None:
        view = self._view
        rows = step_facts(view, self._plan.steps, self._context.models.clock) if view is not None else ()
        if [label for label, _ in rows] != [label for label, _ in self.rows]:
            while self._facts.rowCount():
                self._facts.removeRow(0)
            for label, _ in rows:
                field = PlainLabel(self._context.theme, "", Face.SMALL)
                field.setWordWrap(True)
                self._facts.addRow(PlainLabel(self._context.theme, label, Face.SMALL, "text2"), field)
        self.rows = rows
        for place, (_, words) in enumerate(rows):
            item = self._facts.itemAt(place, QFormLayout.ItemRole.FieldRole)
            value = item.widget() if item is not None else None
            if isinstance(value, PlainLabel) and value.text() != foreign_text.line(words, 300):
                value.setText(foreign_text.line(words, 300))
        if view is not None:
            self.setAccessibleName(self.tr("Step: {what}").format(what=foreign_text.line(view.sentence, 400)))

    def _tick(self) -> None:
        if self._view is not None and self._view.until is not None and self.isVisible():
            self._tell()
