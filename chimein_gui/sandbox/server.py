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
from chimein_gui.sandbox.faults.desk import FaultDesk
from chimein_gui.sandbox.faults.pushes import PushFaults
from chimein_gui.sandbox.faults.repeats import Repeats
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
from chimein_gui.sandbox.sign_in.desk import SignInDesk
from chimein_gui.sandbox.sign_in.phones import Phones
from chimein_gui.sandbox.timekeeping import Clock, wall_clock
from chimein_gui.sandbox.views.update_hub import Hub
from chimein_gui.sandbox.views.views import Views
from chimein_gui.sandbox.web.server import SandboxWeb
from chimein_gui.sandbox.wire.server_key import ServerKey
from chimein_gui.sandbox.wire.telegram_endpoint import TelegramEndpoint
from chimein_gui.sandbox.world.records import User

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class SandboxAddresses:
    """Where the sandbox listens.

    Attributes:
        model_base_url: Scheme, host and port; the API version is the client's to add.
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
        media: All files of the Telegram, ours among them.
        model: What the model will answer and what it has been asked.
        web: The made-up hosts, and how to reach their pages.
    """

    def __init__(self, around: Surroundings) -> None:
        self._server_key = ServerKey()
        self._telegram = TelegramEndpoint(around, self._server_key)
        at_once = FaultsAtOnce(around.faults, around.world, around.sign_in, self._telegram)
        desk = FaultDesk(around.faults, at_once, around.repeats)
        library = SceneLibrary(resource_path("sandbox", "scenarios"), {offer.name: offer.rule for offer in desk.offers})
        self.model = ModelScript()
        self._stage = ScenarioRunner(
            around.world, around.hub, desk, self.model, library, around.media.named, asyncio.get_running_loop()
        )
        phones = Phones(around.sign_in, around.world)
        self.console = LocalConsole(People(around.world, around.hub), desk, self._stage, phones)
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
        """Found or restore the world and listen.

        Args:
            state_dir: Where the world survives; None keeps it in memory.
            seed: Who is there; added to a restored world where missing.
            telegram_port: 0 for any free port, as the other.
            model_port: For the Gemini API.
            host: Nothing but the loopback address is accepted.
            now: Dates of messages; simulated in tests.
            resources: The directory of `resources/sandbox`; None for the one that comes with the program.
            thinking_s: How long the model thinks over an answer of its own, at least and at most.

        Raises:
            ValueError: If `host` is not the loopback address.
            OSError: If a port is taken.
            StateInUseError: If another sandbox has the state directory open.
            ManifestError: If the sandbox's own media are damaged.
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
            board.tell(world.journal.refounded)
        hub = Hub(world, views, PushFaults(board))
        sign_in = SignInDesk(world, hub, seed)
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
        """Where the sandbox listens."""
        if self._addresses is None:
            raise RuntimeError("the sandbox has not been started")
        return self._addresses

    def accounts(self) -> tuple[User, ...]:
        """Return the users that the product logs in as."""
        return tuple(user for user in self._around.world.users.values() if user.is_account)

    def account_for(self, phone: str, name: str, instructions: str = "") -> User:
        """Return the account with a number; one that nobody knows is made up, with contacts, chats and a group.

        Args:
            phone: As the agent file has it.
            name: What it is called if it is made up.
            instructions: Of its file; its friends write in their language.
        """
        number = len(self.accounts())
        user_id = account_for(self._around.world, phone, name, instructions, self.media.named)
        if len(self.accounts()) != number:
            self._around.hub.settle()
            self._around.faults.changes.change()
        self.model.written.personas.add(self._around.world.users[user_id].name)
        return self._around.world.users[user_id]

    def auth_key_for(self, account_user_id: int) -> bytes:
        """Return the preseeded key of an account or partner: 256 bytes, the same after a restart from a directory.

        Raises:
            LookupError: If there is no such user.
        """
        return self._around.world.keys.auth_key(account_user_id)

    def last_code(self, phone: str) -> str:
        """Return the login code that is under way to a number.

        Raises:
            LookupError: If there is none.
        """
        return self._around.sign_in.codes.last_code(phone)

    def ban_number(self, phone: str) -> None:
        """Let nobody log in by a number any more, until the server is started again."""
        self._around.sign_in.codes.ban(phone)

    def send_code_in_words(self, phone: str, *, phrase: bool) -> None:
        """Let the log-in codes of a number be a word, or a phrase, until the server is started again."""
        self._around.sign_in.codes.send_in_words(phone, Way.SMS_PHRASE if phrase else Way.SMS_WORD)

    def telegram_public_key(self) -> bytes:
        """Return the RSA key (PKCS#1, PEM) by which clients know this server; another one after each start.

        A client needs it only to exchange an auth key, and the first question makes it (some 50 ms).
        """
        return self._server_key.public_pem()

    async def aclose(self) -> None:
        """Drop all clients, stop listening, commit; a second time does nothing."""
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
