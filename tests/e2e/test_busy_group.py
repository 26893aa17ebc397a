"""The sandbox's busy group: what the model is given of it, what it looks up, and that its answer arrives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chimein_gui.domain.context import HISTORY
from chimein_gui.sandbox.model import endpoint, requests
from chimein_gui.sandbox.model.script import FunctionCall, ModelCall, ScriptedReply
from chimein_gui.sandbox.model.talk.responder import Responder
from chimein_gui.sandbox.seeds import people
from chimein_gui.sandbox_api import FaultKind, FaultRule
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
        assert OLD in str(last.contents[-1])


TALK = (
    (people.OSKAR, "Dédé, does the night train to Porto still stop at Aveiro?"),
    (people.TIAGO, "Jule, o remo azul está partido outra vez"),
    (people.DEDE, "Oskar, the night train to Porto stops at Aveiro at four"),
    (people.JULE, "Tiago, welcher Ruder? Das blaue Ruder ist beim Schreiner"),
    (people.OSKAR, "Dédé, four is early for a night train, is there a later stop at Aveiro?"),
    (people.TIAGO, "Jule, então o remo azul fica no hangar até sábado"),
)
"""Two subjects, interleaved."""


@pytest.mark.parametrize("embeds", [True, False], ids=["both stages", "stage one alone"])
async def test_of_two_interleaved_subjects_the_model_gets_the_one_it_is_called_into(
    tmp_path: Path, calls: list[ModelCall], *, embeds: bool
) -> None:
    async with house(tmp_path) as here:
        if not embeds:
            await here.console.inject(FaultRule(FaultKind.MODEL_ERROR, "batchEmbedContents", times=0))
        for who, text in TALK:
            await here.console.speak(who, people.BOATHOUSE, text)
        await here.console.speak(
            people.OSKAR, people.BOATHOUSE, "@nora_vale_box what do you think, Dédé and I are lost"
        )
        rows = await here.drafts(lambda rows: rows)
        held = str(calls[-1])
        assert all(text in held for who, text in TALK if who in {people.OSKAR, people.DEDE})
        assert not [text for who, text in TALK if who in {people.TIAGO, people.JULE} and text in held]
        assert 0 < rows[0].context_held < rows[0].context_of
        assert rows[0].context_of > 20
        [fault] = (await here.console.rehearsal()).faults or [None]
        assert embeds if fault is None else fault.hits > 0
