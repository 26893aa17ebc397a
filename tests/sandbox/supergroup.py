"""The lake group after it has become a supergroup, with the peers by which its three members name it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from telethon import functions, types, utils

from tests.sandbox.clients import round_trip
from tests.sandbox.company import Company, company


@dataclass(frozen=True, slots=True)
class Lake:
    """The supergroup.

    Attributes:
        all_: The people, and the group as it was.
        peer_id: Its marked id.
        nora: How Nora's client names it; each client has an access hash of its own.
    """

    all_: Company
    peer_id: int
    nora: types.InputPeerChannel
    ben: types.InputPeerChannel
    marta: types.InputPeerChannel

    @property
    def channel_id(self) -> int:
        return utils.resolve_id(self.peer_id)[0]


async def migrated(all_: Company) -> int:
    """Let Nora migrate the lake group; returns the supergroup's marked id, which every member can resolve then."""
    answer = await all_.nora(functions.messages.MigrateChatRequest(all_.chat_id))
    for client in (all_.nora, all_.ben, all_.marta):
        await round_trip(client)
    return next(utils.get_peer_id(one) for one in answer.chats if isinstance(one, types.Channel))


@asynccontextmanager
async def lake(state_dir: Path | None = None) -> AsyncIterator[Lake]:
    async with company(state_dir) as all_:
        peer_id = await migrated(all_)
        peers = [await client.get_input_entity(peer_id) for client in (all_.nora, all_.ben, all_.marta)]
        yield Lake(all_, peer_id, *peers)


async def texts(client, peer) -> list[tuple[int, str]]:
    """Return (id, words) of a chat, oldest first, as a client reads them."""
    found = await client.get_messages(peer, limit=50)
    return [(one.id, one.message) for one in reversed(found) if one.action is None]
