"""The details of cards in the small engine, made from its rows; a test may change them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain import events as ev
from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.cards import CardDetails, CardStep, DecisionCounts, Knowledge, TrustSource, Variant, Why
from chimein_gui.domain.costs import CallEnd, ModelCall
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.events import EngineEvent
from chimein_gui.domain.ids import ApprovalId, ChatId, GraphId, Revision, TaskId
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.plans.graphs import PlanStep, TaskGraph
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.tasks import Origin, TaskStatus
from chimein_gui.engine.planning.variant_store import choose_variant, discard_variant
from chimein_gui.engine.planning.variants import Regenerated
from chimein_gui.engine.ports import GraphStanding, Transaction

if TYPE_CHECKING:
    from tests.fakes.engine_api import FakeEngineApi

DECISIONS = DecisionCounts(31, 8, 2)


class FakeCards:
    """Implements `CardsService`."""

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api
        self.loaded: list[int] = []
        self.changes: dict[int, dict[str, object]] = {}
        self.fail: Exception | None = None

    async def load(self, approval_id: ApprovalId) -> CardDetails:
        self.loaded.append(approval_id)
        if self.fail is not None:
            raise self.fail
        approval = self._api.approvals.get(approval_id)
        if approval is None:
            raise NotFoundError(f"no approval {approval_id}")
        return replace(self._details(approval), **self.changes.get(approval_id, {}))  # type: ignore[arg-type]

    def tell(self, approval_id: int, **changes: object) -> None:
        """Set the details of a card, in place of those made from rows."""
        self.changes.setdefault(approval_id, {}).update(changes)

    def _details(self, approval: Approval) -> CardDetails:
        api = self._api
        messages = [
            api.messages.get(approval.chat_id, {})[key] for key in sorted(api.messages.get(approval.chat_id, {}))
        ]
        mine = [one for one in api.approvals.values() if one.graph_id == approval.graph_id]
        steps = tuple(
            CardStep(one.task_id, one.kind, one.task_status, one.approval_id, one.text, one.sticker, typing_s=4.0)
            for one in sorted(mine, key=lambda one: one.task_id)
        )
        target = next((one for one in messages if one.key.message_id == approval.reply_to_id), None)
        usage = Usage(6412, 118, 340)
        call = ModelCall("gemini-2.5-pro", "plan", approval.created_at, 2.3, CallEnd.ANSWERED, usage, cost_usd=0.0114)
        return CardDetails(
            approval=approval,
            chat=api.chats[approval.chat_id],
            messages=tuple(messages[-6:]),
            target=target,
            came_since=(),
            edited_since=(),
            planned_at=approval.created_at,
            origin=Origin.PLAN,
            steps=steps,
            remembers=(),
            why=Why(api.chats[approval.chat_id].trust, TrustSource.AGENT, None, 4, 9, 20, 60, undo_s=5, countdown_s=30),
            knew=Knowledge(len(messages), approval.created_at - timedelta(hours=3)),
            calls=(call,),
            decisions=DECISIONS,
            variants=api.plans.variants_of(approval.graph_id),
        )


class FakeVariants:
    """Implements `VariantsService`: a test adds versions; the engine's own rules choose and discard."""

    def __init__(self, api: FakeEngineApi) -> None:
        self._cards_api = api
        self.asked: list[tuple[int, str]] = []
        self.stopped: list[int] = []
        self.answer = Regenerated(None)
        self.refusal = ""

    def variants_of(self, graph_id: GraphId) -> tuple[Variant, ...]:
        rows = self._cards_api.store.rows
        found = [one for one in rows.graphs.variants_of(graph_id) if one.standing is GraphStanding.VARIANT]
        return tuple(
            Variant(one.graph_id, one.instruction, one.created_at, rows.approvals.of_graph(one.graph_id))
            for one in found
        )

    async def regenerate(self, graph_id: GraphId, instruction: str = "", *, without_pages: bool = False) -> Regenerated:
        self.asked.append((graph_id, instruction or ("without pages" if without_pages else "")))
        return self.answer

    def stop(self, chat_id: ChatId) -> None:
        self.stopped.append(chat_id)

    async def choose(self, graph_id: GraphId) -> Note | None:
        self.asked.append((graph_id, "choose"))
        environment = self._cards_api.environment
        return await self._decide(lambda tx: choose_variant(tx, graph_id, environment))

    async def discard(self, graph_id: GraphId) -> Note | None:
        return await self._decide(lambda tx: discard_variant(tx, graph_id))

    async def _decide(self, work: Callable[[Transaction], tuple[list[EngineEvent], Note | None]]) -> Note | None:
        if self.refusal:
            return Note(NoteKind.OTHER, self.refusal)
        events, refusal = await self._cards_api.store.transact(work)
        self._cards_api.bus.publish(*events)
        return refusal

    def put_variant(self, base: Approval, graph_id: int, instruction: str, *texts: str) -> Variant:
        """Store a version of a plan, and publish it."""
        api = self._cards_api
        cards = api.approvals.values()
        first_task, first = max(card.task_id for card in cards) + 1, max(api.approvals) + 1001
        drafts = tuple(
            replace(
                base,
                approval_id=ApprovalId(first + place),
                task_id=TaskId(first_task + place),
                graph_id=GraphId(graph_id),
                text=text,
                draft_text=text,
                task_status=TaskStatus.PARKED,
                version=1,
                created_at=api.now(),
            )
            for place, text in enumerate(texts)
        )
        api.store.rows.graphs.put_variant(base, GraphId(graph_id), instruction, drafts)
        revision = Revision(api.revision + 1)
        steps = tuple(PlanStep(one.task_id, one.kind, one.task_status, ()) for one in drafts)
        graph = TaskGraph(
            GraphId(graph_id),
            base.chat_id,
            api.now(),
            (),
            (),
            steps,
            variant_of=base.graph_id,
            instruction=instruction,
        )
        api.publish(ev.VariantStored(graph, drafts, revision))
        return Variant(GraphId(graph_id), instruction, api.now(), drafts)
