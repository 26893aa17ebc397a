"""messages.* about drafts: what somebody has begun to write, the same on all their devices."""

from chimein_gui.sandbox.rpc.call import Call, Handlers
from chimein_gui.sandbox.rpc.text import checked_draft
from chimein_gui.sandbox.tl import TLObject, functions, types


def _save(call: Call, request: TLObject) -> TLObject:
    owner_id, peer_id = call.user_id, call.peer_id(request.peer)
    text, entities = checked_draft(call, request.message, request.entities)
    reply_to = request.reply_to if isinstance(request.reply_to, types.InputReplyToMessage) else None
    draft = None
    if text or reply_to is not None:
        draft = types.DraftMessage(
            message=text,
            date=call.world.now(),
            no_webpage=request.no_webpage,
            reply_to=reply_to,
            entities=list(entities) or None,
        )
    call.world.settings.save_draft(owner_id, peer_id, draft)
    return True


def _get_all(call: Call, _request: TLObject) -> TLObject:
    owner_id = call.user_id
    chats = call.world.settings.drafts(owner_id)
    updates = [call.world.settings.draft_update(owner_id, peer_id) for peer_id in chats]
    return call.views.bundle(owner_id, updates, chats)


def _clear_all(call: Call, _request: TLObject) -> TLObject:
    owner_id = call.user_id
    for peer_id in call.world.settings.drafts(owner_id):
        call.world.settings.save_draft(owner_id, peer_id, None)
    return True


HANDLERS: Handlers = {
    functions.messages.SaveDraftRequest: _save,
    functions.messages.GetAllDraftsRequest: _get_all,
    functions.messages.ClearAllDraftsRequest: _clear_all,
}
