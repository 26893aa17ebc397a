"""Groups, settings and people are found again after the server has gone and come back."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from telethon import functions, types

from chimein_gui.sandbox.media.records import MediaRef
from chimein_gui.sandbox.world.records import Draft
from tests.sandbox.clients import MARTA, NORA, send
from tests.sandbox.company import BEN, OTTO, company, person

LATER = datetime(2030, 1, 2, tzinfo=UTC)
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


@pytest.mark.operation("restart: what an account has decided", "read marks and mutes are the same")
async def test_settings_outlive_the_server(state_dir):
    async with company(state_dir) as all_:
        chat_id = all_.chat_id
        await send(all_.nora, await person(all_.nora, MARTA), "hi")
        muted = types.InputPeerNotifySettings(mute_until=LATER)
        peer = types.InputNotifyPeer(all_.group)
        await all_.nora(functions.account.UpdateNotifySettingsRequest(peer, muted))
        dialogs = [str(one.dialog) for one in await all_.nora.get_dialogs()]
    async with company(state_dir, chat_id=chat_id) as all_:
        assert [str(one.dialog) for one in await all_.nora.get_dialogs()] == dialogs
        assert (await all_.nora(functions.account.GetNotifySettingsRequest(peer))).mute_until == LATER


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
