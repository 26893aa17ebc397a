"""The sandbox's busy group: what the prompt leaves out, the model looks up, and its answer arrives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chimein_gui.domain.context import HISTORY
from chimein_gui.sandbox.model import endpoint, requests
from chimein_gui.sandbox.model.script import FunctionCall, ModelCall, ScriptedReply
from chimein_gui.sandbox.model.talk.responder import Responder
from chimein_gui.sandbox.seeds import people
from tests.e2e.whole_house import House, house

OLD = "the spare rowlocks are in the green cupboard"
QUESTION = "@nora_vale_box do you remember where the spare rowlocks are?"
CHATTER = ("sunny again today", "who is rowing tonight", "me and Jule", "see you at the jetty", "bring sun cream")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[ModelCall]:
    """What reached the sandbox's model, in order."""
    received: list[ModelCall] = []
    really = requests.parse_call

    def note(*arguments: Any, **named: Any) -> ModelCall:
        received.append(really(*arguments, **named))
        return received[-1]

    monkeypatch.setattr(endpoint, "parse_call", note)
    return received


async def talk(here: House) -> None:
    """Something is said, and then so much else that no choice of context reaches back to it."""
    await here.console.speak(people.DEDE, people.BOATHOUSE, OLD)
    for number in range(HISTORY + 10):
        who = people.TIAGO if number % 2 else people.JULE
        await here.console.speak(who, people.BOATHOUSE, f"{CHATTER[number % len(CHATTER)]} {number}")


async def test_an_old_matter_is_looked_up_and_the_answer_arrives(
    tmp_path: Path, calls: list[ModelCall], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def search_first(_self: Responder, call: ModelCall, *_more: Any) -> ScriptedReply:
        if "functionResponse" in str(call.contents):
            return ScriptedReply("# «send»\nin the green cupboard")
        return ScriptedReply("", calls=(FunctionCall("search_messages", {"query": "spare rowlocks"}),))

    monkeypatch.setattr(Responder, "answer", search_first)
    async with house(tmp_path) as here:
        await talk(here)
        await here.console.speak(people.OSKAR, people.BOATHOUSE, QUESTION)
        (draft,) = await here.drafts(lambda rows: rows)
        assert "green cupboard" in draft.text
        first, *further = calls
        assert OLD not in str(first.contents)
        assert {tool["name"] for tool in first.tools} == {"get_smart_context", "get_message", "search_messages"}
        assert OLD in str(further[-1].contents)
        assert "functionResponse" in str(further[-1].contents)


async def test_a_model_that_asks_for_ever_answers_all_the_same(
    tmp_path: Path, calls: list[ModelCall], monkeypatch: pytest.MonkeyPatch
) -> None:
    really = Responder.answer

    async def eager(self: Responder, call: ModelCall, *more: Any) -> ScriptedReply:
        asked = (FunctionCall("get_smart_context", {}), FunctionCall("search_messages", {"query": "spare rowlocks"}))
        return ScriptedReply("", thoughts="more", calls=asked) if call.tools else await really(self, call, *more)

    monkeypatch.setattr(Responder, "answer", eager)
    async with house(tmp_path) as here:
        await talk(here)
        await here.console.speak(people.OSKAR, people.BOATHOUSE, QUESTION)
        (draft,) = await here.drafts(lambda rows: rows)
        assert draft.text
        assert len(calls) == 4
        last = calls[-1]
        assert last.tools == ()
        assert "functionResponse" not in str(last.contents)
        assert OLD in last.system_instruction
