"""Whoever follows a supergroup's updates, or asks for its difference, ends up with what the server holds."""

import random

import pytest
from telethon import errors, functions, types

from tests.sandbox.clients import MARTA, client_of, round_trip
from tests.sandbox.company import raw
from tests.sandbox.follower import REFUSED, Follower, looks, something
from tests.sandbox.supergroup import Lake, lake

STEPS = 200


class ChannelFollower(Follower):
    """Keeps the messages of a supergroup by what updates say of them; its `pts` is the channel's."""

    def hear(self, update) -> None:
        if isinstance(update, (types.UpdateReadChannelInbox, types.UpdateReadChannelOutbox, types.UpdateMessageID)):
            return
        super().hear(update)
        if isinstance(update, (types.UpdateNewChannelMessage, types.UpdateEditChannelMessage)):
            self.messages[update.message.id] = update.message
        elif isinstance(update, types.UpdateDeleteChannelMessages):
            for message_id in update.messages:
                self.messages.pop(message_id, None)


async def traffic(it: Lake, chance: random.Random) -> None:
    """Let the three members do what members do."""
    all_ = it.all_
    places = ((all_.nora, it.nora), (all_.ben, it.ben), (all_.marta, it.marta))
    for step in range(STEPS):
        client, peer = chance.choice(places)
        known = await client.get_messages(peer, limit=8)
        try:
            await something(client, peer, chance.choice(known) if known else None, chance, step)
        except (*REFUSED, errors.PeerIdInvalidError):
            continue


async def held(client, peer) -> dict:
    return {one.id: looks(one) async for one in client.iter_messages(peer)}


@pytest.mark.operation("200 random steps in a supergroup", "a silent session of a member holds what the server holds")
@pytest.mark.parametrize("seed", range(2))
async def test_a_session_that_only_listens_misses_nothing(seed):
    async with lake() as it, client_of(it.all_.server, MARTA) as silent:
        await silent.get_dialogs()
        inbox, follower = raw(silent), ChannelFollower()
        follower.messages = {one.id: one async for one in silent.iter_messages(it.peer_id)}
        follower.pts = 2
        await traffic(it, random.Random(seed))
        await round_trip(silent)
        while not inbox.is_empty():
            follower.hear(await inbox.next())
        assert follower.seen() == await held(it.all_.nora, it.nora)
        assert follower.pts == it.all_.world.post.channel(it.peer_id).pts > STEPS / 2


@pytest.mark.operation("updates.getChannelDifference after 200 random steps", "its slices tell what the server holds")
async def test_the_difference_tells_the_same():
    async with lake() as it:
        await traffic(it, random.Random(7))
        follower, pts, is_last = ChannelFollower(), 1, False
        while not is_last:
            everything = types.ChannelMessagesFilterEmpty()
            ask = functions.updates.GetChannelDifferenceRequest(it.marta, everything, pts, 40)
            part = await it.all_.marta(ask)
            follower.messages |= {message.id: message for message in part.new_messages}
            for update in part.other_updates:
                follower.pts = update.pts - update.pts_count  # between them came the new messages
                follower.hear(update)
            pts, is_last = part.pts, part.final
        assert pts == it.all_.world.post.channel(it.peer_id).pts
        assert follower.seen() == await held(it.all_.marta, it.marta)
