"""Groups, settings and people are found again after the server has gone and come back."""

from datetime import UTC, datetime

import pytest
from telethon import functions, types

from chimein_gui.sandbox.media.records import MediaRef
from chimein_gui.sandbox.records import Draft
from tests.sandbox.clients import MARTA, NORA, send
from tests.sandbox.company import BEN, OTTO, company, person

LATER = datetime(2030, 1, 2, tzinfo=UTC)
GEO = MediaRef("geo", raw=bytes(types.MessageMediaGeo(types.GeoPoint(10.0, 50.0, 0))))


@pytest.mark.operation("restart: a group", "members, roles, rights, title and refusals are the same")
async def test_a_group_outlives_the_server(state_dir):
    async with company(state_dir) as all_:
        chat_id = all_.chat_id
        ben, marta = await person(all_.nora, BEN), await person(all_.nora, MARTA)
        await all_.nora(functions.messages.EditChatTitleRequest(chat_id, "Lake 2"))
        await all_.nora(functions.messages.EditChatAboutRequest(all_.group, "About"))
        await all_.nora(functions.messages.EditChatAdminRequest(chat_id, ben, True))
        await all_.nora(functions.messages.DeleteChatUserRequest(chat_id, marta))
        rights = types.ChatBannedRights(None, send_photos=True)
        await all_.nora(functions.messages.EditChatDefaultBannedRightsRequest(all_.group, rights))
        before = str((await all_.ben(functions.messages.GetFullChatRequest(chat_id))).full_chat)
        history = [str(one) for one in await all_.ben.get_messages(all_.group, limit=20)]
    async with company(state_dir, chat_id=chat_id) as all_:
        assert str((await all_.ben(functions.messages.GetFullChatRequest(chat_id))).full_chat) == before
        assert [str(one) for one in await all_.ben.get_messages(all_.group, limit=20)] == history
        dialog = next(one for one in await all_.marta.get_dialogs() if one.is_group)
        assert isinstance(dialog.entity, types.ChatForbidden)
        (chat,) = (await all_.nora(functions.messages.GetChatsRequest([chat_id]))).chats
        assert (chat.title, chat.default_banned_rights.send_photos) == ("Lake 2", True)
        otto = await person(all_.ben, OTTO)
        await all_.ben(functions.messages.AddChatUserRequest(chat_id, otto, 0))
        assert all_.world.groups.get(-chat_id).member_ids == (NORA, BEN, OTTO)


@pytest.mark.operation("restart: messages with all that hangs on them", "the other side's copies are the same")
async def test_messages_with_everything_outlive_the_server(state_dir):
    async with company(state_dir) as all_:
        chat_id = all_.chat_id
        first = await send(all_.nora, all_.group, "@ben_vale_box see https://lake.example", silent=True)
        bens = (await all_.ben.get_messages(all_.group, limit=1))[0].id
        quote = types.InputReplyToMessage(bens, quote_text="see", quote_offset=14)
        await send(all_.ben, all_.group, "seen", reply_to=quote)
        await all_.nora.pin_message(all_.group, first.id)
        reaction = functions.messages.SendReactionRequest(all_.group, bens, reaction=[types.ReactionEmoji("👍")])
        await all_.ben(reaction)
        forward = functions.messages.ForwardMessagesRequest(
            all_.group, [first.id], await person(all_.nora, MARTA), random_id=[77]
        )
        await all_.nora(forward)
        album = all_.world.post.next_album_id()
        for n in range(2):
            all_.world.send(NORA, -chat_id, Draft(f"part {n}", media=GEO, grouped_id=album))
        all_.server._around.hub.settle()
        gone = await send(all_.nora, all_.group, "gone")
        await all_.nora.delete_messages(None, [gone.id])
        group = [str(one) for one in await all_.ben.get_messages(all_.group, limit=20)]
        direct = [str(one) for one in await all_.marta.get_messages(await person(all_.marta, NORA), limit=20)]
        bytes_before = all_.world.stored_bytes()
    async with company(state_dir, chat_id=chat_id) as all_:
        assert [str(one) for one in await all_.ben.get_messages(all_.group, limit=20)] == group
        nora = await person(all_.marta, NORA)
        assert [str(one) for one in await all_.marta.get_messages(nora, limit=20)] == direct
        (dialog,) = [one.dialog for one in await all_.ben.get_dialogs() if one.is_group]
        assert dialog.unread_mentions_count == 1
        (dialog,) = [one.dialog for one in await all_.nora.get_dialogs() if one.is_group]
        assert dialog.unread_reactions_count == 1
        pinned = await all_.marta.get_messages(all_.group, filter=types.InputMessagesFilterPinned(), limit=5)
        assert [one.raw_text for one in pinned] == ["@ben_vale_box see https://lake.example"]
        assert all_.world.stored_bytes() == pytest.approx(bytes_before, rel=0.02)
        assert (await send(all_.nora, all_.group, "next")).id == gone.id + 1


@pytest.mark.operation("restart: what an account has decided", "drafts, mutes, marks, pins on top are the same")
async def test_settings_outlive_the_server(state_dir):
    async with company(state_dir) as all_:
        chat_id = all_.chat_id
        marta = await person(all_.nora, MARTA)
        await send(all_.nora, marta, "hi")
        await all_.nora(functions.messages.SaveDraftRequest(marta, "half"))
        await all_.nora(functions.messages.ToggleDialogPinRequest(types.InputDialogPeer(marta), True))
        await all_.nora(functions.messages.MarkDialogUnreadRequest(types.InputDialogPeer(all_.group), unread=True))
        muted = types.InputPeerNotifySettings(mute_until=LATER)
        for scope in (types.InputNotifyPeer(all_.group), types.InputNotifyUsers()):
            await all_.nora(functions.account.UpdateNotifySettingsRequest(scope, muted))
        dialogs = [str(one.dialog) for one in await all_.nora.get_dialogs()]
    async with company(state_dir, chat_id=chat_id) as all_:
        assert [str(one.dialog) for one in await all_.nora.get_dialogs()] == dialogs
        users = await all_.nora(functions.account.GetNotifySettingsRequest(types.InputNotifyUsers()))
        assert users.mute_until == LATER
        assert len(await all_.nora(functions.messages.GetDialogUnreadMarksRequest())) == 1


@pytest.mark.operation("restart: people", "contacts, blocks, privacy, names and deleted accounts are the same")
async def test_people_outlive_the_server(state_dir):
    async with company(state_dir) as all_:
        chat_id = all_.chat_id
        otto = await person(all_.nora, OTTO)
        await all_.nora(functions.contacts.AddContactRequest(otto, "Otto", "Boat", phone=""))
        await all_.nora(functions.contacts.DeleteContactsRequest([await person(all_.nora, BEN)]))
        await all_.nora(functions.contacts.BlockRequest(await person(all_.nora, BEN)))
        await all_.otto(functions.account.UpdateProfileRequest("Otto", "Lindgren", about="Ferryman"))
        rule = types.InputPrivacyValueAllowAll()
        await all_.otto(functions.account.SetPrivacyRequest(types.InputPrivacyKeyPhoneNumber(), [rule]))
        await all_.otto(
            functions.account.SetGlobalPrivacySettingsRequest(
                types.GlobalPrivacySettings(new_noncontact_peers_require_premium=True)
            )
        )
        all_.world.directory.delete(MARTA)
    async with company(state_dir, chat_id=chat_id) as all_:
        seen = await all_.nora.get_entity("otto_lind_box")
        assert (seen.last_name, seen.phone, seen.contact, seen.contact_require_premium) == (
            "Boat",
            "9996625002",
            True,
            True,
        )
        assert (await all_.ben.get_entity("otto_lind_box")).last_name == "Lindgren"
        assert (await all_.ben(functions.users.GetFullUserRequest(await person(all_.ben, OTTO)))).full_user.about
        blocked = await all_.nora(functions.contacts.GetBlockedRequest(0, 100))
        assert [one.peer_id.user_id for one in blocked.blocked] == [BEN]
        assert {user.id for user in (await all_.nora(functions.contacts.GetContactsRequest(0))).users} == {MARTA, OTTO}
        assert all_.world.users[MARTA].is_deleted
