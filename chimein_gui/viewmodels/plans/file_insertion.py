"""Photos and files that the operator adds to a plan: a thread examines each before it is inserted."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.plans.planned_steps import PlannedStep
from chimein_gui.domain.plans.step_edits import StepAction, StepEdit
from chimein_gui.domain.tasks import TaskKind
from chimein_gui.viewmodels.composer.attachments import FileLooker

if TYPE_CHECKING:
    from pathlib import Path

    from chimein_gui.domain.ids import ChatId, TaskId
    from chimein_gui.viewmodels.composer.attachments import Attachment


class FileInsertion(QObject):
    """Examines files in their order.

    Attributes:
        ready: A file can be inserted; carries the edit.
        failed: A file can't be sent; the reason in words.
    """

    ready = Signal(object)
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._places: deque[tuple[TaskId, bool]] = deque()
        self._looker = FileLooker(self)
        self._looker.found.connect(self._insert)

    def insert(self, chat_id: ChatId, task_id: TaskId, path: Path, *, is_before: bool) -> None:
        """Examine a file that is to be put before or behind a step."""
        self._places.append((task_id, is_before))
        self._looker.look(chat_id, (path,))

    def close(self) -> None:
        """End the thread; files that are not examined yet are forgotten."""
        self._looker.close()
        self._places.clear()

    def _insert(self, _chat_id: ChatId, found: tuple[Attachment, ...], problems: tuple[str, ...]) -> None:
        if not self._places:
            return
        task_id, is_before = self._places.popleft()
        if problems:
            self.failed.emit("; ".join(problems))
        for one in found:
            new = PlannedStep(TaskKind.FILE)
            self.ready.emit(StepEdit(StepAction.INSERT, task_id, new=new, file=one.file, is_before=is_before))
