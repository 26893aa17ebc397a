"""Four people with a client each, and a group of three of them."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from telethon import TelegramClient, events, functions, types

from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED, SeedUser, WorldSeed
from chimein_gui.sandbox.server import SandboxServer
from chimein_gui.sandbox.world.world import World
from tests.sandbox.clients import MARTA, NORA, Inbox, client_of, round_trip, sandbox

BEN, OTTO = NORA + 1, MARTA + 1
NAMES = {
    NORA: DEFAULT_SEED.accounts[0].username,
    MARTA: DEFAULT_SEED.partners[0].username,
    BEN: "ben_vale_box",
    OTTO: "otto_lind_box",
}
PEOPLE = WorldSeed(
    accounts=(*DEFAULT_SEED.accounts, SeedUser(BEN, "Ben", "Vale", "+9996621002", NAMES[BEN])),
    partners=(*DEFAULT_SEED.partners, SeedUser(OTTO, "Otto", "Lind", "+9996625002", NAMES[OTTO])),
    contacts=((NORA, MARTA), (NORA, BEN)),
)
"""Otto knows nobody, and nobody knows Otto."""


@dataclass(frozen=True, slots=True)
class Company:
    """The server and the clients.

    Attributes:
        chat_id: The bare id of the lake group: Nora made it, Ben and Marta are in it, Otto is not.
    """

    server: SandboxServer
    nora: TelegramClient
    ben: TelegramClient
    marta: TelegramClient
    otto: TelegramClient
    chat_id: int

    @property
    def group(self) -> types.InputPeerChat:
        return types.InputPeerChat(self.chat_id)

    @property
    def world(self) -> World:
        """The server's own state."""
        return self.server._around.world


async def person(client: TelegramClient, user_id: int):
    return await client.get_input_entity(NAMES[user_id])


async def made_group(nora: TelegramClient, title: str = "Lake", members: tuple[int, ...] = (BEN, MARTA)) -> int:
    people = [await person(nora, user_id) for user_id in members]
    answer = await nora(functions.messages.CreateChatRequest(people, title))
    return answer.updates.chats[0].id


@asynccontextmanager
async def company(state_dir: Path | None = None, *, chat_id: int = 0, **options) -> AsyncIterator[Company]:
    async with sandbox(state_dir, PEOPLE, **options) as server, AsyncExitStack() as stack:
        people = [await stack.enter_async_context(client_of(server, one)) for one in (NORA, BEN, MARTA, OTTO)]
        for client in people:
            await client(functions.updates.GetStateRequest())
        nora, ben, marta, otto = people
        chat_id = chat_id or await made_group(nora)
        for client in people:
            await round_trip(client)
        yield Company(server, nora, ben, marta, otto, chat_id)


def raw(client: TelegramClient) -> Inbox:
    """Collect every update a client hears."""
    return Inbox(client, events.Raw())
