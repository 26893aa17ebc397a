"""What the model speaks from while a scene plays, and the seed it shares with the rehearsal."""

import pytest

from chimein_gui.engine.sandbox_port import SandboxConsole
from chimein_gui.sandbox.model.responder import Responder
from chimein_gui.sandbox.scenes.library import SceneLibrary
from chimein_gui.sandbox.scenes.script import Say
from chimein_gui.sandbox.seeds.rehearsal import REHEARSAL_SEED
from tests.sandbox.clients import sandbox
from tests.sandbox.model_talk import Talk, asked, read, talking
from tests.sandbox.stage_time import CATALOGUE, SCENES, theatre

SCENE = """
title: A mood
summary: One line.
playbook: {playbook}
cast: {{nora: Nora Vale, marta: Marta Oliveira}}
lines:
  - {{after: 5s, who: marta, to: nora, say: Hello}}
"""


async def test_a_scene_brings_its_playbook_and_takes_it_back_at_its_end():
    async with sandbox(seed=REHEARSAL_SEED) as server:
        stage = theatre(server)
        stage.runner.start("grumpy-day")
        assert server.model.playbook == "grumpy-day"
        stage.runner.start("grumpy-day")
        stage.runner.stop()
        assert server.model.playbook == ""
        stage.play_to_the_end("grumpy-day")
        assert server.model.playbook == ""


async def test_a_playbook_that_was_chosen_by_hand_outlives_the_scene(tmp_path):
    (tmp_path / "mood.yaml").write_text(SCENE.format(playbook="grumpy-day"), encoding="utf-8")
    async with sandbox() as server:
        stage = theatre(server, tmp_path)
        stage.runner.start("mood")
        server.model.set_playbook("")
        stage.runner.stop()
        assert server.model.playbook == ""
        server.model.set_playbook("everyday-en")
        stage.play_to_the_end("mood")
        assert server.model.playbook == "everyday-en"


async def test_a_scene_with_an_unknown_playbook_does_not_start(tmp_path):
    (tmp_path / "mood.yaml").write_text(SCENE.format(playbook="no-such-mood"), encoding="utf-8")
    async with sandbox() as server:
        stage = theatre(server, tmp_path)
        with pytest.raises(LookupError, match="no-such-mood"):
            stage.runner.start("mood")
        assert stage.runner.progress() is None
        assert server.model.playbook == ""


async def test_the_model_follows_the_seed_of_the_rehearsal():
    async with sandbox() as server:
        console: SandboxConsole = server.console
        await console.set_seed(7)
        assert server.model.seed == 7


async def test_the_grumpy_playbook_answers_what_its_scenario_says():
    scene = SceneLibrary(SCENES, CATALOGUE).scene("grumpy-day")
    said = [step.deed.text for step in scene.tracks[0] if isinstance(step.deed, Say)]
    async with talking(Responder()) as (models, script):
        script.set_playbook("grumpy-day")
        moody = [read(await asked(models, Talk(text))).said for text in said]
        script.set_playbook("")
        usual = [read(await asked(models, Talk(text))).said for text in said]
    assert all(one != other for one, other in zip(moody, usual, strict=True)), moody
