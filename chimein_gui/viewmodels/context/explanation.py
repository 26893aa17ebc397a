"""What the weights of links say about the chosen message, read when it is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from chimein_gui.domain.context.explained import Evidence, LinkExplanation, Spoke
from chimein_gui.domain.errors import ChimeinError
from chimein_gui.viewmodels.context.words import length_words
from chimein_gui.viewmodels.core.numbers import decimal_words

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ChatId, GraphId, MessageId
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.plans import ContextApi

translate = QCoreApplication.translate

PAUSE_MS = 60
"""A message that is only passed on the way to another one is not explained."""


class LinkExplainer(QObject):
    """Explains one message at a time.

    Attributes:
        changed: Another message is explained, or none.
        found: The explanation; None without one.
    """

    changed = Signal()

    def __init__(self, bridge: EngineBridge, parent: QObject) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._api: ContextApi | None = None
        self._spawn: Spawn | None = None
        self._wanted: tuple[ChatId, MessageId, GraphId | None] | None = None
        self._generation = 0
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._ask)
        self.found: LinkExplanation | None = None

    def attach(self, api: ContextApi | None, spawn: Spawn | None) -> None:
        """Use this engine; None stops reading."""
        self._api, self._spawn = api, spawn
        if api is None:
            self.forget()

    def explain(self, chat_id: ChatId, message_id: MessageId, graph_id: GraphId | None) -> None:
        """Explain a message of a plan, or without one of what would be taken now."""
        if self.found is not None and self.found.message_id != message_id:
            self._show(None)
        self._generation += 1
        self._wanted = (chat_id, message_id, graph_id)
        self._pause.start()

    def forget(self) -> None:
        """Explain nothing."""
        self._generation += 1
        self._pause.stop()
        self._show(None)

    def _show(self, found: LinkExplanation | None) -> None:
        if found != self.found:
            self.found = found
            self.changed.emit()

    def _ask(self) -> None:
        if self._api is not None and self._spawn is not None and self._wanted is not None:
            self._spawn(self._fetch(self._api, self._generation, *self._wanted), name="explain a link")

    async def _fetch(
        self, api: ContextApi, generation: int, chat_id: ChatId, message_id: MessageId, graph_id: GraphId | None
    ) -> None:
        try:
            found = await api.contexts.explain(chat_id, message_id, graph_id, now=graph_id is None)
        except ChimeinError:
            found = None  # why the chat can't be read is told where its messages are read

        def take() -> None:
            if generation == self._generation:
                self._show(found)

        self._bridge.deliver(take)


def evidence_word(kind: Evidence) -> str:
    """Return the label of a kind of signals."""
    return {
        Evidence.WORDS: translate("LinkExplanation", "Shared words"),
        Evidence.QUESTION: translate("LinkExplanation", "Question, answer"),
        Evidence.TURNS: translate("LinkExplanation", "Turn order"),
        Evidence.PEOPLE: translate("LinkExplanation", "Same people"),
        Evidence.NAMES: translate("LinkExplanation", "Names addressed"),
        Evidence.TIME: translate("LinkExplanation", "Time between"),
    }[kind]


def detail_words(kind: Evidence, found: LinkExplanation) -> str:
    """Return the fact behind a kind of signals; empty where there is none to tell."""
    if kind is Evidence.WORDS:
        return ", ".join(found.words) or translate("LinkExplanation", "none")
    if kind is Evidence.TURNS:
        return translate("LinkExplanation", "{n} back").format(n=found.turns)
    if kind is Evidence.TIME:
        return length_words(found.seconds)
    if kind is Evidence.NAMES:
        return translate("LinkExplanation", "named") if found.names_it else translate("LinkExplanation", "none")
    return ""


def weight_words(weight: float) -> str:
    """Return a weight with its sign."""
    sign = "+" if weight >= 0.05 else "\N{MINUS SIGN}" if weight <= -0.05 else ""
    return sign + decimal_words(abs(weight), 1)


def evidence_sentence(spoke: Spoke, found: LinkExplanation) -> str:
    """Return one kind of signals as a sentence for screen readers."""
    parts = (evidence_word(spoke.kind), detail_words(spoke.kind, found), weight_words(spoke.weight))
    return " ".join(part for part in parts if part)
