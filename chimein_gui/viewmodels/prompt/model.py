"""The prompt that the pane shows: of a stored call of a plan, or of the call that would be made now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.errors import ChimeinError, NotFoundError
from chimein_gui.domain.events import ChatChanged, MessageStored
from chimein_gui.viewmodels.core.throttle import Throttle
from chimein_gui.viewmodels.prompt.counter import TokenCounter
from chimein_gui.viewmodels.prompt.sections import PartsModel, PromptParts, parts_of
from chimein_gui.viewmodels.words.errors import error_words

if TYPE_CHECKING:
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ChatId, GraphId
    from chimein_gui.domain.prompt.sent import CallId, PromptView, SentCall
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.engine_api.prompts import PromptsApi


AGAIN_MS = 1000
"""Shortest time between two reads of what would be sent now, while messages come in."""


class PromptModel(QObject):
    """Reads only while it is watched.

    Attributes:
        changed: The prompt, its calls or the state of reading changed.
        parts: The prompt as rows.
        counter: Counts its tokens exactly.
        chat_id: The chat, or None.
        graph_id: The plan whose calls are shown; None for what would be sent now, and for an attempt without a plan.
        calls: The stored calls of the plan, oldest first.
        view: The shown prompt; None while there is none.
        reading: A read is in progress.
        problem: Why the last read failed, in words; or empty.
    """

    changed = Signal()

    def __init__(self, feed: Feed, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._feed = feed
        self._api: PromptsApi | None = None
        self._spawn: Spawn | None = None
        self._generation = 0
        self._watched = self._stale = False
        self._call_id: CallId | None = None
        self.parts = PartsModel(self)
        self.counter = TokenCounter(feed, self)
        self.chat_id: ChatId | None = None
        self.graph_id: GraphId | None = None
        self.calls: tuple[SentCall, ...] = ()
        self.view: PromptView | None = None
        self.reading, self.problem = False, ""
        self.again = Throttle(AGAIN_MS, self.read, self)
        feed.bridge.batch_ready.connect(self._receive)
        self.counter.changed.connect(self._show)

    def attach(self, api: PromptsApi, spawn: Spawn) -> None:
        """Read the prompt of the chat that is already open."""
        self._api, self._spawn = api, spawn
        self.counter.attach(api, spawn)
        self.read()

    def detach(self) -> None:
        """Stop reading."""
        self.again.forget()
        self._generation += 1
        self._api = self._spawn = None
        self.counter.detach()

    @property
    def is_attempt(self) -> bool:
        """Whether the call of an attempt that brought no plan is shown."""
        return self.graph_id is None and self._call_id is not None

    def watch(self, *, watched: bool) -> None:
        """Read now and on changes, or no longer: the pane came into sight, or left it."""
        self._watched = watched
        if watched:
            self.read()

    def open(self, chat_id: ChatId | None) -> None:
        """Show what would be sent now in another chat; None shows nothing."""
        if chat_id != self.chat_id:
            self.chat_id = chat_id
            self._choose(None, None)

    def choose_plan(self, graph_id: GraphId | None) -> None:
        """Show the last stored call of a plan; None shows what would be sent now."""
        if graph_id != self.graph_id or self.is_attempt:
            self._choose(graph_id, None)

    def choose_attempt(self, call_id: CallId) -> None:
        """Show the call of an attempt that brought no plan."""
        if not self.is_attempt or call_id != self._call_id:
            self._choose(None, call_id)

    def choose_call(self, call_id: CallId) -> None:
        """Show another call of the plan."""
        if call_id != self._call_id:
            self._call_id = call_id
            self.read()

    def read(self) -> None:
        """Read the prompt again."""
        if self._api is None or self._spawn is None or self.chat_id is None or not self._watched:
            return
        if self.reading:
            self._stale = True
            return
        self.reading = True
        self.changed.emit()
        self._spawn(self._fetch(self._generation, self._api, self.chat_id), name=f"read prompt of chat {self.chat_id}")

    def count(self) -> None:
        """Count the tokens of the shown prompt exactly."""
        if self.view is not None:
            self.counter.count(self.view)

    def _choose(self, graph_id: GraphId | None, call_id: CallId | None) -> None:
        self._generation += 1
        self.graph_id, self._call_id, self.calls, self.view = graph_id, call_id, (), None
        self.reading, self._stale, self.problem = False, False, ""
        self._show()
        self.read()

    async def _fetch(self, generation: int, api: PromptsApi, chat_id: ChatId) -> None:
        graph_id, wanted = self.graph_id, self._call_id
        calls: tuple[SentCall, ...] = ()
        view: PromptView | None = None
        problem = ""
        try:
            if graph_id is not None:
                calls = await api.prompts.calls(graph_id)
                view = await _sent(api, calls, wanted)
            elif wanted is not None:
                view = await api.prompts.sent(wanted)
            else:
                view = await api.prompts.now(chat_id)
            if view is not None and view.sent is not None and view.sent not in calls:
                calls = (view.sent, *calls)  # of an attempt before the one that brought the plan
        except ChimeinError as error:
            problem = error_words(error)
        self._feed.bridge.deliver(lambda: self._take(generation, calls, view, problem))

    def _take(self, generation: int, calls: tuple[SentCall, ...], view: PromptView | None, problem: str) -> None:
        if generation != self._generation:
            return
        self.reading, self.calls, self.view, self.problem = False, calls, view, problem
        if view is not None or self.graph_id is not None:
            self._call_id = view.sent.call_id if view is not None and view.sent is not None else None
        self._show()
        if self._stale:
            self._stale = False
            self.read()

    def _show(self) -> None:
        view = self.view
        self.parts.show_parts(parts_of(view, self.counter.of(view)) if view is not None else PromptParts())
        self.changed.emit()

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        if self.graph_id is None and not self.is_attempt and self._watched and any(map(self._concerns, events)):
            self.again.ask()

    def _concerns(self, event: EngineEvent) -> bool:
        if isinstance(event, ChatChanged):
            return event.chat.chat_id == self.chat_id
        return isinstance(event, MessageStored) and event.chat_id == self.chat_id


async def _sent(api: PromptsApi, calls: tuple[SentCall, ...], wanted: CallId | None) -> PromptView | None:
    """Return the wanted call of a plan or of an attempt before it, else the plan's last one; None without any."""
    ids = [one.call_id for one in calls]
    if wanted is not None:
        try:
            return await api.prompts.sent(wanted)
        except NotFoundError:
            if not ids:
                raise
    return await api.prompts.sent(ids[-1]) if ids else None
