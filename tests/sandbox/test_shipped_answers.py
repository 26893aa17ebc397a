"""The scenes that come with the program: whoever of the samples is spoken to has a written answer, in its language."""

import re
from collections.abc import Iterator

import pytest

from chimein_gui.domain.replies import parse_reply
from chimein_gui.sandbox.model.talk.language import detect
from chimein_gui.sandbox.model.talk.wording import as_blocks
from chimein_gui.sandbox.scenes.library import SceneLibrary
from chimein_gui.sandbox.scenes.script import Answers, Crowd, Edit, Repeat, Say, Scene, Step, Wait
from chimein_gui.sandbox.seeds.people import ACCOUNTS, GROUPS
from tests.sandbox.prompts import personas
from tests.sandbox.stage_time import CATALOGUE, SCENES

LIBRARY = SceneLibrary(SCENES, CATALOGUE)
PERSONAS = personas()
USERNAMES = {f"{user.first_name} {user.last_name}": user.username for user in ACCOUNTS}
TITLES = {group.title for group in GROUPS}
every_scene = pytest.mark.parametrize("name", [offer.name for offer in LIBRARY.scenarios()])


def said_in(scene: Scene) -> Iterator[tuple[str, str, Answers]]:
    """All that is said: to whom by short name, the text, the answers; in both ways that a wait can go."""
    labels: dict[str, str] = {}
    pending = [step for track in reversed(scene.tracks) for step in reversed(track)]
    while pending:
        step = pending.pop()
        deed = step.deed
        if isinstance(deed, Say):
            labels[step.label] = deed.to
            yield deed.to, deed.text, deed.answers
        elif isinstance(deed, Edit):
            yield labels[deed.message], deed.text, deed.answers
        elif isinstance(deed, Crowd):
            yield from ((deed.to, line.text, line.answers) for subject in deed.subjects for line in subject)
        pending.extend(reversed(inner(step)))


def inner(step: Step) -> tuple[Step, ...]:
    deed = step.deed
    if isinstance(deed, Wait):
        return (*deed.then, *deed.otherwise)
    return deed.steps if isinstance(deed, Repeat) else ()


def asked(scene: Scene, to: str, text: str) -> list[str]:
    """Which personas a line is meant for, by short name."""
    if scene.cast[to][0] not in TITLES:
        return [to] if scene.cast[to][0] in PERSONAS else []
    return [key for key, (name, _) in scene.cast.items() if name in PERSONAS and is_named(name, text)]


def is_named(persona: str, text: str) -> bool:
    names = (persona.split()[0], *PERSONAS[persona].aliases)
    words = re.findall(r"\w+", text.casefold())
    return any(name.casefold() in words for name in (*names, USERNAMES[persona]))


@every_scene
def test_every_line_to_a_persona_is_answered(name: str) -> None:
    scene = LIBRARY.scene(name)
    lines = list(said_in(scene))
    assert lines
    missing = [
        (who, text)
        for to, text, answers in lines
        for who in asked(scene, to, text)
        if not {"" if who == to else who} & dict(answers).keys()
    ]
    assert missing == []
    assert [line.text for habit in scene.habits for line in habit.answers if not line.answers] == []


@every_scene
def test_answers_are_in_the_language_of_the_line_and_keep_the_grammar(name: str) -> None:
    found = [
        (text, variant)
        for _, text, answers in said_in(LIBRARY.scene(name))
        for _, variants in answers
        for variant in variants
    ]
    assert found
    # Kanji alone tell nothing here: “一便目: 四十八名” is Japanese.
    assert [one for one in found if len({detect(text) for text in one} - {"", "zh"}) > 1] == []
    for _, variant in found:
        reply = parse_reply("\n".join(block.text for block in as_blocks(variant, 0)))
        assert reply.blocks, variant
        assert not reply.problems, variant
