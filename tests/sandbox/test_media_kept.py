"""Media after it was sent: gone through a restart, caught up with; and what can't be sent."""

import stat

import pytest
from telethon import functions, types

from chimein_gui.sandbox.media.records import MediaRef
from chimein_gui.sandbox.world.world import Draft
from tests.sandbox.attachments import (
    asset,
    bytes_of,
    send_media,
    uploaded_document,
    uploaded_photo,
)
from tests.sandbox.clients import MARTA, NORA, Inbox, client_of, kept_session, marta_for, nora_for, sandbox


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
