"""The Plans pane: the plan of the chat in sight as a picture and as a list, with the verbs of the chosen step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.domain.plans.planned_steps import PlannedStep, PlannedWait
from chimein_gui.domain.plans.step_edits import StepAction, StepEdit
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.ui.pane import Pane, PaneContext
from chimein_gui.ui.panes.plans.ask import AskMessage, AskWait
from chimein_gui.ui.panes.plans.earlier import EarlierPlans, NewerDraft
from chimein_gui.ui.panes.plans.graph import PlanGraph
from chimein_gui.ui.panes.plans.outline import OutlineList
from chimein_gui.ui.requests import EditDraft, ShowPlan
from chimein_gui.ui.widgets.controls.verb_button import Kind, VerbButton
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, InlineMessage
from chimein_gui.ui.widgets.surfaces.surface import Footer
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.panes.plans import make_plans

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from chimein_gui.domain.ids import TaskId
    from chimein_gui.viewmodels.plans.step_view import StepView

_KEYS = {
    Qt.Key.Key_S: StepAction.SKIP,
    Qt.Key.Key_Delete: StepAction.CANCEL,
    Qt.Key.Key_T: StepAction.RUN_NOW,
    Qt.Key.Key_D: StepAction.DUPLICATE,
    Qt.Key.Key_Z: StepAction.UNDO,
}

NEW_WAIT_S = 30.0
"""The length that is offered for a new wait, in seconds."""


class PlansPane(Pane):
    """Follows the chat in sight."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context = context
        models = self._models = context.own(make_plans)
        self.plan = models.plan
        theme = context.theme
        self.graph = PlanGraph(theme)
        self.outline = OutlineList(theme, models.outline)
        self.message = InlineMessage(theme, BOX, is_alert=True)
        self.earlier = EarlierPlans(context, models)
        self.newer_draft = NewerDraft(theme, models)
        self._about = ElidedLabel(theme, "", Face.SMALL, "text2")
        self.verbs: dict[StepAction, VerbButton] = {}
        self._empty = EmptyState(theme, "layers")
        self._stack = QStackedWidget()
        self._wanted: TaskId | None = None
        self._build()
        self._wire()
        self._show_plan()

    def _build(self) -> None:
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(self.graph)
        beside = QWidget()
        right = QVBoxLayout(beside)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        right.addWidget(self.outline, 1)
        right.addWidget(self.newer_draft)
        split.addWidget(beside)
        split.setSizes([520, 480])
        foot = Footer(self._context.theme)
        row = QHBoxLayout(foot)
        set_rtl_margins(row, 14, 6, 12, 6)
        row.setSpacing(8)
        row.addWidget(self._about, 1)
        for action, words, icon, key in (
            (StepAction.RUN_NOW, self.tr("End wait now"), "play", "T"),
            (StepAction.SKIP, self.tr("Skip"), "forward", "S"),
            (StepAction.CANCEL, self.tr("Cancel from here"), "x", "Del"),
            (StepAction.UNDO, self.tr("Undo"), "undo", "Z"),
        ):
            self.verbs[action] = VerbButton(self._context.theme, words, icon=icon, key=key)
            row.addWidget(self.verbs[action])
        self.more = VerbButton(self._context.theme, self.tr("More"), icon="dots", kind=Kind.QUIET)
        row.addWidget(self.more)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.message)
        column.addWidget(split, 1)
        column.addWidget(foot)
        self.message.hide()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.earlier)
        whole.addWidget(self._stack, 1)
        self.earlier.take_keys(self)

    def _wire(self) -> None:
        self.plan.changed.connect(self._show_plan)
        self.plan.steps_changed.connect(self._show_states)
        self.plan.answered.connect(self._tell)
        self.plan.failed.connect(self._tell)
        self._models.history.failed.connect(self._tell)
        self.graph.chosen.connect(self.choose)
        self.graph.opened.connect(self._open_step)
        self.outline.chosen.connect(self.choose)
        self.outline.moved.connect(self._move_by_key)
        self.outline.keyed.connect(self._key)
        for action, button in self.verbs.items():
            button.clicked.connect(lambda _checked=False, action=action: self.do(action))
        self.more.clicked.connect(lambda _checked=False: self._open_menu())

    # --- the pane -------------------------------------------------------------------------------------------------

    def open(self, request: object) -> None:
        if isinstance(request, ShowPlan):
            self._models.open(request.chat_id)
            self._wanted = request.task_id

    def focus_widget(self) -> QWidget:
        return self.outline if self._stack.currentIndex() else self._empty

    @property
    def current(self) -> StepView | None:
        """The chosen step."""
        task_id = self.graph.current
        return self.plan.step(task_id) if task_id is not None else None

    def choose(self, task_id: TaskId) -> None:
        """Choose a step in both forms of the plan."""
        if self.graph.current != task_id:
            self.graph.select(task_id, scroll=True)
        self.outline.select_step(task_id)
        self._show_step()

    # --- verbs ----------------------------------------------------------------------------------------------------

    def do(self, action: StepAction) -> None:
        """Do something with the chosen step."""
        if action is StepAction.UNDO:
            self.plan.undo()
        elif self.current is not None:
            self.plan.edit(StepEdit(action, self.current.task_id))

    def insert_message(self, text: str, *, is_before: bool = False) -> None:
        """Add a message before or after the chosen step."""
        if self.current is not None:
            new = PlannedStep(TaskKind.SEND, text)
            self.plan.edit(StepEdit(StepAction.INSERT, self.current.task_id, new=new, is_before=is_before))

    def insert_wait(self, seconds: float, *, is_before: bool = False) -> None:
        """Add a wait before or after the chosen step."""
        if self.current is not None:
            new = PlannedWait(seconds)
            self.plan.edit(StepEdit(StepAction.INSERT, self.current.task_id, new=new, is_before=is_before))

    def change_delay(self, seconds: float) -> None:
        """Change the length of the chosen wait."""
        if self.current is not None:
            self.plan.edit(StepEdit(StepAction.CHANGE_DELAY, self.current.task_id, delay_s=seconds))

    def _move_by_key(self, rows: int) -> None:
        steps, here = self.plan.steps, self.current
        if here is None:
            return
        place = next((row for row, one in enumerate(steps) if one.task_id == here.task_id), -1) + rows
        if 0 <= place < len(steps):
            edit = StepEdit(StepAction.MOVE, here.task_id, other=steps[place].task_id, is_before=rows < 0)
            self.plan.edit(edit)

    def _key(self, event: QKeyEvent) -> None:
        action = _KEYS.get(Qt.Key(event.key()))
        if action is not None and not event.modifiers():
            self.do(action)
            event.accept()
        elif Qt.Key(event.key()) in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_E} and self.current is not None:
            self._open_step(self.current.task_id)
            event.accept()

    def _open_step(self, task_id: TaskId) -> None:
        view = self.plan.step(task_id)
        if view is not None and view.approval is not None and self.plan.earlier is None:
            self._context.requests.send(EditDraft(view.approval.approval_id))

    def _edit_text(self) -> None:
        if self.current is not None:
            self._open_step(self.current.task_id)

    @staticmethod
    def _is_editable(view: StepView | None) -> bool:
        if view is None or view.step.kind is not TaskKind.SEND or view.refusals.get(StepAction.SKIP):
            return False
        return view.step.status is TaskStatus.AWAITING_DECISION

    def _open_menu(self) -> None:
        menu = self.menu()
        menu.setParent(self, menu.windowFlags())
        menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))

    def menu(self) -> QMenu:
        """Return the menu of all that can be done with the chosen step; what is refused says why."""
        menu, view = QMenu(), self.current
        menu.setToolTipsVisible(True)
        entry = menu.addAction(self.tr("Edit text…"), self._edit_text)
        entry.setEnabled(self._is_editable(view))
        entry.setToolTip("" if entry.isEnabled() else self.tr("Only a message that asks you can be edited."))
        for action, words, do in (
            (StepAction.INSERT, self.tr("Insert message before…"), lambda: self._ask_message(is_before=True)),
            (StepAction.INSERT, self.tr("Insert message after…"), lambda: self._ask_message(is_before=False)),
            (StepAction.INSERT, self.tr("Insert wait after…"), lambda: self._ask_wait(is_new=True)),
            (StepAction.DUPLICATE, self.tr("Duplicate"), lambda: self.do(StepAction.DUPLICATE)),
            (StepAction.CHANGE_DELAY, self.tr("Change wait…"), lambda: self._ask_wait(is_new=False)),
            (StepAction.MOVE, self.tr("Move up"), lambda: self._move_by_key(-1)),
            (StepAction.MOVE, self.tr("Move down"), lambda: self._move_by_key(1)),
            (StepAction.SPLIT_OFF, self.tr("Split off"), lambda: self.do(StepAction.SPLIT_OFF)),
        ):
            entry = menu.addAction(words, do)
            why = view.refusals.get(action, "") if view is not None else self.tr("Choose a step first.")
            entry.setEnabled(not why)
            entry.setToolTip(why)
        return menu

    def _ask_message(self, *, is_before: bool) -> None:
        dialog = AskMessage(self._context.theme, self)
        dialog.given.connect(lambda text: self.insert_message(text, is_before=is_before))
        self._ask(dialog)

    def _ask_wait(self, *, is_new: bool) -> None:
        view = self.current
        seconds = NEW_WAIT_S if is_new or view is None else view.step.wait_s or 0.0
        dialog = AskWait(self._context.theme, self, seconds=seconds, is_new=is_new)
        dialog.given.connect(self.insert_wait if is_new else self.change_delay)
        self._ask(dialog)

    def _ask(self, dialog: AskMessage | AskWait) -> None:
        dialog.finished.connect(lambda _result: self.outline.setFocus())
        dialog.open()

    # --- contents -------------------------------------------------------------------------------------------------

    def _show_plan(self) -> None:
        steps = self.plan.steps
        chat = self._context.models.chats.chat(self.plan.chat_id) if self.plan.chat_id is not None else None
        self.subtitle_changed.emit(foreign_text.name(chat.info.title) if chat is not None else "")
        had_focus = self._empty.hasFocus()
        self._stack.setCurrentIndex(1 if steps else 0)
        if had_focus:  # entered before the plan was read
            self.focus_widget().setFocus()
        if not steps:
            has_chat = self.plan.chat_id is not None
            title = self.tr("Nothing is planned here") if has_chat else self.tr("No chat is open")
            lines = self.tr("When the agent plans an answer, its steps are shown here.")
            self._empty.say(title, lines if has_chat else self.tr("Open a chat to see what is planned in it."))
            return
        kept = self._wanted or self.graph.current
        self.graph.show_steps(steps)
        ids = {one.task_id for one in steps}
        first = next((one.task_id for one in steps if not one.is_over), steps[-1].task_id)
        self.choose(kept if kept in ids else first)
        self._wanted = None

    def _show_states(self, changed: frozenset[TaskId]) -> None:
        self.graph.update_steps(self.plan.steps, changed)
        self._show_step()

    def _show_step(self) -> None:
        view = self.current
        for action, button in self.verbs.items():
            button.allow(view.refusals.get(action, "") if view is not None else self.tr("Choose a step first."))
        self.newer_draft.show_step(view.task_id if view is not None else None)
        words = [view.title, view.state, view.attempts, view.why] if view is not None else []
        self._about.setText(" · ".join(word for word in words if word))

    def _tell(self, words: str) -> None:
        self.message.say(IconLabel("alert", foreign_text.line(words, 300), "danger") if words else None)
        self.message.setVisible(bool(words))
