"""Whoever follows the updates, or asks for the difference, ends up with what the server holds."""

import random
from datetime import UTC, datetime

import pytest
from telethon import functions

from tests.sandbox.clients import MARTA, client_of, round_trip
from tests.sandbox.company import Company, company, person, raw
from tests.sandbox.follower import REFUSED, Follower, _Seen, looks, something

STEPS = 250
OLD = datetime(2026, 1, 1, tzinfo=UTC)


async def traffic(all_: Company, chance: random.Random) -> None:
    """Let three people do what people do, in the group and between two of them."""
    places = [(client, all_.group) for client in (all_.nora, all_.ben, all_.marta)]
    places += [
        (all_.nora, await person(all_.nora, MARTA)),
        (all_.marta, await all_.marta.get_input_entity("nora_vale_box")),
    ]
    for step in range(STEPS):
        client, peer = chance.choice(places)
        known = await client.get_messages(peer, limit=8)
        try:
            await something(client, peer, chance.choice(known) if known else None, chance, step)
        except REFUSED:
            continue


async def held(all_: Company) -> _Seen:
    dialogs = await all_.marta.get_dialogs()
    return {one.id: looks(one) for chat in dialogs async for one in all_.marta.iter_messages(chat.input_entity)}


@pytest.mark.operation("updates of 250 random steps", "a silent session of one of them holds what the server holds")
@pytest.mark.parametrize("seed", range(2))
async def test_a_session_that_only_listens_misses_nothing(seed):
    async with company() as all_, client_of(all_.server, MARTA) as silent:
        await silent(functions.updates.GetStateRequest())
        inbox, follower = raw(silent), Follower()
        start = await silent(functions.updates.GetDifferenceRequest(pts=1, date=OLD, qts=0))
        for message in start.new_messages:
            follower.messages[message.id] = message
        follower.pts = start.state.pts
        await traffic(all_, random.Random(seed))
        await round_trip(silent)
        while not inbox.is_empty():
            follower.hear(await inbox.next())
        assert follower.seen() == await held(all_)


@pytest.mark.operation("updates.getDifference after 250 random steps", "it tells what the server holds")
async def test_the_difference_tells_the_same():
    async with company() as all_:
        await traffic(all_, random.Random(7))
        missed = await all_.marta(functions.updates.GetDifferenceRequest(pts=1, date=OLD, qts=0))
        follower = Follower()
        follower.messages = {message.id: message for message in missed.new_messages}
        for update in missed.other_updates:
            follower.pts = update.pts - update.pts_count  # between them came the new messages
            follower.hear(update)
        assert missed.state.pts == (await all_.marta(functions.updates.GetStateRequest())).pts
        assert follower.seen() == await held(all_)
