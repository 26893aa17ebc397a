"""The world of `chimein sandbox`: who is there, what was before, and how an older world gets it."""

from dataclasses import replace

import pytest
from telethon import types

from chimein_gui.sandbox.seeds import people
from chimein_gui.sandbox.seeds.rehearsal import REHEARSAL_SEED
from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED, SeedGroup, SeedLine
from tests.sandbox.clients import MARTA, NORA, client_of, sandbox


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


async def test_marta_shows_what_a_chat_can_hold():
    async with sandbox(seed=REHEARSAL_SEED) as server, client_of(server, NORA) as nora:
        await nora.get_dialogs()
        said = [one async for one in nora.iter_messages(MARTA, reverse=True)]
        assert [one.date for one in said] == sorted(one.date for one in said)
        kinds = {type(one.media) for one in said}
        assert {types.MessageMediaPhoto, types.MessageMediaDocument, type(None)} <= kinds
        assert {one.file.mime_type for one in said if one.sticker} == {"image/webp", "application/x-tgsticker"}
        assert any(one.voice for one in said)
        assert any(one.video for one in said)
        assert any(one.document and not (one.voice or one.video or one.sticker) for one in said)
        [first, second] = [one for one in said if one.grouped_id]
        assert (first.grouped_id, bool(first.message)) == (second.grouped_id, True)
        [passed_on] = [one for one in said if one.fwd_from]
        assert passed_on.fwd_from.from_id.user_id == people.DEDE
        lake = next(one for one in said if one.message.startswith("The lake"))
        answer = next(one for one in said if one.reply_to)
        assert answer.reply_to.reply_to_msg_id == lake.id
        assert [(one.reaction.emoticon, one.chosen_order) for one in lake.reactions.results] == [("❤", 1)]
        edited = next(one for one in said if one.edit_date and not one.edit_hide)
        assert edited.message.endswith("so does the duck")
        assert said[-1].message == DEFAULT_SEED.history[-1].text
