"""What a client wants to send besides text: InputMedia → MediaRef, for sending, albums and edits."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from chimein_gui.sandbox.media.library import NewFile
from chimein_gui.sandbox.media.records import AUDIO, DOCUMENT, GIF, PHOTO, VIDEO, MediaRef, StoredFile
from chimein_gui.sandbox.records import StoredMessage
from chimein_gui.sandbox.rpc.call import Call, RpcFault
from chimein_gui.sandbox.rpc.documents import new_document, new_photo
from chimein_gui.sandbox.rpc.files import meant_file
from chimein_gui.sandbox.rpc.upload import uploading
from chimein_gui.sandbox.tl import TLObject, types

_DICE = {"🎲": 6, "🎯": 6, "🎳": 6, "🏀": 5, "⚽": 5, "🎰": 64}
_MAX_PHONE = 32
_PICTURES = frozenset((PHOTO, VIDEO))
_EXCHANGEABLE = frozenset((PHOTO, VIDEO, GIF, AUDIO, DOCUMENT))


@dataclass(frozen=True, slots=True)
class Prepared:
    """Media that can be sent; nothing of it is stored yet, so that a refusal costs the client no second upload.

    Attributes:
        kind: As in `MediaRef`.
        take: Stores what is uploaded with it.
    """

    kind: str
    take: Callable[[], MediaRef]


def prepared(call: Call, media: TLObject, *, place: str = "") -> Prepared:
    """Check what a message shall carry.

    Args:
        call: Who sends it.
        media: The InputMedia.
        place: Its number in an album, which the errors about file references then name.

    Raises:
        RpcFault: If it can't be sent.
    """
    if type(media) in _UPLOADED:
        return _uploaded(call, media, _UPLOADED[type(media)](call, media))
    if isinstance(media, (types.InputMediaPhoto, types.InputMediaDocument)):
        return _ready(_known(call, media, place))
    maker = _WITHOUT_FILE.get(type(media))
    if maker is None:
        raise RpcFault(400, _REFUSED.get(type(media), "MEDIA_INVALID"))
    return _ready(maker(call, media))


def edited_media(call: Call, message: StoredMessage, media: TLObject) -> Prepared:
    """Check what shall take the place of a message's media.

    Raises:
        RpcFault: If the old or the new one is of a kind that can't be exchanged, or the album would no longer be one.
    """
    before = message.media
    if before is not None and before.kind not in _EXCHANGEABLE:
        raise RpcFault(400, "MEDIA_PREV_INVALID")
    new = prepared(call, media)
    if new.kind not in _EXCHANGEABLE:
        raise RpcFault(400, "MEDIA_NEW_INVALID")
    if message.grouped_id and before is not None and (before.kind in _PICTURES) is not (new.kind in _PICTURES):
        raise RpcFault(400, "MEDIA_GROUPED_INVALID")
    return new


def _ready(ref: MediaRef) -> Prepared:
    return Prepared(ref.kind, lambda: ref)


# -- with a file ------------------------------------------------------------------------------------------------------


def _uploaded(call: Call, media: TLObject, new: NewFile) -> Prepared:
    library, user_id = call.around.media, call.user_id

    def take() -> MediaRef:
        file = uploading(lambda: library.store(new))
        library.uploads.forget(user_id, media.file.id)
        if getattr(media, "thumb", None) is not None:
            library.uploads.forget(user_id, media.thumb.id)
        return _ref(file, media)

    return Prepared(new.kind, take)


def _known(call: Call, media: TLObject, place: str) -> MediaRef:
    file = meant_file(call, media.id, "MEDIA_EMPTY", place=place)
    if file.effect is not None and not call.world.users[call.user_id].is_premium:
        raise RpcFault(403, "PREMIUM_ACCOUNT_REQUIRED")
    return _ref(file, media)


def _ref(file: StoredFile, media: TLObject) -> MediaRef:
    """Refer to a file, with the sender's flags."""
    spoiler, ttl = bool(media.spoiler) or None, media.ttl_seconds
    if not spoiler and not ttl:
        return MediaRef(file.kind, file.file_id)
    kind = types.MessageMediaPhoto if file.kind == PHOTO else types.MessageMediaDocument
    return MediaRef(file.kind, file.file_id, bytes(kind(spoiler=spoiler, ttl_seconds=ttl)))


# -- without one ------------------------------------------------------------------------------------------------------


def _contact(call: Call, media: TLObject) -> MediaRef:
    digits = media.phone_number.lstrip("+")
    if not digits.isdecimal() or len(digits) > _MAX_PHONE:
        raise RpcFault(400, "PHONE_NUMBER_INVALID")
    known = call.world.directory.by_phone(digits)
    name = (media.first_name, media.last_name)
    user_id = known.user_id if known else 0
    return MediaRef("contact", raw=bytes(types.MessageMediaContact(digits, *name, media.vcard, user_id)))


def _geo_point(_call: Call, media: TLObject) -> MediaRef:
    return MediaRef("geo", raw=bytes(types.MessageMediaGeo(_point(media.geo_point))))


def _geo_live(_call: Call, media: TLObject) -> MediaRef:
    raw = types.MessageMediaGeoLive(_point(media.geo_point), media.period or 0, heading=media.heading)
    return MediaRef("geo_live", raw=bytes(raw))


def _venue(_call: Call, media: TLObject) -> MediaRef:
    words = (media.title, media.address, media.provider, media.venue_id, media.venue_type)
    return MediaRef("venue", raw=bytes(types.MessageMediaVenue(_point(media.geo_point), *words)))


def _point(given: TLObject) -> TLObject:
    if not isinstance(given, types.InputGeoPoint):
        raise RpcFault(400, "MEDIA_EMPTY")
    if not (-90 <= given.lat <= 90 and -180 <= given.long <= 180):
        raise RpcFault(400, "GEO_POINT_INVALID")
    return types.GeoPoint(given.long, given.lat, 0, accuracy_radius=given.accuracy_radius)


def _dice(call: Call, media: TLObject) -> MediaRef:
    """Throw a die; what falls depends on who throws and how much they said before, so that a run can be repeated."""
    emoji = media.emoticon.rstrip("\ufe0f")
    sides = _DICE.get(emoji)
    if sides is None:
        raise RpcFault(400, "EMOTICON_INVALID")
    thrown = sha256(f"{call.user_id} {call.box.last_id}".encode()).digest()[0] % sides + 1
    return MediaRef("dice", raw=bytes(types.MessageMediaDice(thrown, emoji)))


def _poll(_call: Call, media: TLObject) -> MediaRef:
    if not 1 < len(media.poll.answers) <= 12:
        raise RpcFault(400, "POLL_ANSWERS_INVALID")
    return MediaRef("poll", raw=bytes(types.MessageMediaPoll(media.poll, types.PollResults())))


_UPLOADED: dict[type, Callable[[Call, TLObject], NewFile]] = {
    types.InputMediaUploadedPhoto: lambda call, media: new_photo(call, media.file),
    types.InputMediaUploadedDocument: new_document,
}

_WITHOUT_FILE: dict[type, Callable[[Call, TLObject], MediaRef]] = {
    types.InputMediaContact: _contact,
    types.InputMediaGeoPoint: _geo_point,
    types.InputMediaGeoLive: _geo_live,
    types.InputMediaVenue: _venue,
    types.InputMediaDice: _dice,
    types.InputMediaPoll: _poll,
}

_REFUSED: dict[type, str] = {
    types.InputMediaEmpty: "MEDIA_EMPTY",
    types.InputMediaPhotoExternal: "WEBPAGE_CURL_FAILED",  # the sandbox fetches nothing from anywhere
    types.InputMediaDocumentExternal: "WEBPAGE_CURL_FAILED",
    types.InputMediaWebPage: "WEBPAGE_NOT_FOUND",
}
