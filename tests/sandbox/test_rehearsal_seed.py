"""The worlds that rehearsals begin with: the program's own people, and partners for personas of one's own."""

from dataclasses import replace

import pytest
from telethon import types

from chimein_gui.sandbox.model.talk.language import detect
from chimein_gui.sandbox.model.talk.library import VoiceLibrary
from chimein_gui.sandbox.seeds import people
from chimein_gui.sandbox.seeds.company import COMPANY
from chimein_gui.sandbox.seeds.made_up_accounts import FIRST_ID, company_in
from chimein_gui.sandbox.seeds.rehearsal import REHEARSAL_SEED
from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED, SeedGroup, SeedLine
from tests.sandbox.clients import MARTA, NORA, client_of, sandbox
from tests.sandbox.stage_time import SCENES, theatre


async def test_everybody_is_there_nora_and_marta_first():
    async with sandbox(seed=REHEARSAL_SEED) as server:
        cast = await server.console.cast()
        names = [account.name for account in cast.accounts]
        assert names[:5] == ["Nora Vale", "Otto Brandt", "Rim Saadoun", "Sora Kitano", "Yada Thongkam"]
        assert names[5:] == ["Inês Faro", "Hanno Brügge"]
        assert cast.accounts[0].user_id == NORA
        assert (cast.partners[0].user_id, cast.partners[0].name) == (MARTA, "Marta Oliveira")
        assert len(cast.partners) == 13
        busy, calm = cast.groups
        assert len(busy.member_ids) >= 6
        assert len({one.user_id for one in cast.accounts} & set(busy.member_ids)) == 2
        assert len(calm.member_ids) == 3
        assert len(cast.scenarios) >= 7


@pytest.mark.operation("a past with replies, edits, stickers and photos", "two members' clients see the same group")
async def test_the_past_is_seen_alike_by_two_accounts():
    async with (
        sandbox(seed=REHEARSAL_SEED) as server,
        client_of(server, people.NORA) as nora,
        client_of(server, people.RIM) as rim,
    ):
        dialogs = {one.id: one for one in await nora.get_dialogs()}
        await rim.get_dialogs()
        seen = [await client.get_messages(people.BOATHOUSE, limit=100) for client in (nora, rim)]
        assert [one.message for one in seen[0]] == [one.message for one in seen[1]]
        assert len(seen[0]) == 22
        by_id = {one.id: one for one in seen[0]}
        duck = next(one for one in seen[0] if one.message.startswith("The duck is a member"))
        assert "était un canard" in by_id[duck.reply_to.reply_to_msg_id].message
        assert any(isinstance(one.media, types.MessageMediaPhoto) for one in seen[0])
        assert dialogs[people.BOATHOUSE].unread_count == 2
        assert dialogs[people.TIAGO].unread_count == 1
        assert dialogs[MARTA].unread_count == 0
        sticker = next(one for one in await nora.get_messages(people.DEDE, limit=5) if one.sticker)
        assert sticker.out
        async with client_of(server, people.OTTO) as otto:
            await otto.get_dialogs()
            [geranium] = await otto.get_messages(people.JULE, limit=1)
            assert "Geranie" in geranium.message
            assert geranium.edit_date is not None


@pytest.mark.operation("seed: one blocked, one muted", "the account's own client is told so")
async def test_one_is_blocked_and_one_is_muted():
    async with sandbox(seed=REHEARSAL_SEED) as server, client_of(server, NORA) as nora:
        muted = {one.id for one in await nora.get_dialogs() if one.dialog.notify_settings.mute_until}
        assert muted == {people.TIDES}
        assert server._around.world.directory.has_blocked(NORA, people.RAFFLE)
        assert not server._around.world.directory.is_contact(NORA, people.WIM)
        bot = await nora.get_entity(people.TIDES)
        assert bot.bot


async def test_an_older_world_gets_what_it_lacks_and_keeps_what_it_has(state_dir):
    async with sandbox(state_dir, DEFAULT_SEED) as server, client_of(server, NORA) as nora:
        await nora.get_dialogs()
        await nora.send_message(MARTA, "before")
    async with sandbox(state_dir, REHEARSAL_SEED) as server, client_of(server, NORA) as nora:
        assert len(await nora.get_dialogs()) == 7
        texts = [one.message async for one in nora.iter_messages(MARTA, reverse=True)]
        assert texts == [*(line.text for line in DEFAULT_SEED.history), "before"]
        total = (await nora.get_messages(people.BOATHOUSE, limit=0)).total
        assert total == 22
        await nora.send_message(people.BOATHOUSE, "again")
    async with sandbox(state_dir, REHEARSAL_SEED) as server, client_of(server, NORA) as nora:
        await nora.get_dialogs()
        assert (await nora.get_messages(people.BOATHOUSE, limit=0)).total == total + 1


async def test_a_seed_that_names_what_does_not_exist_is_refused():
    lost = SeedLine(MARTA, NORA, "x", 5, reply_to="nothing")
    for line in (lost, replace(lost, reply_to="", media="photo-nothing")):
        with pytest.raises(LookupError, match="nothing"):
            async with sandbox(seed=replace(DEFAULT_SEED, history=(line,))):
                pass
    group = SeedGroup(-4_700_000_009, "G", (MARTA, 1))
    with pytest.raises(LookupError):
        async with sandbox(seed=replace(DEFAULT_SEED, groups=(group,))):
            pass


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
        assert (progress.name, progress.problem, progress.finished) == (SCENE, None, True)
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
