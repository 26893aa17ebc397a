"""Model calls: bounded, interruptible, booked; failures by their kind."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from chimein_gui.domain.costs import PRICES, CallEnd, cost_usd
from chimein_gui.domain.errors import ModelKeyError, ModelRefusedError, ModelTransientError
from chimein_gui.domain.events import ModelCallBooked, StepChanged
from chimein_gui.domain.notes import Note, NoteKind, PlanningKind, PlanningProblem
from chimein_gui.domain.prompt.marks import section_mark
from chimein_gui.domain.prompt.prompts import InlineFile, ModelReply, Prompt, PromptSection, Role, Turn, Usage
from chimein_gui.domain.prompt.tool_calls import ToolDeclaration, ToolRound
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.llm.calls import ModelCalls, ModelRouter, PlanTrace, estimated_tokens
from chimein_gui.engine.ports import GraphStanding, ModelProvider
from chimein_gui.engine.tasks.transitions import NEVER
from chimein_gui.viewmodels.words.notes import problem_words
from tests.fakes.clock import VirtualClock
from tests.fakes.model import FakeModel
from tests.support.log_guard import ExpectedLogs
from tests.support.planning_room import NORA, PlanningRoom, planning_room

MARK = f"{section_mark('Instructions')}\n"
PROMPT = Prompt(
    "gemini-x", (PromptSection("Instructions", "a" * (400 - len(MARK.encode()))),), (Turn(Role.USER, ("é" * 200,)),)
)


async def test_each_call_is_booked_with_what_it_cost(room: PlanningRoom) -> None:
    gate = room.close_gate()
    await room.due()
    began_at = room.room.clock.now()
    plan = await room.asking(1)
    room.room.clock.advance(7)
    gate.set()
    await plan
    (call,) = await room.booked()
    assert (call.model, call.purpose, call.end) == ("gemini-2.5-flash", "plan", CallEnd.ANSWERED)
    assert (call.began_at, call.latency_s) == (began_at, 7.0)
    assert (call.usage, call.estimated) == (Usage(10, 5), False)
    assert call.cost_usd == cost_usd("gemini-2.5-flash", Usage(10, 5), PRICES) != 0
    assert [event.call for event in room.room.events if isinstance(event, ModelCallBooked)] == [call]


async def test_a_call_without_a_count_is_estimated_from_its_prompt() -> None:
    class Uncounted(FakeModel):
        async def generate(self, prompt: Prompt) -> ModelReply:
            return ModelReply("hello", Usage(reply_tokens=3))

    calls, trace = ModelCalls(ModelRouter(Uncounted()), VirtualClock()), PlanTrace()
    await calls.ask("key", PROMPT, "plan", trace)
    (call,) = trace.unbooked
    assert call.usage == Usage(200, 3, 0)
    assert call.estimated
    assert estimated_tokens(PROMPT) == 200


def test_what_the_model_said_to_tools_the_form_of_the_answer_and_sounds_are_counted() -> None:
    said = {"functionCall": {"name": "search_messages", "args": {"words": "w" * 400}}}
    with_round = replace(PROMPT, rounds=(ToolRound(said, ()),))
    assert estimated_tokens(with_round) > 300
    assert estimated_tokens(replace(PROMPT, schema="s" * 400)) == 300
    tool = ToolDeclaration("n" * 400, "", ())
    assert estimated_tokens(replace(PROMPT, tools=(tool,))) == 300
    sound = Turn(Role.USER, (), (InlineFile("audio/ogg", b"o"),))
    assert estimated_tokens(replace(PROMPT, turns=(*PROMPT.turns, sound))) == 200 + 120 * 32


async def test_a_cancelled_call_is_booked_too_and_the_plan_goes_on_after_a_restart(room: PlanningRoom) -> None:
    room.close_gate()
    await room.due()
    plan = await room.asking(1)
    plan.cancel()
    await asyncio.gather(plan, return_exceptions=True)
    (call,) = await room.booked()
    assert (call.end, call.estimated) == (CallEnd.CANCELLED, True)
    assert call.usage.prompt_tokens > 0
    received = await room.due_plan()
    assert (received.status, received.attempts, received.reason) == (TaskStatus.READY, 0, Note(NoteKind.CLOSED))


async def test_a_job_that_is_cancelled_while_its_call_is_interrupted_ends() -> None:
    model = FakeModel()
    model.gate = asyncio.Event()
    calls = ModelCalls(ModelRouter(model), VirtualClock())
    task = asyncio.get_running_loop().create_task(calls.ask("key", PROMPT, "plan", PlanTrace()))
    await model.asked(1)
    calls.interrupt("key")
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert task.cancelled()


async def test_a_call_of_more_than_60_s_is_a_failed_attempt(room: PlanningRoom) -> None:
    room.close_gate()
    await room.due()
    plan = await room.asking(1)
    room.room.clock.advance(59.9)
    await asyncio.sleep(0)
    assert not plan.done()
    room.room.clock.advance(0.2)
    await plan
    received = await room.due_plan()
    assert received.due_at == room.room.clock.now() + timedelta(seconds=10)
    assert "did not answer within 60 s" in problem_words((await room.chat()).planning_problem)
    (call,) = await room.booked()
    assert (call.end, call.estimated) == (CallEnd.FAILED, True)


async def test_after_ten_attempts_the_plan_is_archived_as_failed_with_its_reason(room: PlanningRoom) -> None:
    room.model.script += [ModelTransientError("overloaded")] * 11
    await room.plan()
    for attempt in range(2, 11):
        assert await room.planner.plan(room.room.chat_id) is not None
        assert len(room.model.prompts) == attempt - 1
        await room.later(10)
    assert len(room.model.prompts) == 10
    assert await room.received() is None
    (step,) = [event for event in room.room.events if isinstance(event, StepChanged) and event.status == "failed"]
    assert step.reason == Note(NoteKind.MODEL_FAILED, "overloaded", 10)
    assert (await room.chat()).planning_problem == PlanningProblem(PlanningKind.FAILED, "overloaded", attempt=10)
    assert (await room.chat()).planned_up_to == 0

    def archived(tx):
        task = tx.tasks.get(step.task_id)
        return tx.graphs.get(task.graph_id), tx.graphs.current_of(room.room.chat_id)

    graph, current = await room.room.do(archived)
    assert (graph.failed, graph.standing, current) == (
        Note(NoteKind.MODEL_FAILED, "overloaded", 10),
        GraphStanding.PAST,
        None,
    )
    room.model.script.clear()
    await room.plan("hello again")
    assert len(await room.drafts()) == 1


async def test_a_429_waits_as_told_and_uses_no_attempt(room: PlanningRoom) -> None:
    room.model.script += [ModelTransientError("quota", 37.0)] * 15
    await room.plan()
    for _ in range(14):
        received = await room.due_plan()
        assert (received.attempts, received.due_at) == (0, room.room.clock.now() + timedelta(seconds=37))
        await room.later(37)
    assert "quota. Rate limit: retrying in 37 s" in problem_words((await room.chat()).planning_problem)
    assert all(call.usage == Usage() for call in await room.booked())
    await room.later(37)
    assert len(await room.drafts()) == 1


async def test_a_wait_of_0_s_is_an_ordinary_failure(room: PlanningRoom) -> None:
    room.model.script.append(ModelTransientError("busy", 0.0))
    await room.plan()
    received = await room.due_plan()
    assert (received.attempts, received.due_at) == (1, room.room.clock.now() + timedelta(seconds=10))


async def test_a_refused_prompt_is_not_asked_again(room: PlanningRoom) -> None:
    room.model.script.append(ModelRefusedError("Gemini blocked the prompt because of its safety filters."))
    await room.plan()
    assert await room.received() is None
    assert "safety filters" in problem_words((await room.chat()).planning_problem)


async def test_a_bad_key_stops_all_calls_until_it_is_changed(room: PlanningRoom) -> None:
    other = await room.another_chat(1234)
    room.model.script.append(ModelKeyError("Gemini does not accept the API key."))
    await room.plan()
    await room.due("hello there", chat_id=other)
    await room.planner.plan(other)
    assert len(room.model.prompts) == 1
    received = await room.due_plan()
    assert (received.status, received.attempts, received.due_at) == (TaskStatus.WAITING, 0, NEVER)
    shown = [e for e in room.room.events if isinstance(e, StepChanged) and e.status is TaskStatus.WAITING]
    assert [step.until for step in shown] == [None, None]
    assert "does not accept" in problem_words((await room.chat()).planning_problem)
    await room.planner.model_key_changed()
    assert sorted(room.room.woken) == sorted([room.room.chat_id, other])
    for chat_id in (room.room.chat_id, other):
        await room.planner.plan(chat_id)
    assert len(room.model.prompts) == 3
    assert len(await room.drafts()) == 1
    assert (await room.chat()).planning_problem is None


async def test_a_bad_key_stops_the_plans_of_its_provider_alone(tmp_path: Path) -> None:
    other = FakeModel()
    provider = ModelProvider("other", other, ("other-",), "other-api-key")
    async with planning_room(tmp_path, providers=(provider,)) as room:
        room.model.script.append(ModelKeyError("Gemini does not accept the API key."))
        await room.plan()
        assert (await room.due_plan()).due_at == NEVER
        room.spec = replace(NORA, model="other-large")
        chat_id = await room.another_chat(1234)
        await room.due("hello there", chat_id=chat_id)
        await room.planner.plan(chat_id)
        assert (len(room.model.prompts), len(other.prompts)) == (1, 1)


async def test_an_exception_nobody_foresaw_is_an_attempt(room: PlanningRoom, expected_logs: ExpectedLogs) -> None:
    expected_logs(r"ERROR chimein_gui\.engine\.planning\.planner: A plan failed")
    room.model.script.append(OSError("getaddrinfo failed"))
    await room.plan()
    received = await room.due_plan()
    assert (received.status, received.attempts) == (TaskStatus.WAITING, 1)
    assert "getaddrinfo failed" in problem_words((await room.chat()).planning_problem)
