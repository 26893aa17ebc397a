"""The talk as a whole, through the product's own prompts and model: utterances in every language, and two scenarios."""

import pytest

from chimein_gui.sandbox.model.talk.language import detect
from chimein_gui.sandbox.model.talk.library import VoiceLibrary
from tests.sandbox.prompts import personas, repeats
from tests.sandbox.rehearse import UTTERANCES, read_utterances, rehearse, rehearse_scenario

PROGRAM = ("program", "برنامج", "プログラム", "โปรแกรม")
ARE_YOU_A_BOT = ("bot", "robô", "maschine", "روبوت", "ai", "human", "บอท")


async def test_every_utterance_is_answered_in_character_and_none_is_repeated():
    heard = await rehearse(read_utterances(UTTERANCES.read_text(encoding="utf-8")))
    assert len(heard) >= 60
    assert {persona for persona, _, _ in heard} >= set(personas())
    assert [said for _, said, answer in heard if answer == "(says nothing)"] == []
    assert [answer for _, said, answer in heard if repeats(answer, said)] == []
    spoken = {persona: VoiceLibrary().voice(persona).languages for persona, _, _ in heard}
    foreign = [
        (said, answer)
        for persona, said, answer in heard
        if (asked := detect(said)) in spoken[persona] and detect(answer) not in ("", asked)
    ]
    assert foreign == []


async def test_asked_whether_it_is_a_bot_each_says_plainly_that_a_program_writes():
    heard = await rehearse(read_utterances(UTTERANCES.read_text(encoding="utf-8")))
    asked = [
        (persona, answer)
        for persona, said, answer in heard
        if any(word in said.casefold() for word in ARE_YOU_A_BOT) and said.endswith(("?", "؟", "คะ")) and len(said) < 45
    ]
    told = {persona for persona, answer in asked if any(word in answer.casefold() for word in PROGRAM)}
    assert told >= {*personas(), "Ada Quill"}


@pytest.mark.parametrize("name", ["five-accounts-at-once", "grumpy-day"])
async def test_a_whole_scenario_is_answered(name: str):
    heard = await rehearse_scenario(name)
    assert len(heard) >= 5
    assert [said for _, said, answer in heard if answer == "(says nothing)"] == []
    assert [answer for _, said, answer in heard if repeats(answer, said)] == []
