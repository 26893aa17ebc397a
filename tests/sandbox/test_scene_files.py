"""Scene files: what may stand in them, and how each mistake is told."""

import pytest

from chimein_gui.sandbox.scenes.fields import SceneError
from chimein_gui.sandbox.scenes.library import SceneLibrary
from chimein_gui.sandbox.scenes.reading import read_scene
from chimein_gui.sandbox.scenes.script import Inject, Repeat, Say, Wait
from chimein_gui.sandbox_api import FaultKind, SceneFault, SceneProblem
from tests.sandbox.stage_time import CATALOGUE, SCENES

HEAD = """title: A scene
summary: Two lines
  of summary.
cast:
  ann: Ann Test
  bob: Bob Test
"""


def read(lines: str, head: str = HEAD):
    return read_scene("a.yaml", head + lines, "a", CATALOGUE)


def one(line: str):
    [[step]] = read(f"lines:\n  - {line}\n").tracks
    return step


def wrong(lines: str, head: str = HEAD) -> str:
    with pytest.raises(SceneError) as caught:
        read(lines, head)
    return str(caught.value)


def test_a_line_says_who_speaks_to_whom():
    scene = read("lines:\n  - {who: ann, to: bob, say: hello, after: 2.5s, label: hi}\n")
    assert (scene.title, scene.summary, scene.size) == ("A scene", "Two lines of summary.", 1)
    assert scene.cast == {"ann": ("Ann Test", 5), "bob": ("Bob Test", 6)}
    [[step]] = scene.tracks
    assert (step.line, step.after, step.label, step.action) == (8, 2.5, "hi", Say("ann", "bob", "hello"))


@pytest.mark.parametrize(
    ("written", "seconds"), [("2", 2), ("2.5s", 2.5), ("300ms", 0.3), ("2 min", 120), ("1h", 3600), ("0.5 h", 1800)]
)
def test_times(written, seconds):
    assert one(f"{{who: ann, to: bob, say: x, after: {written}}}").after == pytest.approx(seconds)


def test_a_long_text_is_made_of_parts():
    action = one('{who: ann, to: bob, say: {start: a, again: "\\u0301", times: 4095}}').action
    assert isinstance(action, Say)
    assert action.text == "a" + "\u0301" * 4095


def test_a_fault_by_name_and_by_parts():
    by_name = one("{fault: {like: flood-wait, account: ann, seconds: 9, times: 2}, label: f}").action
    assert isinstance(by_name, Inject)
    assert (by_name.account, by_name.rule.kind, by_name.rule.seconds, by_name.rule.times) == (
        "ann",
        FaultKind.FLOOD_WAIT,
        9,
        2,
    )
    by_parts = one("{fault: {kind: rpc_error, code: 403, message: CHAT_WRITE_FORBIDDEN, probability: 0.5}}").action
    assert isinstance(by_parts, Inject)
    assert (by_parts.rule.code, by_parts.rule.probability, by_parts.account) == (403, 0.5, "")


def test_what_depends_on_an_answer_is_not_counted():
    scene = read(
        "lines:\n"
        "  - {wait_for: ann, to: bob, up_to: 5s, label: it, then: [{who: bob, to: ann, say: a, reply_to: it}]}\n"
        "  - {repeat: 3, lines: [{who: ann, to: bob, say: x}, {who: bob, to: ann, say: y}]}\n"
    )
    assert scene.size == 7
    wait, repeat = (step.action for step in scene.tracks[0])
    assert isinstance(wait, Wait)
    assert isinstance(repeat, Repeat)
    assert (wait.up_to, len(wait.then), repeat.times) == (5, 1, 3)


@pytest.mark.parametrize(
    ("lines", "line", "words"),
    [
        ("lines:\n  - {who: ann, to: bob, say: x, sya: y}\n", 8, "unknown key: sya"),
        ("lines:\n  - {who: ann, to: bob, say: x}\n  - {who: eve, to: bob, say: x}\n", 9, "not in the cast: eve"),
        ("lines:\n  - who: ann\n    to: bob\n    say: x\n    after: soon\n", 11, "no time: after, soon"),
        ("lines:\n  - {who: ann, to: bob}\n", 8, "a line does one thing"),
        ("lines:\n  - {who: ann, to: bob, say: ' '}\n", 8, "must be a text: say"),
        ("lines:\n  - hello\n", 8, "every entry must be a mapping: lines"),
        ("", 1, "missing: lines"),
        ("lines:\n  - {edit: it, say: x}\n", 8, "no message above has the label: it"),
        ("lines:\n  - {mend: it}\n", 8, "no fault above has the label: it"),
        ("lines:\n  - {fault: {kind: nonsense}}\n", 8, "none of: kind, nonsense"),
        ("lines:\n  - {fault: {kind: kick}}\n", 8, "happens to one account"),
        ("lines:\n  - {fault: {kind: slow, times: -1}}\n", 8, "no number: times, -1"),
        ("lines:\n  - {repeat: forever, lines: [{who: ann, to: bob, say: x}]}\n", 8, "lines that take time"),
        ("lines:\n  - {who: ann, to: bob, say: x}\n    after: 1s\n", 9, "expected"),
        ("lines:\n  - {who: ann, to: bob, say: 'x\x00'}\n", 8, "special characters are not allowed"),
        ("lines:\n  - {who: ann, to: bob, say: x, say: y}\n", 8, "duplicate key"),
        ("lines:\n  - {who: ann, to: bob, say: {again: xx, times: 4096}}\n", 8, "longer than a message: 4096"),
        ("lines:\n  - {who: ann, to: bob, say: x, answer: {eve: y}}\n", 8, "not in the cast: eve"),
        ("lines:\n  - {who: ann, to: bob, say: x, answer: 3}\n", 8, "must be a text: answer"),
        (
            "habits: {ann: {answers: [{say: x, reply: y}]}}\nlines:\n  - {who: ann, to: bob, say: x}\n",
            7,
            "unknown key: reply",
        ),
        ("lines:\n  - {crowd: bob, every: 0s, subjects: {a: [{ann: x}]}}\n", 8, "every must be more"),
    ],
)
def test_every_mistake_is_told_with_its_line(lines, line, words):
    said = wrong(lines)
    assert said.startswith(f"a.yaml:{line}: "), said
    assert words in said


def test_a_faulty_file_is_shown_in_the_list_and_cannot_be_played(tmp_path):
    (tmp_path / "good.yaml").write_text(HEAD + "lines:\n  - {who: ann, to: bob, say: x}\n", encoding="utf-8")
    (tmp_path / "bad.yaml").write_text(HEAD + "lines:\n  - {who: eve, to: bob, say: x}\n", encoding="utf-8")
    (tmp_path / "bytes.yaml").write_bytes(b"title: \xff\xfe")
    library = SceneLibrary(tmp_path, CATALOGUE)
    assert [one.name for one in library.scenarios()] == ["bad", "bytes", "good"]
    assert library.scenarios()[0].problem == SceneProblem(SceneFault.NOT_IN_CAST, "bad.yaml", 8, ("eve",))
    assert library.scene("good").title == "A scene"
    with pytest.raises(SceneError, match="eve"):
        library.scene("bad")
    with pytest.raises(SceneError, match="can't be read"):
        library.scene("bytes")
    with pytest.raises(LookupError, match="no scene 'ugly'"):
        library.scene("ugly")


def test_all_scenes_that_come_with_the_program_are_good():
    offers = SceneLibrary(SCENES, CATALOGUE).scenarios()
    assert {one.title for one in offers} >= {"Busy Friday", "Flood wait", "Hostile stranger", "Five accounts at once"}
    assert all(one.lines > 5 for one in offers), [one.problem for one in offers if not one.lines]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("{kind: flood_wait, method: messages.sendMesage, seconds: 3}", "method misspelt, messages.sendMesage"),
        ("{kind: flood_wait}", "seconds range, flood_wait, 1, 86400, 0"),
        ("{like: model-slow, account: ann}", "without account"),
    ],
)
def test_a_fault_that_would_be_refused_later_is_refused_at_once(fault, words):
    told = wrong(f"lines:\n  - {{fault: {fault}}}\n")
    assert told.startswith("a.yaml:8: ")
    assert words in told
