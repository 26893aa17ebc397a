"""Sticker sets and what each account keeps at hand: recent, favourites, gifs, profile photos (SPEC §11)."""

import pytest
from telethon import errors, events, functions, types

from tests.sandbox.attachments import (
    as_input_document,
    as_input_photo,
    asset,
    bytes_of,
    refused,
    send_media,
    sticker_set,
    stored,
)
from tests.sandbox.clients import MARTA, NORA, Inbox, client_of, marta_for, nora_for, sandbox

OTTER = types.InputStickerSetShortName("harbour_otter")


def get_set(wanted, known: int = 0):
    return functions.messages.GetStickerSetRequest(wanted, known)


async def set_names(client) -> list[str]:
    return [one.short_name for one in (await client(functions.messages.GetAllStickersRequest(0))).sets]


@pytest.mark.operation("messages.getStickerSet: by name and by id", "two accounts get the same stickers by own hashes")
async def test_a_set_is_found_by_name_and_by_id():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        found, theirs = await nora(get_set(OTTER)), await marta(get_set(OTTER))
        assert (found.set.title, found.set.count) == ("Harbour Otter", 4)
        assert [pack.emoticon for pack in found.packs] == ["👋", "😂", "❤️", "😴"]
        assert [one.id for one in found.documents] == [one.id for one in theirs.documents]
        assert found.set.access_hash != theirs.set.access_hash
        again = await nora(get_set(types.InputStickerSetID(found.set.id, found.set.access_hash)))
        assert [one.id for one in again.documents] == [one.id for one in found.documents]
        known = await nora(get_set(OTTER, found.set.hash))
        assert isinstance(known, types.messages.StickerSetNotModified)
        with pytest.raises(errors.StickersetInvalidError):
            await nora(get_set(types.InputStickerSetID(found.set.id, theirs.set.access_hash)))


@pytest.mark.operation("messages.getStickerSet: STICKERSET_INVALID", "a known set is still given")
@pytest.mark.parametrize(
    "wanted",
    [
        types.InputStickerSetShortName("no_such_set"),
        types.InputStickerSetShortName("AnimatedEmojies"),
        types.InputStickerSetShortName(""),
        types.InputStickerSetAnimatedEmoji(),
        types.InputStickerSetDice("🎲"),
        types.InputStickerSetEmpty(),
        types.InputStickerSetID(1, 2),
    ],
)
async def test_a_set_that_does_not_exist_is_refused(wanted):
    async with sandbox() as server, client_of(server, NORA) as nora:
        with pytest.raises(errors.StickersetInvalidError):
            await nora(get_set(wanted))
        assert (await nora(get_set(OTTER))).set.count == 4


@pytest.mark.operation("messages.getStickers: by emoji", "what is found can be sent and arrives")
async def test_stickers_are_found_by_emoji():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        inbox = Inbox(marta)
        (heart,) = (await nora(functions.messages.GetStickersRequest("❤", 0))).stickers
        await send_media(nora, await marta_for(nora), types.InputMediaDocument(as_input_document(heart)))
        assert await bytes_of(marta, (await inbox.next()).message) == asset("stickers/otter-heart.webp")
        assert (await nora(functions.messages.GetStickersRequest("🦀", 0))).stickers == []
        assert await nora(functions.messages.GetCustomEmojiDocumentsRequest([1, 2])) == []


@pytest.mark.operation("messages.installStickerSet, uninstall", "the account's other session, after a restart")
async def test_installed_sets_are_the_accounts_own(state_dir):
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        for name in ("harbour_otter", "paper_boats", "little_lantern"):
            wanted = types.InputStickerSetShortName(name)
            await nora(functions.messages.InstallStickerSetRequest(wanted, archived=False))
        assert await nora(functions.messages.UninstallStickerSetRequest(types.InputStickerSetShortName("paper_boats")))
        assert await set_names(marta) == []
    async with sandbox(state_dir) as server, client_of(server, NORA) as phone:
        assert await set_names(phone) == ["little_lantern", "harbour_otter"]
        known = await phone(functions.messages.GetAllStickersRequest(0))
        again = await phone(functions.messages.GetAllStickersRequest(known.hash))
        assert isinstance(again, types.messages.AllStickersNotModified)


@pytest.mark.operation("messages.getRecentStickers: sent ones come first", "the account's other session lists them")
async def test_sent_stickers_are_the_recent_ones():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, NORA) as phone:
        wave, laugh, *_ = (await nora(get_set(OTTER))).documents
        for sticker in (wave, laugh, wave):
            await send_media(nora, await marta_for(nora), types.InputMediaDocument(as_input_document(sticker)))
        recent = await phone(functions.messages.GetRecentStickersRequest(0))
        assert [one.id for one in recent.stickers] == [wave.id, laugh.id]
        assert [pack.emoticon for pack in recent.packs] == ["👋", "😂"]
        assert await nora(functions.messages.ClearRecentStickersRequest())
        assert (await phone(functions.messages.GetRecentStickersRequest(0))).stickers == []


@pytest.mark.operation("messages.faveSticker, saveGif", "the account's other session, after a restart; others see none")
async def test_favourites_and_gifs_are_kept(state_dir):
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora:
        documents = [(await sticker_set(nora, name)).documents for name in ("harbour_otter", "little_lantern")]
        for sticker in (documents[0] + documents[1])[:6]:
            await nora(functions.messages.FaveStickerRequest(as_input_document(sticker), unfave=False))
        newest = documents[1][1]
        gif = server.media.views.document(NORA, stored(server, "gif-waves"))
        await nora(functions.messages.SaveGifRequest(as_input_document(gif), unsave=False))
        with refused("GIF_ID_INVALID"):
            await nora(functions.messages.SaveGifRequest(as_input_document(newest), unsave=False))
    async with sandbox(state_dir) as server, client_of(server, NORA) as phone, client_of(server, MARTA) as marta:
        favourites = (await phone(functions.messages.GetFavedStickersRequest(0))).stickers
        assert [one.id for one in favourites[:1]] == [newest.id]
        assert len(favourites) == 5
        (kept,) = (await phone(functions.messages.GetSavedGifsRequest(0))).gifs
        assert await bytes_of(phone, kept) == asset("files/waves-gif.mp4")
        assert (await marta(functions.messages.GetSavedGifsRequest(0))).gifs == []
        assert (await marta(functions.messages.GetFavedStickersRequest(0))).stickers == []


@pytest.mark.operation("photos.uploadProfilePhoto, getUserPhotos, deletePhotos", "the partner sees and downloads it")
async def test_a_profile_photo_is_seen_by_others(state_dir):
    picture = asset("photos/portrait-nora.jpg")
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora:
        for data in (asset("photos/cake.jpg"), picture):
            file = await nora.upload_file(data, file_name="me.jpg")
            await nora(functions.photos.UploadProfilePhotoRequest(file=file))
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        peer = await nora_for(marta)
        assert await marta.download_profile_photo(peer, file=bytes) == picture
        photos = await marta.get_profile_photos(peer)
        assert [photo.sizes[-1].w for photo in photos] == [640, 800]
        assert await bytes_of(marta, photos[1]) == asset("photos/cake.jpg")
        own = await nora.get_profile_photos("me")
        assert await nora(functions.photos.DeletePhotosRequest([as_input_photo(own[0])])) == [own[0].id]
        assert await marta.download_profile_photo(peer, file=bytes) == asset("photos/cake.jpg")
        gone = types.InputPeerPhotoFileLocation(peer, own[0].id, big=True)
        with pytest.raises(errors.LocationInvalidError):
            await marta(functions.upload.GetFileRequest(gone, 0, 4096))


@pytest.mark.operation("photos.uploadProfilePhoto: a change", "the partner hears that the person looks different")
async def test_a_new_profile_photo_is_told():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        await marta.get_me()
        inbox = Inbox(marta, events.Raw(types.UpdateUser))
        file = await nora.upload_file(asset("photos/cake.jpg"), file_name="me.jpg")
        shown = await nora(functions.photos.UploadProfilePhotoRequest(file=file))
        heard = await inbox.next()
        assert heard.user_id == NORA
        assert heard._entities[NORA].photo.photo_id == shown.photo.id
