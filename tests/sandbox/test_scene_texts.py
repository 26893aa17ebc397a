"""The scenarios that come with the program: every line that is said to a persona has its written answer."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from chimein_gui.domain.replies.replies import parse_reply
from chimein_gui.sandbox.model.talk.language import detect
from chimein_gui.sandbox.model.talk.library import VoiceLibrary
from chimein_gui.sandbox.model.talk.patterns import words_of
from chimein_gui.sandbox.model.talk.wording import as_blocks
from chimein_gui.sandbox.scenes.library import SceneLibrary
from chimein_gui.sandbox.scenes.script import Answers, Crowd, Edit, Repeat, Say, Scene, Step, Wait
from chimein_gui.sandbox.seeds.people import GROUPS, PARTNERS
from tests.sandbox.prompts import personas, repeats
from tests.sandbox.stage_time import CATALOGUE, SCENES

LIBRARY = SceneLibrary(SCENES, CATALOGUE)
NAMES = [one.name for one in LIBRARY.scenarios()]
BOTS = {one.first_name for one in PARTNERS if one.is_bot}
TITLES = {group.title for group in GROUPS}
every_scene = pytest.mark.parametrize("name", NAMES)


@dataclass(frozen=True)
class Told:
    """One line, to whom it is said (a short name), and its answers."""

    where: str
    who: str
    to: str
    text: str
    answers: Answers


def lines_of(scene: Scene) -> list[Told]:
    said: dict[str, tuple[str, str]] = {}
    told = [one for track in scene.tracks for one in _told(scene, track, said)]
    spoken = [(habit.who, line) for habit in scene.habits for line in habit.answers]
    return told + [Told(f"{scene.path}: {who}'s habits", who, "", line.text, line.answers) for who, line in spoken]


def _told(scene: Scene, steps: tuple[Step, ...], said: dict[str, tuple[str, str]]) -> Iterator[Told]:
    for step in steps:
        action, where = step.action, f"{scene.path}:{step.line}"
        if isinstance(action, Say):
            said[step.label] = (action.who, action.to)
            yield Told(where, action.who, action.to, action.text, action.answers)
        elif isinstance(action, Edit):
            yield Told(where, *said[action.message], action.text, action.answers)
        elif isinstance(action, Crowd):
            for line in (line for subject in action.subjects for line in subject):
                yield Told(where, line.who, action.to, line.text, line.answers)
        elif isinstance(action, Wait):
            yield from _told(scene, (*action.then, *action.otherwise), said)
        elif isinstance(action, Repeat):
            yield from _told(scene, action.steps, said)


def wanted_from(scene: Scene, line: Told) -> set[str]:
    """Return who has to answer: whom it is said to, or who is named in a group; an empty name is anybody."""
    full = {short: name for short, (name, _) in scene.cast.items()}
    if full[line.who] in BOTS or full[line.who] in personas():
        return set()
    if not line.to:
        return {""}
    if full[line.to] not in TITLES:
        return {line.to} if full[line.to] in personas() else set()
    mine = {short: name for short, name in full.items() if name in personas()}
    return {short for short, name in mine.items() if words_of(name)[0] in " ".join(words_of(line.text))}


@every_scene
def test_every_line_that_is_said_to_a_persona_is_answered(name: str) -> None:
    scene = LIBRARY.scene(name)
    unanswered = [
        f"{line.where} {line.text[:40]!r}: {who or 'whoever'}"
        for line in lines_of(scene)
        for who in wanted_from(scene, line)
        if not {who, ""} & {given for given, _ in line.answers}
    ]
    assert unanswered == []


@every_scene
def test_answers_are_in_the_language_of_the_line_and_do_not_repeat_it(name: str) -> None:
    scene, voices = LIBRARY.scene(name), VoiceLibrary()
    foreign, echoes = [], []
    for line in lines_of(scene):
        for given, variants in line.answers:
            short = given or line.to
            spoken = voices.voice(scene.cast[short][0]).languages if short else ()
            is_group = bool(line.to) and scene.cast[line.to][0] in TITLES
            for text in variants:
                found, asked = detect(text), detect(line.text)
                good = {"", *spoken} if is_group or asked not in spoken else {"", asked}
                assert not parse_reply("\n".join(block.text for block in as_blocks(text, 0))).problems, text
                foreign += [f"{line.where}: {text}"] if short and found not in good else []
                echoes += [f"{line.where}: {text}"] if repeats(text, line.text) else []
    assert foreign == []
    assert echoes == []
