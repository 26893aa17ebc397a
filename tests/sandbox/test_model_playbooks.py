"""Playbooks: what a rule can ask for, what a mistake is called, and that ours are without any."""

import asyncio
import threading
from pathlib import Path

import pytest
from google.genai import errors as genai_errors

from chimein_gui.domain.replies import parse_reply
from chimein_gui.sandbox.model import late_responder
from chimein_gui.sandbox.model.grammar import problems_of
from chimein_gui.sandbox.model.languages.detection import LEXICONS
from chimein_gui.sandbox.model.playbooks.library import Library, PlaybookError, load_library
from chimein_gui.sandbox.model.playbooks.reading import PlaybookReader
from chimein_gui.sandbox.model.responder import Responder
from chimein_gui.sandbox.model.script import ModelCall
from chimein_gui.sandbox.model.talk.cue_tables import Kind
from tests.sandbox.model_talk import Talk, asked, read, talking

HEAD = "name: test\nlanguage: en\nrules:\n"


def playbook(rules: str):
    reader = PlaybookReader("test.yaml")
    found = reader.read(HEAD + rules)
    assert not reader.problems, reader.problems
    return found


def answers(rules: str, *said: str, seed=0, system="", contents=None, tools=()):
    library = Library((playbook(rules), *load_library().playbooks))
    responder = Responder(library)
    out = []
    for text in said or ("",):
        turns = contents or ({"role": "user", "parts": [{"text": text}]},)
        call = ModelCall("m", system, tuple(turns), tools=tuple({"name": name} for name in tools))
        out.append(responder.answer(call, "test", seed))
    return out


def texts(*args, **fields):
    return [one.text.removeprefix("# «send»\n") for one in answers(*args, **fields)]


def test_the_first_rule_that_applies_answers_and_everyday_talk_stands_behind():
    rules = '  - {when: {words: [boat]}, replies: ["The boat!"]}\n  - {when: {match: "ki.?k"}, replies: ["A kick."]}\n'
    boat, kick, other = texts(rules, "Boat and kick", "my KICK", "Thank you")
    assert (boat, kick) == ("The boat!", "A kick.")
    assert "welcome" in other or "Any time" in other


def test_conditions_on_chat_agent_count_tool_and_kind():
    rules = (
        '  - {when: {chat: group}, replies: ["in a group"]}\n'
        '  - {when: {agent: nora, nth: [2]}, replies: ["second"]}\n'
        '  - {when: {tool: search_messages}, replies: ["could search"]}\n'
        '  - {when: {kind: thanks, language: de}, replies: ["bitte"]}\n'
    )
    said = {"role": "user", "parts": [{"text": "hm, perhaps"}]}
    own = {"role": "model", "parts": [{"text": "ja"}]}
    assert texts(rules, system="This is a group chat with Lake people.", contents=(said,)) == ["in a group"]
    assert texts(rules, system="You are Nora.", contents=(said, own, said)) == ["second"]
    assert texts(rules, contents=(said,), tools=("search_messages",)) == ["could search"]
    assert texts(rules, "Vielen Dank!") == ["bitte"]


def test_variants_depend_on_words_and_seed_only():
    rules = '  - {replies: ["one", "two", "three"]}\n'
    many = [f"word {number}" for number in range(60)]
    assert texts(rules, *many) == texts(rules, *many)
    assert set(texts(rules, *many)) == {"one", "two", "three"}
    assert texts(rules, *many, seed=1) != texts(rules, *many)


def test_a_probability_lets_some_pass():
    rules = '  - {probability: 0.3, replies: ["now"]}\n  - {replies: ["else"]}\n'
    hits = texts(rules, *(f"word {number}" for number in range(300))).count("now")
    assert 50 < hits < 130


def test_thinking_calls_and_usage():
    rules = (
        '  - {think: "hm", thoughts: "deep", usage: {thinking: 9}, replies: ["done"],'
        ' calls: [{name: search, args: {query: "{quote}", limit: 5}}]}\n'
    )
    (first,) = answers(rules, "the boat", tools=("search",))
    assert [(call.name, call.args) for call in first.calls] == [("search", {"query": "the boat", "limit": 5})]
    assert (first.text, first.thoughts, first.usage) == ("", "deep", {"thinking": 9})
    (without,) = answers(rules, "the boat")
    assert without.text == "# «think»\nhm\n# «send»\ndone"


def test_a_variant_whose_slot_is_empty_is_left_out():
    rules = '  - {replies: ["Hi {name}", "Hi you"]}\n  - {replies: ["never"]}\n'
    assert set(texts(rules, *(f"word {number}" for number in range(20)))) == {"Hi you"}


@pytest.mark.parametrize(
    ("rules", "line", "what"),
    [
        ('  - {when: {words: [a], words: [b]}, replies: ["x"]}\n', 4, "duplicate key “words”"),
        ('  - {wenn: {}, replies: ["x"]}\n', 4, "unknown key “wenn”"),
        ('  - replies: ["x"]\n    when:\n      knd: greeting\n', 6, "unknown key “knd”"),
        ('  - {replies: "x"}\n', 4, "a list is expected"),
        ("  - {replies: [[x]]}\n", 4, "a text is expected"),
        ('  - {probability: often, replies: ["x"]}\n', 4, "number"),
        ('  - {probability: 2, replies: ["x"]}\n', 4, "number"),
        ('  - {when: {nth: first}, replies: ["x"]}\n', 4, "whole number"),
        ('  - {when: {image: 1}, replies: ["x"]}\n', 4, "true or false"),
        ('  - {when: {language: xx}, replies: ["x"]}\n', 4, "no language “xx”"),
        ('  - {when: {kind: gruss}, replies: ["x"]}\n', 4, "no kind “gruss”"),
        ('  - {when: {chat: channel}, replies: ["x"]}\n', 4, "no chat “channel”"),
        ('  - {when: {match: "(["}, replies: ["x"]}\n', 4, "bad regular expression"),
        ('  - replies:\n    - "fine"\n    - "Hi {nmae}"\n', 6, "no slot {nmae}"),
        ('  - {replies: ["# «dance»\\nx"]}\n', 4, "«dance» is not a type"),
        ('  - {replies: ["# «wait»\\nlong"]}\n', 4, "a «wait» needs"),
        ('  - {replies: ["# «send» twelve\\nx"]}\n', 4, "not a message number"),
        ('  - {replies: [""]}\n', 4, "empty"),
        ("  - {when: {}}\n", 4, "needs “replies” or “calls”"),
        ('  - {think: "a\\n# «send»", replies: ["x"]}\n', 4, "can't hold a heading"),
        ('  - {replies: ["x"\n', 5, "expected"),
        ("  - just a text\n", 4, "a mapping is expected"),
    ],
)
def test_a_mistake_is_named_with_its_line(rules, line, what):
    reader = PlaybookReader("test.yaml")
    assert reader.read(HEAD + rules) is None
    assert any(one.startswith(f"test.yaml:{line}: ") and what in one for one in reader.problems), reader.problems


@pytest.mark.parametrize("text", ["", "[]", "name: x\n", "a: [b", "name: {}\nrules: []\n"])
def test_what_is_no_playbook_is_refused(text):
    reader = PlaybookReader("test.yaml")
    assert reader.read(text) is None
    assert reader.problems


def test_a_set_with_a_mistake_is_refused_as_a_whole(tmp_path: Path):
    good = HEAD + '  - {replies: ["x"]}\n'
    (tmp_path / "test.yaml").write_text(good, encoding="utf-8")
    (tmp_path / "b.yaml").write_text(HEAD + '  - {replys: ["x"]}\n', encoding="utf-8")
    (tmp_path / "c.yaml").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(PlaybookError) as caught:
        load_library(tmp_path)
    assert [problem.split(":")[0] for problem in caught.value.problems] == ["b.yaml", "b.yaml", "c.yaml"]
    (tmp_path / "b.yaml").write_text(good, encoding="utf-8")
    (tmp_path / "c.yaml").unlink()
    with pytest.raises(PlaybookError, match=r"b\.yaml:1: it is named “test” instead of “b”"):
        load_library(tmp_path)


def test_ours_speak_every_language_about_everything():
    library = load_library()
    for code in LEXICONS:
        known = {kind for rule in library.rules() if code in rule.when.languages for kind in rule.when.kinds}
        assert known == {*Kind, "recall_other", "recall_own", "remembered"}, code


def replies():
    ours = [reply for rule in load_library().rules() for reply in rule.replies]
    wrong = [
        "# «x»\ny",
        "# «wait»\nlong",
        "# «sticker»\none",
        "# «retrieve»\nnothing",
        "# «send» x\ny",
        "# «wait»\n1 s",
    ]
    fine = ["plain", "# «wait»\ndelay: 2,5s", "# «sticker»\na\nb", "# «retrieve»\nhttps://a.example", "# «SEND» 12\nx"]
    return [*ours, *wrong, *fine]


def test_the_checker_agrees_with_the_products_grammar():
    for one in replies():
        reply = one.replace("{url}", "https://a.example")
        assert bool(problems_of(reply)) == bool(parse_reply(reply).problems), reply


@pytest.mark.operation("playbook named for a scenario", "the real client hears its line, then everyday talk again")
async def test_a_named_playbook_answers_first():
    library = Library((playbook('  - {replies: ["From the book."]}\n'), *load_library().playbooks))
    async with talking(Responder(library)) as (models, script):
        with pytest.raises(LookupError, match="everyday-en"):
            script.set_playbook("unheard-of")
        for name, is_played in (("test", True), ("", False)):
            script.set_playbook(name)
            assert (read(await asked(models, Talk("Hi Nora!"))).said == "From the book.") is is_played


async def test_playbooks_are_read_in_a_thread_when_the_model_first_speaks_for_itself(tmp_path: Path, monkeypatch):
    broken = HEAD + '  - {replys: ["x"]}\n'
    readers = []

    def read_ours() -> Library:
        readers.append(threading.current_thread())
        return load_library(tmp_path)

    monkeypatch.setattr(late_responder, "load_library", read_ours)
    (tmp_path / "test.yaml").write_text(broken, encoding="utf-8")
    async with talking() as (models, script):
        script.queue_reply("# «send»\nOrdered.")
        assert read(await asked(models, Talk("Hi Nora!"))).said == "Ordered."
        assert not readers
        with pytest.raises(genai_errors.ServerError, match=r"test\.yaml:4: unknown key “replys”"):
            await asked(models, Talk("Hi Nora!"))
        (tmp_path / "test.yaml").write_text(
            broken.replace("replys", "replies").replace("name: test", "name: test\nbase: true"), encoding="utf-8"
        )
        both = await asyncio.gather(*(asked(models, Talk("Hi Nora!")) for _ in range(2)))
    assert [read(one).said for one in both] == ["x", "x"]
    assert len(readers) == 2
    assert threading.main_thread() not in readers
