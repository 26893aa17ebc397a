"""The messages of the small engine, read the way the window reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from chimein_gui.domain.ids import ChatId, MessageId, Revision
from chimein_gui.domain.loaded import Loaded
from chimein_gui.domain.messages import FoundMessage, Message
from chimein_gui.domain.plans.hidden_steps import HiddenStep

if TYPE_CHECKING:
    from tests.fakes.engine_api import FakeEngineApi


class FakeTranscripts:
    """Reads the messages of `FakeEngineApi.put_message`; a test sets the hidden steps."""

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api
        self.hidden: dict[int, tuple[HiddenStep, ...]] = {}
        self.searches: list[str] = []

    async def before(self, chat_id: ChatId, before_id: MessageId | None, limit: int) -> Loaded[Message]:
        older = [one for one in self._all(chat_id) if before_id is None or one.key.message_id < before_id]
        return self._loaded(older[-limit:] if limit > 0 else [])

    async def after(self, chat_id: ChatId, after_id: MessageId, limit: int) -> Loaded[Message]:
        return self._loaded([one for one in self._all(chat_id) if one.key.message_id > after_id][:limit])

    async def around(self, chat_id: ChatId, message_id: MessageId, limit: int) -> Loaded[Message]:
        older = [one for one in self._all(chat_id) if one.key.message_id < message_id]
        newer = [one for one in self._all(chat_id) if one.key.message_id >= message_id]
        half = limit // 2
        return self._loaded([*(older[-half:] if half else []), *newer[: limit - half]])

    async def messages(self, chat_id: ChatId, ids: Sequence[MessageId]) -> Loaded[Message]:
        return self._loaded([one for one in self._all(chat_id) if one.key.message_id in ids])

    async def search(
        self, chat_id: ChatId, words: str, *, before_id: MessageId | None = None, limit: int = 50
    ) -> Loaded[Message]:
        self.searches.append(words)
        wanted = words.casefold().split()
        found = [
            one
            for one in self._all(chat_id)
            if wanted
            and all(word in one.text.casefold() for word in wanted)
            and (before_id is None or one.key.message_id < before_id)
        ]
        return self._loaded(found[::-1][:limit])

    async def search_everywhere(self, words: str, *, limit: int = 50) -> Loaded[FoundMessage]:
        found = [
            FoundMessage(ChatId(chat_id), message)
            for chat_id in self._api.chats
            for message in (await self.search(ChatId(chat_id), words, limit=limit)).rows
        ]
        found.sort(key=lambda one: one.message.sent_at, reverse=True)
        return Loaded(tuple(found[:limit]), self._loaded([]).revision)

    async def steps(
        self, chat_id: ChatId, *, since_id: MessageId, until_id: MessageId | None, limit: int
    ) -> Loaded[HiddenStep]:
        found = [step for step in self.hidden.get(chat_id, ()) if step.after_message_id >= since_id]
        if until_id is not None:
            found = [step for step in found if step.after_message_id <= until_id]
        return Loaded(tuple(found[:limit]), Revision(self._api.revision))

    def _all(self, chat_id: ChatId) -> list[Message]:
        rows = self._api.messages.get(chat_id, {})
        return [rows[key] for key in sorted(rows)]

    def _loaded(self, rows: Sequence[Message]) -> Loaded[Message]:
        return Loaded(tuple(rows), Revision(self._api.revision))
