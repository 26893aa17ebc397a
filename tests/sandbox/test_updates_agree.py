"""Whoever follows the updates, or asks for the difference, ends up with what the server holds."""

import random
from datetime import UTC, datetime

import pytest
from telethon import errors, functions, types

from tests.sandbox.clients import MARTA, client_of, round_trip
from tests.sandbox.company import Company, company, person, raw
from tests.sandbox.supergroup import Lake, lake

REFUSED = (
    errors.MessageAuthorRequiredError,
    errors.MessageDeleteForbiddenError,
    errors.MessageIdInvalidError,
    errors.MessageNotModifiedError,
    errors.PeerIdInvalidError,
)
"""What comes of touching somebody else's message, a service message, or one that is as it shall be already;
and of marking a supergroup as read like a chat."""


_Seen = dict[int, str]
"""Texts by message id."""


class Follower:
    """Keeps the messages of an account by what updates say of them, and nothing else."""

    def __init__(self) -> None:
        self.messages: dict[int, types.Message] = {}
        self.pts = 1

    def hear(self, update) -> None:
        if hasattr(update, "pts"):
            assert update.pts == self.pts + update.pts_count
            self.pts = update.pts
        if isinstance(update, (types.UpdateNewMessage, types.UpdateEditMessage)):
            self.messages[update.message.id] = update.message
        elif isinstance(update, types.UpdateDeleteMessages):
            for message_id in update.messages:
                self.messages.pop(message_id, None)

    def seen(self) -> _Seen:
        return {message_id: looks(message) for message_id, message in self.messages.items()}


def looks(message) -> str:
    return getattr(message, "message", None) or ""


async def something(client, peer, message, chance: random.Random, step: int) -> None:
    what = chance.randrange(7) if message else 0
    if what < 4:
        await client.send_message(peer, f"line {step}", reply_to=message if what == 3 else None)
    elif what == 4:
        await client.edit_message(peer, message, f"edited {step}")
    elif what == 5:
        await client.delete_messages(peer, [message.id], revoke=chance.random() < 0.7)
    else:
        await client.send_read_acknowledge(peer, message)


STEPS = 250
OLD = datetime(2026, 1, 1, tzinfo=UTC)


async def traffic(places: list, chance: random.Random) -> None:
    """Let people do what people do: each place is a client and whom it writes to."""
    for step in range(STEPS):
        client, peer = chance.choice(places)
        known = await client.get_messages(peer, limit=8)
        try:
            await something(client, peer, chance.choice(known) if known else None, chance, step)
        except REFUSED:
            continue


async def among_people(all_: Company, chance: random.Random) -> None:
    """Three people, in the group and two of them between themselves."""
    places = [(client, all_.group) for client in (all_.nora, all_.ben, all_.marta)]
    places += [
        (all_.nora, await person(all_.nora, MARTA)),
        (all_.marta, await all_.marta.get_input_entity("nora_vale_box")),
    ]
    await traffic(places, chance)


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
        await among_people(all_, random.Random(seed))
        await round_trip(silent)
        while not inbox.is_empty():
            follower.hear(await inbox.next())
        assert follower.seen() == await held(all_)


@pytest.mark.operation("updates.getDifference after 250 random steps", "it tells what the server holds")
async def test_the_difference_tells_the_same():
    async with company() as all_:
        await among_people(all_, random.Random(7))
        missed = await all_.marta(functions.updates.GetDifferenceRequest(pts=1, date=OLD, qts=0))
        follower = Follower()
        follower.messages = {message.id: message for message in missed.new_messages}
        for update in missed.other_updates:
            follower.pts = update.pts - update.pts_count  # between them came the new messages
            follower.hear(update)
        assert missed.state.pts == (await all_.marta(functions.updates.GetStateRequest())).pts
        assert follower.seen() == await held(all_)


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


async def in_the_lake(it: Lake, chance: random.Random) -> None:
    """Let the three members do what members do."""
    all_ = it.all_
    await traffic([(all_.nora, it.nora), (all_.ben, it.ben), (all_.marta, it.marta)], chance)


async def held_of(client, peer) -> _Seen:
    return {one.id: looks(one) async for one in client.iter_messages(peer)}


@pytest.mark.operation("250 random steps in a supergroup", "a silent session of a member holds what the server holds")
@pytest.mark.parametrize("seed", range(2))
async def test_a_member_that_only_listens_misses_nothing(seed):
    async with lake() as it, client_of(it.all_.server, MARTA) as silent:
        await silent.get_dialogs()
        inbox, follower = raw(silent), ChannelFollower()
        follower.messages = {one.id: one async for one in silent.iter_messages(it.peer_id)}
        follower.pts = 2
        await in_the_lake(it, random.Random(seed))
        await round_trip(silent)
        while not inbox.is_empty():
            follower.hear(await inbox.next())
        assert follower.seen() == await held_of(it.all_.nora, it.nora)
        assert follower.pts == it.all_.world.post.channel(it.peer_id).pts > STEPS / 2


@pytest.mark.operation("updates.getChannelDifference after 250 random steps", "its slices tell what the server holds")
async def test_the_difference_of_a_supergroup_tells_the_same():
    async with lake() as it:
        await in_the_lake(it, random.Random(7))
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
        assert follower.seen() == await held_of(it.all_.marta, it.marta)
