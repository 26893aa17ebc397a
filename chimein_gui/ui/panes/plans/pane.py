"""The Plans pane: the plan of the chat in sight as a picture and as a list, with the actions of the chosen step."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.domain.plans.step_edits import StepAction, StepEdit
from chimein_gui.ui.pane import Pane, PaneContext
from chimein_gui.ui.panes.plans.details import StepDetails
from chimein_gui.ui.panes.plans.earlier import EarlierPlans, NewerDraft
from chimein_gui.ui.panes.plans.graph import STEP, PlanGraph
from chimein_gui.ui.panes.plans.inserting import ChosenStep, StepMenu
from chimein_gui.ui.panes.plans.looks import NOW_KEY, legend_keys, looks_of
from chimein_gui.ui.panes.plans.outline import OutlineList
from chimein_gui.ui.requests import ShowPlan
from chimein_gui.ui.widgets.controls.icon_button import IconButton
from chimein_gui.ui.widgets.controls.legend import KeyLegend
from chimein_gui.ui.widgets.rows.single_key_shortcuts import SingleKeyShortcuts
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.surfaces.inline_message import BOX, InlineMessage
from chimein_gui.ui.widgets.surfaces.menus import open_below
from chimein_gui.ui.widgets.surfaces.surface import Footer
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.viewmodels.panes.plans import make_plans
from chimein_gui.viewmodels.traces.words import TRACE_KEY

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from chimein_gui.domain.ids import TaskId

THREE_COLUMNS = 1000
"""From this width on the details stand beside the list of steps, px."""

_LETTERS = {
    "S": StepAction.SKIP,
    NOW_KEY: StepAction.RETRY,
    "D": StepAction.DUPLICATE,
    "Z": StepAction.UNDO,
}


class PlansPane(Pane):
    """Follows the chat in sight."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self.context = context
        models = self._models = context.own(make_plans)
        self.plan = models.plan
        theme = context.theme
        self.graph = PlanGraph(theme, looks_of(context, self))
        self.outline = OutlineList(theme, models.outline)
        self.message = InlineMessage(theme, BOX, is_alert=True)
        self.earlier = EarlierPlans(context, models)
        self.newer_draft = NewerDraft(theme, models)
        self._legend = KeyLegend(theme, legend_keys(), self)
        self.details = StepDetails(context, self.plan)
        self.step_buttons, self.more = self.details.step_buttons, self.details.more
        self.chosen = ChosenStep(context, self.plan, lambda: self.graph.current)
        self.step_menu = StepMenu(self, context, self.plan, self.chosen)
        self.follow = IconButton(theme, "play", self.tr("Follow the step that runs"), stays=True)
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.column = QSplitter(Qt.Orientation.Vertical)
        self._empty = EmptyState(theme, "layers")
        self._empty.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._stack = QStackedWidget()
        self._wanted: TaskId | None = None
        self._picked: TaskId | None = None
        self._is_showing = False
        self._build()
        self._wire()
        self._show_plan()

    def _build(self) -> None:
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.graph)
        beside = QWidget()
        right = QVBoxLayout(beside)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        right.addWidget(self.outline, 1)
        right.addWidget(self.newer_draft)
        self.column.setChildrenCollapsible(False)
        self.column.addWidget(beside)
        self.column.addWidget(self.details)
        self.split.addWidget(self.column)
        self.split.setSizes([520, 480])
        foot = Footer(self.context.theme)
        row = QHBoxLayout(foot)
        set_rtl_margins(row, 2, 0, 12, 0)
        row.setSpacing(4)
        row.addWidget(self._legend, 1)
        for icon, words, do in (
            ("zoom-out", self.tr("Smaller (minus)"), lambda: self.graph.zoom(1 / STEP)),
            ("zoom-in", self.tr("Larger (plus)"), lambda: self.graph.zoom(STEP)),
            ("fit", self.tr("Show the whole plan (0)"), self.graph.fit),
        ):
            button = IconButton(self.context.theme, icon, words)
            button.clicked.connect(lambda _checked=False, do=do: do())
            row.addWidget(button)
        self.follow.setChecked(self.graph.follows)
        row.addWidget(self.follow)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.message)
        column.addWidget(self.split, 1)
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
        self.graph.chosen.connect(self._pick)
        self.graph.opened.connect(self.chosen.open)
        self.outline.chosen.connect(partial(self._pick, in_list=True))
        self.outline.moved.connect(self.chosen.move_by)
        self.outline.dropped.connect(self._move)
        self.outline.refused.connect(self._tell)
        self.outline.keyed.connect(self._key)
        actions: dict[str, Callable[[], None]] = {
            letter: partial(self.chosen.do, action) for letter, action in _LETTERS.items()
        }
        actions |= {"E": self.chosen.edit_text, TRACE_KEY: self.chosen.show_trace}
        letters = SingleKeyShortcuts(actions, self, self.context.models.single_keys)
        for widget in (self.outline, self.graph):
            letters.watch(widget)
        self.details.edit.clicked.connect(lambda _checked=False: self.chosen.edit_text())
        self.follow.toggled.connect(lambda on: self.graph.follow(follows=on))
        self.context.models.clock.ticked.connect(self._tick)
        self.context.models.pictures.changed.connect(lambda _key: self.graph.repaint_stickers())
        for action, button in self.step_buttons.items():
            button.clicked.connect(lambda _checked=False, action=action: self.chosen.do(action))
        self.more.clicked.connect(lambda _checked=False: self._open_menu())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the details beside the list, or below it where there is no room."""
        super().resizeEvent(event)
        is_wide = self.width() >= THREE_COLUMNS
        self.column.setOrientation(Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical)

    # --- the pane -------------------------------------------------------------------------------------------------

    def open(self, request: object) -> None:
        if isinstance(request, ShowPlan):
            self._models.open(request.chat_id, request.graph_id)
            self._wanted, self._picked = request.task_id, None
            self._show_plan()

    def focus_widget(self) -> QWidget:
        return self.outline if self._stack.currentIndex() else self._empty

    def choose(self, task_id: TaskId) -> None:
        """Choose a step in both forms of the plan."""
        if self.graph.current != task_id:
            self.graph.select(task_id, scroll=True)
        self.outline.select_step(task_id)
        self._show_step()

    def _pick(self, task_id: TaskId, *, in_list: bool = False) -> None:
        """Choose a step for the operator: it stays chosen when it is over."""
        if in_list and (self._is_showing or task_id == self.graph.current):
            return  # the list follows the picture, or takes its first row because it gets the focus
        self._picked = task_id
        self.choose(task_id)

    # --- actions ----------------------------------------------------------------------------------------------------

    def _move(self, step: TaskId, other: TaskId, is_before: bool) -> None:
        self.plan.edit(StepEdit(StepAction.MOVE, step, other=other, is_before=is_before))

    def _key(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and not event.modifiers():
            self.chosen.do(StepAction.CANCEL)
            event.accept()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.chosen.view is not None:
            self.chosen.edit_text()
            event.accept()

    def _open_menu(self) -> None:
        menu = self.menu()
        menu.setParent(self, menu.windowFlags())
        open_below(menu, self.more)

    def menu(self) -> QMenu:
        """Return the menu of all that can be done with the chosen step; what is refused says why."""
        return self.step_menu.menu()

    # --- contents -------------------------------------------------------------------------------------------------

    def _show_plan(self) -> None:
        steps = self.plan.steps
        chat = self.context.models.chats.chat(self.plan.chat_id) if self.plan.chat_id is not None else None
        self.subtitle_changed.emit(foreign_text.name(chat.info.title) if chat is not None else "")
        had_focus = self._empty.hasFocus()
        self._is_showing = True
        self._stack.setCurrentIndex(1 if steps else 0)
        self._is_showing = False
        if not steps:
            has_chat = self.plan.chat_id is not None
            title = self.tr("Nothing is planned here") if has_chat else self.tr("No chat is open")
            lines = self.tr("When the agent plans an answer, its steps are shown here.")
            self._empty.say(title, lines if has_chat else self.tr("Open a chat to see what is planned in it."))
            return
        ids = {one.task_id for one in steps}
        over = {one.task_id for one in steps if one.is_over} - {self._picked}
        kept = self._wanted if self._wanted in ids else self.graph.current
        self.graph.show_steps(steps)
        first = next((one.task_id for one in steps if not one.is_over), steps[-1].task_id)
        self.choose(kept if kept is not None and (kept == self._wanted or kept in ids - over) else first)
        if self._wanted in ids:
            self._wanted = None
        if had_focus:
            # It was entered before the plan was read. Only now, because a list without a current row takes its first.
            self.focus_widget().setFocus()

    def _show_states(self, changed: frozenset[TaskId]) -> None:
        self.graph.update_steps(self.plan.steps, changed)
        self._show_step()

    def _show_step(self) -> None:
        view = self.chosen.view
        self.details.show_step(view)
        self.newer_draft.show_step(view.task_id if view is not None else None)

    def _tick(self) -> None:
        if self.isVisible():
            self.graph.tick()

    def _tell(self, words: str) -> None:
        self.message.say(IconLabel("alert", foreign_text.line(words, 300), "danger") if words else None)
        self.message.setVisible(bool(words))
