"""The plans of the fake engine: set by the test, and edits are recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from chimein_gui.adapters.gemini.bodies import request_of
from chimein_gui.domain.context.explained import LinkExplanation
from chimein_gui.domain.costs import DRY_RUN, CallEnd, ModelCall
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.ids import ChatId, GraphId, MessageId, Revision
from chimein_gui.domain.loaded import Loaded
from chimein_gui.domain.plans.details import PlanDetails, PlanPage
from chimein_gui.domain.plans.step_edits import EditOutcome, EditVerdict, StepEditRequest
from chimein_gui.domain.plans.upcoming import UpcomingEntry
from chimein_gui.domain.prompt.considered import ContextSelection
from chimein_gui.domain.prompt.dry_runs import DryRun, PromptEdits, RebuiltPrompt, edited
from chimein_gui.domain.prompt.prompts import Prompt, Usage
from chimein_gui.domain.prompt.sent import CallId, PromptView, SentCall, TokenCounts
from chimein_gui.domain.replies.replies import parse_reply
from chimein_gui.domain.replies.think import without_thoughts

if TYPE_CHECKING:
    from tests.fakes.engine_api import FakeEngineApi

T = TypeVar("T")


class FakePlanPages:
    """Implements `viewmodels.engine_api.plans`.

    Attributes:
        plans: The current plan of each chat.
        making: The plan that is being made, beside the current ones.
        earlier: The past plans of all chats, newest first.
        edits: The requests, oldest first.
        answer: The answer to the next edits.
        upcoming: What happens next in all chats.
        reads: How often that was read.
    """

    def __init__(self) -> None:
        self.plans: dict[ChatId, PlanDetails] = {}
        self.making: PlanDetails | None = None
        self.earlier: list[PlanDetails] = []
        self.edits: list[StepEditRequest] = []
        self.answer = EditOutcome(EditVerdict.ACCEPTED, 1)
        self.upcoming: tuple[UpcomingEntry, ...] = ()
        self.reads = 0

    async def current(self, chat_id: ChatId) -> Loaded[PlanDetails]:
        found = self.plans.get(chat_id)
        return Loaded(tuple(one for one in (found, self.making) if one is not None), Revision(0))

    async def load(self) -> Loaded[UpcomingEntry]:
        self.reads += 1
        return Loaded(self.upcoming, Revision(0))

    async def page(self, chat_id: ChatId, before: GraphId | None = None, *, limit: int = 20) -> PlanPage:
        found = [one for one in self.earlier if one.chat_id == chat_id and (before is None or one.graph_id < before)]
        return PlanPage(tuple(found[:limit]), has_more=len(found) > limit)

    async def plan(self, graph_id: GraphId) -> PlanDetails:
        found = [one for one in (*self.plans.values(), *self.earlier) if one.graph_id == graph_id]
        if not found:
            raise NotFoundError(f"no plan {graph_id}")
        return found[0]

    async def edit(self, request: StepEditRequest) -> EditOutcome:
        self.edits.append(request)
        return self.answer


class FakeContexts:
    """The contexts of plans, set by the test; None stands for now."""

    def __init__(self) -> None:
        self.found: dict[tuple[ChatId, GraphId | None], ContextSelection] = {}
        self.reads: list[tuple[ChatId, GraphId | None, bool]] = []
        self.explained: dict[MessageId, LinkExplanation] = {}

    async def load(
        self, chat_id: ChatId, graph_id: GraphId | None = None, *, now: bool = False
    ) -> Loaded[ContextSelection]:
        self.reads.append((chat_id, graph_id, now))
        stored = [of for chat, of in self.found if chat == chat_id and of is not None]
        wanted = None if now or not (graph_id or stored) else graph_id or max(stored)
        return Loaded((self.found.get((chat_id, wanted), ContextSelection(chat_id, None)),), Revision(0))

    async def explain(
        self, chat_id: ChatId, message_id: MessageId, graph_id: GraphId | None = None, *, now: bool = False
    ) -> LinkExplanation | None:
        return self.explained.get(message_id)


class FakePrompts:
    """Implements `viewmodels.engine_api.prompts`.

    Attributes:
        of_now: What would be sent now, by chat.
        prompts: The same as data.
        stored: The stored prompts of each plan.
        counted: The answer to a count; None as if it was stopped.
        while_counting: Called when one of eight requests is answered.
    """

    def __init__(self) -> None:
        self.of_now: dict[ChatId, PromptView] = {}
        self.prompts: dict[ChatId, Prompt] = {}
        self.stored: dict[GraphId, tuple[PromptView, ...]] = {}
        self.counted: TokenCounts | Exception | None = None
        self.while_counting: Callable[[], object] = bool
        self.stopped = 0

    async def count(self, view: PromptView, progress: Callable[[int, int], object]) -> TokenCounts | None:
        progress(1, 8)
        self.while_counting()
        if isinstance(self.counted, Exception):
            raise self.counted
        return self.counted

    def stop_counting(self) -> None:
        self.stopped += 1

    async def calls(self, graph_id: GraphId) -> tuple[SentCall, ...]:
        return tuple(view.sent for view in self.stored.get(graph_id, ()) if view.sent is not None)

    async def of_chat(self, chat_id: ChatId) -> tuple[SentCall, ...]:
        if chat_id not in self.of_now:
            return ()
        found = [view.sent for views in self.stored.values() for view in views if view.sent is not None]
        return tuple(sorted(found, key=lambda one: one.call_id, reverse=True))

    async def sent(self, call_id: CallId) -> PromptView:
        views = (view for views in self.stored.values() for view in views)
        found = next((view for view in views if view.sent is not None and view.sent.call_id == call_id), None)
        if found is None:
            raise NotFoundError(f"no prompt of call {call_id}")
        return found

    async def rebuilt(self, chat_id: ChatId) -> RebuiltPrompt:
        return RebuiltPrompt(self.prompts[chat_id], self.of_now[chat_id])

    async def compute(self, work: Callable[[], T]) -> T:
        return work()

    async def now(self, chat_id: ChatId) -> PromptView:
        if chat_id not in self.of_now:
            raise NotFoundError(f"no chat {chat_id}")
        return self.of_now[chat_id]


class FakeDryRuns:
    """Implements `viewmodels.engine_api.prompts.DryRunsService`.

    Attributes:
        script: The answers, raw or as errors.
        bodies: What was asked: the model and the bytes.
        while_asking: Called before each answer; it may stop the run.
    """

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api
        self.script: list[str | Exception] = []
        self.bodies: list[tuple[str, bytes]] = []
        self.while_asking: Callable[[], object] = bool
        self._stopped: set[str] = set()

    async def rebuilt(self, run_id: str, chat_id: ChatId, prompt: Prompt, edits: PromptEdits) -> DryRun | None:
        changed = edited(prompt, edits)
        return self._answer(run_id, changed.model, request_of(changed))

    async def exact(self, run_id: str, chat_id: ChatId, view: PromptView) -> DryRun | None:
        return self._answer(run_id, view.model, view.body)

    def stop(self, run_id: str) -> None:
        self._stopped.add(run_id)

    def _answer(self, run_id: str, model: str, body: bytes) -> DryRun | None:
        self.bodies.append((model, body))
        self.while_asking()
        answer = self.script.pop(0) if self.script else f"# «send»\nanswer {len(self.bodies)}"
        if run_id in self._stopped:
            return None
        if isinstance(answer, Exception):
            raise answer
        call = ModelCall(model, DRY_RUN, self._api.now(), 2.9, CallEnd.ANSWERED, Usage(1_000, 20), cost_usd=0.0023)
        self._api.costs.take(call)
        text = without_thoughts(answer)
        return DryRun(call, body, text, parse_reply(text))
