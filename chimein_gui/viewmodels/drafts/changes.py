"""What happened in the conversation of a draft that stands in its chat: nobody approves what he has not been shown."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

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
    from chimein_gui.viewmodels.engine_api.engine import EngineApi

    _Look = tuple[ApprovalId, int, Revision]

MOST_KEPT = 100


class DraftChanges(QObject):
    """Reads it when it is first asked for, and anew when the conversation has gone on.

    Attributes:
        changed: It is known for a draft now; its chat id.
    """

    changed = Signal(object)

    def __init__(self, bridge: EngineBridge, card: CardModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge, self._card = bridge, card
        self._console: EngineApi | None = None
        self._spawn: Spawn | None = None
        self._asked: set[_Look] = set()
        self._known: OrderedDict[_Look, tuple[Change, ...]] = OrderedDict()

    def attach(self, console: EngineApi, spawn: Spawn) -> None:
        """Remember whom to ask."""
        self._console, self._spawn = console, spawn
        self._asked.clear()

    def of(self, draft: Approval) -> tuple[Change, ...] | None:
        """Return what happened after a draft was made; None while that is being read."""
        if not (draft.is_stale and waits_for_operator(draft)):
            return ()
        look = (draft.approval_id, draft.version, draft.changed_at)
        known = self._known.get(look)
        if known is None and self._console is not None and self._spawn is not None and look not in self._asked:
            self._asked.add(look)
            self._spawn(self._fetch(self._console, draft, look), name=f"load changes {draft.approval_id}")
        return known

    async def _fetch(self, console: EngineApi, draft: Approval, look: _Look) -> None:
        try:
            details = await console.cards.load(draft.approval_id)
        except ChimeinError:
            self._bridge.deliver(lambda: self._install(draft, look, None))  # the sign and the chat itself remain
        else:
            self._bridge.deliver(lambda: self._install(draft, look, details))

    def _install(self, draft: Approval, look: _Look, details: CardDetails | None) -> None:
        self._asked.discard(look)
        self._known[look] = self._card.changes_in(details) if details is not None else ()
        while len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)
        self.changed.emit(draft.chat_id)
