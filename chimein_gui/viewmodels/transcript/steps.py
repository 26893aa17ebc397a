"""Invisible steps of plans between the messages of the window: fetched when shown, and again when a plan changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain import events as ev
from chimein_gui.viewmodels.core.live_query import LiveQuery

if TYPE_CHECKING:
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ChatId, MessageId
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.transcripts import TranscriptService

_KINDS = frozenset(
    {
        ev.StepChanged,
        ev.TaskGraphReplaced,
        ev.PlanEdited,
        ev.Remembered,
        ev.ApprovalResolved,
        ev.TaskStatusChanged,
    }
)

MOST_STEPS = 500
"""Most hidden steps of one window."""


class HiddenSteps(QObject):
    """Fetches the steps of one window and reports changes.

    Attributes:
        loaded: All steps between the first and the last message of the window; at the end of the chat also those after.
        stale: Something changed; the owner of the window fetches again.
        failed: The steps could not be read; the reason in words.
        shown: Whether the steps are shown; set by the owner.
    """

    loaded = Signal(object)
    stale = Signal()
    failed = Signal(str)

    def __init__(self, bridge: EngineBridge, parent: QObject) -> None:
        super().__init__(parent)
        self.shown = False
        self._chat_id: ChatId | None = None
        self._changed = False
        self._rows = LiveQuery(bridge, self._notice, self, settled=self._tell, kinds=_KINDS)
        self._rows.failed.connect(self.failed)

    def load(
        self, source: TranscriptService, spawn: Spawn, chat_id: ChatId, since_id: MessageId, until_id: MessageId | None
    ) -> None:
        """Fetch the steps between two messages; without `until_id` up to the end of the chat."""
        self._chat_id = chat_id
        self._changed = False
        self._rows.fetch(
            spawn,
            lambda: source.steps(chat_id, since_id=since_id, until_id=until_id, limit=MOST_STEPS),
            self.loaded.emit,
            name=f"load steps {chat_id}",
        )

    def forget(self) -> None:
        """Drop a running fetch, and ignore events."""
        self._rows.forget()
        self._chat_id = None

    def _notice(self, event: EngineEvent) -> None:
        if isinstance(event, ev.StepChanged | ev.TaskGraphReplaced | ev.PlanEdited | ev.Remembered):
            self._changed |= event.chat_id == self._chat_id
        elif isinstance(event, ev.ApprovalResolved | ev.TaskStatusChanged):
            self._changed |= event.approval.chat_id == self._chat_id

    def _tell(self) -> None:
        if self._changed and self._rows.loaded:
            self._changed = False
            self.stale.emit()
