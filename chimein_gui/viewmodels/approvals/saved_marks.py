"""Which drafts have a saved edit beside them, in any chat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.domain.events import SavedEditsChanged
from chimein_gui.viewmodels.approvals.store import waits_for_operator

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.domain.approvals import Approval, SavedEdit
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ApprovalId, ChatId
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.engine_api.cards import SavedEditsService


def make_saved_edit_marks(feed: Feed) -> SavedEditMarks:
    """Return the model, registered with the engine."""
    model = SavedEditMarks(feed.bridge, feed.bridge)
    feed.register(model)
    return model


class SavedEditMarksApi(Protocol):
    """What this model asks of the engine."""

    @property
    def saved_edits(self) -> SavedEditsService:
        """Saved edits: texts of the operator whose drafts are gone."""
        ...


class SavedEditMarks(QObject):
    """Reads a chat's saved edits when one of its drafts is first painted, one chat at a time, and follows its events.

    Attributes:
        changed: The marks of some drafts changed.
    """

    changed = Signal()

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._api: SavedEditMarksApi | None = None
        self._spawn: Spawn | None = None
        self._beside: dict[ChatId, frozenset[ApprovalId]] = {}
        self._wanted: dict[ChatId, None] = {}
        self._reads = False
        bridge.batch_ready.connect(self._receive)

    def attach(self, api: SavedEditMarksApi, spawn: Spawn) -> None:
        """Keep the engine to query."""
        self._api, self._spawn = api, spawn
        self._beside.clear()
        self._wanted.clear()
        self._reads = False

    def has(self, draft: Approval) -> bool:
        """Tell whether a waiting draft has a saved edit beside it; False while that is unknown, which starts a read."""
        if not waits_for_operator(draft):
            return False
        known = self._beside.get(draft.chat_id)
        if known is None and self._api is not None and self._spawn is not None:
            self._wanted[draft.chat_id] = None
            if not self._reads:
                self._reads = True
                self._spawn(self._read(self._api), name="load kept marks")
        return known is not None and draft.approval_id in known

    async def _read(self, api: SavedEditMarksApi) -> None:
        found: dict[ChatId, frozenset[ApprovalId]] = {}
        try:
            while self._wanted and api is self._api:
                chat_id = next(iter(self._wanted))
                del self._wanted[chat_id]
                found[chat_id] = _paired((await api.saved_edits.load(chat_id)).rows)
        except ChimeinError:
            pass  # only the mark is missing; the chat itself shows the edit, or reports the error
        finally:
            self._bridge.deliver(lambda: self._install(found))

    def _install(self, found: dict[ChatId, frozenset[ApprovalId]]) -> None:
        self._reads = False
        new = {chat_id: beside for chat_id, beside in found.items() if chat_id not in self._beside}
        self._beside |= new  # an event that arrived during the read is newer
        if any(new.values()):
            self.changed.emit()

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        for event in events:
            if isinstance(event, SavedEditsChanged):
                beside = _paired(event.edits)
                if beside != self._beside.get(event.chat_id, frozenset()):
                    self._beside[event.chat_id] = beside
                    self.changed.emit()


def _paired(edits: Iterable[SavedEdit]) -> frozenset[ApprovalId]:
    return frozenset(edit.paired_with for edit in edits if edit.paired_with is not None)
