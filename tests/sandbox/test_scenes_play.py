"""The scenes that come with the program, played to their end on virtual time."""

import pytest

from chimein_gui.sandbox.scenes.library import SceneLibrary
from chimein_gui.sandbox.seeds import people
from chimein_gui.sandbox.seeds.rehearsal import REHEARSAL_SEED
from tests.sandbox.clients import client_of, sandbox
from tests.sandbox.stage_time import CATALOGUE, SCENES, theatre

NAMES = [offer.name for offer in SceneLibrary(SCENES, CATALOGUE).scenarios()]


def texts(server, owner_id: int, peer_id: int) -> list[str]:
    """What a chat says now, oldest first, as its owner's box on the server has it."""
    box = server._around.world.box(owner_id)
    return [box.messages[message_id].text for message_id in box.thread(peer_id).ids]


@pytest.mark.parametrize("name", NAMES)
async def test_every_scene_plays_to_its_end_and_leaves_no_fault(name):
    async with sandbox(seed=REHEARSAL_SEED) as server:
        stage = theatre(server)
        before = {user.user_id: server._around.world.box(user.user_id).last_id for user in server.accounts()}
        stage.play_to_the_end(name)
        progress = stage.runner.progress()
        assert progress is not None
        assert (progress.name, progress.problem, progress.finished) == (name, None, True)
        assert progress.done == next(one.lines for one in stage.runner.scenarios() if one.name == name)
        assert stage.injector.active == {}
        assert not stage.clock.waits()
        assert stage.changes
        assert any(server._around.world.box(user_id).last_id > last for user_id, last in before.items())


@pytest.mark.operation("scenario: an account answers in a group", "another member replies to it, and a third reacts")
async def test_the_boathouse_hears_nora():
    async with (
        sandbox(seed=REHEARSAL_SEED) as server,
        client_of(server, people.NORA) as nora,
        client_of(server, people.RIM) as rim,
    ):
        await nora.get_dialogs()
        await rim.get_dialogs()
        stage = theatre(server)
        stage.runner.start("busy-friday")
        stage.clock.advance(50)
        sent = await nora.send_message(people.BOATHOUSE, "still on. look for the person with the map")
        stage.clock.advance(15)
        stage.runner.stop()
        answer = next(one for one in await rim.get_messages(people.BOATHOUSE, limit=20) if one.message == sent.message)
        assert answer.reactions.results[0].reaction.emoticon == "❤"
        replies = [one for one in await rim.get_messages(people.BOATHOUSE, limit=20) if one.reply_to]
        assert any(one.reply_to.reply_to_msg_id == answer.id and one.sender_id == people.OSKAR for one in replies)


@pytest.mark.operation("scenario Hostile stranger", "Nora's client holds exactly the hostile text, edited and deleted")
async def test_the_hostile_stranger_says_what_nobody_should():
    async with sandbox(seed=REHEARSAL_SEED) as server, client_of(server, people.NORA) as nora:
        await nora.get_dialogs()
        theatre(server).play_to_the_end("hostile-stranger")
        await nora.get_dialogs()
        said = [one.message async for one in nora.iter_messages(people.IMPOSTOR, reverse=True)]
        assert said == texts(server, people.IMPOSTOR, people.NORA)
        accents = [text for text in said if text.count("\u0301") == 4095]
        assert len(accents) == 12
        assert sum(len(text.encode()) for text in accents) > 95_000
        assert all(len(text.encode("utf-16-le")) // 2 <= 4096 for text in said)
        assert any("# «send»" in text and "# «shutdown»" in text for text in said)
        assert any("\u202e" in text and "\u200b" in text for text in said)
        assert "I never wrote anything. check your eyes" in said
        assert not any("account will be closed" in text or "⟦" in text for text in said)


@pytest.mark.operation("scenario Five accounts at once", "each of five clients hears its own partner")
async def test_five_accounts_hear_their_partners_in_the_same_second():
    async with sandbox(seed=REHEARSAL_SEED) as server:
        stage = theatre(server)
        stage.runner.start("five-accounts-at-once")
        stage.clock.advance(3.5)
        partners = (people.MARTA, people.JULE, people.SALMA, people.MIO, people.PLAIFAH)
        first = ["eleven plums", "Fliederbusch", "الكراسي", "五十名", "ภูผา"]
        for account, partner, words in zip(server.accounts()[:5], partners, first, strict=True):
            async with client_of(server, account.user_id) as client:
                await client.get_dialogs()
                [newest] = await client.get_messages(partner, limit=1)
                assert words in newest.message
        stage.runner.close()


@pytest.mark.parametrize("name", NAMES)
async def test_the_same_seed_plays_the_same_at_every_speed(name):
    async def plays(seed: int, speed: float) -> dict[int, list[str]]:
        async with sandbox(seed=REHEARSAL_SEED) as server:
            stage = theatre(server)
            stage.runner.set_seed(seed)
            stage.runner.set_speed(speed)
            stage.play_to_the_end(name, seconds=3600 / speed)
            world = server._around.world
            return {
                user_id: [
                    f"{one.sender_id} {one.reply_to_id} {one.text}" for one in world.box(user_id).messages.values()
                ]
                for user_id in world.users
            }

    slow = await plays(7, 1.0)
    assert slow == await plays(7, 1000.0)
    if name in {"busy-friday", "long-absence"}:
        assert slow != await plays(8, 1.0)
