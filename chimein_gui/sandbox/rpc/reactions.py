"""messages.* about reactions."""

from chimein_gui.sandbox.rpc.answers import affected_history, live_message, mark, updates_since
from chimein_gui.sandbox.rpc.call import Call, Handlers, RpcFault
from chimein_gui.sandbox.rpc.permission import check_member
from chimein_gui.sandbox.tl import TLObject, functions, types

EMOJI = frozenset(
    "👍👎❤🔥🥰👏😁🤔🤯😱🤬😢🎉🤩🤮💩🙏👌🕊🤡🥱🥴😍🐳🌚🌭💯🤣⚡🍌🏆💔🤨😐🍓🍾💋😈😴😭🤓👻👀🎃🙈😇😨🤝✍🤗🫡🎅🎄☃💅🤪🗿🆒💘🙉🦄😘💊🙊😎👾🤷😡"
)
"""What may be given; others are refused, as on live Telegram."""

_POPULAR = "👍❤🔥🎉😁🤔😢🙏"
_MOST, _MOST_PREMIUM = 1, 3


def _send_reaction(call: Call, request: TLObject) -> TLObject:
    message = live_message(call, request.peer, request.msg_id)
    if message.peer_id < 0:
        check_member(call, call.world.groups.get(message.peer_id))
    if message.action is not None:
        raise RpcFault(400, "MESSAGE_ID_INVALID")
    is_premium = call.world.users[call.user_id].is_premium
    given = tuple(_checked(reaction) for reaction in request.reaction or () if not _is_none(reaction))
    if len(given) > (_MOST_PREMIUM if is_premium else _MOST):
        raise RpcFault(400, "REACTIONS_TOO_MANY")
    before = dict(call.world.reactions.opinions(message.uid)).get(call.user_id)
    if [bytes(one) for one in (before.given if before else ())] == [bytes(one) for one in given]:
        raise RpcFault(400, "MESSAGE_NOT_MODIFIED")
    start = mark(call)
    call.world.reactions.give(message, given)
    return updates_since(call, start)


def _is_none(reaction: TLObject) -> bool:
    return isinstance(reaction, types.ReactionEmpty)


def _checked(reaction: TLObject) -> TLObject:
    """Accept a known emoji, with or without the sign that asks for a coloured picture."""
    if not isinstance(reaction, types.ReactionEmoji):
        raise RpcFault(400, "REACTION_INVALID")
    emoji = reaction.emoticon if reaction.emoticon in EMOJI else reaction.emoticon.removesuffix("\ufe0f")
    if emoji not in EMOJI:
        raise RpcFault(400, "REACTION_INVALID")
    return types.ReactionEmoji(emoji)


def _get_reactions(call: Call, request: TLObject) -> TLObject:
    peer_id = call.peer_id(request.peer)
    found = [message for message_id in request.id if (message := call.world.live(call.user_id, peer_id, message_id))]
    found = [message for message in found if message.peer_id == peer_id]
    updates = [call.world.reactions.update(message) for message in found]
    return call.views.bundle(call.user_id, updates, call.views.peers_in(found))


def _list_reactions(call: Call, request: TLObject) -> TLObject:
    message = live_message(call, request.peer, request.id)
    wanted = None if request.reaction is None else bytes(request.reaction)
    given = [
        types.MessagePeerReaction(
            types.PeerUser(user_id), opinion.moment, reaction, my=(user_id == call.user_id) or None
        )
        for user_id, opinion in call.world.reactions.opinions(message.uid)
        for reaction in opinion.given
        if wanted in (None, bytes(reaction))
    ]
    start = int(request.offset) if (request.offset or "").isdecimal() else 0
    part = given[start : start + max(1, min(request.limit, 100))]
    users = call.views.users(call.user_id, (one.peer_id.user_id for one in part))
    end = start + len(part)
    following = str(end) if end < len(given) else None
    chats = call.views.chats(call.user_id, (message.peer_id,))
    return types.messages.MessageReactionsList(len(given), part, chats, users, following)


def _read_reactions(call: Call, request: TLObject) -> TLObject:
    call.world.reactions.read(call.user_id, call.peer_id(request.peer))
    return affected_history(call, None)


def _recent(call: Call, _request: TLObject) -> TLObject:
    _ = call.user_id
    return types.messages.Reactions(0, [types.ReactionEmoji(emoji) for emoji in _POPULAR])


HANDLERS: Handlers = {
    functions.messages.SendReactionRequest: _send_reaction,
    functions.messages.GetMessagesReactionsRequest: _get_reactions,
    functions.messages.GetMessageReactionsListRequest: _list_reactions,
    functions.messages.ReadReactionsRequest: _read_reactions,
    functions.messages.GetRecentReactionsRequest: _recent,
    functions.messages.GetTopReactionsRequest: _recent,
}
