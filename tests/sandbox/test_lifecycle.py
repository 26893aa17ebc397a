"""Starting and stopping leaves nothing behind, and a kill loses nothing that was answered."""

import asyncio
from dataclasses import replace

import httpx2
import pytest
from telethon import errors, functions

from tests.sandbox.clients import (
    CUT,
    GIVEN_UP,
    MARTA,
    NORA,
    PATIENCE_S,
    Inbox,
    client_of,
    connected,
    marta_for,
    sandbox,
    send,
    telethon_client,
)
from tests.support.control import ControlChannelConsole
from tests.support.own_process import own_sandbox


def _asking(body: bytes) -> bytes:
    head = ("POST /v1beta/models/gemini-2.5-flash:generateContent?key=k HTTP/1.1", "Host: x")
    return "\r\n".join((*head, f"Content-Length: {len(body)}", "", "")).encode() + body


async def test_closing_twice_and_with_clients_connected(expected_logs):
    expected_logs(CUT)
    expected_logs(GIVEN_UP)
    async with sandbox() as server:
        client = telethon_client(server.addresses.telegram_port, server.auth_key_for(NORA), catch_up=False)
        await client.connect()
        await server.aclose()
        with pytest.raises(asyncio.IncompleteReadError):
            await client.disconnected
        await server.aclose()
        await client.disconnect()


async def test_closing_breaks_off_a_slow_model():
    async with sandbox() as server:
        server.model.set_delay(3_600)
        port = int(server.addresses.model_base_url.rsplit(":", 1)[1])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        body = b'{"contents": [{"parts": [{"text": "hi"}]}]}'
        writer.write(_asking(body))
        await asyncio.wait_for(server.model.wait_for_calls(1), PATIENCE_S)
        await server.aclose()
        assert await reader.read() == b""
        writer.close()
        await writer.wait_closed()


async def test_the_same_ports_can_be_had_again():
    async with sandbox() as server:
        first = server.addresses
        async with client_of(server, NORA) as nora:
            assert await nora.get_me()
    model_port = int(first.model_base_url.rsplit(":", 1)[1])
    async with sandbox(telegram_port=first.telegram_port, model_port=model_port) as server:
        again = server.addresses
        assert replace(again, web_http_port=first.web_http_port, web_https_port=first.web_https_port) == first


@pytest.mark.qt_loop
async def test_it_runs_in_the_apps_loop():
    """`chimein sandbox` embeds the server, so it has to live in qasync's loop as well."""
    async with sandbox() as server, client_of(server, NORA) as nora:
        inbox = Inbox(nora)
        await server.console.speak(MARTA, NORA, "from the outside")
        assert (await inbox.next()).raw_text == "from the outside"
        await send(nora, await marta_for(nora), "and back")
        assert [one.text for one in await server.console.mailbox(MARTA)] == ["and back"]
        async with httpx2.AsyncClient(trust_env=False, headers={"x-goog-api-key": "k"}) as http:
            url = f"{server.addresses.model_base_url}/v1beta/models/gemini-2.5-flash:generateContent"
            answer = await http.post(url, json={"contents": [{"parts": [{"text": "hi"}]}]})
            assert answer.status_code == 200


async def test_after_a_kill_nothing_that_was_answered_is_lost(tmp_path, expected_logs):
    expected_logs(CUT)
    expected_logs(GIVEN_UP)
    options = ("--state-dir", str(tmp_path / "state"))
    with own_sandbox(tmp_path, *options) as own:
        described, console = own.described, await ControlChannelConsole.from_port_file(own.port_file)
        async with connected(described) as nora:
            inbox = Inbox(nora)
            await console.speak(MARTA, NORA, "before the kill")
            assert (await inbox.next()).raw_text == "before the kill"
            peer = await marta_for(nora)
            await send(nora, peer, "answered", 42)
            own.process.kill()
            with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                await nora.disconnected
        await console.aclose()
    with own_sandbox(tmp_path, *options) as own:
        again = own.described
        assert again["accounts"] == described["accounts"]
        console = await ControlChannelConsole.from_port_file(own.port_file)
        assert [one.text for one in await console.mailbox(MARTA)][-1] == "answered"
        async with connected(again) as nora:
            told = await nora.get_messages(peer, limit=2)
            assert [message.raw_text for message in told] == ["answered", "before the kill"]
            with pytest.raises(errors.RandomIdDuplicateError):
                await nora._sender.send(functions.messages.SendMessageRequest(peer, "answered", random_id=42))
        await console.aclose()
