"""The whole sandbox as one object: a Telegram and a Gemini on 127.0.0.1 (docs/behaviour.md, "The sandbox")."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.console import LocalConsole
from chimein_gui.sandbox.faults.at_once import FaultsAtOnce
from chimein_gui.sandbox.faults.board import FaultBoard
from chimein_gui.sandbox.faults.change_counter import ChangeCounter
from chimein_gui.sandbox.faults.injector import FaultInjector
from chimein_gui.sandbox.faults.pushes import PushFaults
from chimein_gui.sandbox.faults.repeated_sends import Repeats
from chimein_gui.sandbox.media.assets import OwnMedia
from chimein_gui.sandbox.media.library import MediaLibrary
from chimein_gui.sandbox.model.endpoint import ModelEndpoint
from chimein_gui.sandbox.model.script import ModelScript
from chimein_gui.sandbox.people import People
from chimein_gui.sandbox.rpc.call import Surroundings
from chimein_gui.sandbox.rpc.login.help import DC_ID
from chimein_gui.sandbox.scenes.library import SceneLibrary
from chimein_gui.sandbox.scenes.runner import ScenarioRunner
from chimein_gui.sandbox.seeds.founding import found_world
from chimein_gui.sandbox.seeds.made_up_accounts import account_for
from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED, WorldSeed
from chimein_gui.sandbox.sign_in.codes import Way
from chimein_gui.sandbox.sign_in.phones import Phones
from chimein_gui.sandbox.sign_in.server import SignInServer
from chimein_gui.sandbox.timekeeping import Clock, wall_clock
from chimein_gui.sandbox.views.update_hub import Hub
from chimein_gui.sandbox.views.views import Views
from chimein_gui.sandbox.web.server import SandboxWeb
from chimein_gui.sandbox.wire.server_key import ServerKey
from chimein_gui.sandbox.wire.telegram_endpoint import TelegramEndpoint
from chimein_gui.sandbox.world.records import User
from chimein_gui.sandbox_api import Incident

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class SandboxAddresses:
    """The addresses of the sandbox.

    Attributes:
        model_base_url: Scheme, host and port; the client adds the API version.
    """

    host: str
    telegram_port: int
    model_base_url: str
    web_http_port: int
    web_https_port: int
    dc_id: int = DC_ID


class SandboxServer:
    """A running sandbox; made by `start`, ended by `aclose`, all in the caller's event loop.

    Attributes:
        console: Drives the rehearsal.
        media: All files of the Telegram, including the sandbox's own.
        model: The model's script: planned answers and received calls.
        web: The invented web hosts and their addresses.
    """

    def __init__(self, around: Surroundings) -> None:
        self._server_key = ServerKey()
        self._telegram = TelegramEndpoint(around, self._server_key)
        at_once = FaultsAtOnce(around.faults, around.world, around.sign_in, self._telegram)
        injector = FaultInjector(around.faults, at_once, around.repeats)
        library = SceneLibrary(
            resource_path("sandbox", "scenarios"), {offer.name: offer.rule for offer in injector.offers}
        )
        self.model = ModelScript()
        self._stage = ScenarioRunner(
            around.world, around.hub, injector, self.model, library, around.media.named, asyncio.get_running_loop()
        )
        phones = Phones(around.sign_in, around.world)
        self.console = LocalConsole(People(around.world, around.hub), injector, self._stage, phones)
        self.media = around.media
        self.web = SandboxWeb()
        self._around = around
        self._open = AsyncExitStack()
        self._addresses: SandboxAddresses | None = None

    @classmethod
    async def start(  # noqa: PLR0913 - all by name, all with a default but one
        cls,
        *,
        state_dir: Path | None,
        seed: WorldSeed = DEFAULT_SEED,
        telegram_port: int = 0,
        model_port: int = 0,
        host: str = LOOPBACK,
        now: Clock = wall_clock,
        resources: Path | None = None,
        thinking_s: tuple[float, float] = (0.0, 0.0),
    ) -> Self:
        """Create or restore the world and listen.

        Args:
            state_dir: The world's directory; None keeps it in memory.
            seed: The initial people; missing ones are added to a restored world.
            telegram_port: 0 for any free port; also for `model_port`.
            model_port: Port of the Gemini API.
            host: Must be the loopback address.
            now: Dates of messages; simulated in tests.
            resources: The directory of `resources/sandbox`; None for the program's own.
            thinking_s: Shortest and longest time of an unscripted answer of the model, in seconds.

        Raises:
            ValueError: `host` is not the loopback address.
            OSError: A port is taken.
            StateInUseError: Another sandbox uses the state directory.
            ManifestError: The sandbox's own media are damaged.
        """
        if host != LOOPBACK:
            raise ValueError(f"the sandbox listens on {LOOPBACK} only, not on {host!r}")
        own_media = OwnMedia((resources or resource_path("sandbox")) / "media")
        world = found_world(state_dir, seed, now, own_media.ref)
        media = MediaLibrary(
            state_dir=state_dir,
            own=own_media,
            journal=world.journal,
            keys=world.keys,
            now=now,
            dc_id=DC_ID,
        )
        views = Views(world, media)
        board = FaultBoard(ChangeCounter(), lambda user_id: world.users[user_id].name)
        if world.journal.refounded:
            board.tell(Incident(set_aside=world.journal.refounded))
        hub = Hub(world, views, PushFaults(board))
        sign_in = SignInServer(world, hub, seed)
        self = cls(Surroundings(world, views, hub, host, telegram_port, board, Repeats(world), media, sign_in))
        self.model.thinking_s = thinking_s
        self._open.callback(world.journal.close)
        try:
            await self._listen(telegram_port, model_port)
        except BaseException:
            await self.aclose()
            raise
        return self

    @property
    def addresses(self) -> SandboxAddresses:
        """Return the addresses of the sandbox."""
        if self._addresses is None:
            raise RuntimeError("the sandbox has not been started")
        return self._addresses

    def accounts(self) -> tuple[User, ...]:
        """Return the users for the product."""
        return tuple(user for user in self._around.world.users.values() if user.is_account)

    def account_for(self, phone: str, name: str, instructions: str = "") -> User:
        """Return the account with a number; for an unknown one an account with contacts, chats and a group is invented.

        Args:
            phone: As in the agent file.
            name: Name of an invented account.
            instructions: From the agent file; its friends write in the same language.
        """
        number = len(self.accounts())
        user_id = account_for(self._around.world, phone, name, instructions, self.media.named)
        if len(self.accounts()) != number:
            self._around.hub.settle()
            self._around.faults.changes.change()
        self.model.written.personas.add(self._around.world.users[user_id].name)
        return self._around.world.users[user_id]

    def auth_key_for(self, account_user_id: int) -> bytes:
        """Return the preseeded key of an account or partner: 256 bytes, unchanged by a restart with the same directory.

        Raises:
            LookupError: There is no such user.
        """
        return self._around.world.keys.auth_key(account_user_id)

    def last_code(self, phone: str) -> str:
        """Return the valid log-in code of a number.

        Raises:
            LookupError: There is none.
        """
        return self._around.sign_in.codes.last_code(phone)

    def send_code_in_words(self, phone: str, *, phrase: bool) -> None:
        """Send log-in codes of a number as a word or a phrase, until the server is restarted."""
        self._around.sign_in.codes.send_in_words(phone, Way.SMS_PHRASE if phrase else Way.SMS_WORD)

    def telegram_public_key(self) -> bytes:
        """Return the RSA key (PKCS#1, PEM) by which clients identify this server; each start has another.

        A client needs it only to exchange an auth key; the first call generates it (some 50 ms).
        """
        return self._server_key.public_pem()

    async def aclose(self) -> None:
        """Close all connections, stop listening, commit; a second call has no effect."""
        await self._open.aclose()

    async def _listen(self, telegram_port: int, model_port: int) -> None:
        self._open.push_async_callback(self._telegram.aclose)
        model = ModelEndpoint(self.model, ask_fault=self._around.faults.model_fault)
        self._open.push_async_callback(model.aclose)
        self._open.push_async_callback(self.web.aclose)
        self._open.callback(self._stage.close)  # first of all: no scene plays on, or restarts anything, in the end
        host = self._around.host
        web_http_port, web_https_port = await self.web.start(host)
        self._addresses = SandboxAddresses(
            host=host,
            telegram_port=await self._telegram.start(host, telegram_port),
            model_base_url=f"http://{host}:{await model.start(host, model_port)}",
            web_http_port=web_http_port,
            web_https_port=web_https_port,
        )
