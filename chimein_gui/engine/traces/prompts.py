"""The prompts of calls, as they were sent, and what would be sent now.

Functions that take a transaction run on the reader thread, and change nothing.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.prompt.dry_runs import RebuiltPrompt
from chimein_gui.domain.prompt.sent import PromptView, outline_of
from chimein_gui.engine.prompt.builder import build_prompt
from chimein_gui.engine.prompt.inputs import read_begun
from chimein_gui.engine.tools.declarations import TOOLS
from chimein_gui.engine.traces.prompt_archive import unpack
from chimein_gui.engine.traces.token_counts import count_parts
from chimein_gui.engine.triggers.triggers import unanswered
from chimein_gui.reporting.log_lines import about

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.ids import ChatId, GraphId
    from chimein_gui.domain.prompt.sent import CallId, SentCall, TokenCounts
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.llm.calls import ModelRouter
    from chimein_gui.engine.media.enricher import MediaReader
    from chimein_gui.engine.ports import Store, Transaction
    from chimein_gui.engine.prompt.builder import PromptInputs
    from chimein_gui.engine.prompt.inputs import MemoryReader, PlanInputs, PromptSource
    from chimein_gui.engine.traces.prompt_archive import PromptArchive


T = TypeVar("T")

MOST_CALLS = 100
"""Most calls of a chat that are offered for comparison."""


class Prompts:
    """Reads prompts for the operator."""

    def __init__(
        self,
        store: Store,
        archive: PromptArchive,
        models: ModelRouter,
        source: PromptSource,
        environment: TransactionEnvironment,
        memories: MemoryReader,
        media: MediaReader | None = None,
    ) -> None:
        self._store, self._archive, self._models = store, archive, models
        self._source, self._environment, self._memories = source, environment, memories
        self._media = media
        self._stopped = asyncio.Event()

    async def calls(self, graph_id: GraphId) -> tuple[SentCall, ...]:
        """Return the calls of a plan whose prompts are stored, oldest first.

        Raises:
            StoreError: The database can't be read or written.
        """
        await self._archive.flush()
        return await self._store.read(lambda tx: tx.prompts.of_graph(graph_id))

    async def of_chat(self, chat_id: ChatId) -> tuple[SentCall, ...]:
        """Return the newest calls of a chat whose prompts are stored, at most `MOST_CALLS`, newest first.

        Raises:
            StoreError: The database can't be read or written.
        """
        await self._archive.flush()
        return await self._store.read(lambda tx: tx.prompts.of_chat(chat_id, limit=MOST_CALLS))

    async def sent(self, call_id: CallId) -> PromptView:
        """Return the prompt of a call, byte for byte as it was sent, except for the model's thoughts.

        Raises:
            NotFoundError: It is not stored, or not any more.
            StoreError: The database can't be read.
        """
        return await self._store.read(lambda tx: self._stored(tx, call_id))

    async def now(self, chat_id: ChatId) -> PromptView:
        """Return the prompt of the call that would be made now; nothing is sent and nothing changes.

        Memories and known descriptions of media are in it; what enrichers that ask a model would add is not, as it may
        cost money.

        Raises:
            NotFoundError: There is no such chat.
            StoreError: The database can't be read.
        """
        return (await self.rebuilt(chat_id)).view

    async def rebuilt(self, chat_id: ChatId) -> RebuiltPrompt:
        """Return the same prompt also as data, which can be edited for a dry run; raises as `now`."""
        begun = await self._store.read(lambda tx: self._begun(tx, chat_id))
        inputs = await self._memories.into(begun.inputs)
        if self._media is not None:
            inputs = await self._media.into(inputs)
        return await asyncio.to_thread(self._built, chat_id, inputs, answers=bool(begun.trigger_ids))

    async def compute(self, work: Callable[[], T]) -> T:
        """Run work on prompts that takes long, such as a comparison, on another thread."""
        return await asyncio.to_thread(work)

    async def count(self, view: PromptView, progress: Callable[[int, int], object]) -> TokenCounts | None:
        """Count the tokens of a prompt exactly, part by part; one prompt at a time.

        Args:
            view: The prompt.
            progress: Called with how many requests are answered, and how many there are.

        Returns:
            The counts; None if it was stopped, or another count began.

        Raises:
            ModelError: A request failed; the others are cancelled.
        """
        self.stop_counting()
        stopped = self._stopped = asyncio.Event()
        with about(chat_id=view.chat_id, graph_id=view.graph_id):
            return await count_parts(self._models, view, progress, stopped)

    def stop_counting(self) -> None:
        """Stop a count in progress; its requests are cancelled."""
        self._stopped.set()

    def _stored(self, tx: Transaction, call_id: CallId) -> PromptView:
        found = tx.prompts.get(call_id)
        if found is None:
            raise NotFoundError(f"no prompt of call {call_id}")
        graph_id, stored = found
        model, body = stored.sent.call.model, unpack(stored.body)
        text = self._models.read_request(model, body)
        return PromptView(model, body, text, stored.outline, stored.sent, chat_id=stored.chat_id, graph_id=graph_id)

    def _begun(self, tx: Transaction, chat_id: ChatId) -> PlanInputs:
        chat = tx.chats.get(chat_id)
        return read_begun(tx, chat, unanswered(tx, chat), self._source, self._environment)

    def _built(self, chat_id: ChatId, inputs: PromptInputs, *, answers: bool) -> RebuiltPrompt:
        prompt = build_prompt(inputs, TOOLS)
        body = self._models.request_of(prompt)
        message = self._models.read_request(prompt.model, body)
        outline = outline_of(prompt)
        view = PromptView(prompt.model, body, message, outline, answers=answers, chat_id=chat_id)
        return RebuiltPrompt(prompt, view)
