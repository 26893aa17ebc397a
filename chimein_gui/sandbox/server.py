"""The whole sandbox as one object: a Telegram, a Gemini and a control channel on 127.0.0.1 (SPEC §11)."""

import asyncio
import secrets
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from chimein_gui.sandbox.console import LocalConsole
from chimein_gui.sandbox.control import ControlChannel
from chimein_gui.sandbox.founding import found_world
from chimein_gui.sandbox.model.endpoint import ModelEndpoint
from chimein_gui.sandbox.model.script import ModelScript
from chimein_gui.sandbox.records import User
from chimein_gui.sandbox.rpc.call import Surroundings
from chimein_gui.sandbox.rpc.help import DC_ID
from chimein_gui.sandbox.seed import DEFAULT_SEED, WorldSeed
from chimein_gui.sandbox.telegram import TelegramEndpoint
from chimein_gui.sandbox.timekeeping import Clock, wall_clock
from chimein_gui.sandbox.updates import Hub
from chimein_gui.sandbox.views import Views

LOOPBACK = "127.0.0.1"
_TOKEN_BYTES = 32


@dataclass(frozen=True, slots=True)
class SandboxAddresses:
    """Where the sandbox listens.

    Attributes:
        model_base_url: Scheme, host and port; the API version is the client's to add.
    """

    host: str
    telegram_port: int
    model_base_url: str
    control_port: int
    dc_id: int = DC_ID


class SandboxServer:
    """A running sandbox; made by `start`, ended by `aclose`, all in the caller's event loop.

    Attributes:
        console: Drives the partners.
        model: What the model will answer and what it has been asked.
        token: What clients of the control channel have to know.
        shutdown_requested: Set when a client of the control channel asks the server to end.
    """

    def __init__(self, around: Surroundings) -> None:
        self.console = LocalConsole(around.world, around.hub)
        self.model = ModelScript()
        self.token = secrets.token_hex(_TOKEN_BYTES)
        self.shutdown_requested = asyncio.Event()
        self._around = around
        self._open = AsyncExitStack()
        self._addresses: SandboxAddresses | None = None

    @classmethod
    async def start(
        cls,
        *,
        state_dir: Path | None,
        seed: WorldSeed = DEFAULT_SEED,
        telegram_port: int = 0,
        model_port: int = 0,
        control_port: int = 0,
        host: str = LOOPBACK,
        now: Clock = wall_clock,
    ) -> Self:
        """Found or restore the world and listen.

        Args:
            state_dir: Where the world survives; None keeps it in memory.
            seed: Who is there; added to a restored world where missing.
            telegram_port: 0 for any free port, as the other two.
            model_port: For the Gemini API.
            control_port: For the control channel.
            host: Nothing but the loopback address is accepted.
            now: Dates of messages; simulated in tests.

        Raises:
            ValueError: If `host` is not the loopback address.
            OSError: If a port is taken.
            StateInUseError: If another sandbox has the state directory open.
        """
        if host != LOOPBACK:
            raise ValueError(f"the sandbox listens on {LOOPBACK} only, not on {host!r}")
        world = found_world(state_dir, seed, now)
        views = Views(world)
        self = cls(Surroundings(world, views, Hub(world, views), host, telegram_port))
        self._open.callback(world.journal.close)
        try:
            await self._listen(telegram_port, model_port, control_port)
        except BaseException:
            await self.aclose()
            raise
        return self

    @property
    def addresses(self) -> SandboxAddresses:
        """Where the sandbox listens."""
        if self._addresses is None:
            raise RuntimeError("the sandbox has not been started")
        return self._addresses

    def accounts(self) -> tuple[User, ...]:
        """Return the users that the product logs in as."""
        return tuple(user for user in self._around.world.users.values() if not user.is_partner)

    def auth_key_for(self, account_user_id: int) -> bytes:
        """Return the preseeded key of an account or partner: 256 bytes, the same after a restart from a directory.

        Raises:
            LookupError: If there is no such user.
        """
        return self._around.world.keys.auth_key(account_user_id)

    async def aclose(self) -> None:
        """Drop all clients, stop listening, commit; a second time does nothing."""
        await self._open.aclose()

    async def _listen(self, telegram_port: int, model_port: int, control_port: int) -> None:
        telegram = TelegramEndpoint(self._around)
        self._open.push_async_callback(telegram.aclose)
        model = ModelEndpoint(self.model)
        self._open.push_async_callback(model.aclose)
        control = ControlChannel(self.console, self.model, self.auth_key_for, self.shutdown_requested.set, self.token)
        self._open.push_async_callback(control.aclose)
        host = self._around.host
        self._addresses = SandboxAddresses(
            host=host,
            telegram_port=await telegram.start(host, telegram_port),
            model_base_url=f"http://{host}:{await model.start(host, model_port)}",
            control_port=await control.start(host, control_port),
        )
