"""The voices of the written model: their files, and that each persona has one that knows what people say."""

import re

import pytest

from chimein_gui.domain.replies.replies import parse_reply
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.model.talk.language import detect, language_of
from chimein_gui.sandbox.model.talk.library import ANYONE, VoiceLibrary
from chimein_gui.sandbox.model.talk.patterns import Pattern, read_pattern, read_words
from chimein_gui.sandbox.model.talk.reading import read_voice
from chimein_gui.sandbox.model.talk.voice import Entry, Voice
from chimein_gui.sandbox.model.talk.wording import as_blocks
from chimein_gui.sandbox.scenes.fields import SceneError
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


HEAD = """persona: Ada Quill
languages: [en, pt]
evasions: {en: [hm], pt: [hum]}
warmer: {en: [ah], pt: [ah]}
ask_when: {en: ["when?"], pt: ["quando?"]}
"""
GREETING = "turns:\n  - {kind: greeting, ask: {en: hi}, say: {en: hello}}\n"


def test_a_voice_is_read():
    voice = read_voice("a.yaml", HEAD + GREETING + "facts:\n  - {topic: b, ask: {pt: [a b]}, say: {en: [x, z]}}\n")
    assert (voice.persona, voice.languages) == ("Ada Quill", ("en", "pt"))
    assert [one.line for one in (*voice.facts, *voice.turns)] == [9, 7]
    assert voice.facts[0].say == {"en": ("x", "z")}


@pytest.mark.parametrize(
    ("body", "line", "words"),
    [
        ("turns:\n  - {kind: a, ask: {en: hi}, say: {pt: x}}\n", 7, "nothing in: en"),
        ("turns:\n  - {kind: a, ask: {en: hi}, say: {en: x, de: y}}\n", 7, "none of: languages, de, en, pt"),
        ("turns:\n  - {kind: a, ask: {en: '!hi'}, say: {en: x}}\n", 7, "pattern: en"),
        ("turns:\n  - {kind: a, say: {en: x}}\n", 7, "missing: ask"),
        (GREETING + "  - {kind: greeting, ask: {en: hey}, say: {en: x}}\n", 8, "stands twice: kind, greeting"),
        (
            GREETING + "  - kind: b\n    ask: {en: hey}\n    say:\n      en:\n        - x\n        - 3\n",
            13,
            "no text: en, 3",
        ),
        (GREETING + "more: 1\n", 8, "unknown key: more"),
        (GREETING + "facts:\n  - {topic: b, on: [photo], ask: {en: x}, say: {en: x}}\n", 9, "unknown key: on"),
    ],
)
def test_a_mistake_is_told_with_its_line(body: str, line: int, words: str):
    with pytest.raises(SceneError, match=words) as caught:
        read_voice("a.yaml", HEAD + body)
    assert str(caught.value).startswith(f"a.yaml:{line}: ")


@pytest.mark.parametrize(
    ("pattern", "fitting", "not_fitting"),
    [
        ("bridge", ["the Bridge?", "BRIDGE"], ["bridges", "ridge"]),
        ("low road", ["the road is low", "Low  road!"], ["the low bridge"]),
        ("bridg*", ["bridges", "bridging"], ["a bride"]),
        ("boat !blue", ["the boat"], ["the blue boat"]),
        ("= ok", ["ok", "OK!!", "okkk", "ok 👍"], ["ok then", "not ok"]),
        ("= hm*", ["hmmmm", "hm..."], ["hm well"]),
        ("what's up", ["whats up?", "what’s up", "WHAT'S UP"], ["what is up"]),
        ("ponte", ["a ponte?", "Ponté"], ["pontes"]),
        ("você está", ["voce esta aí"], ["voces estao"]),
        ("eau", ["de l'eau ?", "l’eau"], ["eaux"]),
        ("größe", ["GRÖSSE", "grosse"], ["gros"]),
        ("hello", ["hellooooo"], ["hell"]),
        ("👍", ["ok 👍"], ["ok"]),
        ("كرسي", ["والكراسي", "الكرسيّ الأعرج"][1:], ["والباب"]),
        ("ฝน", ["ตอนฝนหยุด"], ["กบ"]),
        ("งู", ["มีงูไหมคะ"], ["ร้อง", "เป็นไง"]),
        ("霧 船", ["今夜は霧で、船は?"], ["霧です"]),
        ("= はい", ["はい。", "はい"], ["はいはい、いいえ"]),
    ],
)
def test_what_a_pattern_fits(pattern: str, fitting: list[str], not_fitting: list[str]):
    read = read_pattern(pattern)
    assert [text for text in fitting if not read.fits(read_words(text))] == []
    assert [text for text in not_fitting if read.fits(read_words(text))] == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("are you coming to the lake on Saturday?", "en"),
        ("Bom dia, Nora!", "pt"),
        ("Am Haken hängt nur noch der Zettel", "de"),
        ("Danke!", "de"),
        ("Qui a pris la nappe ?", "fr"),
        ("¿dónde está el barco?", "es"),
        ("ciao, come va?", "it"),
        ("hoe gaat het met je?", "nl"),
        ("المطر بدأ والكراسي على السطح", "ar"),
        ("ภูผาฝากถามว่าพี่ยังตื่นอยู่ไหมคะ", "th"),
        ("霧に合わせて焼くパン屋さん", "ja"),
        ("как дела", "ru"),
        ("你好吗", "zh"),
        ("ok", ""),
        ("Marta", ""),
        ("https://example.org/the/and/of", ""),
    ],
)
def test_a_language_is_told_by_its_script_or_its_small_words(text: str, language: str):
    assert detect(text) == language


def test_the_newest_text_that_is_clear_tells_the_language():
    assert language_of(("ok", "你好吗", "Bom dia, Nora!", "hello there"), ("en", "pt")) == "pt"
    assert language_of(("ok", "👍"), ("de", "en")) == ""
