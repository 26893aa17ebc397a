"""Takes back what a partner ordered to remember, from the conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.domain.plans.hidden_steps import HiddenKind
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.viewmodels.words.errors import error_words

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ChatId, MessageId
    from chimein_gui.domain.plans.hidden_steps import HiddenStep
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.engine_api.memory import MemoriesApi

_OPEN = frozenset({TaskStatus.DONE, TaskStatus.PENDING})


def can_undo_order(step: HiddenStep) -> bool:
    """Tell whether a hidden step is an order that is stored."""
    return step.kind is HiddenKind.REMEMBERED and step.graph_id is None and step.status in _OPEN


def make_order_undo(feed: Feed) -> OrderUndo:
    """Return the model, registered with the engine."""
    model = OrderUndo(feed.bridge, feed.bridge)
    feed.register(model)
    return model


class OrderUndo(QObject):
    """Takes orders back.

    Attributes:
        ended: An order was taken back, or could not be; carries the words for the operator.
    """

    ended = Signal(str)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._api: MemoriesApi | None = None
        self._spawn: Spawn | None = None

    def attach(self, api: MemoriesApi, spawn: Spawn) -> None:
        """Keep the engine to ask."""
        self._api, self._spawn = api, spawn

    def undo_order(self, chat_id: ChatId, message_id: MessageId) -> None:
        """Remove what a message ordered from its memory file."""
        if self._api is not None and self._spawn is not None:
            self._spawn(self._undo_order(self._api, chat_id, message_id), name=f"take back order {message_id}")

    async def _undo_order(self, api: MemoriesApi, chat_id: ChatId, message_id: MessageId) -> None:
        words = self.tr("Taken back: it is no longer remembered")
        try:
            if api.memories is None or not await api.memories.undo_order(chat_id, message_id):
                words = self.tr("Its entry was changed meanwhile. Delete it in the Memory pane.")
        except (ChimeinError, OSError) as error:
            words = self.tr("It cannot be taken back: {why}").format(why=error_words(error))
        self._bridge.deliver(lambda: self.ended.emit(words))
