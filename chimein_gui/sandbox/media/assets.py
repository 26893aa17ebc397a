"""The sandbox's own media in `resources/sandbox/media`; they are read from there, never copied."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from chimein_gui.sandbox.media.manifest import Asset, AssetSet, ManifestError, read_manifest
from chimein_gui.sandbox.media.records import AUDIO, GIF, STICKER, VIDEO, VOICE, Content, MediaRef, StoredFile, Thumb
from chimein_gui.sandbox.media.sticker_sets import StickerSet
from chimein_gui.sandbox.media.storage import FileContent
from chimein_gui.sandbox.wire.tl import TLObject, types

_MADE_AT = 1_790_000_000
"""Creation time of the sandbox's own media, seconds since the epoch; the same in every world."""

_STICKER_FILE_NAMES = {
    "image/webp": "sticker.webp",
    "application/x-tgsticker": "AnimatedSticker.tgs",
    "video/webm": "sticker.webm",
}


def asset_id(name: str) -> int:
    """Return the id of one of the sandbox's files or sets; the same in every world, so it need not be stored."""
    return int.from_bytes(sha256(f"chimein media {name}".encode()).digest()[:7], "little") | 1 << 60


class OwnMedia:
    """All files and sticker sets in the manifest of a directory.

    Args:
        directory: `resources/sandbox/media`.

    Attributes:
        files: By name in the manifest, stickers included.
        sets: In the manifest's order.

    Raises:
        ManifestError: If the manifest is damaged or a file is missing.
    """

    def __init__(self, directory: Path) -> None:
        manifest = read_manifest(directory)
        self.files: dict[str, StoredFile] = {}
        for asset in (*manifest.files, *(sticker for one in manifest.sticker_sets for sticker in one.stickers)):
            try:
                self.files[asset.name] = _stored(directory, asset)
            except OSError as error:
                raise ManifestError(f"{asset.name}: {error}") from error
        self.sets = tuple(self._set(one) for one in manifest.sticker_sets)

    def ref(self, name: str) -> MediaRef:
        """Return the reference of a file, with which it can be sent, by its name, such as ``photo-lake``.

        Raises:
            LookupError: If there is none.
        """
        file = self.files.get(name)
        if file is None:
            raise LookupError(f"no media called {name!r}; there are {', '.join(self.files)}")
        return MediaRef(file.kind, file.file_id)

    def _set(self, one: AssetSet) -> StickerSet:
        stickers = tuple(self.files[sticker.name] for sticker in one.stickers)
        return StickerSet(asset_id(f"set {one.short_name}"), one.short_name, one.title, stickers)


def _stored(directory: Path, asset: Asset) -> StoredFile:
    thumb = asset.thumb
    return StoredFile(
        file_id=asset_id(asset.name),
        kind=asset.kind,
        content=_content(directory, asset.file),
        stored_at=_MADE_AT,
        mime_type=asset.mime_type,
        attributes=tuple(_attributes(asset)),
        width=asset.width,
        height=asset.height,
        thumb=_thumb(directory, thumb.file, thumb.width, thumb.height) if thumb else None,
        stripped=asset.stripped,
        emoji=asset.emoji,
        set_id=asset_id(f"set {asset.set_name}") if asset.set_name else 0,
        effect=_content(directory, asset.effect) if asset.effect else None,
    )


def _content(directory: Path, file: str) -> Content:
    path = directory / file
    return FileContent(path, path.stat().st_size)


def _thumb(directory: Path, file: str, width: int, height: int) -> Thumb:
    return Thumb("a" if max(width, height) <= 160 and ".a." in file else "m", width, height, _content(directory, file))


def _attributes(asset: Asset) -> Iterator[TLObject]:
    """Yield the DocumentAttributes of a file; a sticker's own attribute is added for each viewer."""
    if asset.kind in (VIDEO, GIF) or asset.mime_type == "video/webm":
        silent = (asset.kind == GIF) or None
        yield types.DocumentAttributeVideo(
            asset.duration, asset.width, asset.height, supports_streaming=True, nosound=silent
        )
    elif asset.kind == STICKER:
        yield types.DocumentAttributeImageSize(asset.width, asset.height)
    if asset.kind == GIF:
        yield types.DocumentAttributeAnimated()
    if asset.kind in (VOICE, AUDIO):
        yield types.DocumentAttributeAudio(
            int(asset.duration),
            voice=(asset.kind == VOICE) or None,
            title=asset.title or None,
            performer=asset.performer or None,
            waveform=asset.waveform or None,
        )
    name = asset.file_name or (_STICKER_FILE_NAMES[asset.mime_type] if asset.kind == STICKER else "")
    if name:
        yield types.DocumentAttributeFilename(name)
