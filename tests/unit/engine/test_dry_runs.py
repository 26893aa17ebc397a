"""Dry runs: what is asked is what is shown, the answer has no effect, and only the money is booked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest

from chimein_gui.domain.costs import DRY_RUN, CallEnd
from chimein_gui.domain.errors import ModelKeyError
from chimein_gui.domain.ids import ChatId
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.prompt.dry_runs import PromptEdits, RebuiltPrompt
from chimein_gui.domain.prompt.prompts import ModelReply, Usage
from chimein_gui.domain.prompt.sent import PromptView
from chimein_gui.domain.replies.replies import BlockKind
from chimein_gui.domain.traces.summaries import EVERYTHING, TraceState
from chimein_gui.engine.llm.calls import ModelRouter
from chimein_gui.engine.llm.costs import Costs
from chimein_gui.engine.operator.cards import Cards
from chimein_gui.engine.planning.recording import book_dry_run
from chimein_gui.engine.prompt.inputs import MemoryReader
from chimein_gui.engine.traces.prompt_archive import PromptArchive
from chimein_gui.engine.traces.prompts import Prompts
from chimein_gui.engine.what_if.dry_runs import DryRuns
from tests.fakes.model import wants
from tests.support.async_tests import OpenedInLoop
from tests.support.planning_room import PlanningRoom, planning_room

REPLY = "# «think»\nsecret\n\n# «send» 11\nhi\n\n# «remember»\nlikes tea\n\n# «retrieve»\nhttps://example.org/"


@dataclass
class WhatIf:
    """A room with a plan, and dry runs in it."""

    room: PlanningRoom
    runs: DryRuns
    now: RebuiltPrompt
    stored: PromptView

    @property
    def chat_id(self) -> ChatId:
        return self.room.room.chat_id


@asynccontextmanager
async def opened(tmp_path: Path) -> AsyncIterator[WhatIf]:
    async with planning_room(tmp_path) as room:
        base, models = room.room, ModelRouter(room.model)
        archive = PromptArchive(base.store, base.clock, models)
        services = replace(room.services, on_made=archive.take)
        room.planner._services = services  # prompts are kept
        await room.plan()
        prompts = Prompts(base.store, archive, models, services.source, base.environment, MemoryReader(None, base.bus))
        (call,) = await prompts.calls((await room.graph()).graph_id)

        runs = DryRuns(services.calls, models, partial(book_dry_run, base.unit, base.clock))
        yield WhatIf(room, runs, await prompts.rebuilt(base.chat_id), await prompts.sent(call.call_id))


@pytest.fixture
def whatif(tmp_path: Path) -> OpenedInLoop:
    return OpenedInLoop(opened(tmp_path))


async def test_the_exact_bytes_are_sent_again_and_the_answer_is_only_read(whatif: WhatIf) -> None:
    before = await whatif.room.drafts()
    whatif.room.model.script.append(ModelReply(REPLY, Usage(100, 20)))
    run = await whatif.runs.exact("a", whatif.chat_id, whatif.stored)
    assert run is not None
    assert whatif.room.model.bodies == [(whatif.stored.model, whatif.stored.body)] == [(run.call.model, run.body)]
    assert [one.kind for one in run.reply.blocks] == list(map(BlockKind, ("think", "send", "remember", "retrieve")))
    assert "secret" not in run.text
    assert "(think, 6 characters)" in run.text
    assert (run.call.purpose, run.call.usage, run.call.end) == (DRY_RUN, Usage(100, 20), CallEnd.ANSWERED)
    assert await whatif.room.drafts() == before
    assert not await whatif.room.room.do(lambda tx: tx.effects.memories_to_write())
    assert whatif.room.stored == []


async def test_what_is_edited_is_what_is_asked(whatif: WhatIf) -> None:
    titles = [one.title for one in whatif.now.prompt.sections]
    place = titles.index("Instructions")
    header = whatif.now.prompt.turns[0].parts[0]
    edits = PromptEdits(
        ((place, "Be brief.\n⟦section: Target⟧"),), ((0, (header, "good bye")),), "gemini-2.5-pro", 0.5, True
    )
    whatif.room.model.script.append(wants(("search_messages", {})))
    run = await whatif.runs.rebuilt("a", whatif.chat_id, whatif.now.prompt, edits)
    assert run is not None
    assert run.tools == ("search_messages",), "named, not run"
    asked = whatif.room.model.prompts[-1]
    assert asked.model == "gemini-2.5-pro"
    body = whatif.room.model.request_of(asked)
    assert body == run.body
    text = whatif.room.model.read_request(body)
    assert "⟦section: Instructions⟧\nBe brief.\n\u3014" in text.instruction
    assert text.turns[0].parts == (header, "good bye")
    assert json.loads(body)["generationConfig"] == {"temperature": 0.5}
    untouched = await whatif.runs.rebuilt("b", whatif.chat_id, whatif.now.prompt, PromptEdits())
    assert untouched is not None
    assert untouched.body == whatif.now.view.body, "what is shown is what is sent"


async def test_the_money_counts_and_no_other_figure_does(whatif: WhatIf) -> None:
    costs = Costs(whatif.room.room.store, whatif.room.room.clock)
    before = await costs.today()
    (draft,) = await whatif.room.drafts()
    cards = Cards(whatif.room.room.store, whatif.room.room.environment)
    details = await cards.load(draft.approval_id)
    run = await whatif.runs.exact("a", whatif.chat_id, whatif.stored)
    assert run is not None
    after = await costs.today()
    assert after.usd - before.usd == pytest.approx(run.call.cost_usd) == pytest.approx(after.dry_runs_usd)
    assert before.dry_runs_usd == 0
    assert after.latencies_s == before.latencies_s
    assert (await cards.load(draft.approval_id)).calls == details.calls


async def test_a_run_is_stopped_or_fails_in_words_and_is_booked(whatif: WhatIf) -> None:
    gate = whatif.room.close_gate()
    run = asyncio.get_running_loop().create_task(whatif.runs.exact("a", whatif.chat_id, whatif.stored))
    await whatif.room.model.asked_again.wait()
    whatif.runs.stop("another")
    whatif.runs.stop("a")
    assert await run is None
    gate.set()
    whatif.room.model.script.append(ModelKeyError("The key is bad"))
    with pytest.raises(ModelKeyError, match="The key is bad"):
        await whatif.runs.exact("b", whatif.chat_id, whatif.stored)
    calls = [call for call in await whatif.room.booked() if call.purpose == DRY_RUN]
    assert [call.end for call in calls] == [CallEnd.CANCELLED, CallEnd.FAILED]
    newest, stopped, *_ = await whatif.room.services.store.read(lambda tx: tx.traces.page(EVERYTHING, None, limit=9))
    assert (newest.state, newest.problem) == (TraceState.FAILED, Note(NoteKind.MODEL_FAILED, "The key is bad"))
    assert (stopped.state, stopped.problem) == (TraceState.STOPPED, None)
