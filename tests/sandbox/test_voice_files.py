"""Voice files: what may stand in them, how each mistake is told, and what a pattern fits."""

import pytest

from chimein_gui.sandbox.model.talk.language import detect, language_of
from chimein_gui.sandbox.model.talk.patterns import read_pattern, read_words
from chimein_gui.sandbox.model.talk.reading import read_voice
from chimein_gui.sandbox.scenes.fields import SceneError

HEAD = """persona: Ada Quill
languages: [en, pt]
evasions: {en: [hm], pt: [hum]}
warmer: {en: [ah], pt: [ah]}
ask_when: {en: ["when?"], pt: ["quando?"]}
"""
TURNS = "turns:\n  - {kind: greeting, ask: {en: hi}, say: {en: hello}}\n"


def test_a_voice_is_read():
    voice = read_voice("a.yaml", HEAD + TURNS + "facts:\n  - {topic: b, ask: {pt: [a b]}, say: {en: [x, z]}}\n")
    assert (voice.persona, voice.languages) == ("Ada Quill", ("en", "pt"))
    assert [one.line for one in (*voice.facts, *voice.turns)] == [9, 7]
    assert voice.facts[0].say == {"en": ("x", "z")}


@pytest.mark.parametrize(
    ("body", "line", "words"),
    [
        ("turns:\n  - {kind: a, ask: {en: hi}, say: {pt: x}}\n", 7, "nothing in en"),
        ("turns:\n  - {kind: a, ask: {en: hi}, say: {en: x, de: y}}\n", 7, "'de' is none of the languages en, pt"),
        ("turns:\n  - {kind: a, ask: {en: '!hi'}, say: {en: x}}\n", 7, "a word that has to be there"),
        ("turns:\n  - {kind: a, say: {en: x}}\n", 7, "ask is missing"),
        (TURNS + "  - {kind: greeting, ask: {en: hey}, say: {en: x}}\n", 8, "'greeting' stands twice"),
        (
            TURNS + "  - kind: b\n    ask: {en: hey}\n    say:\n      en:\n        - x\n        - 3\n",
            13,
            "3 is no text",
        ),
        (TURNS + "more: 1\n", 8, "unknown key 'more'"),
        (TURNS + "facts:\n  - {topic: b, on: [photo], ask: {en: x}, say: {en: x}}\n", 9, "unknown key 'on'"),
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
