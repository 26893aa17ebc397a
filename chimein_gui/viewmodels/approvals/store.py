"""The only store of planned sends: waiting, next to be sent, decided, and set aside."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from heapq import nsmallest
from operator import lt
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from chimein_gui.domain.approvals import Approval, AskReason, Rule, may_be_returned
from chimein_gui.domain.events import ApprovalRequested, ApprovalResolved, TaskStatusChanged
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.viewmodels.approvals.card_words import card_text, reason_words
from chimein_gui.viewmodels.approvals.recent import OF_SENDS, SHOWN, RecentRows, RecentRowsApi
from chimein_gui.viewmodels.approvals.send_status import SendStatus, is_counting_down
from chimein_gui.viewmodels.core.live_query import FetchAgain, LiveQuery
from chimein_gui.viewmodels.core.sanitize import sanitize, spoken
from chimein_gui.viewmodels.core.windowed_list import WindowedListModel
from chimein_gui.viewmodels.words.notes import note_words

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AgentId, ApprovalId, ChatId
    from chimein_gui.domain.loaded import Loaded
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.holds import HoldModel

LINGER_S = 5
"""Seconds that a sent or rejected message stays in the list, so that the operator sees what happened to it."""

LINGER_ROWS = 20
"""Most messages that stay so; beyond that the oldest one goes at once."""

PREPARED_AT_ONCE = 2_000
"""Rows that are prepared in one turn of the loop: 5 ms of work."""

Order = tuple[datetime, int]
LoadApprovals = Callable[[], Coroutine[Any, Any, "Loaded[Approval]"]]

OPERATOR = "operator"
"""Value of `decided_by` where the operator decided, not a rule."""

_LISTED = frozenset(
    {
        TaskStatus.AWAITING_DECISION,
        TaskStatus.APPROVED,
        TaskStatus.SENDING,
        TaskStatus.UNKNOWN,
        TaskStatus.FAILED,
    }
)
_LEAVING = frozenset({TaskStatus.APPROVED, TaskStatus.SENDING})
_ALL_WELL = frozenset({TaskStatus.APPROVED, TaskStatus.SENDING, TaskStatus.DONE})


def waits_for_operator(approval: Approval) -> bool:
    """Tell whether it waits for a decision, postponed or not."""
    return approval.task_status is TaskStatus.AWAITING_DECISION


def needs_operator(approval: Approval) -> bool:
    """Tell whether the operator decides: it waits for a decision, or is sent unless it is stopped now."""
    return waits_for_operator(approval) or is_counting_down(approval)


def is_decision_postponed(approval: Approval, now: datetime) -> bool:
    """Tell whether it waits for a decision that the operator has postponed beyond `now`."""
    return waits_for_operator(approval) and approval.is_postponed(now)


def order_of(approval: Approval) -> Order:
    """Return the sort key of planned sends: oldest first."""
    return (approval.created_at, approval.approval_id)


def is_routine(approval: Approval) -> bool:
    """Tell whether a rule has decided and nothing went wrong: it is not in the operator's list.

    A running countdown is in the list: it is the last moment to stop the send.
    """
    if approval.decided_by == Rule.COUNTDOWN_TRUST:
        return False
    return bool(approval.decided_by) and approval.decided_by != OPERATOR and approval.task_status in _ALL_WELL


class LeavingRows:
    """The sends that are approved or being sent, those decided by a rule included."""

    def __init__(self) -> None:
        self._by_agent: dict[AgentId, dict[ApprovalId, Approval]] = {}

    def note(self, item: Approval) -> None:
        """Apply a snapshot."""
        mine = self._by_agent.setdefault(item.agent_id, {})
        if item.task_status in _LEAVING:
            mine[item.approval_id] = item
        else:
            mine.pop(item.approval_id, None)

    @property
    def any_left(self) -> bool:
        """Whether there are any."""
        return any(self._by_agent.values())

    def of_agent(self, agent_id: AgentId) -> tuple[Approval, ...]:
        """Return the approved and running sends of an agent."""
        return tuple(self._by_agent.get(agent_id, {}).values())

    def approved_by(self, who: str) -> tuple[Approval, ...]:
        """Return the sends that one has approved and that were not begun."""
        rows = (one for mine in self._by_agent.values() for one in mine.values())
        return tuple(one for one in rows if one.task_status is TaskStatus.APPROVED and one.decided_by == who)

    def held_by(self, holds: HoldModel) -> int:
        """Return how many approved sends a hold keeps from being sent."""
        if not holds.holds:
            return 0
        all_of_them = (one for mine in self._by_agent.values() for one in mine.values())
        approved = (one for one in all_of_them if one.task_status is TaskStatus.APPROVED)
        return sum(holds.over(one.account_id, one.chat_id) is not None for one in approved)

    def next(self) -> tuple[Approval, ...]:
        """Return the first `SHOWN` sends that are sent next without a further decision, earliest first."""
        timed = (
            (one.due_at, key, one)
            for mine in self._by_agent.values()
            for key, one in mine.items()
            if one.task_status is TaskStatus.APPROVED and one.due_at is not None
        )
        return tuple(one for _at, _key, one in nsmallest(SHOWN, timed))


def name_of(approval: Approval) -> str:
    """Return a name that stays true while a countdown runs: agent, chat and text."""
    return ", ".join(filter(None, (_from_and_to(approval), sanitize(card_text(approval), keep_breaks=True))))


def _from_and_to(approval: Approval) -> str:
    names = {"agent": spoken(approval.agent_name), "who": spoken(approval.chat_title)}
    return QCoreApplication.translate("ApprovalStore", "{agent} to {who}").format(**names)


class PostponedRows:
    """The postponed sends; each is brought back when its time has come."""

    def __init__(self, clock: ClockFace, bring: Callable[[Approval], None], settle: Callable[[], None]) -> None:
        """Start with none.

        Args:
            clock: Gives the time and its ticks.
            bring: Called with each send whose time has come.
            settle: Called after the last of them.
        """
        self._clock, self._bring, self._settle = clock, bring, settle
        self.items: dict[ApprovalId, Approval] = {}
        clock.ticked.connect(self._look)

    def holds(self, approval_id: ApprovalId) -> bool:
        """Tell whether this send is postponed."""
        return approval_id in self.items

    def note(self, approval_id: ApprovalId, item: Approval | None) -> None:
        """Apply a snapshot; None where the send is gone."""
        if item is not None and is_decision_postponed(item, self._clock.now()):
            self.items[approval_id] = item
        else:
            self.items.pop(approval_id, None)

    def _look(self) -> None:
        now = self._clock.now()
        due = [item for item in self.items.values() if not is_decision_postponed(item, now)]
        for item in due:
            self._bring(item)
        if due:
            self._settle()


class ReadApprovals:
    """Planned sends that were read, sorted before any of them is shown.

    Attributes:
        items: The rows of the list, oldest first after `sort`.
        orders: The sort key of each row.
        by_key: Rows by approval id.
        of_chat: Rows by chat and approval id.
        waiting: Sort keys of the rows that need the operator.
        leaving: The sends that are approved or being sent.
        postponed: The postponed rows.
    """

    def __init__(self, now: datetime) -> None:
        self._now = now
        self.postponed: dict[ApprovalId, Approval] = {}
        self.items: list[Approval] = []
        self.orders: list[Order] = []
        self.by_key: dict[Hashable, Approval] = {}
        self.of_chat: dict[ChatId, dict[ApprovalId, Approval]] = {}
        self.waiting: list[Order] = []
        self.leaving = LeavingRows()

    def add(self, rows: Iterable[Approval]) -> None:
        """Add more rows that were read."""
        for row in rows:
            if row.task_status in _LEAVING:
                self.leaving.note(row)
            if row.task_status not in _LISTED or is_routine(row):
                continue
            key, order = row.approval_id, order_of(row)
            self.items.append(row)
            self.orders.append(order)
            self.by_key[key] = row
            self.of_chat.setdefault(row.chat_id, {})[key] = row
            if row.postponed_until is not None and is_decision_postponed(row, self._now):
                self.postponed[key] = row
            elif needs_operator(row):
                self.waiting.append(order)

    def sort(self) -> None:
        """Sort the rows, unless they were read in order."""
        if not all(map(lt, self.orders, self.orders[1:])):
            self.items.sort(key=order_of)
            self.orders.sort()
            self.waiting.sort()


class ApprovalStore(WindowedListModel[Approval]):
    """One row per planned send, oldest first; a row never moves.

    It owns every snapshot of a planned send. The list holds the sends that concern the operator; one that a rule has
    approved is listed only when something goes wrong with it, and is found in `leaving`.

    Attributes:
        waiting_changed: The number or the oldest age of the waiting sends may have changed; once a batch.
        chats_changed: The planned sends of these chats changed; a frozenset of chat ids, once a batch.
        failed: The sends could not be read; the reason in words.
        recovered: They were read on a later try.
        put: A planned send was added or changed; its snapshot.
        prepared: The rows of the first read are sorted (`ReadApprovals`), and are shown in a later turn.
        filled: The empty list was filled in one insertion, without `put` for each row.
        gone: A row has left the list; its approval id.
        upcoming_changed: The next sends, or the last decisions, changed.
        leaving: The sends that are approved or being sent.
        recent: The last decisions, and the drafts that were set aside.
        send_status: The status of each send.
        postponed: The postponed sends; they do not count as waiting.
        lingering: When the closed sends were closed that are still listed.
    """

    waiting_changed = Signal()
    chats_changed = Signal(object)
    failed = Signal(str)
    recovered = Signal()
    put = Signal(object)
    prepared = Signal(object)
    filled = Signal()
    gone = Signal(object)
    upcoming_changed = Signal()

    def __init__(
        self, bridge: EngineBridge, clock: ClockFace, parent: QObject | None = None, holds: HoldModel | None = None
    ) -> None:
        super().__init__(parent)
        self._clock = clock
        self.send_status = SendStatus(bridge, clock, holds, self)
        self._of_chat: dict[ChatId, dict[ApprovalId, Approval]] = {}
        self._waiting: list[Order] = []
        self.postponed = PostponedRows(clock, self.upsert, self._settle)
        self._read = ReadApprovals(clock.now())
        self._touched: set[ChatId] = set()
        self.lingering: dict[ApprovalId, datetime] = {}
        self.leaving = LeavingRows()
        self._last_upcoming: tuple[tuple[Approval, ...], tuple[Approval, ...]] = ((), ())
        self.live = LiveQuery(bridge, self._apply, self, self._settle, OF_SENDS)
        self.live.failed.connect(self.failed)
        # Subscribed after the open rows: a batch that changes both is reported once.
        self.recent = RecentRows(bridge, self)
        self.recent.settled.connect(self._tell_upcoming)
        self._again = FetchAgain(self.live, self)
        self._again.recovered.connect(self.recovered)
        self._sweeper = QTimer(self)
        self._sweeper.setSingleShot(True)
        self._sweeper.timeout.connect(self._sweep)

    @property
    def loaded(self) -> bool:
        """Whether the sends have been fetched."""
        return self.live.loaded

    def attach(self, api: RecentRowsApi, load: LoadApprovals, spawn: Spawn) -> None:
        """Fetch the sends that are not final, and the last decisions; the bridge must be attached before."""

        def fetch() -> None:
            self.live.fetch(spawn, load, self._install, name="load approvals", prepare=self._prepare)

        self._again.begin(fetch)
        self.recent.attach(api, spawn)

    def detach(self) -> None:
        """Stop timers and retries."""
        self._again.stop()
        self._sweeper.stop()
        self.send_status.stop()

    def key_of(self, item: Approval) -> ApprovalId:
        return item.approval_id

    def order_of(self, item: Approval) -> Order:
        return order_of(item)

    def sentence_of(self, item: Approval) -> str:
        reasons = ", ".join(
            reason_words(reason, item, spoken) for reason in item.shown_reasons if reason is not AskReason.REVIEW
        )
        return ", ".join(
            part
            for part in (
                _from_and_to(item),
                self.status_words_of(item),
                reasons,
                sanitize(card_text(item), keep_breaks=True),
                spoken(note_words(item.note)),
            )
            if part
        )

    def status_words_of(self, item: Approval) -> str:
        """Return the status of a send in words."""
        return self.send_status.words(item)

    @property
    def waiting_count(self) -> int:
        """Number of sends that need a decision, shown or not."""
        return len(self._waiting)

    @property
    def waiting_since(self) -> datetime | None:
        """Creation time of the oldest send that needs a decision; None if there is none."""
        return self._waiting[0][0] if self._waiting else None

    def of_chat(self, chat_id: ChatId) -> tuple[Approval, ...]:
        """Return a chat's planned sends that are not closed, oldest first."""
        mine = self._of_chat.get(chat_id, {}).values()
        return tuple(sorted((item for item in mine if item.task_status in _LISTED), key=self.order_of))

    def take(self, approval: Approval) -> None:
        """Apply a snapshot from the outcome of a decision, if it is newer than the known one.

        An outcome may come after the events of what happened next. A send that ends keeps its version, so one that is
        gone, or has the same version, is left as the events have told.
        """
        known = self.find(approval.approval_id)
        if known is not None and approval.version > known.version:
            self._put(approval)
        self.tell(approval)

    def tell(self, approval: Approval) -> None:
        """Emit `chats_changed` for this send's chat, so that its views refresh."""
        self._touched.add(approval.chat_id)
        self._settle()

    def dismiss(self, approval_id: ApprovalId) -> None:
        """Remove a row that failed or was set aside."""
        self.remove(approval_id)
        self._settle()
        self.recent.dismiss(approval_id)

    def upsert(self, item: Approval) -> None:
        known = self.find(item.approval_id)
        if known is not None and self.order_of(known) != self.order_of(item):
            self.remove(item.approval_id)
        self._note(item, self.find(item.approval_id), item)
        self._of_chat.setdefault(item.chat_id, {})[item.approval_id] = item
        super().upsert(item)
        self.send_status.follow(item)
        self.put.emit(item)

    def remove(self, key: Hashable) -> None:
        item = self.find(key)
        if item is not None:
            self._note(item, item, None)
            mine = self._of_chat[item.chat_id]
            del mine[item.approval_id]
            if not mine:
                del self._of_chat[item.chat_id]
        super().remove(key)
        if item is not None:
            self.send_status.forget(item.approval_id)
            self.gone.emit(key)

    def _note(self, item: Approval, before: Approval | None, after: Approval | None) -> None:
        self._touched.add(item.chat_id)
        waited = before is not None and needs_operator(before) and not self.postponed.holds(item.approval_id)
        self.postponed.note(item.approval_id, after)
        waits = after is not None and needs_operator(after) and not self.postponed.holds(item.approval_id)
        if waits and not waited:
            insort(self._waiting, self.order_of(item))
        elif waited and not waits:
            del self._waiting[bisect_left(self._waiting, self.order_of(item))]

    def _settle(self) -> None:
        """Emit the changes of a whole batch once."""
        if self._touched:
            touched, self._touched = frozenset(self._touched), set()
            self.chats_changed.emit(touched)
            self.waiting_changed.emit()
        if not self.recent.loaded:  # otherwise `recent.settled` does it after this
            self._tell_upcoming()

    def _prepare(self, rows: tuple[Approval, ...]) -> Iterator[None]:
        """Sort rows in slices; nothing is shown or counted until all are there, so that every count is complete."""
        self._read = read = ReadApprovals(self._clock.now())
        for start in range(0, len(rows), PREPARED_AT_ONCE):
            if start:
                yield
            read.add(rows[start : start + PREPARED_AT_ONCE])
        are_many = len(rows) > PREPARED_AT_ONCE
        if are_many:
            yield
        read.sort()
        if not self._items:
            self.prepared.emit(read)
        if are_many:
            yield  # the rows are shown in the turn in which this iterator ends

    def _install(self, _rows: tuple[Approval, ...]) -> None:
        read, self._read = self._read, ReadApprovals(self._clock.now())
        self.leaving = read.leaving
        if self._items:  # row by row, so that the current row stays
            self.fill(read.items)
        else:
            self._of_chat, self._waiting, self.postponed.items = read.of_chat, read.waiting, read.postponed
            self._show_all(read.items, read.orders, read.by_key)
            self._touched.update(read.of_chat)
            self.send_status.follow_all(read.items)
            self.filled.emit()
        self.waiting_changed.emit()
        self._again.tell_done()
        self._tell_upcoming()

    def _apply(self, event: EngineEvent) -> None:
        if isinstance(event, ApprovalRequested | ApprovalResolved | TaskStatusChanged):
            self.leaving.note(event.approval)
            self._put(event.approval)

    def _tell_upcoming(self) -> None:
        upcoming = (self.leaving.next(), self.recent.decided())
        if upcoming != self._last_upcoming:
            self._last_upcoming = upcoming
            self.upcoming_changed.emit()

    def _put(self, approval: Approval) -> None:
        key, status = approval.approval_id, approval.task_status
        lingers = (status is TaskStatus.DONE or may_be_returned(approval)) and self.find(key) is not None
        if is_routine(approval) or not (status in _LISTED or lingers):
            self.remove(key)
            return
        self.upsert(approval)
        if lingers:
            self._linger(key)

    def _linger(self, key: ApprovalId) -> None:
        self.lingering.setdefault(key, self._clock.now())
        while len(self.lingering) > LINGER_ROWS:
            oldest = next(iter(self.lingering))
            del self.lingering[oldest]
            self.remove(oldest)
        if not self._sweeper.isActive():
            self._sweeper.start(1000)

    def _sweep(self) -> None:
        now, undo_s = self._clock.now(), self.send_status.undo_s
        for key, at in list(self.lingering.items()):
            item = self.find(key)
            is_rejected = item is not None and item.task_status is TaskStatus.SKIPPED
            if now - at >= timedelta(seconds=max(LINGER_S, undo_s) if is_rejected else LINGER_S):
                del self.lingering[key]
                self.remove(key)
        self._settle()
        if self.lingering:
            self._sweeper.start(1000)


def newest_undoable(approvals: ApprovalStore) -> Approval | None:
    """Return the operator's newest decision of those that can be undone: approvals not sent yet, and rejections."""
    closed = (approvals.find(key) for key in approvals.lingering)
    rejected = (one for one in closed if one is not None and may_be_returned(one))
    mine = (*approvals.leaving.approved_by(OPERATOR), *rejected)
    return max(mine, key=lambda one: one.decided_at or one.created_at, default=None)
