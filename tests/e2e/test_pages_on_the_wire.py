"""Pages of the made-up web, from the model's request over real sockets to the bytes of its next call, and the draft."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui.adapters.gemini.model import GeminiModel
from chimein_gui.domain.approvals import Approve, AskReason
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.retrieval.turns import read_page
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.domain.traces.steps import StepKind
from chimein_gui.sandbox.model.endpoint import ModelEndpoint
from chimein_gui.sandbox.model.script import ModelCall, ModelScript
from tests.support.engine_room import NORA, QUICK, Room, engine_room
from tests.support.web_room import WebRoom, web_room

CURIOUS = replace(NORA, role_prompts=("Person", "Retrieve"), role_texts=(*NORA.role_texts, "You can look things up."))
TIMETABLE = "http://ferry.example/timetable"
SENTENCE = "On Fridays the last boat back from Nordufer leaves at 22:25, and it waits for nobody."
REGATTA = "http://whisper.example/regatta"


@asynccontextmanager
async def curious_room(folder: Path) -> AsyncIterator[tuple[Room, ModelScript, WebRoom]]:
    """Let an engine ask the sandbox's model and the made-up web through the real clients."""
    script = ModelScript()
    endpoint = ModelEndpoint(script)
    model = GeminiModel("key", f"http://127.0.0.1:{await endpoint.start('127.0.0.1', 0)}")
    try:
        async with (
            web_room() as web,
            engine_room(
                folder,
                model=model,  # type: ignore[arg-type]
                agents=(CURIOUS,),
                preferences=QUICK,
                pages=web.fetcher,
            ) as room,
        ):
            yield room, script, web
    finally:
        await model.aclose()
        await endpoint.aclose()


def turns_of(call: ModelCall) -> list[tuple[str, tuple[str, ...]]]:
    return [(turn["role"], tuple(part["text"] for part in turn["parts"])) for turn in call.contents]


async def test_the_persona_looks_the_ferry_up_and_answers_with_the_page(tmp_path: Path) -> None:
    async with curious_room(tmp_path) as (room, script, web):
        script.queue_reply(f"# «remember»\nasks about boats\n# «retrieve»\n{TIMETABLE}")
        script.queue_reply("# «send»\nOn Fridays at 22:25 from Nordufer.")
        room.telegram.partner_writes("when does the last boat back leave on friday ?")
        draft = await room.approval(TaskStatus.AWAITING_DECISION)
        assert draft.text == "On Fridays at 22:25 from Nordufer."
        first, second = script.calls
        role, parts = turns_of(second)[0]
        page = read_page(role, parts)
        assert page is not None
        assert page[0] == TIMETABLE
        assert SENTENCE in page[1]
        assert "| Friday | 06:20 | 60 minutes | 21:40" in page[1]
        assert turns_of(second)[1:] == turns_of(first)
        assert second.system_instruction == first.system_instruction
        assert set(map(tuple, web.connected)) <= set(web.web.address_map.values()) | {
            place for place in map(tuple, web.connected) if place[0] == "127.0.0.1"
        }
        assert [name for name, _ in web.resolved] == ["ferry.example"]
        calls = await room.engine.prompts.calls(draft.graph_id)
        sent = await room.engine.prompts.sent(calls[-1].call_id)
        assert SENTENCE in json.dumps([list(parts) for _, parts in sent.text.turns])  # what the Prompt pane shows
        trace_id = await room.engine.traces.of_graph(draft.graph_id)
        assert trace_id is not None
        trace = await room.engine.traces.trace(trace_id)
        (step,) = [one for one in trace.steps if one.kind is StepKind.PAGE]
        source = await room.engine.traces.page_source(trace_id, step.step_id)
        assert source.startswith("<!doctype html>")
        assert f"<p>{SENTENCE}</p>" in source
        with pytest.raises(NotFoundError):
            await room.engine.traces.page_source(trace_id, step.step_id + 1)
        await room.decide(draft, Approve())
        await room.until(room.telegram.delivered)
    assert not (tmp_path / "Nora Vale" / "memory.md").exists()


async def test_what_a_page_orders_changes_nothing_but_the_text_that_is_seen(tmp_path: Path) -> None:
    async with curious_room(tmp_path) as (room, script, web):
        script.queue_reply(f"# «retrieve»\n{REGATTA}")
        script.queue_reply("# «send»\nForelle won.\n# «block»\n# «retrieve»\nhttp://metadata.example/latest/meta-data/")
        script.queue_reply("# «send»\nForelle won.\n# «block»")
        room.telegram.partner_writes("who won the regatta ?")
        send = await room.approval(TaskStatus.AWAITING_DECISION, "Forelle won.")
        first, second, third = script.calls
        role, parts = turns_of(second)[0]
        page = read_page(role, parts)
        assert page is not None
        assert "First: Forelle." in page[1]
        assert not any(line.lstrip().startswith("# «") for line in page[1].splitlines())
        assert "⟦" not in page[1]
        assert [call.system_instruction for call in (second, third)] == [first.system_instruction] * 2
        assert "This address is not looked up from here" in turns_of(third)[1][1][1]
        assert [answer for name, answer in web.resolved if name == "metadata.example"] == ["169.254.169.254"]
        assert "169.254.169.254" not in {place[0] for place in web.connected}
        block = next(one for one in room.approvals() if one.kind is TaskKind.BLOCK)
        assert AskReason.IRREVERSIBLE in block.reasons
        chat = await room.chat(lambda chat: chat.chat_id == send.chat_id)
        assert chat.trust in {None, TrustLevel.REVIEW}
        assert not room.telegram.delivered()
