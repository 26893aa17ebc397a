"""`python -m tests.support.own_sandbox --port-file F`: a sandbox in a separate process, controlled by tests.

Kill tests and benchmarks need it: a server in the product's process would end with it and share its GIL.
"""

import argparse
import asyncio
import json
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from chimein_gui.sandbox.seeds.rehearsal import REHEARSAL_SEED
from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED
from chimein_gui.sandbox.server import SandboxServer
from tests.support.control import ControlChannel
from tests.support.house import House
from tests.support.numbered_people import numbered_people

_PARENT_CHECK_S = 1.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until SIGTERM or the parent's end.

    Says "ready" on stdout once the port file is there, so that a parent need not poll for it.
    """
    options = _parser().parse_args(arguments)
    with asyncio.Runner() as runner:
        runner.run(_serve(options))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.support.own_sandbox", description="A Telegram and a Gemini in a box."
    )
    parser.add_argument("--port-file", type=Path, required=True, help="written as JSON when everything listens")
    parser.add_argument("--state-dir", type=Path, help="where the world survives; without it, in memory")
    parser.add_argument("--accounts", type=int, help="how many agent accounts and partners; default: one of each")
    parser.add_argument("--rehearsal", action="store_true", help="the people of `chimein sandbox` instead")
    parser.add_argument("--password", default="", help="what the first account asks for when somebody logs in")
    parser.add_argument("--parent-pid", type=int, help="end when this process, the parent, is gone")
    return parser


async def _serve(options: argparse.Namespace) -> None:
    seed = REHEARSAL_SEED if options.rehearsal else DEFAULT_SEED
    if options.accounts:
        seed = numbered_people(options.accounts)
    first, *others = seed.accounts
    seed = replace(seed, accounts=(replace(first, password=options.password), *others))
    server = await SandboxServer.start(state_dir=options.state_dir, seed=seed)
    channel = ControlChannel(House(server))
    try:
        described = _description(server, await server.console.partners())
        _write_port_file(options.port_file, described | {"control_port": await channel.start(), "token": channel.token})
        print("ready", flush=True)
        await _until_end(options.parent_pid)
    finally:
        await channel.aclose()
        await server.aclose()
        options.port_file.unlink(missing_ok=True)


async def _until_end(parent_pid: int | None) -> None:
    """Wait for SIGTERM, or for the end of the parent process, after which this one has another parent."""
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    while not ended.is_set() and parent_pid in {None, os.getppid()}:
        with suppress(TimeoutError):
            await asyncio.wait_for(ended.wait(), _PARENT_CHECK_S)


def _description(server: SandboxServer, partners: Sequence[Any]) -> dict[str, Any]:
    addresses = server.addresses
    return {
        "pid": os.getpid(),
        "host": addresses.host,
        "telegram_port": addresses.telegram_port,
        "model_base_url": addresses.model_base_url,
        "dc_id": addresses.dc_id,
        "accounts": [
            {
                "user_id": user.user_id,
                "name": user.name,
                "phone": f"+{user.phone}",
                "username": user.username,
                "auth_key_hex": server.auth_key_for(user.user_id).hex(),
            }
            for user in server.accounts()
        ],
        "partners": [{"user_id": partner.user_id, "name": partner.name} for partner in partners],
    }


def _write_port_file(path: Path, description: dict[str, Any]) -> None:
    """Write the file atomically; it contains keys, so only its owner may read it."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    draft.unlink(missing_ok=True)
    draft.touch(mode=0o600)
    draft.write_text(json.dumps(description, indent=2), encoding="utf-8")
    draft.replace(path)


if __name__ == "__main__":
    sys.exit(main())
