"""The sandbox as the program runs it, but with its server in a process of its own.

What is measured of the program's memory and loop is then the program's alone: a server keeps every message it was ever
sent.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial

from chimein_gui import app
from chimein_gui.adapters.gemini.model import GeminiModel
from chimein_gui.adapters.telegram.backend import sandbox_backend
from chimein_gui.adapters.telegram.seeding import SeededSessions
from chimein_gui.adapters.telegram.transport.key_exchange import SandboxTrust
from chimein_gui.directories import Directories
from chimein_gui.domain.agents import Agent
from chimein_gui.engine.accounts.proxies import proxy_of
from chimein_gui.program import SANDBOX
from chimein_gui.sandbox.seeds.rehearsal import SPARE_NUMBERS
from chimein_gui.secret_sources import sandbox_secrets
from tests.support.control import ControlChannelConsole
from tests.support.own_process import own_sandbox

_GIVES_WAY = 10
"""Niceness of the server: it stands for computers elsewhere, which take no time of this one."""


async def _compose(directories: Directories, stack: AsyncExitStack) -> app.Backends:
    own = stack.enter_context(own_sandbox(directories.state, "--rehearsal"))
    os.setpriority(os.PRIO_PROCESS, own.process.pid, _GIVES_WAY)
    console = await ControlChannelConsole.from_port_file(own.port_file)
    stack.push_async_callback(console.aclose)
    trust = SandboxTrust(await console.server_key())
    stack.callback(trust.withdraw)
    at = own.described
    home = (at["dc_id"], at["host"], at["telegram_port"])
    keys = {account["phone"]: bytes.fromhex(account["auth_key_hex"]) for account in at["accounts"]}

    def key_of(agent: Agent) -> bytes | None:
        return None if agent.spec.phone in SPARE_NUMBERS else keys[agent.spec.phone]

    backend, secrets = sandbox_backend(trust, home), sandbox_secrets(directories)
    way_of = partial(proxy_of, secrets)
    model = GeminiModel("sandbox", base_url=at["model_base_url"])
    await asyncio.to_thread(model.prepare)
    return app.Backends(
        app._gateways(directories, lambda: backend, SeededSessions(key_of, home), proxy_of=way_of),
        model,
        console,
        secrets=secrets,
        sign_ins=app._sign_ins(directories, lambda: backend, way_of),
    )


SANDBOX_APART = replace(SANDBOX, compose=_compose)
"""Runs the sample personas; pages of the made-up web are not fetched."""
