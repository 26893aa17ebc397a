"""Checks of texts and captions from clients, with Telegram's limits."""

from chimein_gui.sandbox.rpc.call import Call
from chimein_gui.sandbox.rpc.refusal import RpcFault
from chimein_gui.sandbox.wire.tl import TLObject, types
from chimein_gui.sandbox.world.entities import units

MAX_TEXT = 4_096
MAX_CAPTION = 1_024
_MAX_ENTITIES = 100


def checked_text(call: Call, given: str | None, entities: list[TLObject] | None) -> tuple[str, tuple[TLObject, ...]]:
    """Return a message's text without outer blanks, as Telegram does, and the entities within it.

    Raises:
        RpcFault: If the text is empty or too long.
    """
    text, fitting = _trimmed(call, given or "", entities)
    if not text:
        raise RpcFault(400, "MESSAGE_EMPTY")
    if units(text) > MAX_TEXT:
        raise RpcFault(400, "MESSAGE_TOO_LONG")
    return text, fitting


def checked_caption(call: Call, given: str | None, entities: list[TLObject] | None) -> tuple[str, tuple[TLObject, ...]]:
    """Return a caption, which may be empty, and its entities.

    Raises:
        RpcFault: If the caption is too long.
    """
    text, fitting = _trimmed(call, given or "", entities)
    if units(text) > MAX_CAPTION:
        raise RpcFault(400, "MEDIA_CAPTION_TOO_LONG")
    return text, fitting


def _trimmed(call: Call, given: str, entities: list[TLObject] | None) -> tuple[str, tuple[TLObject, ...]]:
    text = given.strip()
    if not entities:
        return text, ()
    dropped = units(given) - units(given.lstrip())
    length = units(text)
    stored = (_stored_entity(call, entity, dropped, length) for entity in entities[:_MAX_ENTITIES])
    return text, tuple(entity for entity in stored if entity.length > 0)


def _stored_entity(call: Call, entity: TLObject, dropped: int, length: int) -> TLObject:
    """Return an entity moved for the blanks dropped in front; a mention by access hash becomes one by id."""
    start = max(0, entity.offset - dropped)
    entity.length = min(entity.offset - dropped + entity.length, length) - start
    entity.offset = start
    if isinstance(entity, types.InputMessageEntityMentionName):
        return types.MessageEntityMentionName(entity.offset, entity.length, call.peer_id(entity.user_id))
    return entity
