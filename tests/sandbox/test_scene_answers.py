"""The written answers of a scene: who is told which, message by message."""

from chimein_gui.sandbox.seeds.rehearsal import REHEARSAL_SEED
from tests.sandbox.clients import MARTA, NORA, client_of, marta_for, sandbox, send
from tests.sandbox.stage_time import theatre

HEAD = """title: T
summary: S
cast:
  nora: Nora Vale
  rim: Rim Saadoun
  marta: Marta Oliveira
  boathouse: Boathouse Saturdays ⛵
"""


async def told(tmp_path, lines: str, seed=REHEARSAL_SEED) -> dict[tuple[str, str], tuple[str, ...]]:
    """Play a scene; returns what the model knows to answer, by persona and message."""
    (tmp_path / "one.yaml").write_text(HEAD + lines, encoding="utf-8")
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
        HEAD + "lines:\n  - {who: marta, to: boathouse, say: well, answer: nobody}\n", encoding="utf-8"
    )
    async with sandbox(seed=REHEARSAL_SEED) as server:
        stage = theatre(server, tmp_path)
        stage.play_to_the_end("one")
        progress = stage.runner.progress()
        assert progress is not None
        assert progress.problem == "one.yaml:9: in a group an answer stands below the name of who gives it"


async def test_what_somebody_says_by_themselves_is_answered_too(tmp_path):
    habits = "habits:\n  marta: {chance: 1, at_most: 1, answers: [{say: mhm, answer: mhm indeed}]}\n"
    lines = "lines:\n  - {after: 100s, who: marta, to: nora, say: end}\n"
    (tmp_path / "one.yaml").write_text(HEAD + habits + lines, encoding="utf-8")
    async with sandbox(seed=REHEARSAL_SEED) as server, client_of(server, NORA) as nora:
        stage = theatre(server, tmp_path)
        stage.runner.start("one")
        await send(nora, await marta_for(nora), "hello")
        stage.clock.advance(30)
        [heard] = [one for one in server._around.world.box(NORA).messages.values() if one.text == "mhm"]
        assert server.model.written.find("Nora Vale", MARTA, heard.message_id) == ("mhm indeed",)
        stage.runner.stop()
