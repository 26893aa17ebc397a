"""`python -m tests.support.own_sandbox --port-file F`: a sandbox in a process of its own, seen behind the scenes.

Kill tests and benchmarks need it: a server in the product's process would die with it and share its GIL.
"""

import argparse
import asyncio
import json
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED
from chimein_gui.sandbox.web.names import HOSTS
from tests.support.backstage import BackstageMethods
from tests.support.control.served import ServedSandbox
from tests.support.numbered_people import numbered_people

_PARENT_CHECK_S = 1.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until SIGTERM, a shutdown over the control channel, or the parent's end.

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
    parser.add_argument("--parent-pid", type=int, help="end when this process is gone")
    return parser


async def _serve(options: argparse.Namespace) -> None:
    seed = numbered_people(options.accounts) if options.accounts else DEFAULT_SEED
    server = await ServedSandbox.start(state_dir=options.state_dir, seed=seed)
    server.methods.update(BackstageMethods(server).table())
    try:
        _end_on_signals(server.shutdown_requested)
        _write_port_file(options.port_file, _description(server, await server.console.partners()))
        print("ready", flush=True)
        await _until_end(server.shutdown_requested, options.parent_pid)
    finally:
        await server.aclose()
        options.port_file.unlink(missing_ok=True)


def _end_on_signals(ended: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):  # Windows: the process is simply ended there
            loop.add_signal_handler(number, ended.set)


async def _until_end(ended: asyncio.Event, parent_pid: int | None) -> None:
    """Wait for the event, or for the end of the process we belong to."""
    is_child = parent_pid == os.getppid()
    while not ended.is_set():
        if parent_pid is not None and _is_gone(parent_pid, is_child=is_child):
            return
        with suppress(TimeoutError):
            await asyncio.wait_for(ended.wait(), _PARENT_CHECK_S)


def _is_gone(pid: int, *, is_child: bool) -> bool:
    """Tell whether a process has ended; a child sees it by its new parent, even while the old one is a zombie."""
    if sys.platform == "win32":
        return False  # os.kill(pid, 0) would not ask there but send an event; the tests that need this run elsewhere
    if is_child:
        return os.getppid() != pid
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def _description(server: ServedSandbox, partners: Sequence[Any]) -> dict[str, Any]:
    addresses = server.addresses
    return {
        "pid": os.getpid(),
        "host": addresses.host,
        "telegram_port": addresses.telegram_port,
        "model_base_url": addresses.model_base_url,
        "control_port": server.control_port,
        "web": {
            "http_port": addresses.web_http_port,
            "https_port": addresses.web_https_port,
            "names": {host: list(answers) for host, answers in HOSTS.items()},
        },
        "token": server.token,
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
    """Write it whole or not at all; it holds keys, so only its owner may read it."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    draft.unlink(missing_ok=True)
    draft.touch(mode=0o600)
    draft.write_text(json.dumps(description, indent=2), encoding="utf-8")
    draft.replace(path)


if __name__ == "__main__":
    sys.exit(main())
