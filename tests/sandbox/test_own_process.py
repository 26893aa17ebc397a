"""`python -m chimein_gui.sandbox`: killed and started again, it finds the same world."""

import asyncio
import signal
import stat
import sys
from asyncio.subprocess import PIPE

import pytest
from telethon import errors, functions

from tests.sandbox.clients import MARTA, NORA, Inbox, marta_for, send
from tests.sandbox.own_process import ROOT, START_S, connected, first_line, own_process
from tests.support.control.client import ControlChannelConsole


async def test_the_port_file_tells_everything_to_its_owner_only(tmp_path):
    port_file = tmp_path / "ports.json"
    async with own_process(port_file, "--accounts", "3") as (process, described):
        assert stat.S_IMODE(port_file.stat().st_mode) == 0o600
        assert described["pid"] == process.pid
        assert (described["host"], described["dc_id"]) == ("127.0.0.1", 2)
        assert [account["user_id"] for account in described["accounts"]] == [NORA, NORA + 1, NORA + 2]
        assert described["accounts"][0] | {"auth_key_hex": ""} == {
            "user_id": NORA,
            "name": "Nora Vale",
            "phone": "+9996621001",
            "username": "nora_vale_box",
            "auth_key_hex": "",
        }
        assert len(described["partners"]) == 3
        assert described["model_base_url"].startswith("http://127.0.0.1:")
        async with connected(described) as nora:
            assert (await nora.get_me()).id == NORA


async def test_after_a_kill_nothing_that_was_answered_is_lost(tmp_path, expected_logs):
    expected_logs(r"WARNING telethon.*Server closed the connection")
    expected_logs(r"ERROR telethon.*Automatic reconnection failed")
    port_file = tmp_path / "ports.json"
    options = ("--state-dir", str(tmp_path / "state"))
    async with own_process(port_file, *options) as (process, described):
        console = await ControlChannelConsole.from_port_file(port_file)
        async with connected(described) as nora:
            inbox = Inbox(nora)
            await console.speak(MARTA, NORA, "before the kill")
            assert (await inbox.next()).raw_text == "before the kill"
            peer = await marta_for(nora)
            await send(nora, peer, "answered", 42)
            process.send_signal(signal.SIGKILL)
            await process.wait()
            with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                await nora.disconnected
        await console.aclose()
    port_file.unlink()
    async with own_process(port_file, *options) as (_, again):
        assert again["accounts"] == described["accounts"]
        console = await ControlChannelConsole.from_port_file(port_file)
        assert [one.text for one in await console.mailbox(MARTA)][-1] == "answered"
        async with connected(again) as nora:
            told = await nora.get_messages(peer, limit=2)
            assert [message.raw_text for message in told] == ["answered", "before the kill"]
            with pytest.raises(errors.RandomIdDuplicateError):
                await nora._sender.send(functions.messages.SendMessageRequest(peer, "answered", random_id=42))
        await console.aclose()


@pytest.mark.parametrize("how", ["signal", "control"])
async def test_an_orderly_end_takes_the_port_file_along(tmp_path, how):
    port_file = tmp_path / "ports.json"
    async with own_process(port_file) as (process, _):
        if how == "signal":
            process.send_signal(signal.SIGTERM)
        else:
            console = await ControlChannelConsole.from_port_file(port_file)
            await console.shutdown()
            await console.aclose()
        assert await asyncio.wait_for(process.wait(), START_S) == 0
        assert not port_file.exists()


STEPPARENT = """
import os, subprocess, sys
command = [sys.executable, "-m", "tests.support.own_sandbox", "--port-file", sys.argv[1]]
command += ["--parent-pid", str(os.getpid())]
child = subprocess.Popen(command, stdout=subprocess.PIPE)
print(child.stdout.readline().decode().strip(), child.pid, flush=True)
sys.stdin.readline()
"""


async def test_it_ends_with_its_parent(tmp_path):
    port_file = tmp_path / "ports.json"
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", STEPPARENT, str(port_file), stdin=PIPE, stdout=PIPE, cwd=ROOT
    )
    assert (await first_line(parent)).startswith(b"ready")
    console = await ControlChannelConsole.from_port_file(port_file)
    assert await console.partners()
    parent.kill()
    await parent.communicate()
    assert await asyncio.wait_for(console._line._reader.read(), START_S) == b""  # it lives until it hangs up by itself
    await console.aclose()
