"""Media after it was sent: edited, gone through a restart, caught up with; and what can't be sent (SPEC §11)."""

import shutil
import sqlite3
import stat
from contextlib import closing

import pytest
from telethon import errors, events, functions, types

from chimein_gui.adapters.telegram.media_kinds import media_kind
from chimein_gui.sandbox.media.records import MediaRef
from chimein_gui.sandbox.media.storage import DiskBlobs, MemoryBlobs, StorageFullError
from chimein_gui.sandbox.world import Draft
from tests.sandbox.attachments import (
    album,
    as_input_document,
    asset,
    bytes_of,
    refused,
    send_media,
    sticker_set,
    uploaded_document,
    uploaded_photo,
)
from tests.sandbox.clients import MARTA, NORA, Inbox, client_of, kept_session, marta_for, nora_for, sandbox

GEO = types.InputGeoPoint(48.1, 11.6)


@pytest.mark.operation("messages.sendMedia: contact, place, dice, poll", "the partner sees the same")
async def test_kinds_without_a_file_arrive_as_given():
    answers = [types.PollAnswer(types.TextWithEntities(one, []), one.encode()) for one in ("yes", "no")]
    poll = types.Poll(1, types.TextWithEntities("Cake?", []), answers, hash=0)
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        inbox, peer = Inbox(marta), await marta_for(nora)
        for given, check in (
            (types.InputMediaContact("+9996625001", "Marta", "", ""), lambda one: one.contact.user_id == MARTA),
            (types.InputMediaGeoPoint(GEO), lambda one: round(one.geo.lat, 3) == 48.1),
            (types.InputMediaVenue(GEO, "Pier", "Lake 1", "", "", ""), lambda one: one.venue.title == "Pier"),
            (types.InputMediaDice("🎲"), lambda one: 1 <= one.dice.value <= 6),
            (types.InputMediaPoll(poll), lambda one: one.poll.poll.question.text == "Cake?"),
        ):
            sent = await send_media(nora, peer, given)
            arrived = (await inbox.next()).message
            assert check(arrived), given
            assert bytes(sent.media) == bytes(arrived.media)


REFUSED = [
    (types.InputMediaEmpty(), "MEDIA_EMPTY"),
    (types.InputMediaPhotoExternal("http://127.0.0.1/x.jpg"), "WEBPAGE_CURL_FAILED"),
    (types.InputMediaDocumentExternal("http://127.0.0.1/x.pdf"), "WEBPAGE_CURL_FAILED"),
    (types.InputMediaWebPage("https://example.org"), "WEBPAGE_NOT_FOUND"),
    (types.InputMediaGeoPoint(types.InputGeoPoint(91.0, 0.0)), "GEO_POINT_INVALID"),
    (types.InputMediaDice("🍰"), "EMOTICON_INVALID"),
    (types.InputMediaContact("call me", "A", "", ""), "PHONE_NUMBER_INVALID"),
    (types.InputMediaDocument(types.InputDocument(1, 2, b"x")), "MEDIA_EMPTY"),
    (types.InputMediaPhoto(types.InputPhotoEmpty()), "MEDIA_EMPTY"),
    (types.InputMediaGame(types.InputGameShortName(types.InputUserSelf(), "x")), "MEDIA_INVALID"),
]


@pytest.mark.operation("messages.sendMedia: what can't be sent", "the partner hears nothing")
@pytest.mark.parametrize(("media", "complaint"), REFUSED, ids=lambda one: one if isinstance(one, str) else None)
async def test_what_can_not_be_sent_is_refused(media, complaint):
    async with sandbox() as server, client_of(server, NORA) as nora:
        with refused(complaint):
            await send_media(nora, await marta_for(nora), media)
        assert await server.console.mailbox(MARTA) == ()


@pytest.mark.operation("messages.sendMedia: MEDIA_CAPTION_TOO_LONG", "the partner gets the one of 1,024 units only")
async def test_a_caption_has_1024_units():
    async with sandbox() as server, client_of(server, NORA) as nora:
        peer, photo = await marta_for(nora), asset("photos/lake.jpg")
        with pytest.raises(errors.MediaCaptionTooLongError):
            await send_media(nora, peer, await uploaded_photo(nora, photo), "🌿" * 513)
        await send_media(nora, peer, await uploaded_photo(nora, photo), "🌿" * 512)
        assert [len(one.text) for one in await server.console.mailbox(MARTA)] == [512]


@pytest.mark.operation("messages.editMessage: another photo", "the partner hears the edit and downloads the new bytes")
async def test_a_photo_is_exchanged():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        edits, peer = Inbox(marta, events.MessageEdited()), await marta_for(nora)
        sent = await send_media(nora, peer, await uploaded_photo(nora, asset("photos/lake.jpg")), "view")
        media = await uploaded_photo(nora, asset("photos/cake.jpg"))
        await nora(functions.messages.EditMessageRequest(peer, sent.id, media=media))
        edited = (await edits.next()).message
        assert (edited.raw_text, await bytes_of(marta, edited)) == ("view", asset("photos/cake.jpg"))
        await nora.edit_message(peer, sent.id, "cake")
        edited = (await edits.next()).message
        assert (edited.raw_text, await bytes_of(marta, edited)) == ("cake", asset("photos/cake.jpg"))


@pytest.mark.operation("messages.editMessage: media of the wrong kind", "no edit is heard")
async def test_not_everything_can_be_exchanged():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        edits, peer = Inbox(marta, events.MessageEdited()), await marta_for(nora)
        given = types.InputMediaDocument(as_input_document((await sticker_set(nora, "harbour_otter")).documents[0]))
        sticker = await send_media(nora, peer, given)
        photo = await send_media(nora, peer, await uploaded_photo(nora, asset("photos/lake.jpg")))
        group = await album(nora, peer, [asset("photos/lake.jpg"), asset("photos/cake.jpg")], ["", ""], [41, 42])
        document = await uploaded_document(nora, b"x", "text/plain", name="x.txt")
        for message_id, media, complaint in (
            (sticker.id, await uploaded_photo(nora, asset("photos/cake.jpg")), "MEDIA_PREV_INVALID"),
            (photo.id, given, "MEDIA_NEW_INVALID"),
            (group[0].id, document, "MEDIA_GROUPED_INVALID"),
        ):
            with refused(complaint):
                await nora(functions.messages.EditMessageRequest(peer, message_id, media=media))
        await nora.edit_message(peer, photo.id, "a caption at last")
        assert (await edits.next()).raw_text == "a caption at last"
        assert edits.is_empty()


@pytest.mark.operation("media and a restart of the server", "the partner downloads everything again")
async def test_media_is_found_again_after_a_restart(state_dir):
    photos = [asset("photos/lake.jpg"), asset("photos/kitchen.jpg")]
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora:
        peer = await marta_for(nora)
        await album(nora, peer, photos, ["one", "two"], [51, 52])
        thumb = await nora.upload_file(asset("files/waves-gif.m.jpg"), file_name="t.jpg")
        video = types.DocumentAttributeVideo(1.5, 320, 240)
        media = await uploaded_document(nora, asset("files/waves-gif.mp4"), "video/mp4", video, thumb=thumb)
        sent = await send_media(nora, peer, media)
        half = await nora(functions.upload.SaveFilePartRequest(77, 0, b"begun before"))
        assert half
        files = list((state_dir / "media" / "files").iterdir())
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
        assert len(files) == 4
        assert len(list((state_dir / "media" / "uploads").iterdir())) == 1
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        gif, *pictures = await marta.get_messages(await nora_for(marta), limit=3)
        assert [await bytes_of(marta, one) for one in reversed(pictures)] == photos
        assert pictures[0].grouped_id == pictures[1].grouped_id
        assert (gif.gif.id, gif.file.name) == (sent.document.id, "f")
        assert await bytes_of(marta, gif, thumb="m") == asset("files/waves-gif.m.jpg")
        assert await bytes_of(nora, sent) == asset("files/waves-gif.mp4")
        inbox = Inbox(marta)
        begun = types.InputMediaUploadedDocument(types.InputFile(77, 1, "f.txt", ""), "text/plain", [])
        fresh = await send_media(nora, await marta_for(nora), begun)
        assert fresh.document.id > sent.document.id
        assert await bytes_of(marta, (await inbox.next()).message) == b"begun before"


@pytest.mark.operation("references expired before a restart", "the restarted server refuses them too")
async def test_an_expired_reference_stays_expired_after_a_restart(state_dir):
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora:
        old = (await sticker_set(nora, "paper_boats")).documents[0]
        server.media.expire_file_references()
        server._around.world.journal.commit()
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora:
        with pytest.raises(errors.FileReferenceExpiredError):
            await bytes_of(nora, old)
        assert await bytes_of(nora, (await sticker_set(nora, "paper_boats")).documents[0])


@pytest.mark.operation("updates.getDifference: media that came while away", "the client that was away downloads it")
async def test_media_is_caught_up_with(tmp_path):
    async with sandbox() as server:
        async with client_of(server, NORA, session=kept_session(tmp_path / "nora")) as nora:
            await marta_for(nora)
            await nora(functions.updates.GetStateRequest())
        world = server._around.world
        for name in ("photo-cake", "voice-note"):
            world.send(MARTA, NORA, Draft(name, media=server.media.named(name)))
        server._around.hub.settle()
        async with client_of(server, NORA, session=kept_session(tmp_path / "nora")) as nora:
            inbox = Inbox(nora)
            await nora.catch_up()
            photo, voice = (await inbox.next()).message, (await inbox.next()).message
            assert await bytes_of(nora, photo) == asset("photos/cake.jpg")
            assert await bytes_of(nora, voice) == asset("files/voice-note.ogg")


async def test_the_product_names_every_kind_of_media():
    async with sandbox() as server, client_of(server, NORA) as nora:
        inbox = Inbox(nora)
        around = server._around
        for name in server.media.names():
            ref = server.media.named(name)
            around.world.send(MARTA, NORA, Draft(media=ref))
            around.hub.settle()
            assert media_kind((await inbox.next()).message) == ref.kind, name


async def test_a_file_that_exists_no_more_does_not_break_its_chat():
    async with sandbox() as server, client_of(server, NORA) as nora:
        peer, around = await marta_for(nora), server._around
        around.world.send(MARTA, NORA, Draft("look", media=MediaRef("photo", 12345)))
        (message,) = await nora.get_messages(peer)
        assert (message.raw_text, type(message.media)) == ("look", types.MessageMediaUnsupported)


def test_a_store_that_is_full_keeps_what_it_has(tmp_path):
    blobs = DiskBlobs(tmp_path / "files", 10)
    blobs.put("1", [b"12345", b"678"])
    with pytest.raises(StorageFullError):
        blobs.put("2", [b"12", b"3"])
    assert [path.name for path in (tmp_path / "files").iterdir()] == ["1"]
    blobs.put("1", [b"1234567890"])
    again = DiskBlobs(tmp_path / "files", 10)
    assert again.names() == ["1"]
    kept = again.get("1")
    assert kept is not None
    assert kept.read(8, 100) == b"90"
    again.drop("1")
    again.put("3", [b"1234567890"])


@pytest.mark.operation("upload: the sandbox's own limit of room", "what was stored before is still downloaded")
async def test_a_full_sandbox_says_so():
    async with sandbox() as server, client_of(server, NORA) as nora:
        sent = await send_media(nora, "me", await uploaded_document(nora, b"kept", "text/plain"))
        server.media._blobs = MemoryBlobs(5)
        with refused("SANDBOX_STORAGE_FULL"):
            await send_media(nora, "me", await uploaded_document(nora, b"too much", "text/plain"))
        assert await bytes_of(nora, sent) == b"kept"


@pytest.mark.operation("a world of the sandbox without media", "it opens, and media arrive in it")
async def test_a_world_from_before_media_opens(state_dir):
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora:
        await nora.send_message(await marta_for(nora), "before")
    with closing(sqlite3.connect(state_dir / "sandbox.db")) as db:
        for table in ("media_files", "media_shelves", "media_settings"):
            db.execute(f"DROP TABLE {table}")
    shutil.rmtree(state_dir / "media")
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        await send_media(nora, await marta_for(nora), await uploaded_photo(nora, asset("photos/lake.jpg")))
        photo, before = await marta.get_messages(await nora_for(marta), limit=2)
        assert (before.raw_text, await bytes_of(marta, photo)) == ("before", asset("photos/lake.jpg"))


@pytest.mark.operation("what a killed server or a tidy person leaves of files", "the world opens, new files are whole")
async def test_odd_files_in_the_state_directory_do_no_harm(state_dir):
    files, uploads = state_dir / "media" / "files", state_dir / "media" / "uploads"
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora:
        lost = await send_media(nora, "me", await uploaded_document(nora, b"lost", "text/plain"))
    (files / str(lost.document.id)).unlink()
    (files / str(lost.document.id + 1)).write_bytes(b"stored, but never written down")
    (files / f"{lost.document.id + 2}.part").write_bytes(b"half")
    (uploads / "notes.txt").write_text("not ours")
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora:
        fresh = await send_media(nora, "me", await uploaded_document(nora, b"fresh", "text/plain"))
        assert fresh.document.id == lost.document.id + 1
        assert await bytes_of(nora, fresh) == b"fresh"
        assert await bytes_of(nora, lost) == b""
        assert [path.name for path in files.iterdir()] == [str(fresh.document.id)]
