"""The earlier plans of a chat: read page by page, newest first, and kept in step with the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt, Signal

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.domain.events import ApprovalResolved, ChatChanged, TaskGraphReplaced, TaskStatusChanged
from chimein_gui.domain.plans.details import PlanDetails, PlanEnd
from chimein_gui.viewmodels.core.roles import Index, ItemRole, KeyRole
from chimein_gui.viewmodels.plans.plan_words import DraftChange, draft_changes, plan_sentence
from chimein_gui.viewmodels.words.errors import error_words, is_answer

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from typing import Any

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ChatId, GraphId, TaskId
    from chimein_gui.domain.plans.details import PlanPage
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.engine_api.plans import PlansApi

_KINDS = frozenset({TaskGraphReplaced, ChatChanged, ApprovalResolved, TaskStatusChanged})


class PlanHistoryModel(QAbstractListModel):
    """One row an earlier plan. `ItemRole` is its `PlanDetails`, `KeyRole` its id, and DisplayRole a sentence.

    Attributes:
        changed: Rows, `has_more` or `reading` changed.
        compared: The differences of a replaced plan are there; carries its id.
        failed: A read or a request failed; the reason in words.
        chat_id: The chat, or None.
        has_more: Older plans can be read with `read_on`.
        reading: A read is in progress.
    """

    changed = Signal()
    compared = Signal(object)
    failed = Signal(str)

    def __init__(self, feed: Feed, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._feed = feed
        self._api: PlansApi | None = None
        self._spawn: Spawn | None = None
        self._rows: list[PlanDetails] = []
        self._changes: dict[GraphId, Mapping[TaskId, DraftChange]] = {}
        self._generation = 0
        self._chat_state: object = None
        self._stale = False
        self.chat_id: ChatId | None = None
        self.has_more = False
        self.reading = False
        feed.bridge.batch_ready.connect(self._receive)

    def attach(self, api: PlansApi, spawn: Spawn) -> None:
        """Read the plans of the chat that is already open."""
        self._api, self._spawn = api, spawn
        self.open(self.chat_id)

    def detach(self) -> None:
        """Stop reading."""
        self._generation += 1
        self._api = self._spawn = None

    def open(self, chat_id: ChatId | None) -> None:
        """Show the newest earlier plans of another chat; None shows none."""
        self._generation += 1
        self.chat_id, self.reading, self._stale, self._chat_state = chat_id, False, False, None
        self._changes.clear()
        self._put([], has_more=False)
        self._read(None)

    def read_on(self) -> None:
        """Read the next older plans."""
        if self.has_more and self._rows and not self.reading:
            self._read(self._rows[-1].graph_id)

    # --- queries --------------------------------------------------------------------------------------------------

    def plan(self, graph_id: GraphId | None) -> PlanDetails | None:
        """Return an earlier plan that has been read."""
        return next((one for one in self._rows if one.graph_id == graph_id), None)

    def change_of(self, plan: PlanDetails, task_id: TaskId) -> DraftChange | None:
        """Return what took the place of a message of a replaced plan; None if nothing did, or if it is not read yet."""
        return self._changes.get(plan.graph_id, {}).get(task_id)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < len(self._rows):
            return None
        plan = self._rows[index.row()]
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return plan_sentence(plan, self._feed.clock)
        if role == ItemRole:
            return plan
        return plan.graph_id if role == KeyRole else None

    # --- requests -------------------------------------------------------------------------------------------------

    def compare(self, plan: PlanDetails) -> None:
        """Read the plan that took the place of another, and find out what took the place of its messages."""
        api, newer = self._api, plan.successor
        if api is not None and plan.end is PlanEnd.REPLACED and newer is not None:
            self._start(self._compare(self._generation, api, plan, newer), f"compare plan {plan.graph_id}")

    def plan_again(self, plan: PlanDetails) -> None:
        """Make a new plan for the messages that a failed one was to answer."""
        if self._api is not None:
            self._start(self._ask(self._api.plans.retry(plan.chat_id)), f"plan chat {plan.chat_id} again")

    def dismiss(self, plan: PlanDetails) -> None:
        """Leave the messages that a failed plan was to answer without an answer."""
        if self._api is not None:
            self._start(self._ask(self._api.plans.reject(plan.graph_id)), f"dismiss plan {plan.graph_id}")

    def _start(self, job: Coroutine[Any, Any, None], name: str) -> None:
        if self._spawn is not None:
            self._spawn(job, name=name)
        else:
            job.close()

    async def _ask(self, request: Coroutine[Any, Any, None]) -> None:
        try:
            await request
        except Exception as error:
            reason = error_words(error)
            self._feed.bridge.deliver(lambda: self.failed.emit(reason))
            if not is_answer(error):
                raise

    async def _compare(self, generation: int, api: PlansApi, plan: PlanDetails, newer: GraphId) -> None:
        try:
            found = draft_changes(plan, await api.plan_history.plan(newer))
        except ChimeinError as error:
            reason = error_words(error)
            self._deliver(generation, lambda: self.failed.emit(reason))
            return
        self._deliver(generation, lambda: self._take_changes(plan.graph_id, found))

    def _take_changes(self, graph_id: GraphId, found: Mapping[TaskId, DraftChange]) -> None:
        self._changes[graph_id] = found
        self.compared.emit(graph_id)

    # --- reading --------------------------------------------------------------------------------------------------

    def _read(self, before: GraphId | None) -> None:
        api, chat_id = self._api, self.chat_id
        if api is None or chat_id is None:
            return
        if self.reading:
            self._stale = True
            return
        self.reading = True
        self.changed.emit()
        self._start(self._fetch(self._generation, api, chat_id, before), f"load plans of {chat_id}")

    async def _fetch(self, generation: int, api: PlansApi, chat_id: ChatId, before: GraphId | None) -> None:
        try:
            page = await api.plan_history.page(chat_id, before)
        except ChimeinError as error:
            self._fail(generation, error)
            return
        self._deliver(generation, lambda: self._take(page, before))

    def _fail(self, generation: int, error: ChimeinError) -> None:
        reason = error_words(error)

        def tell() -> None:
            self.reading = False
            self.failed.emit(reason)
            self.changed.emit()

        self._deliver(generation, tell)

    def _deliver(self, generation: int, take: Callable[[], None]) -> None:
        def receive() -> None:
            if generation == self._generation:
                take()

        self._feed.bridge.deliver(receive)

    def _take(self, page: PlanPage, before: GraphId | None) -> None:
        self.reading = False
        if before is not None:
            self.beginInsertRows(QModelIndex(), len(self._rows), len(self._rows) + len(page.plans) - 1)
            self._rows += page.plans
            self.has_more = page.has_more
            self.endInsertRows()
        else:
            self._take_newest(page)
        self.changed.emit()
        if self._stale:
            self._stale = False
            self._read(None)

    def _take_newest(self, page: PlanPage) -> None:
        """Put the newest plans above the older ones that have been read; what stays keeps its row."""
        known = {one.graph_id for one in self._rows}
        new = [one for one in page.plans if one.graph_id not in known]
        rest = page.plans[len(new) :]
        if not known or tuple(new) != page.plans[: len(new)] or not rest:
            self._put(list(page.plans), has_more=page.has_more)
            return
        if new:
            self.beginInsertRows(QModelIndex(), 0, len(new) - 1)
            self._rows[:0] = new
            self.endInsertRows()
        for row, one in enumerate(rest, start=len(new)):
            if self._rows[row] != one:
                self._rows[row] = one
                self._changes.pop(one.graph_id, None)
                self.dataChanged.emit(self.index(row), self.index(row))

    def _put(self, rows: list[PlanDetails], *, has_more: bool) -> None:
        self.beginResetModel()
        self._rows, self.has_more = rows, has_more
        self.endResetModel()
        self.changed.emit()

    # --- events ---------------------------------------------------------------------------------------------------

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        if self.chat_id is not None and any([self._concerns(event) for event in events if type(event) in _KINDS]):  # noqa: C419 - each is noted
            self._read(None)

    def _concerns(self, event: EngineEvent) -> bool:
        if isinstance(event, TaskGraphReplaced):
            return event.graph.chat_id == self.chat_id
        if isinstance(event, ChatChanged) and event.chat.chat_id == self.chat_id:
            before, self._chat_state = self._chat_state, (event.chat.planned_up_to, event.chat.planning_problem)
            return before != self._chat_state
        if isinstance(event, ApprovalResolved | TaskStatusChanged):
            return self.plan(event.approval.graph_id) is not None
        return False
