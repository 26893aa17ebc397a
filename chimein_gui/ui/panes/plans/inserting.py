"""What can be added to a plan or changed in it beside the buttons: the menu, and the dialogs that ask for the rest."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QFileDialog, QMenu

from chimein_gui.domain.plans.details import IN_THE_MAKING
from chimein_gui.domain.plans.planned_steps import PlannedStep, PlannedWait
from chimein_gui.domain.plans.step_edits import StepAction, StepEdit
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.ui.draft_editor.picker import Picker
from chimein_gui.ui.panes.plans.ask import AskMessage, AskWait
from chimein_gui.ui.requests import EditDraft, ShowTrace
from chimein_gui.viewmodels.traces.words import trace_action

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.ids import GraphId, TaskId
    from chimein_gui.domain.plans.stickers import StickerRef
    from chimein_gui.ui.pane import Pane, PaneContext
    from chimein_gui.viewmodels.plans.plan import PlanModel
    from chimein_gui.viewmodels.plans.step_view import StepView


NEW_WAIT_S = 30.0
"""The length that is offered for a new wait, in seconds."""


class ChosenStep:
    """What can be done with the chosen step of a plan."""

    def __init__(self, context: PaneContext, plan: PlanModel, chosen: Callable[[], TaskId | None]) -> None:
        """Create the actions.

        Args:
            context: The window's models and requests.
            plan: The shown plan.
            chosen: Returns the id of the chosen step, or None.
        """
        self._context, self._plan, self._chosen = context, plan, chosen

    @property
    def view(self) -> StepView | None:
        """The chosen step; None if none is."""
        task_id = self._chosen()
        return self._plan.step(task_id) if task_id is not None else None

    def do(self, action: StepAction) -> None:
        """Do something with it."""
        view = self.view
        if action is StepAction.UNDO:
            self._plan.undo()
        elif view is not None:
            if action is StepAction.RETRY and view.step.kind is TaskKind.WAIT:
                action = StepAction.RUN_NOW
            self._plan.edit(StepEdit(action, view.task_id))

    def insert(self, new: PlannedStep | PlannedWait, *, is_before: bool = False) -> None:
        """Add a step before or after it."""
        view = self.view
        if view is not None:
            self._plan.edit(StepEdit(StepAction.INSERT, view.task_id, new=new, is_before=is_before))

    def insert_file(self, path: str, *, is_before: bool) -> None:
        """Add a photo or file before or after it."""
        view = self.view
        if view is not None and self._plan.chat_id is not None:
            self._plan.files.insert(self._plan.chat_id, view.task_id, Path(path), is_before=is_before)

    def change_delay(self, seconds: float) -> None:
        """Change the length of the wait that it is."""
        view = self.view
        if view is not None:
            self._plan.edit(StepEdit(StepAction.CHANGE_DELAY, view.task_id, delay_s=seconds))

    def move_by(self, rows: int) -> None:
        """Put it one row higher, with -1, or lower, with 1."""
        steps, here = self._plan.steps, self.view
        if here is None:
            return
        place = next((row for row, one in enumerate(steps) if one.task_id == here.task_id), -1) + rows
        if 0 <= place < len(steps):
            edit = StepEdit(StepAction.MOVE, here.task_id, other=steps[place].task_id, is_before=rows < 0)
            self._plan.edit(edit)

    def edit_text(self) -> None:
        """Edit its text where its card is edited."""
        view = self.view
        if view is not None:
            self.open(view.task_id)

    def open(self, task_id: TaskId) -> None:
        """Open the card of any step; nothing happens for a step without one, or of an earlier plan."""
        view = self._plan.step(task_id)
        if view is not None and view.approval is not None and self._plan.earlier is None:
            self._context.requests.send(EditDraft(view.approval.approval_id))

    def stored_plan(self) -> GraphId | None:
        """Return the plan in sight; None while it is being made."""
        plan = self._plan.earlier or self._plan.current
        return None if plan is None or plan.graph_id == IN_THE_MAKING else plan.graph_id

    def show_trace(self) -> None:
        """Show how the plan in sight came about; nothing happens while it is being made."""
        plan = self.stored_plan()
        if plan is not None:
            self._context.requests.send(ShowTrace(plan))


class StepMenu(QObject):
    """Adds messages, stickers, files and waits beside the chosen step, and changes a wait.

    Attributes:
        picker: The open or last picker of stickers.
        chooser: The open or last dialog for a file.
    """

    def __init__(self, pane: Pane, context: PaneContext, plan: PlanModel, chosen: ChosenStep) -> None:
        """Create the menu.

        Args:
            pane: The parent of the dialogs, which has the focus again after them.
            context: The window's models and requests.
            plan: The shown plan.
            chosen: The chosen step.
        """
        super().__init__(pane)
        self._pane, self._context, self._plan, self._chosen = pane, context, plan, chosen
        self.picker: Picker | None = None
        self.chooser: QFileDialog | None = None

    def menu(self) -> QMenu:
        """Return the menu of all that can be done with the chosen step; what is refused says why."""
        menu, chosen = QMenu(), self._chosen
        view = chosen.view
        menu.setToolTipsVisible(True)
        entry = menu.addAction(self.tr("Edit text…"), chosen.edit_text)
        entry.setEnabled(is_editable(view))
        entry.setToolTip("" if entry.isEnabled() else self.tr("Only a message that asks you can be edited."))
        before, after = {"is_before": True}, {"is_before": False}
        for action, words, do in (
            (StepAction.INSERT, self.tr("Insert message before…"), partial(self._ask_message, **before)),
            (StepAction.INSERT, self.tr("Insert message after…"), partial(self._ask_message, **after)),
            (StepAction.INSERT, self.tr("Insert sticker before…"), partial(self._ask_sticker, **before)),
            (StepAction.INSERT, self.tr("Insert sticker after…"), partial(self._ask_sticker, **after)),
            (StepAction.INSERT, self.tr("Insert photo or file before…"), partial(self._ask_file, **before)),
            (StepAction.INSERT, self.tr("Insert photo or file after…"), partial(self._ask_file, **after)),
            (StepAction.INSERT, self.tr("Insert wait after…"), partial(self._ask_wait, is_new=True)),
            (StepAction.DUPLICATE, self.tr("Duplicate"), partial(chosen.do, StepAction.DUPLICATE)),
            (StepAction.CHANGE_DELAY, self.tr("Change wait…"), partial(self._ask_wait, is_new=False)),
            (StepAction.MOVE, self.tr("Move up"), partial(chosen.move_by, -1)),
            (StepAction.MOVE, self.tr("Move down"), partial(chosen.move_by, 1)),
            (StepAction.SPLIT_OFF, self.tr("Split off"), partial(chosen.do, StepAction.SPLIT_OFF)),
        ):
            entry = menu.addAction(words, do)
            why = view.refusals.get(action, "") if view is not None else self.tr("Choose a step first.")
            entry.setEnabled(not why)
            entry.setToolTip(why)
        menu.addAction(trace_action(), chosen.show_trace).setEnabled(chosen.stored_plan() is not None)
        return menu

    def _insert_wait(self, seconds: float) -> None:
        self._chosen.insert(PlannedWait(seconds))

    def insert_sticker(self, sticker: StickerRef, *, is_before: bool) -> None:
        """Add a sticker before or after the chosen step."""
        self._chosen.insert(PlannedStep(TaskKind.STICKER, sticker.name, sticker=sticker), is_before=is_before)

    # --- dialogs --------------------------------------------------------------------------------------------------

    def _ask_message(self, *, is_before: bool) -> None:
        dialog = AskMessage(self._context.theme, self._pane)
        dialog.given.connect(lambda text: self._chosen.insert(PlannedStep(TaskKind.SEND, text), is_before=is_before))
        self._ask(dialog)

    def _ask_wait(self, *, is_new: bool) -> None:
        view = self._chosen.view
        seconds = NEW_WAIT_S if is_new or view is None else view.step.wait_s or 0.0
        dialog = AskWait(self._context.theme, self._pane, seconds=seconds, is_new=is_new)
        dialog.given.connect(self._insert_wait if is_new else self._chosen.change_delay)
        self._ask(dialog)

    def _ask(self, dialog: AskMessage | AskWait) -> None:
        dialog.finished.connect(lambda _result: self._pane.focus_widget().setFocus())
        dialog.open()

    def _ask_sticker(self, *, is_before: bool) -> None:
        chat_id = self._plan.chat_id
        chat = self._context.models.chats.chat(chat_id) if chat_id is not None else None
        if chat is None:
            return
        if self.picker is not None:
            self.picker.deleteLater()
        picker = self.picker = Picker(self._context, self._pane)
        picker.sticker_picked.connect(partial(self.insert_sticker, is_before=is_before))
        corner = self._pane.mapToGlobal(QPoint(self._pane.width() - picker.width() - 12, self._pane.height() - 12))
        picker.open_at(chat, corner, only_stickers=True)

    def _ask_file(self, *, is_before: bool) -> None:
        chooser = self.chooser = QFileDialog(self._pane, self.tr("Insert photo or file"))
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.setFileMode(QFileDialog.FileMode.ExistingFile)
        chooser.fileSelected.connect(partial(self._chosen.insert_file, is_before=is_before))
        chooser.open()


def is_editable(view: StepView | None) -> bool:
    """Return whether the text of a step can be edited."""
    if view is None or view.step.kind is not TaskKind.SEND or view.refusals.get(StepAction.SKIP):
        return False
    return view.step.status is TaskStatus.AWAITING_DECISION
