"""Upload progress of the files of sends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.events import UploadAdvanced

if TYPE_CHECKING:
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ApprovalId, ChatId
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.feed import Feed


def make_uploads(feed: Feed) -> UploadProgress:
    """Return the model; it only listens to events, so it is not registered."""
    return UploadProgress(feed.bridge, feed.bridge)


class UploadProgress(QObject):
    """The uploads that are running.

    Attributes:
        changed: The uploads of a chat changed; carries the chat id.
    """

    changed = Signal(object)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._parts: dict[ApprovalId, tuple[ChatId, float]] = {}
        bridge.batch_ready.connect(self._receive)

    def of_chat(self, chat_id: ChatId) -> dict[ApprovalId, float]:
        """Return the sends of a chat whose files are being uploaded, each with the uploaded share, 0 to 1."""
        return {key: part for key, (where, part) in self._parts.items() if where == chat_id}

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        for event in events:
            if not isinstance(event, UploadAdvanced):
                continue
            if event.part is None:
                self._parts.pop(event.approval_id, None)
            else:
                self._parts[event.approval_id] = (event.chat_id, event.part)
            self.changed.emit(event.chat_id)
