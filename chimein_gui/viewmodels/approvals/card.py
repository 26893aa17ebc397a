"""The open card: details of the selected planned send, read again whenever its chat changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from chimein_gui.domain import events as ev
from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.viewmodels.approvals.card_changes import Change, MessageHistory
from chimein_gui.viewmodels.approvals.store import waits_for_operator
from chimein_gui.viewmodels.core.commands import CommandRunner
from chimein_gui.viewmodels.words.errors import error_words, is_answer

if TYPE_CHECKING:
    from chimein_gui.domain.cards import CardDetails
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ApprovalId, ChatId, MessageId
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.approvals.decisions import ApprovalActions
    from chimein_gui.viewmodels.approvals.store import ApprovalStore
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.engine_api.cards import CardsService
    from chimein_gui.viewmodels.engine_api.composer import SentService

SETTLE_MS = 40
"""Milliseconds before a card is read: changes of its chat are collected, and cards that are only passed are skipped."""


class CardApi(Protocol):
    """What this model asks of the engine."""

    @property
    def cards(self) -> CardsService:
        """Details of planned sends."""
        ...

    @property
    def sent(self) -> SentService:
        """Edits and deletes sent messages."""
        ...


class CardModel(CommandRunner[CardApi]):
    """Follows one card.

    Attributes:
        changed: `details`, `problem` or the card itself changed.
        details: What is shown beside the card; None while it is not read.
        problem: Why it could not be read, in words; else empty.
    """

    changed = Signal()

    def __init__(
        self,
        bridge: EngineBridge,
        approvals: ApprovalStore,
        actions: ApprovalActions,
        clock: ClockFace,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(bridge, parent)
        self._clock = clock
        self._approvals, self._actions = approvals, actions
        self._texts = MessageHistory()
        self._open: ApprovalId | None = None
        self._chat_id: ChatId | None = None
        self._asked = 0
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(SETTLE_MS)
        self._again.timeout.connect(self._load)
        self.details: CardDetails | None = None
        self.problem = ""
        bridge.batch_ready.connect(self._receive)
        approvals.chats_changed.connect(self._follow)

    def attach(self, api: CardApi, spawn: Spawn) -> None:
        """Keep the engine to query, and read the card that is already open."""
        super().attach(api, spawn)
        self._load()

    def detach(self) -> None:
        """Stop reading."""
        self._again.stop()
        self._api = self._spawn = None

    @property
    def approval(self) -> Approval | None:
        """The current snapshot of the open card; None if none is open or it has left the list."""
        return self._approvals.find(self._open) if self._open is not None else None

    @property
    def is_fresh(self) -> bool:
        """Whether `details` belong to the version that the card shows."""
        card, details = self.approval, self.details
        return card is not None and details is not None and details.approval.version == card.version

    def open(self, approval: Approval | None) -> bool:
        """Follow another card, or none. Returns False if it was open already."""
        wanted = approval.approval_id if approval is not None else None
        if wanted == self._open:
            return False
        self._open, self._chat_id = wanted, approval.chat_id if approval is not None else None
        self.details, self.problem = None, ""
        self._asked += 1
        self.changed.emit()
        if wanted is None:
            self._again.stop()
        else:
            self._again.start()
        return True

    def changes(self) -> tuple[Change, ...]:
        """Return the changes in the conversation since the plan was made; empty while `details` are not read."""
        return self._texts.changes(self.details) if self.details is not None else ()

    def changes_in(self, details: CardDetails) -> tuple[Change, ...]:
        """Return these changes for a card that need not be the open one."""
        self._texts.note(details.messages, self._clock.now())
        return self._texts.changes(details)

    def rest_of_plan(self, approval: Approval) -> tuple[Approval, ...]:
        """Return the cards of this card's plan that wait for a decision, in plan order."""
        mine = self._approvals.of_chat(approval.chat_id)
        waiting = (one for one in mine if one.graph_id == approval.graph_id and waits_for_operator(one))
        return tuple(sorted(waiting, key=lambda one: one.task_id))

    def delete_sent(self, approval: Approval) -> None:
        """Delete a sent message for everyone, with all its parts; the partner may have seen it."""
        if self._api is not None and approval.message_id is not None:
            self._send(self._delete(self._api, approval, approval.message_id), f"delete {approval.approval_id}")

    async def _delete(self, api: CardApi, approval: Approval, message_id: MessageId) -> None:
        try:
            refusal = await api.sent.delete(approval.chat_id, message_id)
        except TimeoutError as error:
            raise RefusedError(Note(Reason.DELETE_UNANSWERED)) from error
        if refusal is not None:
            raise RefusedError(refusal)

    def _load(self) -> None:
        if self._api is None or self._spawn is None or self._open is None:
            return
        self._asked += 1
        self._spawn(self._fetch(self._api, self._open, self._asked), name=f"load card {self._open}")

    async def _fetch(self, api: CardApi, approval_id: ApprovalId, asked: int) -> None:
        try:
            details = await api.cards.load(approval_id)
        except Exception as error:
            problem = error_words(error)
            self._bridge.deliver(lambda: self._install(asked, None, problem))
            if not is_answer(error):
                raise
        else:
            self._bridge.deliver(lambda: self._install(asked, details, ""))

    def _install(self, asked: int, details: CardDetails | None, problem: str) -> None:
        if asked != self._asked:
            return
        self.details, self.problem = details, problem
        if details is not None:
            self._texts.note(details.messages, self._clock.now())
        self.changed.emit()

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        stored = [event.message for event in events if isinstance(event, ev.MessageStored)]
        if stored:
            self._texts.note(stored, self._clock.now())
        if self._open is not None and _concern(events, self._chat_id):
            self._read_soon()

    def _follow(self, chats: frozenset[ChatId]) -> None:
        if self._chat_id in chats and self._open is not None:
            self.changed.emit()
            self._read_soon()

    def _read_soon(self) -> None:
        if not self._again.isActive():
            self._again.start()


def _concern(events: tuple[EngineEvent, ...], chat_id: ChatId | None) -> bool:
    for event in events:
        if isinstance(event, ev.ChatChanged):
            touched = event.chat.chat_id
        elif isinstance(event, (ev.ApprovalRequested, ev.ApprovalResolved, ev.TaskStatusChanged)):
            touched = event.approval.chat_id  # also approvals that no list shows, of another version of the plan
        elif isinstance(event, _OF_THE_CHAT):
            touched = event.chat_id
        else:
            continue
        if touched == chat_id:
            return True
    return False


_OF_THE_CHAT = (
    ev.MessageStored,
    ev.TaskGraphReplaced,
    ev.PlanEdited,
    ev.VariantStored,
    ev.StepChanged,
    ev.SavedEditsChanged,
)
