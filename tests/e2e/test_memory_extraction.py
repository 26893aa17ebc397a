"""What a partner says on Monday is proposed, accepted, and in the next prompt; over the real client of Gemini."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from chimein_gui.adapters.gemini.model import GeminiModel
from chimein_gui.domain.costs import EXTRACTION
from chimein_gui.domain.events import MemoryProposalsChanged, ModelCallBooked
from chimein_gui.domain.memory.proposals import Flag, Proposal
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.model.endpoint import ModelEndpoint
from chimein_gui.sandbox.model.script import ModelScript
from tests.fakes.telegram import FakeTelegram
from tests.support.engine_room import Room, engine_room

TASK = resource_path("memory", "extraction.md").read_text("utf-8")


@asynccontextmanager
async def asked_room(folder: Path, telegram: FakeTelegram) -> AsyncIterator[tuple[Room, ModelScript]]:
    script = ModelScript()
    endpoint = ModelEndpoint(script)
    model = GeminiModel("key", f"http://127.0.0.1:{await endpoint.start('127.0.0.1', 0)}")
    try:
        async with engine_room(folder, telegram=telegram, model=model, extraction_prompt=TASK) as room:  # type: ignore[arg-type]
            yield room, script
    finally:
        await model.aclose()
        await endpoint.aclose()


def proposed(room: Room) -> list[Proposal]:
    events = [event for event in room.events if isinstance(event, MemoryProposalsChanged)]
    return [one for event in events for one in event.proposals]


def extractions(script: ModelScript) -> list[str]:
    return [call.system_instruction for call in script.calls if "Extraction of memories" in call.system_instruction]


async def test_from_what_was_said_to_the_next_prompt(tmp_path: Path) -> None:
    telegram = FakeTelegram()
    async with asked_room(tmp_path, telegram) as (room, script):
        await room.drafted("I live in Leeds. Please send me the door code! What about you?")
        assert not extractions(script), "the conversation has not come to rest"
        await room.reach(lambda: proposed(room), step_s=30)
        call = next(one for one in script.calls if "Extraction of memories" in one.system_instruction)
        assert call.config["responseMimeType"] == "application/json"
        assert call.config["responseSchema"]["required"] == ["memories"]
        quoted = json.dumps(call.contents, ensure_ascii=False)
        assert "I live in Leeds. Please send me the door code!" in quoted
        home, order = proposed(room)
        name = home.person_name
        assert home.text == f"{name} lives in Leeds."
        assert [part.words for part in home.evidence] == ["I live in Leeds."]
        assert (order.text, order.flags) == ("Please send me the door code!", frozenset({Flag.ORDER, Flag.SENSITIVE}))
        booked = [e.call for e in room.events if isinstance(e, ModelCallBooked) and e.call.purpose == EXTRACTION]
        assert [(one.cost_usd or 0) > 0 for one in booked] == [True]
        await room.engine.memory_review.reject(order.proposal_id, order.version)
        await room.engine.memory_review.accept(home.proposal_id, home.version)
        pages = await room.engine.memory_editor.pages("Nora Vale", home.person_id)
        assert [entry.entry.text for page in pages for entry in page.entries] == [f"{name} lives in Leeds."]
        room.telegram.partner_writes("Where do I live?")
        await room.until(lambda: len(script.calls) > 2 and room.find(TaskStatus.AWAITING_DECISION))
        assert f"{name} lives in Leeds." in script.calls[-1].system_instruction
    async with asked_room(tmp_path, telegram) as (room, script):
        await room.reach(lambda: extractions(script), step_s=30)
        words = json.dumps(script.calls[-1].contents)
        assert "Where do I live?" in words
        assert "Leeds" not in words, "after a restart only what was not read is read"
