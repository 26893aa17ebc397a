"""A sandbox that can be driven over a control channel, as clients in another process need it."""

import asyncio
import secrets
from typing import Any, Self

from chimein_gui.sandbox.server import LOOPBACK, SandboxServer
from tests.support.control.channel import ControlChannel, Method
from tests.support.control.methods import FaultMethods, HouseMethods, PeopleMethods, SceneMethods

_TOKEN_BYTES = 32


class ServedSandbox(SandboxServer):
    """A sandbox with a control channel on a port of its own.

    Attributes:
        token: What clients of the control channel have to know.
        methods: What the control channel serves, by name; whoever starts the sandbox may add to it.
        shutdown_requested: Set when a client of the control channel asks the server to end.
        control_port: Where the control channel listens.
    """

    token: str
    methods: dict[str, Method]
    shutdown_requested: asyncio.Event
    control_port: int

    @classmethod
    async def start(cls, *, control_port: int = 0, **options: Any) -> Self:
        """Start a sandbox (see `SandboxServer.start`) and its control channel."""
        self = await super().start(**options)
        self.token = secrets.token_hex(_TOKEN_BYTES)
        self.shutdown_requested = asyncio.Event()
        self.methods = self._served()
        channel = ControlChannel(self.methods, self.token)
        self._open.push_async_callback(channel.aclose)
        try:
            self.control_port = await channel.start(LOOPBACK, control_port)
        except BaseException:
            await self.aclose()
            raise
        return self

    def _served(self) -> dict[str, Method]:
        house = HouseMethods(self.model, self.auth_key_for, self.last_code, self.shutdown_requested.set)
        parts = (PeopleMethods(self.console), FaultMethods(self.console), SceneMethods(self.console), house)
        return {name: method for part in parts for name, method in part.table().items()}
