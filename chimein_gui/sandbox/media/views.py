"""Files and sticker sets as one viewer sees them: with the viewer's access hashes and file references."""

from collections.abc import Iterator

from chimein_gui.sandbox.auth_keys.key_ring import KeyRing
from chimein_gui.sandbox.media.records import PREMIUM_EFFECT, ROUND, VIDEO, VOICE, MediaRef, StoredFile, Thumb
from chimein_gui.sandbox.media.references import FileReferences
from chimein_gui.sandbox.media.sticker_sets import StickerSet
from chimein_gui.sandbox.wire.tl import TLObject, read_object, types

_EFFECT_SIDE = 512


class MediaViews:
    """Converts files and sticker sets to TL objects.

    Args:
        keys: Makes access hashes.
        references: Makes file references.
        dc_id: The only data centre; clients would try to connect to any other.
    """

    def __init__(self, keys: KeyRing, references: FileReferences, dc_id: int) -> None:
        self._keys = keys
        self._references = references
        self._dc_id = dc_id

    def message_media(self, viewer_id: int, ref: MediaRef, file: StoredFile) -> TLObject:
        """Return the MessageMedia of a file, with the flags of the reference."""
        if file.is_photo:
            media = read_object(ref.raw) if ref.raw else types.MessageMediaPhoto()
            media.photo = self.photo(viewer_id, file)
            return media
        media = read_object(ref.raw) if ref.raw else types.MessageMediaDocument()
        media.document = self.document(viewer_id, file)
        media.voice = (file.kind == VOICE) or None
        media.video = (file.kind in (VIDEO, ROUND)) or None
        media.round = (file.kind == ROUND) or None
        return media

    def photo(self, viewer_id: int, file: StoredFile) -> TLObject:
        """Return the file as a photo, with the sizes that it has and the reference of this viewer."""
        sizes = [types.PhotoStrippedSize("i", file.stripped)] if file.stripped else []
        if file.thumb is not None:
            sizes.append(_photo_size(file.thumb))
        sizes.append(types.PhotoSize(file.full_letter, file.width, file.height, file.content.size))
        return types.Photo(
            id=file.file_id,
            access_hash=self._keys.access_hash(viewer_id, file.file_id),
            file_reference=self._references.make(viewer_id, file.file_id),
            date=file.stored_at,
            sizes=sizes,
            dc_id=self._dc_id,
        )

    def document(self, viewer_id: int, file: StoredFile) -> TLObject:
        """Return the file as a document, with the attributes of its kind and the reference of this viewer."""
        effect = file.effect
        return types.Document(
            id=file.file_id,
            access_hash=self._keys.access_hash(viewer_id, file.file_id),
            file_reference=self._references.make(viewer_id, file.file_id),
            date=file.stored_at,
            mime_type=file.mime_type,
            size=file.content.size,
            dc_id=self._dc_id,
            attributes=list(self._attributes(viewer_id, file)),
            thumbs=[_photo_size(file.thumb)] if file.thumb else None,
            video_thumbs=[types.VideoSize(PREMIUM_EFFECT, _EFFECT_SIDE, _EFFECT_SIDE, effect.size)] if effect else None,
        )

    def full_set(self, viewer_id: int, one: StickerSet) -> TLObject:
        """Return a set with its stickers."""
        return types.messages.StickerSet(
            set=types.StickerSet(
                id=one.set_id,
                access_hash=self._keys.access_hash(viewer_id, one.set_id),
                title=one.title,
                short_name=one.short_name,
                count=len(one.stickers),
                hash=one.content_hash,
            ),
            packs=[types.StickerPack(emoji, ids) for emoji, ids in one.packs().items()],
            keywords=[],
            documents=[self.document(viewer_id, sticker) for sticker in one.stickers],
        )

    def _attributes(self, viewer_id: int, file: StoredFile) -> Iterator[TLObject]:
        """Yield a document's attributes; a sticker's comes second, as on live Telegram."""
        if not file.set_id:
            yield from file.attributes
            return
        first, *others = file.attributes
        reference = types.InputStickerSetID(file.set_id, self._keys.access_hash(viewer_id, file.set_id))
        yield first
        yield types.DocumentAttributeSticker(file.emoji, reference)
        yield from others


def _photo_size(thumb: Thumb) -> TLObject:
    return types.PhotoSize(thumb.letter, thumb.width, thumb.height, thumb.content.size)
