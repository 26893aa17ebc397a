"""Steps as they are for the transaction that looks at them: read once, and then known as they are written.

A transaction goes to the same few steps of a chat again and again, and between two looks writes only what it holds in
its hand. Only `SqliteTaskRows` writes steps, so it knows each of them without asking back. A write that it has not
announced forgets all of them.
"""

from chimein_gui.domain.ids import ChatId, GraphId, TaskId
from chimein_gui.domain.tasks import FINAL
from chimein_gui.engine.ports import TaskRow

MOST_STEPS = 4096
"""More are not kept at a time."""


class KeptSteps:
    """The steps that were read or written so far."""

    __slots__ = ("_announced", "_complete", "_steps")

    def __init__(self) -> None:
        """Begin with nothing."""
        self._steps: dict[TaskId, TaskRow] = {}
        self._complete: dict[ChatId, list[TaskId]] = {}
        self._announced = False

    def clear(self) -> None:
        """Forget everything: what was written was taken back, or somebody else wrote."""
        self._steps.clear()
        self._complete.clear()
        self._announced = False

    def announce(self) -> None:
        """The statement that comes next writes one step, and `keep` is told of it."""
        self._announced = True

    def overtaken(self, table: str) -> None:
        """Somebody writes to a table; steps that nobody has announced are not known any more."""
        if table == "tasks":
            if not self._announced:
                self.clear()
            self._announced = False

    def get(self, task_id: TaskId) -> TaskRow | None:
        """Return a step as it is now, if it is known."""
        return self._steps.get(task_id)

    def keep(self, step: TaskRow) -> TaskRow:
        """Take note of a step as it is now."""
        if len(self._steps) >= MOST_STEPS:
            self.clear()
        self._steps[step.task_id] = step
        of_chat = self._complete.get(step.chat_id)
        if of_chat is not None and (step.status in FINAL) is (step.task_id in of_chat):
            if step.status in FINAL:
                of_chat.remove(step.task_id)
            else:
                of_chat.append(step.task_id)
        return step

    def keep_open(self, chat_id: ChatId, steps: tuple[TaskRow, ...]) -> None:
        """Take note of all steps of a chat that are not final."""
        if len(self._steps) >= MOST_STEPS:
            self.clear()
        for step in steps:
            self._steps[step.task_id] = step
        self._complete[chat_id] = [step.task_id for step in steps]

    def open_of(self, chat_id: ChatId) -> tuple[TaskRow, ...] | None:
        """Return the steps of a chat that are not final, in plan order; None if they are not all known."""
        of_chat = self._complete.get(chat_id)
        if of_chat is None:
            return None
        return tuple(sorted((self._steps[task_id] for task_id in of_chat), key=_plan_order))


def _plan_order(step: TaskRow) -> tuple[bool, GraphId | int, int, TaskId]:
    """A `received` task has no plan yet: what it will bring comes after everything that is there."""
    return step.graph_id is None, step.graph_id or 0, step.position, step.task_id
