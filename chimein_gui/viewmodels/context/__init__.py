"""Which messages the plans of the chat in sight took, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.events import MessageStored, TaskGraphReplaced
from chimein_gui.domain.prompt.considered import ConsideredMessage, ContextSelection, StoredPlan
from chimein_gui.viewmodels.context.explanation import LinkExplainer
from chimein_gui.viewmodels.context.figures import Figures, figures_of
from chimein_gui.viewmodels.context.pins import ContextPins
from chimein_gui.viewmodels.context.rows import ContextRows
from chimein_gui.viewmodels.context.words import no_pins_words
from chimein_gui.viewmodels.core.live_query import LiveQuery
from chimein_gui.viewmodels.core.throttle import Throttle

if TYPE_CHECKING:
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ChatId, GraphId, MessageId
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.engine_api.plans import ContextApi
    from chimein_gui.viewmodels.window import WindowModels

AGAIN_MS = 1000
"""Shortest time between two reads while messages come in, or plans."""

NOW = "now"
"""The choice of what would be taken now, in place of a plan."""


class ContextModel(QObject):
    """One selection of the chat in sight: that of its newest plan, of another one, or of now.

    It reads only while somebody looks.

    Attributes:
        changed: Another selection is shown, or none.
        failed: It could not be read; the reason in words.
        rows: Its rows.
        links: Explains the links of the chosen message.
        pins: The operator's pins, which count for what would be taken now and for later plans.
        chat_id: The chat, or None.
        selection: What is shown; None while it is read, or if it can't be.
        figures: Its numbers.
        problem: Why it can't be read, in words; empty without a problem.
        wanted: The plan that was asked for, `NOW`, or None for the newest plan.
    """

    changed = Signal()
    failed = Signal(str)

    def __init__(self, models: WindowModels) -> None:
        super().__init__(models)
        self.rows = ContextRows(models.clock, self)
        self.pins = models.register(ContextPins(models))
        self.pins.changed.connect(self._pins_changed)
        self.links = LinkExplainer(models.bridge, self)
        self.chat_id: ChatId | None = None
        self.selection: ContextSelection | None = None
        self._by_id: dict[MessageId, ConsideredMessage] = {}
        self.figures = Figures()
        self.problem = ""
        self.wanted: GraphId | str | None = None
        self._api: ContextApi | None = None
        self._spawn: Spawn | None = None
        self._is_watched = False
        self._is_old = True
        self._live = LiveQuery(models.bridge, self._apply, self, kinds=frozenset({MessageStored, TaskGraphReplaced}))
        self._live.failed.connect(self._fail)
        self.again = Throttle(AGAIN_MS, self._read, self)
        models.transcript.opened.connect(self._follow)
        chat = models.transcript.chat
        self.open(chat.chat_id if chat is not None else None)

    def attach(self, api: ContextApi, spawn: Spawn) -> None:
        """Read what is looked at."""
        self._api, self._spawn = api, spawn
        self.links.attach(api, spawn)
        self._read()

    def detach(self) -> None:
        """Stop reading."""
        self.again.forget()
        self._live.forget()
        self.links.attach(None, None)
        self._api = self._spawn = None

    def open(self, chat_id: ChatId | None, wanted: GraphId | str | None = None) -> None:
        """Show the newest plan of a chat, another one of its plans, or `NOW`; None shows nothing."""
        self.chat_id, self.wanted = chat_id, wanted
        self.pins.follow(chat_id)
        self._put(None)
        self._begin()

    def choose(self, wanted: GraphId | str) -> None:
        """Show another plan of the same chat, or what would be taken now."""
        if wanted != self.shown:
            self.wanted = wanted
            self._begin()

    def watch(self, *, watched: bool) -> None:
        """Read while somebody looks."""
        self._is_watched = watched
        if watched and self._is_old:
            self._read()

    def read_again(self) -> None:
        """Read once more, after a failure."""
        self._begin()

    @property
    def shown(self) -> GraphId | str | None:
        """The plan that is shown, or `NOW`; None for nothing."""
        if self.selection is None:
            return None
        return self.selection.graph_id if self.selection.graph_id is not None else NOW

    @property
    def newest_plan(self) -> GraphId | None:
        """The newest plan of the chat, which can be made again while it waits; None without one."""
        return self.plans[0].graph_id if self.plans else None

    @property
    def plans(self) -> tuple[StoredPlan, ...]:
        """The plans of the chat that can be chosen, newest first."""
        return self.selection.plans if self.selection is not None else ()

    @property
    def trigger(self) -> ConsideredMessage | None:
        """The message that is answered."""
        return self.message(self.selection.target) if self.selection is not None else None

    def message(self, message_id: MessageId | None) -> ConsideredMessage | None:
        """Return a candidate."""
        return None if message_id is None else self._by_id.get(message_id)

    def chain_of(self, one: ConsideredMessage | None) -> tuple[ConsideredMessage, ...]:
        """Return a message, what it answers, and so on."""
        found: dict[MessageId, ConsideredMessage] = {}
        while one is not None and one.message_id not in found:
            found[one.message_id] = one
            one = self.message(one.parent)
        return tuple(found.values())

    def explain(self, one: ConsideredMessage | None) -> None:
        """Explain the links of a message; a fixed history, and an explicit reply, have none that were weighed."""
        shown = self.selection
        if one is None or shown is None or one.is_reply or shown.history is not None or not shown.is_stored:
            self.links.forget()
        else:
            self.links.explain(shown.chat_id, one.message_id, shown.graph_id)

    @property
    def why_no_pins(self) -> str:
        """Return why no message can be pinned here, in words; empty if it can."""
        is_fixed = self.selection is not None and self.selection.history is not None
        return no_pins_words() if is_fixed else ""

    def _pins_changed(self) -> None:
        self.rows.show_pins(self.pins.pins)
        if self.shown == NOW:
            self._begin()

    def _follow(self, chat_id: ChatId | None) -> None:
        if chat_id != self.chat_id:
            self.open(chat_id)

    def _begin(self) -> None:
        self._is_old = True
        self.again.forget()
        self._read()

    def _read(self) -> None:
        chat_id, api, spawn, wanted = self.chat_id, self._api, self._spawn, self.wanted
        if chat_id is None or api is None or spawn is None or not self._is_watched:
            if chat_id is None:
                self._live.forget()
            return
        self._is_old = False
        is_now = wanted == NOW
        graph_id = None if is_now or isinstance(wanted, str) else wanted
        self._live.fetch(
            spawn,
            lambda: api.contexts.load(chat_id, graph_id, now=is_now),
            lambda found: self._put(found[0] if found else None),
            name=f"load context {chat_id}",
        )

    def _put(self, selection: ContextSelection | None) -> None:
        before = self.selection
        self.problem = ""
        if selection == before and selection is not None:
            self.changed.emit()
            return
        self.selection = selection
        messages = selection.messages if selection is not None else ()
        self._by_id = {one.message.key.message_id: one for one in messages}
        self.figures = figures_of(messages)
        same = before is not None and selection is not None and before.chat_id == selection.chat_id
        self.rows.show(selection, same_chat=same)
        self.changed.emit()

    def _fail(self, reason: str) -> None:
        self._put(None)
        self.problem = reason
        self.changed.emit()
        self.failed.emit(reason)

    def _apply(self, event: EngineEvent) -> None:
        if not isinstance(event, (MessageStored, TaskGraphReplaced)) or event.chat_id != self.chat_id:
            return
        if isinstance(event, TaskGraphReplaced) or self.shown == NOW:
            self._is_old = True
            self.again.ask()


def make_context(models: WindowModels) -> ContextModel:
    """Return the model, registered with the engine; for `PaneContext.own`."""
    model = models.register(ContextModel(models))
    models.faults.listen("context", model.failed)
    models.faults.follow("pin", model.pins)
    return model
