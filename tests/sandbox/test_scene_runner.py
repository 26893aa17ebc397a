"""Scenes on the stage: started, paused, sped up, broken off, restarted; and what the model is told of them."""

from pathlib import Path

import pytest

from chimein_gui.sandbox.scenes.fields import SceneError
from chimein_gui.sandbox.seeds.rehearsal import REHEARSAL_SEED
from chimein_gui.sandbox_api import ScenarioProgress, SceneFault, SceneProblem
from tests.sandbox.clients import MARTA, NORA, client_of, marta_for, round_trip, sandbox, send
from tests.sandbox.scene_words import HEAD, heard
from tests.sandbox.stage_time import theatre

ASKS = """lines:
  - {who: marta, to: nora, say: question}
  - wait_for: nora
    to: marta
    up_to: 60s
    label: it
    then:
      - {after: 2s, who: marta, to: nora, say: thanks, reply_to: it}
      - {react: it, who: marta, with: 👍}
    else:
      - {who: marta, to: nora, say: silence}
  - {after: 1s, who: marta, to: nora, say: bye}
"""
THREE = "lines:\n" + "".join(f"  - {{after: 10s, who: marta, to: nora, say: {word}}}\n" for word in ("a", "b", "c"))


def scenes(folder: Path, **texts: str) -> Path:
    for name, lines in texts.items():
        (folder / f"{name}.yaml").write_text(HEAD + lines, encoding="utf-8")
    return folder


async def test_pause_stop_and_start_again(tmp_path):
    async with sandbox() as server:
        stage = theatre(server, scenes(tmp_path, three=THREE))
        assert stage.runner.progress() is None
        stage.runner.pause(paused=True)  # nothing plays: nothing happens
        stage.runner.start("three")
        stage.clock.advance(11)
        assert stage.runner.progress() == ScenarioProgress("three", done=1)
        stage.runner.pause(paused=True)
        stage.clock.advance(500)
        assert heard(server) == ["a"]
        assert stage.runner.progress() == ScenarioProgress("three", done=1, paused=True)
        stage.runner.pause(paused=False)
        stage.clock.advance(9.5)
        assert heard(server) == ["a", "b"]
        stage.runner.stop()
        stage.clock.advance(500)
        assert heard(server) == ["a", "b"]
        assert stage.runner.progress() == ScenarioProgress("three", done=2, stopped=True)
        stage.runner.stop()
        stage.play_to_the_end("three")
        assert heard(server) == ["a", "b", "a", "b", "c"]
        assert stage.runner.progress() == ScenarioProgress("three", done=3, finished=True)


async def test_a_scene_with_strangers_does_not_start_and_the_one_that_plays_goes_on(tmp_path):
    async with sandbox() as server:
        folder = scenes(tmp_path, one=THREE)
        (folder / "far.yaml").write_text(
            "title: T\nsummary: S\ncast:\n  a: Nora Vale\n  b: Nobody Here\nlines: [{who: a, to: b, say: x}]\n"
        )
        stage = theatre(server, folder)
        stage.runner.start("one")
        with pytest.raises(SceneError, match=r"far\.yaml:5: nobody is called: Nobody Here"):
            stage.runner.start("far")
        with pytest.raises(LookupError, match="no scene 'none'"):
            stage.runner.start("none")
        stage.clock.advance(60)
        assert heard(server) == ["a", "b", "c"]


async def test_nothing_starts_after_the_end(tmp_path):
    async with sandbox() as server:
        stage = theatre(server, scenes(tmp_path, three=THREE))
        stage.runner.start("three")
        stage.runner.close()
        with pytest.raises(ConnectionError):
            stage.runner.start("three")
        assert not stage.clock.waits()
    with pytest.raises(ConnectionError):
        await server.console.start_scenario("flood-wait")


@pytest.mark.operation("scenario: an account's answer", "the partner thanks, replying to the very message")
async def test_a_scene_goes_on_when_the_account_answers(tmp_path):
    async with sandbox() as server, client_of(server, NORA) as nora:
        stage = theatre(server, scenes(tmp_path, asks=ASKS))
        stage.runner.start("asks")
        stage.clock.advance(30)
        assert heard(server) == ["question"]
        sent = await send(nora, await marta_for(nora), "answer")
        stage.clock.advance(2.5)
        assert heard(server) == ["question", "thanks"]
        stage.clock.advance(5)
        assert heard(server) == ["question", "thanks", "bye"]
        assert stage.runner.progress() == ScenarioProgress("asks", done=3, finished=True)
        _bye, thanks = await nora.get_messages(MARTA, limit=2)
        assert thanks.message == "thanks"
        assert thanks.reply_to.reply_to_msg_id == sent.id
        answer = await nora.get_messages(MARTA, ids=sent.id)
        assert answer.reactions.results[0].reaction.emoticon == "👍"


async def test_an_answer_that_does_not_come_is_not_waited_for_for_ever(tmp_path):
    async with sandbox() as server:
        stage = theatre(server, scenes(tmp_path, asks=ASKS))
        stage.runner.start("asks")
        stage.clock.advance(59)
        assert heard(server) == ["question"]
        stage.clock.advance(10)
        assert heard(server) == ["question", "silence", "bye"]


async def test_a_line_that_goes_wrong_ends_the_scene_with_words_and_without_its_faults(tmp_path):
    lines = (
        "lines:\n"
        "  - {fault: flood-wait, label: f}\n"
        "  - {who: marta, to: nora, say: x, label: it}\n"
        "  - {delete: it}\n"
        "  - {after: 1s, edit: it, say: y}\n"
        "  - {after: 1s, who: marta, to: nora, say: never}\n"
    )
    async with sandbox() as server:
        stage = theatre(server, scenes(tmp_path, bad=lines))
        stage.runner.start("bad")
        assert stage.clock.waits()
        stage.clock.advance(60)
        progress = stage.runner.progress()
        assert progress is not None
        assert progress.problem == SceneProblem(SceneFault.GONE, "bad.yaml", 10, ("it",))
        assert (progress.finished, progress.done) == (False, 4)
        assert len(stage.injector.begun) == 1
        assert stage.injector.active == {}
        assert heard(server) == []
        assert not stage.clock.waits()


@pytest.mark.operation("scenario: a partner's habits", "the account's message is marked as read, and answered once")
async def test_partners_read_and_answer_by_themselves_while_a_scene_plays(tmp_path):
    lines = (
        "habits:\n  marta: {reads_after: 4s, chance: 1, at_most: 1, answers: [mhm]}\n"
        "lines:\n  - {after: 100s, who: marta, to: nora, say: end}\n"
    )
    async with sandbox() as server, client_of(server, NORA) as nora:
        peer = await marta_for(nora)
        stage = theatre(server, scenes(tmp_path, mild=lines))
        stage.runner.start("mild")
        await send(nora, peer, "one")
        stage.clock.advance(1)
        assert (await nora.get_dialogs())[0].dialog.read_outbox_max_id == 0
        stage.clock.advance(20)
        sent = await send(nora, peer, "two")
        stage.clock.advance(20)
        await round_trip(nora)
        assert (await nora.get_dialogs())[0].dialog.read_outbox_max_id == sent.id
        assert heard(server) == ["mhm"]
        stage.clock.advance(100)
        sent = await send(nora, peer, "nobody plays any more")
        stage.clock.advance(100)
        assert (await nora.get_dialogs())[0].dialog.read_outbox_max_id < sent.id


@pytest.mark.operation(
    "scenario: the server ends in the middle", "a restarted server has what was said, and plays nothing"
)
async def test_a_restart_in_the_middle_keeps_what_was_said(tmp_path, state_dir):
    folder = scenes(tmp_path, three=THREE)
    async with sandbox(state_dir) as server:
        stage = theatre(server, folder)
        stage.runner.start("three")
        stage.clock.advance(21)
        stage.runner.close()
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora:
        await nora.get_dialogs()
        assert [one.message async for one in nora.iter_messages(MARTA, reverse=True)] == ["a", "b"]
        assert (await server.console.rehearsal()).scenario is None
        stage = theatre(server, folder)
        stage.play_to_the_end("three")
        await round_trip(nora)
        assert heard(server) == ["a", "b", "a", "b", "c"]


WIDER_HEAD = """title: T
summary: S
cast:
  nora: Nora Vale
  rim: Rim Saadoun
  marta: Marta Oliveira
  boathouse: Boathouse Saturdays ⛵
"""


async def told(tmp_path, lines: str, seed=REHEARSAL_SEED) -> dict[tuple[str, str], tuple[str, ...]]:
    """Play a scene; returns what the model knows to answer, by persona and message."""
    (tmp_path / "one.yaml").write_text(WIDER_HEAD + lines, encoding="utf-8")
    async with sandbox(seed=seed) as server:
        theatre(server, tmp_path).play_to_the_end("one")
        found = {}
        for account in server.accounts():
            for message in server._around.world.box(account.user_id).messages.values():
                answers = server.model.written.find(account.name, message.sender_id, message.message_id)
                if answers:
                    found[account.name, message.text] = answers
        return found


async def test_the_model_is_told_the_answer_to_a_message_before_anybody_hears_it(tmp_path):
    lines = 'lines:\n  - {after: 1s, who: marta, to: nora, say: "Good morning!!!", answer: [tea first, hm]}\n'
    assert await told(tmp_path, lines) == {("Nora Vale", "Good morning!!!"): ("tea first", "hm")}


async def test_an_edit_and_a_crowd_bring_their_answers(tmp_path):
    lines = """lines:
  - {who: marta, to: nora, say: one, label: it, answer: first}
  - {edit: it, say: two, answer: second}
  - {after: 1s, crowd: boathouse, every: 1s, subjects: {a: [{marta: Nora?, answer: {nora: here}}, {marta: fine}]}}
"""
    assert await told(tmp_path, lines) == {("Nora Vale", "two"): ("second",), ("Nora Vale", "Nora?"): ("here",)}


async def test_a_group_has_to_be_told_who_answers(tmp_path):
    (tmp_path / "one.yaml").write_text(
        WIDER_HEAD + "lines:\n  - {who: marta, to: boathouse, say: well, answer: nobody}\n", encoding="utf-8"
    )
    async with sandbox(seed=REHEARSAL_SEED) as server:
        stage = theatre(server, tmp_path)
        stage.play_to_the_end("one")
        progress = stage.runner.progress()
        assert progress is not None
        assert progress.problem == SceneProblem(SceneFault.ANSWER_OF_NOBODY, "one.yaml", 9)


async def test_what_somebody_says_by_themselves_is_answered_too(tmp_path):
    habits = "habits:\n  marta: {chance: 1, at_most: 1, answers: [{say: mhm, answer: mhm indeed}]}\n"
    lines = "lines:\n  - {after: 100s, who: marta, to: nora, say: end}\n"
    (tmp_path / "one.yaml").write_text(WIDER_HEAD + habits + lines, encoding="utf-8")
    async with sandbox(seed=REHEARSAL_SEED) as server, client_of(server, NORA) as nora:
        stage = theatre(server, tmp_path)
        stage.runner.start("one")
        await send(nora, await marta_for(nora), "hello")
        stage.clock.advance(30)
        [heard] = [one for one in server._around.world.box(NORA).messages.values() if one.text == "mhm"]
        assert server.model.written.find("Nora Vale", MARTA, heard.message_id) == ("mhm indeed",)
        stage.runner.stop()
