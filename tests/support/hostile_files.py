"""Files that were made to hurt whoever opens them, as the sandbox's Telegram hands them out."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

from telethon.tl import types

from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.media.library import MediaLibrary
from chimein_gui.sandbox.media.records import GIF, PHOTO, STICKER, VIDEO, VOICE, MediaRef, StoredFile
from tests.support import photos, stickers

GIB = 2**30
BOMB_SIDE = 16_383
FIRST_ID = 6_600_000_000_000_000_001


@dataclass(frozen=True, slots=True)
class Bytes:
    """Content of a file.

    Attributes:
        data: What clients get; after its end nothing.
        claimed: The size that Telegram tells; 0 is that of `data`.
        is_endless: Whoever asks gets zeros, for ever.
    """

    data: bytes = b""
    claimed: int = 0
    is_endless: bool = False

    @property
    def size(self) -> int:
        return self.claimed or len(self.data)

    def read(self, offset: int, limit: int) -> bytes:
        return bytes(limit) if self.is_endless else self.data[offset : offset + limit]


def webp_bomb(side: int = BOMB_SIDE) -> bytes:
    """Return 52 bytes that are a picture of 268 megapixels: every table of codes has one entry, which takes no bit."""
    bits = count = 0

    def put(value: int, width: int) -> None:
        nonlocal bits, count
        bits |= value << count
        count += width

    put(0x2F, 8)
    put(side - 1, 14)
    put(side - 1, 14)
    put(1, 1)  # with opacity
    put(0, 3)  # the version
    put(0, 3)  # no transformation, no cache of colours, one group of codes
    for _ in range(5):
        put(0b001, 3)  # simple, one symbol, of one bit
        put(0, 1)
    body = bits.to_bytes(32, "little")  # Qt reads no header of a shorter file
    chunk = b"VP8L" + struct.pack("<I", len(body)) + body
    return b"RIFF" + struct.pack("<I", 4 + len(chunk)) + b"WEBP" + chunk


def endless_gif(frames: int = 20_000) -> bytes:
    """Return an animation of so many frames that is repeated for ever."""
    head = b"GIF89a" + struct.pack("<HHBBB", 8, 8, 0x80, 0, 0) + b"\0\0\0\xff\xff\xff"
    loop = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
    packed = sum(code << 3 * at for at, code in enumerate((*(4, 0, 1) * 32, 5)))  # each pair begins a new table
    data = packed.to_bytes(37, "little")
    pixels = b"\x02" + bytes([len(data)]) + data + b"\0"
    frame = b"\x21\xf9\x04\0\x01\0\0\0" + b"\x2c" + struct.pack("<HHHHB", 0, 0, 8, 8, 0) + pixels
    return head + loop + frame * frames + b";"


def wide_gif(side: int = 65_535) -> bytes:
    """Return an animation whose header says that it has 4,295 megapixels."""
    return endless_gif(3).replace(struct.pack("<HH", 8, 8), struct.pack("<HH", side, side))


def huge_webm(side: int = 20_000, *, openly: bool = True) -> bytes:
    """Return a video sticker of 400 megapixels; what contains it says so, too, or says that it has 512 × 512."""
    made = bytearray((resource_path("sandbox") / "media" / "stickers" / "boat-sail.webm").read_bytes())
    if openly:
        for name in (b"\xb0\x82", b"\xba\x82"):
            at = made.index(name) + 2
            assert made[at : at + 2] == struct.pack(">H", 512)
            made[at : at + 2] = struct.pack(">H", side)
    # Of a VP9 frame: its mark, 4 bits of colours, then 16 bits each for width - 1 and height - 1.
    begin, at = b"\x82\x49\x83\x42", 0
    while (at := made.find(begin, at)) >= 0:
        bits = int.from_bytes(made[at + 4 : at + 9], "big")
        keep = (1 << 4) - 1 | 0xF << 36
        made[at + 4 : at + 9] = (bits & keep | (side - 1) << 20 | (side - 1) << 4).to_bytes(5, "big")
        at += len(begin)
    return bytes(made)


def _video(seconds: float = 3.0) -> tuple[object, ...]:
    return (types.DocumentAttributeVideo(seconds, 320, 240),)


def _sticker() -> tuple[object, ...]:
    return (
        types.DocumentAttributeImageSize(512, 512),
        types.DocumentAttributeSticker("🪤", types.InputStickerSetEmpty()),
    )


def _gif() -> tuple[object, ...]:
    return (*_video(), types.DocumentAttributeAnimated())


def _voice() -> tuple[object, ...]:
    return (types.DocumentAttributeAudio(3, voice=True),)


def hostile_files(folder: Path, round_: int = 0) -> list[tuple[str, StoredFile]]:
    """Return all files, each with what it is; those of each round are others to Telegram."""
    png = (folder / "bomb.png" if round_ else photos.huge_png(folder / "bomb.png")).read_bytes()
    tgs, webm, webp, mp4 = "application/x-tgsticker", "video/webm", "image/webp", "video/mp4"
    kinds: tuple[tuple[str, str, Bytes, str, tuple[object, ...]], ...] = (
        ("png bomb", PHOTO, Bytes(png), "", ()),
        ("webp bomb", STICKER, Bytes(webp_bomb()), webp, _sticker()),
        ("endless gif", GIF, Bytes(endless_gif()), "image/gif", _gif()),
        ("wide gif", GIF, Bytes(wide_gif()), "image/gif", _gif()),
        ("tgs that hangs", STICKER, Bytes(stickers.many_stars()), tgs, _sticker()),
        ("tgs bomb", STICKER, Bytes(stickers.bomb()), tgs, _sticker()),
        ("webm of 20,000 pixels", STICKER, Bytes(huge_webm()), webm, _sticker()),
        ("webm of 20,000 pixels in secret", STICKER, Bytes(huge_webm(openly=False)), webm, _sticker()),
        ("video of 20,000 pixels", VIDEO, Bytes(huge_webm()), mp4, _video()),
        ("page called photo", PHOTO, Bytes(b"<html><script>alert(1)</script></html>" * 99), "", ()),
        ("tgs called webp", STICKER, Bytes(stickers.harmless()), webp, _sticker()),
        ("png bomb called voice", VOICE, Bytes(png), "audio/ogg", _voice()),
        ("page called video", VIDEO, Bytes(b"<html>" * 99), mp4, _video()),
        ("2 GB called photo", PHOTO, Bytes(b"\xff\xd8\xff", claimed=2 * GIB - 1), "", ()),
        ("2 GB called video", VIDEO, Bytes(b"\0" * 99, claimed=2 * GIB), mp4, _video()),
        ("1 kB without end", STICKER, Bytes(claimed=1_000, is_endless=True), webp, _sticker()),
    )
    made = []
    for number, (what, kind, content, mime_type, attributes) in enumerate(kinds, FIRST_ID + 100 * round_):
        side = 1_000 if kind == PHOTO else 0
        made.append((what, StoredFile(number, kind, content, 1_790_000_000, mime_type, attributes, side, side)))
    return made


def put(library: MediaLibrary, file: StoredFile) -> MediaRef:
    """Let the sandbox's Telegram have a file; returns its reference."""
    library._files[file.file_id] = file
    return MediaRef(file.kind, file.file_id)
