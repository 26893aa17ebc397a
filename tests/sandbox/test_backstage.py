"""What long runs and clients of another process ask behind the scenes, over the control channel."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE
from contextlib import asynccontextmanager

import pytest
from telethon import events

from chimein_gui.sandbox.web.names import Names
from chimein_gui.sandbox.web.server import address_map
from tests.fakes.web_transport import web_client
from tests.sandbox.clients import MARTA, NORA, Inbox, client_of, marta_for, sandbox, send
from tests.sandbox.own_process import ROOT, START_S
from tests.support.backstage import BackstageMethods
from tests.support.control.client import ControlChannelConsole


@asynccontextmanager
async def backstage(server):
    server.methods.update(BackstageMethods(server).table())
    console = await ControlChannelConsole.connect(server.control_port, server.token)
    try:
        yield console._line.ask
    finally:
        await console.aclose()


@pytest.mark.operation("a partner edits and deletes a message", "the account's client hears the edit and the delete")
async def test_a_partner_edits_deletes_and_types():
    async with sandbox() as server, backstage(server) as ask, client_of(server, NORA) as nora:
        inbox = Inbox(nora)
        edits, deletes = Inbox(nora, events.MessageEdited()), Inbox(nora, events.MessageDeleted())
        typing = Inbox(nora, events.UserUpdate())
        message_id = await server.console.speak(MARTA, NORA, "at four")
        arrived = await inbox.next()
        await ask("partner_edit", partner_id=MARTA, message_id=message_id, text="at five")
        assert (await edits.next()).raw_text == "at five"
        await ask("partner_type", partner_id=MARTA, peer_id=NORA)
        assert (await typing.next()).typing
        await ask("partner_delete", partner_id=MARTA, message_ids=[message_id])
        assert (await deletes.next()).deleted_ids == [arrived.id]
        assert (await nora.get_messages(await marta_for(nora), limit=5)) == []


@pytest.mark.operation("a partner reads what an account has written", "the account's client hears the read mark")
async def test_a_partner_reads():
    async with sandbox() as server, backstage(server) as ask, client_of(server, NORA) as nora:
        reads = Inbox(nora, events.MessageRead())
        await send(nora, await marta_for(nora), "have you seen it?", 5)
        await ask("partner_read", partner_id=MARTA, peer_id=NORA)
        assert (await reads.next()).outbox
        shown = await ask("box", user_id=NORA)
        [message] = shown["messages"]
        assert (message["text"], message["outgoing"], message["peer_id"]) == ("have you seen it?", True, MARTA)
        assert shown["sent"] == [[5, message["message_id"]]]
        [copy] = (await ask("box", user_id=MARTA))["messages"]
        assert copy["uid"] == message["uid"]


async def test_the_vitals_of_the_process():
    async with sandbox() as server, backstage(server) as ask:
        before = await ask("vitals")
        assert before["tasks"] >= 1
        await server.console.speak_many([(MARTA, NORA, "x" * 1_000)] * 100)
        after = await ask("vitals")
        assert after["stored_bytes"] - before["stored_bytes"] > 100_000
        assert after["sockets"] == before["sockets"]


async def test_the_key_of_the_telegram_end():
    async with sandbox() as server, backstage(server) as ask:
        assert (await ask("server_key")).encode() == server.telegram_public_key()


async def test_remembering_fewer_calls():
    async with sandbox() as server, backstage(server) as ask:
        await ask("remember_calls", count=3)
        assert server.model.calls.maxlen == 3


async def test_the_web_of_a_sandbox_in_another_process(tmp_path):
    port_file = tmp_path / "ports.json"
    command = [sys.executable, "-m", "tests.support.own_sandbox", "--port-file", str(port_file)]
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, cwd=ROOT)
    try:
        assert process.stdout is not None
        assert await asyncio.wait_for(process.stdout.readline(), START_S) == b"ready\n"
        web = json.loads(port_file.read_text())["web"]
        console = await ControlChannelConsole.from_port_file(port_file)
        authority = await console._line.ask("web_authority")
        await console.aclose()
        names = Names({host: tuple(answers) for host, answers in web["names"].items()})
        places = address_map("127.0.0.1", web["http_port"], web["https_port"])
        client, backend = web_client(names.resolve, places, authority)
        async with client:
            assert "Böen" in (await client.get("https://weather.example/seewalden")).text
            assert "geese" in (await client.get("http://lakeside-cafe.example/")).text
        assert all(address.startswith("203.0.113.") for address in backend.checked)
    finally:
        process.terminate()
        await process.wait()
