"""Personas of the operator's own: who writes to them, in which language, and the scene that plays with them."""

import pytest

from chimein_gui.sandbox.model.talk.language import detect
from chimein_gui.sandbox.model.talk.library import VoiceLibrary
from chimein_gui.sandbox.seeds import people
from chimein_gui.sandbox.seeds.company import COMPANY
from chimein_gui.sandbox.seeds.made_up_accounts import FIRST_ID, company_in
from chimein_gui.sandbox.seeds.rehearsal import REHEARSAL_SEED
from tests.sandbox.clients import sandbox
from tests.sandbox.stage_time import SCENES, theatre

SCENE = "first-evening"
INSTRUCTIONS = {
    "en": "You are {{char}}, a clockmaker. You write short sentences and you never promise anything.",
    "de": "Du bist {{char}} und schreibst kurze Sätze. Du versprichst nichts.",
    "fr": "Tu es {{char}}, horlogère. Tu écris des phrases courtes et tu ne promets rien.",
    "pt": "És {{char}}, relojoeira. Escreves frases curtas e não prometes nada.",
    "es": "Eres {{char}}, relojera. Escribes frases cortas y no prometes nada a nadie.",
    "it": "Sei {{char}} e scrivi frasi brevi. Non prometti niente, e non hai fretta.",
    "nl": "Je bent {{char}} en je schrijft korte zinnen. Je belooft niets.",
}
every_language = pytest.mark.parametrize("language", INSTRUCTIONS)


@every_language
async def test_friends_write_in_the_language_of_the_persona(language: str):
    async with sandbox(seed=REHEARSAL_SEED) as server:
        user = server.account_for("+9996623001", "Ada Quill", INSTRUCTIONS[language])
        assert server.account_for("+9996623001", "Ada Quill", "Whatever.") is user
        world = server._around.world
        told = {one.sender_id: one.text for one in world.box(user.user_id).messages.values() if one.peer_id > 0}
        friends = [one.user_id for one in COMPANY[language]]
        assert sorted(told) == sorted(friends)
        assert {detect(text) for text in told.values()} == {language}
        assert any("Ada" in text for text in told.values())
        assert set(friends) <= set(world.directory.contacts_of(user.user_id))


@every_language
async def test_the_first_evening_plays_with_it_in_its_language(language: str):
    async with sandbox(seed=REHEARSAL_SEED) as server:
        user = server.account_for("+9996623001", "Ada Quill", INSTRUCTIONS[language])
        stage = theatre(server)
        stage.play_to_the_end(SCENE)
        progress = stage.runner.progress()
        assert progress is not None
        assert (progress.name, progress.problem, progress.finished) == (SCENE, "", True)
        box = server._around.world.box(user.user_id).messages.values()
        answers = {
            one.text: server.model.written.find("Ada Quill", one.sender_id, one.message_id)
            for one in box
            if one.peer_id > 0
        }
        said = {text: given for text, given in answers.items() if given}
        assert len(said) == 7
        assert {detect(text) for text in said} <= {language, ""}
        assert {detect(text) for given in said.values() for text in given} <= {language, ""}


async def test_whoever_speaks_another_language_gets_friends_who_write_english():
    async with sandbox(seed=REHEARSAL_SEED) as server:
        user = server.account_for("+9996623001", "Aino", "Olet {{char}}. Kirjoitat lyhyesti.")
        assert company_in(server._around.world).account_id == user.user_id >= FIRST_ID
        assert company_in(server._around.world).language == "en"


async def test_without_a_persona_of_ones_own_it_plays_with_nora():
    async with sandbox(seed=REHEARSAL_SEED) as server:
        assert company_in(server._around.world).account_id == people.NORA
        stage = theatre(server)
        stage.play_to_the_end(SCENE)
        newest = max(server._around.world.box(people.NORA).messages)
        assert server.model.written.find("Nora Vale", people.OSKAR, newest)


async def test_a_restarted_sandbox_knows_its_friends(tmp_path):
    async with sandbox(tmp_path, REHEARSAL_SEED) as server:
        user = server.account_for("+9996623001", "Ada Quill", INSTRUCTIONS["nl"])
    async with sandbox(tmp_path, REHEARSAL_SEED) as server:
        company = company_in(server._around.world)
        assert (company.account_id, company.language) == (user.user_id, "nl")
        second = server.account_for("+9996623002", "Bo Lund", INSTRUCTIONS["nl"])
        assert len(server._around.world.box(second.user_id).messages) >= 2


def test_every_language_of_the_neutral_voice_has_friends_and_the_scene():
    assert set(COMPANY) == set(VoiceLibrary().voice("").languages)
    files = {path.name for path in SCENES.glob(f"{SCENE}*.yaml")}
    assert files == {f"{SCENE}.yaml"} | {f"{SCENE}.{code}.yaml" for code in COMPANY if code != "en"}
