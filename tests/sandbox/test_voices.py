"""The voices that come with the program: complete, in the right language, and every pattern of use."""

import re

import pytest

from chimein_gui.domain.replies.replies import parse_reply
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.model.talk.language import detect
from chimein_gui.sandbox.model.talk.library import ANYONE, VoiceLibrary
from chimein_gui.sandbox.model.talk.patterns import Pattern, read_words
from chimein_gui.sandbox.model.talk.voice import Entry, Voice
from chimein_gui.sandbox.model.talk.wording import as_blocks
from tests.sandbox.prompts import personas

LIBRARY = VoiceLibrary()
PERSONAS = LIBRARY.names
EVERYBODY = [*PERSONAS, ANYONE]
KINDS = (
    *("greeting", "thanks", "bye", "how are you", "bot", "sad", "happy", "sorry", "order", "invitation", "injection"),
    *("address asked", "joke", "opinion", "laughter", "emoji only", "sticker", "photo", "voice", "short"),
    *("love or compliment", "insult"),
)
FACTS, TURNS, EVASIONS = 30, 20, 6
every_voice = pytest.mark.parametrize("name", EVERYBODY)
every_persona = pytest.mark.parametrize("name", PERSONAS)


def texts_of(voice: Voice) -> list[tuple[str, str, str]]:
    """Everything that a voice can say: where it stands, its language, the text."""
    entries = [(one.name, code, text) for one in entries_of(voice) for code in one.say for text in one.say[code]]
    others = (("evasions", voice.evasions), ("warmer", voice.warmer), ("ask_when", voice.ask_when))
    return entries + [(where, code, text) for where, texts in others for code in texts for text in texts[code]]


def entries_of(voice: Voice) -> tuple[Entry, ...]:
    return (*voice.facts, *voice.turns)


@every_persona
def test_a_persona_has_a_voice_of_its_own(name: str) -> None:
    voice = LIBRARY.voice(name)
    assert voice.persona in personas()
    assert len(voice.facts) >= FACTS
    assert all(len(voice.evasions[code]) >= EVASIONS for code in voice.languages)


@every_voice
def test_a_voice_knows_what_people_say(name: str) -> None:
    voice = LIBRARY.voice(name)
    assert len(voice.turns) >= TURNS
    kinds = [one.name for one in voice.turns]
    assert [kind for kind in KINDS if not any(kind in one for one in kinds)] == []


@every_voice
def test_every_pattern_can_be_reached(name: str) -> None:
    voice = LIBRARY.voice(name)
    missed = [
        f"{one.line}: {pattern.written} ({code}) of {one.name} → {found.name if found else 'an evasion'}"
        for one in entries_of(voice)
        for code, patterns in one.ask.items()
        for pattern in patterns
        if (found := voice.entry_for(read_words(message(pattern)), "", code)) is not one
    ]
    assert missed == []


def message(pattern: Pattern) -> str:
    """The shortest message that a pattern fits."""
    return " ".join(one.removesuffix("*") for one in pattern.wanted)


@every_voice
def test_every_text_is_in_its_language_and_keeps_the_grammar(name: str) -> None:
    voice = LIBRARY.voice(name)
    spoken = [(where, code, text) for where, code, text in texts_of(voice) if not text.startswith("# «sticker»")]
    foreign = [(where, code, text) for where, code, text in spoken if detect(text) not in ("", code)]
    assert foreign == []
    loud = [text for _, _, text in spoken if re.search(r"[!\uff01]\s*[!\uff01]", text)]
    assert loud == []
    for _, _, text in texts_of(voice):
        reply = parse_reply("\n".join(block.text for block in as_blocks(text, 0)))
        assert not reply.problems, text


@every_persona
def test_only_stickers_that_the_persona_has(name: str) -> None:
    voice = LIBRARY.voice(name)
    agent = personas()[voice.persona]
    sent = [
        block.body.split("\n")
        for _, _, text in texts_of(voice)
        for block in as_blocks(text, 0)
        if "«sticker»" in block.heading
    ]
    assert [one for one in sent if one[0] not in agent.sticker_sets and tuple(one) not in agent.stickers] == []


def test_every_sample_persona_has_a_voice() -> None:
    found = {LIBRARY.voice(name).persona for name in PERSONAS}
    assert found == set(personas())
    assert (resource_path("sandbox", "voices") / f"{ANYONE}.yaml").is_file()
