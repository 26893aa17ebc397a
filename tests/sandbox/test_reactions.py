"""Reactions: everybody with a copy hears of them, the writer finds them as news."""

import pytest
from telethon import errors, functions, types

from tests.sandbox.clients import MARTA, NORA, client_of, send
from tests.sandbox.company import BEN, company, person, raw

HEART, FIRE = types.ReactionEmoji("❤"), types.ReactionEmoji("🔥")


async def _react(client, peer, message_id: int, *reactions):
    return await client(functions.messages.SendReactionRequest(peer, message_id, reaction=list(reactions)))


@pytest.mark.operation("messages.sendReaction: DM", "the writer hears who reacted with what")
async def test_a_reaction_in_a_direct_chat():
    async with company() as all_:
        sent = await send(all_.nora, await person(all_.nora, MARTA), "New haircut")
        inbox = raw(all_.nora)
        nora = await person(all_.marta, NORA)
        (mine,) = await all_.marta.get_messages(nora, limit=1)
        answer = await _react(all_.marta, nora, mine.id, types.ReactionEmoji("❤\ufe0f"))
        (own,) = [one for one in answer.updates if isinstance(one, types.UpdateMessageReactions)]
        assert own.reactions.results == [types.ReactionCount(HEART, 1, chosen_order=1)]
        heard = await inbox.next_of(types.UpdateMessageReactions)
        assert (heard.peer.user_id, heard.msg_id) == (MARTA, sent.id)
        assert heard.reactions.results == [types.ReactionCount(HEART, 1)]
        assert [one.peer_id.user_id for one in heard.reactions.recent_reactions] == [MARTA]


@pytest.mark.operation("messages.sendReaction: group", "a third member hears the counts")
@pytest.mark.operation("messages.sendReaction: changed and taken back", "the members see the last state")
@pytest.mark.operation("messages.getMessageReactionsList", "another member reads who gave what")
async def test_reactions_in_a_group():
    async with company() as all_:
        sent = await send(all_.nora, all_.group, "We have a boat")
        third = raw(all_.marta)
        bens = (await all_.ben.get_messages(all_.group, limit=1))[0].id
        martas = (await all_.marta.get_messages(all_.group, limit=1))[0].id
        await _react(all_.ben, all_.group, bens, HEART)
        assert (await third.next_of(types.UpdateMessageReactions)).msg_id == martas
        await _react(all_.marta, all_.group, martas, HEART)
        await _react(all_.ben, all_.group, bens, FIRE)
        wanted = functions.messages.GetMessageReactionsListRequest(all_.group, sent.id, 10)
        given = (await all_.nora(wanted)).reactions
        assert {(one.peer_id.user_id, one.reaction.emoticon) for one in given} == {(BEN, "🔥"), (MARTA, "❤")}
        await _react(all_.ben, all_.group, bens)
        (seen,) = await all_.nora.get_messages(all_.group, ids=[sent.id])
        assert [(one.reaction.emoticon, one.count) for one in seen.reactions.results] == [("❤", 1)]


@pytest.mark.operation("messages.getMessagesReactions", "the writer polls the same counts as the reader gave")
@pytest.mark.operation("unread reactions", "the writer's dialog counts them until messages.readReactions")
async def test_the_writer_finds_news():
    async with company() as all_, client_of(all_.server, NORA) as phone:
        marta = await person(all_.nora, MARTA)
        sent = await send(all_.nora, marta, "Guess what")
        nora = await person(all_.marta, NORA)
        await _react(all_.marta, nora, (await all_.marta.get_messages(nora, limit=1))[0].id, FIRE)
        dialogs = {one.id: one.dialog for one in await phone.get_dialogs()}
        assert dialogs[MARTA].unread_reactions_count == 1
        polled = await phone(functions.messages.GetMessagesReactionsRequest(marta, [sent.id]))
        assert polled.updates[0].reactions.results == [types.ReactionCount(FIRE, 1)]
        unseen = await phone(functions.messages.GetUnreadReactionsRequest(marta, 0, 0, 10, 0, 0))
        assert [one.id for one in unseen.messages] == [sent.id]
        await all_.nora(functions.messages.ReadReactionsRequest(marta))
        dialogs = {one.id: one.dialog for one in await phone.get_dialogs()}
        assert dialogs[MARTA].unread_reactions_count == 0


async def test_what_is_no_reaction():
    async with company() as all_:
        sent = await send(all_.nora, all_.group, "Hm")
        for wrong in (types.ReactionEmoji("🪑"), types.ReactionCustomEmoji(5)):
            with pytest.raises(errors.ReactionInvalidError):
                await _react(all_.nora, all_.group, sent.id, wrong)
        with pytest.raises(errors.ReactionsTooManyError):
            await _react(all_.nora, all_.group, sent.id, HEART, FIRE)
        with pytest.raises(errors.MessageNotModifiedError):
            await _react(all_.nora, all_.group, sent.id)
        with pytest.raises(errors.MessageIdInvalidError):
            await _react(all_.nora, all_.group, 9_999, HEART)
        (seen,) = await all_.ben.get_messages(all_.group, limit=1)
        assert seen.reactions is None


async def test_reactions_go_with_their_message():
    async with company() as all_:
        sent = await send(all_.nora, all_.group, "Short-lived")
        await _react(all_.nora, all_.group, sent.id, HEART)
        uid = all_.world.box(NORA).messages[sent.id].uid
        assert list(all_.world.reactions.people(uid)) == [NORA]
        await all_.nora.delete_messages(None, [sent.id], revoke=True)
        assert list(all_.world.reactions.people(uid)) == []
