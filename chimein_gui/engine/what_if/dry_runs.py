"""Dry runs: a model is asked, and its answer has no effect.

This wing knows neither the store nor anything that sends, decides or remembers; a contract keeps it so. The one thing
that it can leave behind is the cost of its calls: the money is spent, so the operator's sums must hold it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.costs import DRY_RUN
from chimein_gui.domain.errors import ModelError
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.prompt.dry_runs import DryRun, edited
from chimein_gui.domain.replies.replies import parse_reply
from chimein_gui.domain.spending.caps import Payer
from chimein_gui.engine.llm.calls import CallInterruptedError, PlanTrace

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chimein_gui.domain.costs import ModelCall
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.domain.prompt.dry_runs import PromptEdits
    from chimein_gui.domain.prompt.prompts import ModelReply, Prompt
    from chimein_gui.domain.prompt.sent import PromptView
    from chimein_gui.domain.traces.entries import TraceEntry
    from chimein_gui.engine.llm.calls import ModelCalls, ModelRouter

    Book = Callable[[ChatId, tuple[ModelCall, ...], tuple[TraceEntry, ...], Note | None], Awaitable[None]]


class DryRuns:
    """Asks models for the operator. Several runs may be under way at once, each with an id of its own."""

    def __init__(self, calls: ModelCalls, models: ModelRouter, book: Book) -> None:
        """Create the service.

        Args:
            calls: Makes the calls.
            models: Composes the requests.
            book: Adds calls to the cost ledger, and stores their trace with why there is no answer; it can do nothing
                else.
        """
        self._calls, self._models, self._book = calls, models, book

    async def rebuilt(self, run_id: str, chat_id: ChatId, prompt: Prompt, edits: PromptEdits) -> DryRun | None:
        """Ask with a prompt that was built now, as the operator has edited it.

        Args:
            run_id: For `stop`.
            chat_id: The chat to whose agent the cost is booked.
            prompt: From the builder.
            edits: What is changed in it.

        Returns:
            The answer; None if the run was stopped.

        Raises:
            ModelError: There is no answer; the words say why.
            StoreError: There was an answer, but its cost could not be booked.
        """
        changed = edited(prompt, edits)
        body = self._models.request_of(changed)
        return await self._run(chat_id, body, lambda trace: self._calls.ask(_key(run_id), changed, DRY_RUN, trace))

    async def exact(self, run_id: str, chat_id: ChatId, view: PromptView) -> DryRun | None:
        """Ask once more with the bytes of a stored call, its model and its results of tools; as `rebuilt`.

        Pictures are not stored, so the call goes without them.
        """
        return await self._run(
            chat_id,
            view.body,
            lambda trace: self._calls.ask_again(_key(run_id), view.model, view.body, DRY_RUN, trace),
        )

    def stop(self, run_id: str) -> None:
        """Stop a run: its call ends, and the cost is booked."""
        self._calls.interrupt(_key(run_id))

    async def _run(
        self, chat_id: ChatId, body: bytes, ask: Callable[[PlanTrace], Awaitable[ModelReply]]
    ) -> DryRun | None:
        trace = PlanTrace(Payer(chat_id=chat_id))
        problem: Note | None = None
        try:
            answer = await ask(trace)
        except CallInterruptedError:
            return None
        except ModelError as error:
            words = "" if error.fault is not None else str(error).rstrip(".")
            problem = Note(NoteKind.MODEL_FAILED, words, cause=error.fault)
            raise
        finally:
            calls = trace.take_unbooked()
            if calls:
                await self._book(chat_id, calls, trace.entries, problem)
        reply = replace(parse_reply(answer.text), is_cut_off=answer.is_cut_off)
        return DryRun(calls[-1], body, answer.text, reply, tuple(call.name for call in answer.calls))


def _key(run_id: str) -> tuple[str, str]:
    return DRY_RUN, run_id
