"""Steps as they are for the transaction that looks at them: read once, and then known as they are written.

A transaction goes to the same few steps of a chat again and again, and between two looks writes only what it holds in
its hand. Only `SqliteTaskRows` writes steps, so it knows each of them without asking back.
"""

from chimein_gui.domain.ids import ChatId, GraphId, TaskId
from chimein_gui.domain.tasks import FINAL
from chimein_gui.engine.ports import TaskRow

MOST_STEPS = 4096
"""More are not kept at a time."""


class KeptSteps:
    """The steps that were read or written so far."""

    __slots__ = ("_of_graphs", "_open", "_steps")

    def __init__(self) -> None:
        """Begin with nothing."""
        self._steps: dict[TaskId, TaskRow] = {}
        self._open: dict[ChatId, tuple[TaskRow, ...]] = {}
        self._of_graphs: dict[GraphId, tuple[TaskRow, ...]] = {}

    def clear(self) -> None:
        """Forget everything: what was written was taken back, or somebody else wrote."""
        self._steps.clear()
        self._open.clear()
        self._of_graphs.clear()

    def get(self, task_id: TaskId) -> TaskRow | None:
        """Return a step as it is now, if it is known."""
        return self._steps.get(task_id)

    def keep(self, step: TaskRow) -> TaskRow:
        """Take note of a step as it is now."""
        if len(self._steps) >= MOST_STEPS:
            self.clear()
        before = self._steps.get(step.task_id)
        self._steps[step.task_id] = step
        steps = self._open.get(step.chat_id)
        if steps is not None:
            others = tuple(one for one in steps if one.task_id != step.task_id)
            self._open[step.chat_id] = others if step.status in FINAL else _in_order(others, step)
        if before is not None and before.graph_id is not None and before.graph_id != step.graph_id:
            self._leave(before.graph_id, step.task_id)
        if step.graph_id is not None and step.graph_id in self._of_graphs:
            self._leave(step.graph_id, step.task_id)
            self._of_graphs[step.graph_id] = _in_order(self._of_graphs[step.graph_id], step)
        return step

    def keep_open(self, chat_id: ChatId, steps: tuple[TaskRow, ...]) -> None:
        """Take note of all steps of a chat that are not final, in plan order."""
        self._keep_all(steps)
        self._open[chat_id] = steps

    def open_of(self, chat_id: ChatId) -> tuple[TaskRow, ...] | None:
        """Return the steps of a chat that are not final, in plan order; None if they are not all known."""
        return self._open.get(chat_id)

    def keep_graph(self, graph_id: GraphId, steps: tuple[TaskRow, ...] = ()) -> None:
        """Take note of all steps of a plan, in order; a new one has none yet."""
        self._keep_all(steps)
        self._of_graphs[graph_id] = steps

    def of_graph(self, graph_id: GraphId) -> tuple[TaskRow, ...] | None:
        """Return the steps of a plan in order, final ones included; None if they are not all known."""
        return self._of_graphs.get(graph_id)

    def _keep_all(self, steps: tuple[TaskRow, ...]) -> None:
        if len(self._steps) >= MOST_STEPS or len(self._of_graphs) >= MOST_STEPS:
            self.clear()
        for step in steps:
            self._steps[step.task_id] = step

    def _leave(self, graph_id: GraphId, task_id: TaskId) -> None:
        steps = self._of_graphs.get(graph_id)
        if steps is not None:
            self._of_graphs[graph_id] = tuple(one for one in steps if one.task_id != task_id)


def _in_order(steps: tuple[TaskRow, ...], step: TaskRow) -> tuple[TaskRow, ...]:
    """Return steps with one more, in plan order."""
    if not steps:
        return (step,)
    return tuple(sorted((*steps, step), key=_plan_order))


def _plan_order(step: TaskRow) -> tuple[bool, GraphId | int, int, TaskId]:
    """A `received` task has no plan yet: what it will bring comes after everything that is there."""
    return step.graph_id is None, step.graph_id or 0, step.position, step.task_id
