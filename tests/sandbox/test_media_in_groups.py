"""Media in groups, and profile photos that not everybody may see (SPEC §11)."""

import pytest
from telethon import functions, types

from tests.sandbox.attachments import (
    album,
    as_input_document,
    asset,
    bytes_of,
    refused,
    send_media,
    sticker_set,
    uploaded_photo,
)
from tests.sandbox.clients import MARTA, NORA, Inbox, client_of, marta_for, nora_for, round_trip, sandbox
from tests.sandbox.company import company


@pytest.mark.operation("messages.sendMedia, sendMultiMedia in a group", "each member downloads it, others hear nothing")
async def test_media_reaches_every_member_of_a_group():
    async with company() as people:
        inboxes = [Inbox(people.ben), Inbox(people.marta)]
        outside = Inbox(people.otto)
        cake, lake = asset("photos/cake.jpg"), asset("photos/lake.jpg")
        await send_media(people.nora, people.group, await uploaded_photo(people.nora, cake), "plums")
        await album(people.nora, people.group, [lake, cake], ["", ""], [61, 62])
        for inbox, member in zip(inboxes, (people.ben, people.marta), strict=True):
            photo, *group = [(await inbox.next()).message for _ in range(3)]
            assert (photo.chat_id, photo.sender_id, photo.raw_text) == (-people.chat_id, NORA, "plums")
            assert [await bytes_of(member, one) for one in (photo, *group)] == [cake, lake, cake]
            assert group[0].grouped_id == group[1].grouped_id != 0
        await round_trip(people.otto)
        assert outside.is_empty()


@pytest.mark.operation("CHAT_SEND_STICKERS_FORBIDDEN, CHAT_SEND_PHOTOS_FORBIDDEN", "the group hears only the rest")
async def test_a_group_may_forbid_kinds_of_media():
    async with company() as people:
        inbox = Inbox(people.nora)
        group = people.world.groups.get(-people.chat_id)
        rights = types.ChatBannedRights(until_date=2**31 - 1, send_stickers=True, send_photos=True)
        people.world.groups.set_default_rights(group, rights)
        given = as_input_document((await sticker_set(people.ben, "paper_boats")).documents[1])
        photo = await uploaded_photo(people.ben, asset("photos/lake.jpg"))
        with refused("CHAT_SEND_STICKERS_FORBIDDEN"):
            await send_media(people.ben, people.group, types.InputMediaDocument(given))
        with refused("CHAT_SEND_PHOTOS_FORBIDDEN"):
            await send_media(people.ben, people.group, photo)
        people.world.groups.set_default_rights(group, types.ChatBannedRights(until_date=2**31 - 1, send_stickers=True))
        await send_media(people.ben, people.group, photo)  # the refusal has not cost the upload
        arrived = (await inbox.next()).message
        assert await bytes_of(people.nora, arrived) == asset("photos/lake.jpg")
        assert inbox.is_empty()


@pytest.mark.operation("account.setPrivacy: profile photo", "who may not see it finds no photo, who may downloads it")
async def test_a_profile_photo_can_be_private():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        file = await nora.upload_file(asset("photos/portrait-nora.jpg"), file_name="me.jpg")
        await nora(functions.photos.UploadProfilePhotoRequest(file=file))
        peer, key = await nora_for(marta), types.InputPrivacyKeyProfilePhoto()
        (photo,) = await marta.get_profile_photos(peer)
        await nora(functions.account.SetPrivacyRequest(key, [types.InputPrivacyValueDisallowAll()]))
        assert (await marta.get_entity(peer)).photo is None
        assert await marta.get_profile_photos(peer) == []
        with refused("LOCATION_INVALID"):
            hidden = types.InputPeerPhotoFileLocation(peer, photo.id, big=True)
            await marta(functions.upload.GetFileRequest(hidden, 0, 4096))
        known = types.InputPrivacyValueAllowUsers([await marta_for(nora)])
        await nora(functions.account.SetPrivacyRequest(key, [known, types.InputPrivacyValueDisallowAll()]))
        assert await marta.download_profile_photo(peer, file=bytes) == asset("photos/portrait-nora.jpg")
