"""Media after it was sent: gone through a restart, caught up with; and what can't be sent."""

import stat

import pytest
from telethon import errors, functions, types

from chimein_gui.sandbox.media.records import MediaRef
from chimein_gui.sandbox.world.world import Draft
from tests.sandbox.attachments import (
    asset,
    bytes_of,
    refused,
    send_media,
    sticker_set,
    uploaded_document,
    uploaded_photo,
)
from tests.sandbox.clients import MARTA, NORA, Inbox, client_of, kept_session, marta_for, nora_for, sandbox

REFUSED = [
    (types.InputMediaEmpty(), "MEDIA_EMPTY"),
    (types.InputMediaPhotoExternal("http://127.0.0.1/x.jpg"), "WEBPAGE_CURL_FAILED"),
    (types.InputMediaDocumentExternal("http://127.0.0.1/x.pdf"), "WEBPAGE_CURL_FAILED"),
    (types.InputMediaWebPage("https://example.org"), "WEBPAGE_NOT_FOUND"),
    (types.InputMediaGeoPoint(types.InputGeoPoint(50.0, 10.0)), "MEDIA_INVALID"),
    (types.InputMediaDice("🎲"), "MEDIA_INVALID"),
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


@pytest.mark.operation("media and a restart of the server", "the partner downloads everything again")
async def test_media_is_found_again_after_a_restart(state_dir):
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora:
        peer = await marta_for(nora)
        await send_media(nora, peer, await uploaded_photo(nora, asset("photos/lake.jpg")))
        video = types.DocumentAttributeVideo(1.5, 320, 240)
        media = await uploaded_document(nora, asset("files/waves-gif.mp4"), "video/mp4", video)
        sent = await send_media(nora, peer, media)
        files = list((state_dir / "media" / "files").iterdir())
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
        assert len(files) == 2
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        shown, picture = await marta.get_messages(await nora_for(marta), limit=2)
        assert await bytes_of(marta, picture) == asset("photos/lake.jpg")
        assert (shown.video.id, shown.file.name) == (sent.document.id, "f")
        assert await bytes_of(nora, sent) == asset("files/waves-gif.mp4")
        fresh = await send_media(nora, await marta_for(nora), await uploaded_document(nora, b"later", "text/plain"))
        assert fresh.document.id > sent.document.id


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


async def test_a_file_that_exists_no_more_does_not_break_its_chat():
    async with sandbox() as server, client_of(server, NORA) as nora:
        peer, around = await marta_for(nora), server._around
        around.world.send(MARTA, NORA, Draft("look", media=MediaRef("photo", 12345)))
        (message,) = await nora.get_messages(peer)
        assert (message.raw_text, type(message.media)) == ("look", types.MessageMediaUnsupported)


@pytest.mark.operation("what a killed server or a tidy person leaves of files", "the world opens, new files are whole")
async def test_odd_files_in_the_state_directory_do_no_harm(state_dir):
    files = state_dir / "media" / "files"
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora:
        lost = await send_media(nora, "me", await uploaded_document(nora, b"lost", "text/plain"))
    (files / str(lost.document.id)).unlink()
    (files / str(lost.document.id + 1)).write_bytes(b"stored, but never written down")
    (files / f"{lost.document.id + 2}.part").write_bytes(b"half")
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora:
        fresh = await send_media(nora, "me", await uploaded_document(nora, b"fresh", "text/plain"))
        assert fresh.document.id == lost.document.id + 1
        assert await bytes_of(nora, fresh) == b"fresh"
        assert await bytes_of(nora, lost) == b""
        assert [path.name for path in files.iterdir()] == [str(fresh.document.id)]
