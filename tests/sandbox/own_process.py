"""A sandbox in a process of its own, for tests that kill it."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import asynccontextmanager
from pathlib import Path

from tests.sandbox.clients import telethon_client

START_S = 90
ROOT = Path(__file__).parents[2]
"""Where the process finds `tests`."""


async def first_line(process: Process) -> bytes:
    assert process.stdout is not None
    return await asyncio.wait_for(process.stdout.readline(), START_S)


@asynccontextmanager
async def own_process(port_file, *options):
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.support.own_sandbox",
        "--port-file",
        str(port_file),
        *options,
        stdout=PIPE,
        cwd=ROOT,
    )
    try:
        assert await first_line(process) == b"ready\n"
        yield process, json.loads(port_file.read_text())
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@asynccontextmanager
async def connected(described):
    client = telethon_client(described["telegram_port"], bytes.fromhex(described["accounts"][0]["auth_key_hex"]))
    await client.connect()
    try:
        yield client
    finally:
        await client.disconnect()
