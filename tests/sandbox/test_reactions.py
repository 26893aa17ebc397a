"""Reactions, which people of the sandbox give: everybody with a copy hears of them."""

import pytest
from telethon import types

from tests.sandbox.clients import MARTA, NORA, send
from tests.sandbox.company import BEN, company, raw

HEART, FIRE = types.ReactionEmoji("❤"), types.ReactionEmoji("🔥")


def react(all_, who: int, message_id: int, *given) -> None:
    """Let somebody react to a message that has this id with them."""
    message = all_.world.box(who).live(message_id)
    all_.world.reactions.give(message, given)
    all_.server._around.hub.settle()


@pytest.mark.operation("reactions in a group", "a third member hears of each, and all see the last state")
async def test_reactions_in_a_group():
    async with company() as all_:
        sent = await send(all_.nora, all_.group, "We have a boat")
        third = raw(all_.marta)
        bens = (await all_.ben.get_messages(all_.group, limit=1))[0].id
        martas = (await all_.marta.get_messages(all_.group, limit=1))[0].id
        react(all_, BEN, bens, HEART)
        assert (await third.next_of(types.UpdateMessageReactions)).msg_id == martas
        react(all_, MARTA, martas, HEART)
        react(all_, BEN, bens, FIRE)
        (seen,) = await all_.nora.get_messages(all_.group, ids=[sent.id])
        assert {(one.reaction.emoticon, one.count) for one in seen.reactions.results} == {("❤", 1), ("🔥", 1)}
        react(all_, BEN, bens)
        (seen,) = await all_.nora.get_messages(all_.group, ids=[sent.id])
        assert [(one.reaction.emoticon, one.count) for one in seen.reactions.results] == [("❤", 1)]


async def test_reactions_go_with_their_message():
    async with company() as all_:
        sent = await send(all_.nora, all_.group, "Short-lived")
        react(all_, NORA, sent.id, HEART)
        uid = all_.world.box(NORA).messages[sent.id].uid
        assert list(all_.world.reactions.people(uid)) == [NORA]
        await all_.nora.delete_messages(None, [sent.id], revoke=True)
        assert list(all_.world.reactions.people(uid)) == []
