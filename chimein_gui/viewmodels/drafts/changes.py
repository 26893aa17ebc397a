"""Changes in the conversation of a draft shown in its chat: nobody approves a draft without seeing them."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.viewmodels.approvals.store import waits_for_operator

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.cards import CardDetails
    from chimein_gui.domain.ids import ApprovalId, Revision
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.approvals.card import CardModel
    from chimein_gui.viewmodels.approvals.card_changes import Change
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.cards import CardsService

    _Look = tuple[ApprovalId, int, Revision]

MOST_KEPT = 100


class DraftChangesApi(Protocol):
    """What this model asks of the engine."""

    @property
    def cards(self) -> CardsService:
        """Details of planned sends."""
        ...


class DraftChanges(QObject):
    """Reads the changes at the first query, and again when the conversation has changed.

    Attributes:
        changed: The changes for a draft were read; its chat id.
    """

    changed = Signal(object)

    def __init__(self, bridge: EngineBridge, card: CardModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge, self._card = bridge, card
        self._api: DraftChangesApi | None = None
        self._spawn: Spawn | None = None
        self._asked: set[_Look] = set()
        self._known: OrderedDict[_Look, tuple[Change, ...]] = OrderedDict()

    def attach(self, api: DraftChangesApi, spawn: Spawn) -> None:
        """Keep the engine to query."""
        self._api, self._spawn = api, spawn
        self._asked.clear()

    def of(self, draft: Approval) -> tuple[Change, ...] | None:
        """Return the changes since a draft was made; None while they are being read, empty if they cannot be read."""
        if not (draft.is_stale and waits_for_operator(draft)):
            return ()
        look = (draft.approval_id, draft.version, draft.changed_at)
        known = self._known.get(look)
        if known is None and self._api is not None and self._spawn is not None and look not in self._asked:
            self._asked.add(look)
            self._spawn(self._fetch(self._api, draft, look), name=f"load changes {draft.approval_id}")
        return known

    async def _fetch(self, api: DraftChangesApi, draft: Approval, look: _Look) -> None:
        try:
            details = await api.cards.load(draft.approval_id)
        except ChimeinError:
            self._bridge.deliver(lambda: self._install(draft, look, None))  # the warning and the chat are still shown
        else:
            self._bridge.deliver(lambda: self._install(draft, look, details))

    def _install(self, draft: Approval, look: _Look, details: CardDetails | None) -> None:
        self._asked.discard(look)
        self._known[look] = self._card.changes_in(details) if details is not None else ()
        while len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)
        self.changed.emit(draft.chat_id)
