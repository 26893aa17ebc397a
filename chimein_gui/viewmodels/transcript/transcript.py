"""The messages of one chat: a window of rows that pages from the store in both directions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain import events as ev
from chimein_gui.domain.ids import MessageId
from chimein_gui.viewmodels.core.live_query import LiveQuery
from chimein_gui.viewmodels.transcript.list import FIRST_ROWS, PAGE_ROWS, TranscriptList
from chimein_gui.viewmodels.transcript.making import Surroundings
from chimein_gui.viewmodels.transcript.steps import HiddenSteps

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.domain.loaded import Loaded
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.engine_api.transcripts import TranscriptService

_KINDS = frozenset({ev.MessageStored, ev.PersonForgotten, ev.ChatChanged})


class TranscriptApi(Protocol):
    """What this model asks of the engine."""

    @property
    def transcripts(self) -> TranscriptService:
        """The messages of a chat, and the invisible steps of plans between them."""
        ...


class TranscriptModel(QObject):
    """The open chat: reads its pages, and follows it.

    Attributes:
        rows: A window over it, oldest first.
        opened: The rows of another chat are there; carries the chat id.
        failed: The rows could not be read; the reason in words.
        jumped: The message of `jump_to` is in the window; carries its id.
        missed: The message of `jump_to` is not stored; carries its id.
        arrived: A new message of the open chat, in the window or below it.
    """

    opened = Signal(object)
    failed = Signal(str)
    jumped = Signal(object)
    missed = Signal(object)
    arrived = Signal(object)

    def __init__(self, bridge: EngineBridge, clock: ClockFace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows = TranscriptList(bridge, clock, self)
        self._api: TranscriptApi | None = None
        self._spawn: Spawn | None = None
        self._chat: Chat | None = None
        self._steps = HiddenSteps(bridge, self)
        self._steps.loaded.connect(self.rows.put_steps)
        self._steps.stale.connect(lambda: self._look_around(()))
        self._live = LiveQuery(bridge, self._apply, self, kinds=_KINDS)
        # Events during the fetch of a page apply to its messages too.
        self._page = LiveQuery(bridge, self._apply, self, settled=self._end_paging, kinds=_KINDS)
        self._paging = False
        for live in (self._live, self._page, self._steps):
            live.failed.connect(self.failed)
        self._page.failed.connect(self._stop_paging)

    def attach(self, api: TranscriptApi, spawn: Spawn) -> None:
        """Keep the engine to query, and fetch the chat that is already open."""
        self._api, self._spawn = api, spawn
        if self._chat is not None:
            self.open(self._chat, self.rows.maker.around.own_name)

    @property
    def chat(self) -> Chat | None:
        """The newest snapshot of the open chat; None before one is opened."""
        return self._chat

    @property
    def steps_shown(self) -> bool:
        """Whether hidden steps are shown between the messages."""
        return self._steps.shown

    # --- requests -------------------------------------------------------------------------------------------------

    def open(self, chat: Chat, own_name: str) -> None:
        """Show a chat from its newest messages; the same chat again is refreshed."""
        same = self._chat is not None and self._chat.chat_id == chat.chat_id
        self._chat = chat
        if same:
            around = self.rows.maker.around
            around.own_name, around.read_up_to = own_name, chat.partner_read_up_to
        else:
            self.rows.maker.begin(Surroundings(own_name, chat.partner_read_up_to, _unread_from(chat)))
            self.rows.parents.clear()
            self._steps.forget()
            self.rows.clear()
        self.rows.maker.forget_all()
        self._stop_paging()
        self._fetch(self._live, "load transcript", lambda of: of.before(chat.chat_id, None, FIRST_ROWS), self._install)

    def load_older(self) -> None:
        """Fetch the page above the first row, if there is one and no page is being fetched."""
        first = MessageId(self.rows.entries.first_id)
        if first and self.rows.older_exist:
            self._ask_page("load older", lambda of, chat_id: of.before(chat_id, first, PAGE_ROWS), above=True)

    def load_newer(self) -> None:
        """Fetch the page below the last row, if there is one and no page is being fetched."""
        last = MessageId(self.rows.entries.last_id)
        if not self.rows.at_newest:
            self._ask_page("load newer", lambda of, chat_id: of.after(chat_id, last, PAGE_ROWS), above=False)

    def load_newest(self) -> None:
        """Return to the newest rows after they were paged out."""
        if self._chat is not None and not self.rows.at_newest:
            self.rows.clear()
            self.open(self._chat, self.rows.maker.around.own_name)

    def jump_to(self, message_id: MessageId) -> None:
        """Bring a message into the window; emits `jumped` when it is there, or `missed` if it is not stored."""
        if self._chat is None:
            return
        if self.rows.row_of(message_id) >= 0:
            self.jumped.emit(message_id)
            return
        chat_id = self._chat.chat_id
        self._stop_paging()
        self._fetch(
            self._live,
            "load around",
            lambda of: of.around(chat_id, message_id, 2 * PAGE_ROWS),
            lambda rows: self._surround(message_id, rows),
        )

    def set_steps_shown(self, shown: bool) -> None:
        """Show or hide the invisible steps of plans between the messages."""
        if shown != self._steps.shown:
            self._steps.shown = shown
            if shown:
                self._look_around(())
            else:
                self._steps.forget()
                self.rows.put_steps(())

    def _ask_page(
        self,
        name: str,
        load: Callable[[TranscriptService, ChatId], Coroutine[object, object, Loaded[Message]]],
        *,
        above: bool,
    ) -> None:
        if self._chat is not None and not self._paging:
            self._paging = True
            chat_id = self._chat.chat_id
            install = partial(self._turn_page, above=above)
            self._fetch(self._page, name, lambda of: load(of, chat_id), install)

    # --- results and events ---------------------------------------------------------------------------------------

    def _fetch(
        self,
        rows: LiveQuery,
        name: str,
        load: Callable[[TranscriptService], Coroutine[object, object, Loaded[Message]]],
        install: Callable[[tuple[Message, ...]], None],
    ) -> None:
        if self._api is not None and self._spawn is not None and self._chat is not None:
            source = self._api.transcripts
            rows.fetch(self._spawn, lambda: load(source), install, name=f"{name} {self._chat.chat_id}")

    def _install(self, messages: tuple[Message, ...]) -> None:
        self.rows.put_newest(messages)
        self._look_around(messages)
        if self._chat is not None:
            self.opened.emit(self._chat.chat_id)

    def _surround(self, message_id: MessageId, messages: tuple[Message, ...]) -> None:
        chat, is_empty = self._chat, not len(self.rows.entries)
        if chat is None:
            return
        if any(message.key.message_id == message_id for message in messages):
            self.rows.put_around(message_id, messages)
            self._look_around(messages)
            if is_empty:
                self.opened.emit(chat.chat_id)
            self.jumped.emit(message_id)
            return
        self.missed.emit(message_id)
        for message in messages:  # the window stays, but these snapshots are newer than its own
            if self.rows.row_of(message.key.message_id) >= 0:
                self.rows.take(message)
        if is_empty:
            self.open(chat, self.rows.maker.around.own_name)

    def _turn_page(self, messages: tuple[Message, ...], *, above: bool) -> None:
        if above:
            self.rows.put_above(messages)
        else:
            self.rows.put_below(messages)
        self._look_around(messages)

    def _look_around(self, messages: Sequence[Message]) -> None:
        """Fetch what the rows need from outside the window: quoted messages and hidden steps."""
        if self._api is None or self._spawn is None or self._chat is None:
            return
        source, chat_id = self._api.transcripts, self._chat.chat_id
        asked = (one.reply_to_id for one in messages if one.reply_to_id is not None)
        outside = [one for one in asked if self.rows.entries.message(one) is None]
        self.rows.parents.ask(source, self._spawn, chat_id, outside)
        if self._steps.shown:
            since = MessageId(self.rows.entries.first_id if self.rows.older_exist else 0)
            until = None if self.rows.at_newest else MessageId(self.rows.entries.last_id)
            self._steps.load(source, self._spawn, chat_id, since, until)

    def _apply(self, event: EngineEvent) -> None:
        chat = self._chat
        if chat is None:
            return
        if isinstance(event, ev.MessageStored) and event.chat_id == chat.chat_id:
            known = self.rows.row_of(event.message.key.message_id) >= 0
            is_new = self.rows.take(event.message)
            if not known:
                self._look_around((event.message,))
            if is_new:
                self.arrived.emit(event.message)
        elif isinstance(event, ev.PersonForgotten) and chat.chat_id in (*event.chats, *event.groups):
            self.rows.clear()
            self.open(chat, self.rows.maker.around.own_name)
        elif isinstance(event, ev.ChatChanged) and event.chat.chat_id == chat.chat_id:
            self._chat = event.chat
            before, now = self.rows.maker.around.read_up_to, event.chat.partner_read_up_to
            if before != now:
                self.rows.maker.around.read_up_to = now
                first = self.rows.entries.place_of((min(before, now), 0, 0.0, 0, ""))
                self.rows.change_rows(first, len(self.rows.entries) - 1)

    def _end_paging(self) -> None:
        if self._page.loaded:
            self._stop_paging()

    def _stop_paging(self) -> None:
        self._page.forget()
        self._paging = False


def _unread_from(chat: Chat) -> int:
    """Return the first id that may be unread; 0 if none is."""
    return chat.read_up_to + 1 if chat.unread else 0
