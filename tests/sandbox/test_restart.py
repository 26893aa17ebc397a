"""A world with a state directory is the same after the server has gone and come back."""

import sqlite3
import stat
from dataclasses import replace

import pytest
from telethon import errors, functions, types

from chimein_gui.sandbox.media.records import MediaRef
from chimein_gui.sandbox.persistence import StateInUseError
from chimein_gui.sandbox.persistence.journal import VERSION
from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED
from chimein_gui.sandbox.world.records import Draft
from chimein_gui.sandbox_api import Incident
from tests.sandbox.clients import (
    MARTA,
    NORA,
    client_of,
    kept_session,
    marta_for,
    nora_for,
    sandbox,
    send,
    telethon_client,
)
from tests.sandbox.company import BEN, OTTO, company, person


async def test_everything_is_found_again(state_dir):
    async with sandbox(state_dir, DEFAULT_SEED) as server:
        key = server.auth_key_for(NORA)
        async with client_of(server, NORA) as nora:
            peer = await marta_for(nora)
            sent = await send(
                nora, peer, "bold", 5, reply_to=types.InputReplyToMessage(5), entities=[types.MessageEntityBold(0, 4)]
            )
            gone = await send(nora, peer, "gone")
            await nora.delete_messages(peer, [gone.id])
            await nora.edit_message(peer, 2, "edited")
            await server.console.speak(MARTA, NORA, "unread")
            state = await nora(functions.updates.GetStateRequest())
        async with client_of(server, MARTA) as marta:
            await marta.send_read_acknowledge(await nora_for(marta))
        mailbox = await server.console.mailbox(MARTA)

    async with sandbox(state_dir, DEFAULT_SEED) as server, client_of(server, NORA) as nora:
        assert server.auth_key_for(NORA) == key
        assert await marta_for(nora) == peer
        assert await server.console.mailbox(MARTA) == mailbox
        (dialog,) = await nora.get_dialogs()
        assert (dialog.unread_count, dialog.dialog.read_outbox_max_id) == (1, sent.id)
        told = await nora.get_messages(peer, limit=20)
        assert [message.id for message in reversed(told)] == [1, 2, 3, 4, 5, sent.id, gone.id + 1]
        kept = told[1]
        assert (kept.raw_text, kept.entities) == ("bold", [types.MessageEntityBold(0, 4)])
        assert kept.reply_to.reply_to_msg_id == 5
        assert told[-2].raw_text == "edited"
        assert (await nora(functions.updates.GetStateRequest())).pts == state.pts + 1
        with pytest.raises(errors.RandomIdDuplicateError):
            await nora._sender.send(functions.messages.SendMessageRequest(peer, "bold", random_id=5))
        assert (await send(nora, peer, "next")).id == gone.id + 2


async def test_the_state_is_private_to_the_user(tmp_path):
    async with sandbox(tmp_path / "state"):
        assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700
        found = list((tmp_path / "state").rglob("*"))
        assert {stat.S_IMODE(path.stat().st_mode) for path in found if path.is_file()} == {0o600}
        assert {stat.S_IMODE(path.stat().st_mode) for path in found if path.is_dir()} == {0o700}


async def test_two_sandboxes_can_not_share_a_world(state_dir):
    async with sandbox(state_dir):
        with pytest.raises(StateInUseError, match=r"sandbox\.db"):
            async with sandbox(state_dir):
                pass
    async with sandbox(state_dir) as server:
        assert await server.console.partners()


GEO = MediaRef("geo", raw=bytes(types.MessageMediaGeo(types.GeoPoint(10.0, 50.0, 0))))


@pytest.mark.operation("restart: a group", "members, roles and refusals are the same")
async def test_a_group_outlives_the_server(state_dir):
    async with company(state_dir) as all_:
        chat_id = all_.chat_id
        all_.world.groups.set_admin(all_.world.groups.get(-chat_id), BEN, is_admin=True)
        await all_.nora(functions.messages.DeleteChatUserRequest(chat_id, await person(all_.nora, MARTA)))
        history = [str(one) for one in await all_.ben.get_messages(all_.group, limit=20)]
    async with company(state_dir, chat_id=chat_id) as all_:
        assert all_.world.groups.get(-chat_id).is_admin(BEN)
        assert [str(one) for one in await all_.ben.get_messages(all_.group, limit=20)] == history
        dialog = next(one for one in await all_.marta.get_dialogs() if one.is_group)
        assert isinstance(dialog.entity, types.ChatForbidden)
        await all_.ben(functions.messages.AddChatUserRequest(chat_id, await person(all_.ben, OTTO), 0))
        assert all_.world.groups.get(-chat_id).member_ids == (NORA, BEN, OTTO)


@pytest.mark.operation("restart: messages with all that hangs on them", "the other side's copies are the same")
async def test_messages_with_everything_outlive_the_server(state_dir):
    async with company(state_dir) as all_:
        chat_id, settle = all_.chat_id, all_.server._around.hub.settle
        await send(all_.nora, all_.group, "@ben_vale_box see https://lake.example", silent=True)
        bens = (await all_.ben.get_messages(all_.group, limit=1))[0].id
        await send(all_.ben, all_.group, "seen", reply_to=types.InputReplyToMessage(bens))
        all_.world.reactions.give(all_.world.box(BEN).messages[bens], (types.ReactionEmoji("👍"),))
        header = types.MessageFwdHeader(date=1_700_000_000, from_id=types.PeerUser(BEN))
        all_.world.send(NORA, MARTA, Draft("passed on", forward=header))
        album = all_.world.post.next_album_id()
        for n in range(2):
            all_.world.send(NORA, -chat_id, Draft(f"part {n}", media=GEO, grouped_id=album))
        settle()
        gone = await send(all_.nora, all_.group, "gone")
        await all_.nora.delete_messages(None, [gone.id])
        group = [str(one) for one in await all_.ben.get_messages(all_.group, limit=20)]
        direct = [str(one) for one in await all_.marta.get_messages(await person(all_.marta, NORA), limit=20)]
    async with company(state_dir, chat_id=chat_id) as all_:
        assert [str(one) for one in await all_.ben.get_messages(all_.group, limit=20)] == group
        nora = await person(all_.marta, NORA)
        assert [str(one) for one in await all_.marta.get_messages(nora, limit=20)] == direct
        assert (await send(all_.nora, all_.group, "next")).id == gone.id + 1


@pytest.mark.operation("restart: people", "contacts, blocks, names and deleted accounts are the same")
async def test_people_outlive_the_server(state_dir):
    async with company(state_dir) as all_:
        chat_id = all_.chat_id
        all_.world.add_contact(NORA, OTTO)
        await all_.nora(functions.contacts.BlockRequest(await person(all_.nora, BEN)))
        all_.world.directory.put(replace(all_.world.users[OTTO], last_name="Lindgren", about="Ferryman"))
        all_.world.directory.delete(MARTA)
    async with company(state_dir, chat_id=chat_id) as all_:
        seen = await all_.nora.get_entity("otto_lind_box")
        assert (seen.last_name, seen.contact) == ("Lindgren", True)
        assert all_.world.users[OTTO].about == "Ferryman"
        blocked = await all_.nora(functions.contacts.GetBlockedRequest(0, 100))
        assert [one.peer_id.user_id for one in blocked.blocked] == [BEN]
        assert OTTO in {user.id for user in (await all_.nora(functions.contacts.GetContactsRequest(0))).users}
        assert all_.world.users[MARTA].is_deleted


def _of_version(path, version: int) -> None:
    db = sqlite3.connect(path / "sandbox.db")
    db.execute("CREATE TABLE told_otherwise (a INTEGER)")
    db.execute(f"PRAGMA user_version = {version}")
    db.close()


@pytest.mark.operation("a world of another version", "clients stay logged in, what is said then is new to them")
@pytest.mark.parametrize("version", [0, VERSION - 1, VERSION + 1])
async def test_a_world_of_another_version_gives_way(tmp_path, version, expected_logs):
    expected_logs(r"WARNING chimein_gui.sandbox.*a new world begins")
    world, session = tmp_path / "world", tmp_path / "nora"
    async with sandbox(world, DEFAULT_SEED) as server, client_of(server, NORA, session=kept_session(session)) as nora:
        before = await nora(functions.updates.GetStateRequest())
        ids = [await server.console.speak(MARTA, NORA, f"line {n}") for n in range(3)]
        key = nora.session.auth_key.key
    _of_version(world, version)
    async with sandbox(world, DEFAULT_SEED) as server:
        assert (await server.console.rehearsal()).recent == (Incident(set_aside=f"sandbox.db.v{version}"),)
        nora = telethon_client(server.addresses.telegram_port, key, kept_session(session), catch_up=False)
        await nora.connect()
        told = await nora(functions.updates.GetDifferenceRequest(before.pts, before.date, 0))
        assert isinstance(told, types.updates.DifferenceTooLong)
        texts = [one.raw_text for one in await nora.get_messages(await marta_for(nora), limit=9)]
        assert texts == [line.text for line in reversed(DEFAULT_SEED.history)]
        assert await server.console.speak(MARTA, NORA, "new") > ids[-1]
        await nora.disconnect()
    db = sqlite3.connect(world / f"sandbox.db.v{version}")
    assert db.execute("SELECT count(*) FROM told_otherwise").fetchone() == (0,)
    db.close()
    async with sandbox(world, DEFAULT_SEED) as server:
        assert (await server.console.rehearsal()).recent == ()
        (last, *_) = server._around.world.box(NORA).newest_first()
        assert last[1].text == "new"
