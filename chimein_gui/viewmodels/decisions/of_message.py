"""Whose decision sent a message, and how its rule is revoked from the conversation."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.viewmodels.decisions.commands import RuleCommands

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ChatId, MessageId
    from chimein_gui.domain.plans.decision_log import LoggedDecision
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.engine_api.decision_log import DecisionLogService, HistoryApi

_log = logging.getLogger(__name__)

KEPT = 200
"""Most messages whose decision is cached."""


class MessageDecisions(QObject):
    """Reads the decision of each message once: it never changes.

    Attributes:
        loaded: The decision of a message was read; its chat id and message id.
        rules: Revokes the rules.
    """

    loaded = Signal(object, object)

    def __init__(self, feed: Feed) -> None:
        super().__init__()
        self._bridge = feed.bridge
        self.rules = RuleCommands(feed.bridge, self)
        self._log: DecisionLogService | None = None
        self._spawn: Spawn | None = None
        self._known: dict[tuple[ChatId, MessageId], LoggedDecision | None] = {}
        self._asked: set[tuple[ChatId, MessageId]] = set()

    def attach(self, api: HistoryApi, spawn: Spawn) -> None:
        """Keep the decision log to query."""
        self._log, self._spawn = api.decision_log, spawn
        self._asked.clear()

    def detach(self) -> None:
        """Make no more queries."""
        self._log = None

    def of(self, chat_id: ChatId, message_id: MessageId) -> LoggedDecision | None:
        """Return the decision that sent a message; None if there is none, or until `loaded` says it was read."""
        key = (chat_id, message_id)
        if key not in self._known and key not in self._asked and self._log is not None and self._spawn is not None:
            self._asked.add(key)
            self._spawn(self._ask(self._log, chat_id, message_id), name=f"decision on message {message_id}")
        return self._known.get(key)

    async def _ask(self, log: DecisionLogService, chat_id: ChatId, message_id: MessageId) -> None:
        key = (chat_id, message_id)
        try:
            found = await log.of_message(chat_id, message_id)
        except ChimeinError as error:
            # The key stays in `_asked`: each repaint of the message asks, and would start a read that fails again.
            _log.info("The decision on message %s could not be read: %s", message_id, error)
            return

        def take() -> None:
            self._asked.discard(key)
            self._known[key] = found
            while len(self._known) > KEPT:
                del self._known[next(iter(self._known))]
            self.loaded.emit(chat_id, message_id)

        self._bridge.deliver(take)


def make_message_decisions(feed: Feed) -> MessageDecisions:
    """Return the model, registered with the engine; for `PaneContext.own`."""
    model = MessageDecisions(feed)
    for one in (model, model.rules):
        feed.register(one)
    return model
