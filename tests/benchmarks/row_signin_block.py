"""signin_block: longest block of the loop during a log-in with code and password; yardstick: the unmodified client's.

It is measured from the first connection, including the key exchange, to the kept session. The yardstick begins where
the two differ most: at the password, whose key the unmodified client derives on the loop.
"""

from __future__ import annotations

import asyncio
import itertools
import statistics
from pathlib import Path
from typing import Any

from telethon import TelegramClient
from telethon.errors import SessionPasswordNeededError

from chimein_gui.adapters.telegram.backend import TelegramBackend, sandbox_backend
from chimein_gui.adapters.telegram.login.session_file import LoginFile
from chimein_gui.adapters.telegram.login.sign_in import TelethonSignIn
from chimein_gui.adapters.telegram.transport.key_exchange import SandboxTrust
from chimein_gui.adapters.telegram.transport.session import SessionFile
from chimein_gui.engine.core.clock import SystemClock
from tests.benchmarks.audience import Lateness, empty_window
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import Sandbox, run_in_qt, sandbox_process
from tests.support.control import ControlChannelConsole

BUDGET_MS = 33.0
IDLE_S = 0.5
PASSWORD = "seven plums in a bowl"


async def log_in(backend: TelegramBackend, place: Path, phone: str, console: ControlChannelConsole) -> float:
    """Log in as the product does; return the longest block in ms."""
    lateness = Lateness()
    lateness.start()
    attempt = TelethonSignIn(LoginFile(place), backend, SystemClock().now)
    try:
        await attempt.connect()
        await attempt.send_code(phone)
        assert await attempt.enter_code(await console.login_code(phone)) is None
        await attempt.password_hint()
        await attempt.enter_password(PASSWORD)
        await attempt.keep()
    finally:
        await attempt.close()
    lateness.stop()
    return max(lateness.late_ms)


async def bare_password(client: TelegramClient, phone: str, console: ControlChannelConsole) -> float:
    """Log in with the unmodified client; return its longest block in ms, from the password on."""
    await client.send_code_request(phone)
    code, lateness = await console.login_code(phone), Lateness()
    try:
        await client.sign_in(phone, code)
    except SessionPasswordNeededError:
        lateness.start()
        await client.sign_in(password=PASSWORD)
        lateness.stop()
    return max(lateness.late_ms)


async def idle() -> float:
    """Do nothing for the time of a log-in; return the longest block in ms, which is that of the machine itself."""
    lateness = Lateness()
    lateness.start()
    await asyncio.sleep(IDLE_S)
    lateness.stop()
    return max(lateness.late_ms)


async def exchanged(sandbox: Sandbox, backend: TelegramBackend, path: Path) -> SessionFile:
    """Return a session with a new key, for the unmodified client, which does not accept the sandbox's RSA key.

    One exchange of 256 makes a key that begins with a zero byte, and is repeated.
    """
    while True:
        session = SessionFile(str(path))
        session.set_dc(*_home(sandbox))
        client = backend.new_client(session)
        try:
            await client.open()
        except ConnectionError as error:
            if "auth_key" not in str(error):
                raise
        else:
            return SessionFile(str(path))
        finally:
            await client.close()


def _home(sandbox: Sandbox) -> tuple[int, str, int]:
    at = sandbox.description
    return at["dc_id"], at["host"], at["telegram_port"]


def measure(folder: Path, *, quick: bool) -> Result:
    repeats = 4 if quick else 20

    async def main(_app: Any) -> tuple[list[float], list[float], list[float]]:
        with sandbox_process(folder, 1, "--password", PASSWORD) as sandbox:
            console = await ControlChannelConsole.from_port_file(sandbox.port_file)
            key = await console.server_key()
            backend = sandbox_backend(SandboxTrust(lambda: key), _home(sandbox))
            phone = sandbox.accounts()[0]["phone"]
            async with empty_window():
                paths = (folder / f"agent-{number}" / "telegram.session" for number in itertools.count())
                await log_in(backend, next(paths), phone, console)
                ours = [await log_in(backend, next(paths), phone, console) for _ in range(repeats)]
                still = [await idle() for _ in range(repeats)]
                bare = []
                for number in range(min(repeats, 4)):
                    session = await exchanged(sandbox, backend, folder / f"bare-{number}.session")
                    client = TelegramClient(session, 1, "sandbox", auto_reconnect=False)
                    await client.connect()
                    bare.append(await bare_password(client, phone, console))
                    await client.disconnect()
            await console.aclose()
            return ours, still, bare

    ours, still, bare = run_in_qt(main)
    value, yardstick = max(ours), statistics.median(bare)
    note = (
        f"worst of {repeats} log-ins from key exchange to disk, median {statistics.median(ours):.1f} ms;"
        f" doing nothing: worst {max(still):.1f} ms, median {statistics.median(still):.1f} ms"
    )
    return Result("signin_block", value, "ms", yardstick, f"<= {BUDGET_MS:.0f} ms", value <= BUDGET_MS, note)
