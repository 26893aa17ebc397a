"""The real client against the sandbox's real server, with a wire in between that can fail."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chimein_gui.adapters.telegram.backend import TelegramBackend, sandbox_backend
from chimein_gui.adapters.telegram.gateway import TelethonGateway
from chimein_gui.adapters.telegram.transport.client import AccountClient
from chimein_gui.adapters.telegram.transport.session import SessionFile, seed_session
from chimein_gui.domain.accounts.group_moves import GroupMove
from chimein_gui.domain.chats import ChatInfo
from chimein_gui.domain.ids import AccountId, MessageId, PeerId, RandomId
from chimein_gui.domain.messages import Message, MessageKey, Reaction, TextEntity
from chimein_gui.engine.ports import SendRequest
from chimein_gui.sandbox.rpc import registry
from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED, WorldSeed
from chimein_gui.sandbox.server import SandboxServer
from chimein_gui.sandbox.wire.tl import TLObject
from chimein_gui.sandbox.world.records import Group, User
from chimein_gui.sandbox.world.world import World

NORA = AccountId(DEFAULT_SEED.accounts[0].user_id)
PHONE = DEFAULT_SEED.accounts[0].phone
MARTA = PeerId(DEFAULT_SEED.partners[0].user_id)


class Recorder:
    """A GatewayListener that keeps what it is told and lets a test wait for it."""

    def __init__(self) -> None:
        self.facts: list[tuple[Any, ...]] = []
        self._news = asyncio.Event()

    def _note(self, *fact: Any) -> None:
        self.facts.append(fact)
        self._news.set()

    def message_arrived(self, chat: ChatInfo, message: Message) -> None:
        self._note("arrived", chat, message)

    def message_edited(self, chat: ChatInfo, message: Message) -> None:
        self._note("edited", chat, message)

    def reactions_changed(self, key: MessageKey, reactions: tuple[Reaction, ...], *, tells_mine: bool) -> None:
        self._note("reacted", key, reactions, tells_mine)

    def messages_deleted(self, account_id: AccountId, peer_id: PeerId | None, ids: tuple[MessageId, ...]) -> None:
        self._note("deleted", account_id, peer_id, ids)

    def incoming_read(self, account_id: AccountId, peer_id: PeerId, up_to: MessageId) -> None:
        self._note("read", account_id, peer_id, up_to)

    def outgoing_read(self, account_id: AccountId, peer_id: PeerId, up_to: MessageId) -> None:
        self._note("read by partner", account_id, peer_id, up_to)

    def partner_typing(self, account_id: AccountId, peer_id: PeerId) -> None:
        self._note("typing", account_id, peer_id)

    def peer_blocked(self, account_id: AccountId, peer_id: PeerId, *, is_blocked: bool) -> None:
        self._note("blocked" if is_blocked else "unblocked", account_id, peer_id)

    def group_moved(self, move: GroupMove) -> None:
        self._note("moved", move)

    def mute_changed(self, account_id: AccountId, peer_id: PeerId | None) -> None:
        self._note("mute changed", account_id, peer_id)

    def left_out(self, ids: tuple[MessageId, ...]) -> None:
        self._note("left out", ids)

    def updates_skipped(self) -> None:
        self._note("skipped")

    def of(self, kind: str) -> list[tuple[Any, ...]]:
        """Return the facts of one kind, without the kind."""
        return [fact[1:] for fact in self.facts if fact[0] == kind]

    def texts(self) -> list[str]:
        """Return the texts of arrived messages."""
        return [message.text for _, message in self.of("arrived")]

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until the facts fulfil a condition."""
        while not condition():
            self._news.clear()
            await self._news.wait()

    async def until_texts(self, *texts: str) -> None:
        """Wait until these messages have arrived."""
        await self.until(lambda: len(self.texts()) >= len(texts))
        assert self.texts() == list(texts)


class Wire:
    """A TCP relay before the server: can be cut, and can hold back what the server says."""

    def __init__(self, port: int) -> None:
        self._server_port = port
        self._server: asyncio.Server | None = None
        self._writers: list[asyncio.StreamWriter] = []
        self._running: list[asyncio.Task[Any]] = []
        self._answers_pass = asyncio.Event()
        self._answers_pass.set()
        self._passing: int | None = None
        self.asked = asyncio.Event()
        self.kept = asyncio.Event()
        self.port = 0

    async def __aenter__(self) -> "Wire":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *exc: object) -> None:
        self.cut()
        assert self._server is not None
        self._server.close()
        if self._running:
            await asyncio.wait(self._running)

    def cut(self) -> None:
        """Break all connections."""
        self._answers_pass.set()
        for writer in self._writers:
            writer.transport.abort()

    def hold_answers(self) -> None:
        """Let requests through and keep the answers; `asked` is set by the next request."""
        self._answers_pass.clear()
        self.asked.clear()

    def let_pass(self, answers: int) -> None:
        """Let so many pieces of what the server says through and keep the next; `kept` is set by it."""
        self._passing = answers
        self.kept.clear()

    def release_answers(self) -> None:
        """Let answers through again."""
        self._passing = None
        self._answers_pass.set()

    def _count(self) -> None:
        """Keep this piece if it is the one after those that may pass."""
        if self._passing == 0:
            self._answers_pass.clear()
            self.kept.set()
        if self._passing:
            self._passing -= 1

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._running.append(task)
        try:
            up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self._server_port)
        except OSError:  # the server has gone
            writer.transport.abort()
            return
        self._writers += [writer, up_writer]
        async with asyncio.TaskGroup() as group:
            group.create_task(self._pump(reader, up_writer, requests=True))
            group.create_task(self._pump(up_reader, writer, requests=False))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, requests: bool) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                if not requests:
                    self._count()
                    await self._answers_pass.wait()
                writer.write(data)
                await writer.drain()
                if requests:
                    self.asked.set()
        writer.transport.abort()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


@dataclass
class Stage:
    """A sandbox, a wire to it, and the gateways made in a test; all are closed at the end."""

    server: SandboxServer
    wire: Wire
    directory: Path
    gateways: list[TelethonGateway] = field(default_factory=list)

    def session(self, name: str = "nora", *, auth_key: bytes | None = None) -> Path:
        """Seed a session file, or bring an existing one up to date."""
        path = self.directory / name / "telegram.session"
        key = self.server.auth_key_for(NORA) if auth_key is None else auth_key
        addresses = self.server.addresses
        seed_session(path, dc_id=addresses.dc_id, host=addresses.host, port=self.wire.port, auth_key=key)
        return path

    def gateway(self, name: str = "nora", *, backend: TelegramBackend | None = None, **options: Any) -> TelethonGateway:
        """Make an unconnected gateway."""
        return self._made(self.session(name), backend or sandbox_backend(), **options)

    def _made(self, session: Path, backend: TelegramBackend, **options: Any) -> TelethonGateway:
        gateway = TelethonGateway(session_path=session, backend=backend, **options)
        self.gateways.append(gateway)
        return gateway

    async def partner(self) -> TelethonGateway:
        """Make a connected gateway of Marta's, who has met everybody: the other side of what Nora does."""
        session = self.session("marta", auth_key=self.server.auth_key_for(MARTA))
        gateway = self._made(session, sandbox_backend())
        await gateway.connect(Recorder())
        await gateway.dialogs()
        return gateway

    @property
    def world(self) -> World:
        """The server's own state."""
        return self.server._around.world

    def settle(self) -> None:
        """Push what was done to the world directly."""
        self.server._around.hub.settle()

    async def connected(self, name: str = "nora") -> tuple[TelethonGateway, Recorder]:
        """Make a connected gateway."""
        gateway, recorder = self.gateway(name), Recorder()
        await gateway.connect(recorder)
        return gateway, recorder

    async def ready(self, name: str = "nora") -> tuple[TelethonGateway, Recorder]:
        """Make a connected gateway that has met everybody, as the engine does at once."""
        gateway, recorder = await self.connected(name)
        await gateway.dialogs()
        return gateway, recorder

    async def mailbox(self) -> list[str]:
        """Return the texts that Marta received from Nora, without those of the seed."""
        texts = [delivery.text for delivery in await self.server.console.mailbox(MARTA)]
        return texts[len([line for line in DEFAULT_SEED.history if line.from_id == NORA]) :]


@contextlib.asynccontextmanager
async def stage(directory: Path, seed: WorldSeed = DEFAULT_SEED, **options: Any) -> AsyncIterator[Stage]:
    """Open a sandbox in memory."""
    server = await SandboxServer.start(state_dir=None, seed=seed, **options)
    try:
        async with Wire(server.addresses.telegram_port) as wire:
            it = Stage(server, wire, directory)
            try:
                yield it
            finally:
                for gateway in it.gateways:
                    await gateway.disconnect()
    finally:
        await server.aclose()


def request(
    text: str,
    *,
    reply_to_id: int | None = None,
    random_id: int = 1,
    peer_id: PeerId = MARTA,
    entities: tuple[TextEntity, ...] = (),
) -> SendRequest:
    """Make a send request."""
    reply_to = None if reply_to_id is None else MessageId(reply_to_id)
    return SendRequest(peer_id, text, reply_to, RandomId(random_id), entities)


def tap(monkeypatch: Any, request_type: type[Any]) -> list[Any]:
    """Return a list to which every request of a type is added before it is answered."""
    seen: list[Any] = []
    handler = registry._HANDLERS[request_type]

    def answer(call: Any, query: Any) -> Any:
        seen.append(query)
        return handler(call, query)

    monkeypatch.setitem(registry._HANDLERS, request_type, answer)
    return seen


def answer_with(monkeypatch: Any, request_type: type[Any], code: int, message: str) -> None:
    """Let the server answer every request of a type with an error."""

    def fail(_call: Any, _request: Any) -> Any:
        raise RpcFault(code, message)

    monkeypatch.setitem(registry._HANDLERS, request_type, fail)


def client_for(backend: TelegramBackend, path: Path, port: int) -> AccountClient:
    """Make a client without a key, pointed at a port of this machine."""
    session = SessionFile(str(path))
    session.set_dc(2, "127.0.0.1", port)
    return backend.client(session, backend.api_id, backend.api_hash, connection=backend.connection)


async def exchanged(backend: TelegramBackend, path: Path, port: int) -> AccountClient:
    """Connect; one key in 256 is too short, and Telethon gives up there."""
    for attempt in range(3):
        client = client_for(backend, path.with_name(f"{path.stem}{attempt}.session"), port)
        try:
            await client.open()
        except ConnectionError:
            await client.close()
            continue
        return client
    raise AssertionError("no key was exchanged")


OTTO = MARTA + 1


def lake(it: Stage) -> Group:
    """Let Marta make a group with Nora and Otto."""
    world = it.world
    world.add_user(User(OTTO, "Otto", "Lind", "", "otto_lind_box", is_partner=True))
    group = world.create_group(MARTA, "Lake", (NORA, OTTO))
    it.settle()
    return group


async def arrived(recorder: Recorder, count: int) -> list[TLObject]:
    """Wait for so many messages."""
    await recorder.until(lambda: len(recorder.of("arrived")) >= count)
    return [message for _, message in recorder.of("arrived")]
