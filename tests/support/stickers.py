"""TGS stickers for tests: a harmless one, and hostile ones."""

from __future__ import annotations

import functools
import gzip
import json
import struct
import zlib
from typing import Any

SIDE = 512
FPS = 60


def shape(kind: str, **properties: Any) -> dict[str, Any]:
    return {"ty": kind, **properties}


def fixed(value: Any) -> dict[str, Any]:
    return {"a": 0, "k": value}


def turning() -> dict[str, Any]:
    """Return a transformation that turns once."""
    ease = {"i": {"x": [0.6], "y": [1]}, "o": {"x": [0.4], "y": [0]}}
    keys = [{"t": 0, "s": [0], **ease}, {"t": 90, "s": [100], **ease}, {"t": 180, "s": [200]}]
    return {
        "o": fixed(100),
        "r": {"a": 1, "k": keys},
        "p": fixed([SIDE / 2, SIDE / 2, 0]),
        "a": fixed([0, 0, 0]),
        "s": fixed([100, 100, 100]),
    }


def layer(*shapes: dict[str, Any], frames: int = 180) -> dict[str, Any]:
    still = {
        "ty": "tr", "p": fixed([0, 0]), "a": fixed([0, 0]), "s": fixed([100, 100]), "r": fixed(0), "o": fixed(100),
    }  # fmt: skip
    group = {"ty": "gr", "it": [*shapes, shape("fl", c=fixed([0.1, 0.5, 0.9, 1]), o=fixed(100)), still]}
    return {
        "ty": 4,
        "ddd": 0,
        "sr": 1,
        "bm": 0,
        "ind": 1,
        "ip": 0,
        "op": frames,
        "st": 0,
        "ks": turning(),
        "shapes": [group],
    }


def star(points: int, size: float = 200) -> dict[str, Any]:
    return shape(
        "sr", sy=1, d=1, pt=fixed(points), p=fixed([0, 0]), r=fixed(0),
        ir=fixed(size / 2), **{"is": fixed(0)}, **{"or": fixed(size)}, os=fixed(0),
    )  # fmt: skip


def lottie(*layers: dict[str, Any], frames: int = 180, **changes: Any) -> dict[str, Any]:
    made = {"v": "5.5.2", "tgs": 1, "fr": FPS, "ip": 0, "op": frames, "w": SIDE, "h": SIDE, "layers": list(layers)}
    return made | changes


def tgs(content: dict[str, Any]) -> bytes:
    return gzip.compress(json.dumps(content).encode(), mtime=0)


def harmless(number: int = 5) -> bytes:
    """Return a star of `number` points that turns for three seconds."""
    return tgs(lottie(layer(star(number))))


_BOMB_MB = 512


@functools.cache
def bomb() -> bytes:
    """Return half a MB that decompresses to 512 MB: one compressed MB of blanks, over and over."""
    blanks = b" " * 2**20
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    packed = packer.compress(blanks) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = 0
    for _ in range(_BOMB_MB):
        checksum = zlib.crc32(blanks, checksum)
    head = gzip.compress(b"", mtime=0)[:10]
    return head + packed * _BOMB_MB + packer.flush() + struct.pack("<II", checksum, _BOMB_MB * 2**20)


def endless_star() -> bytes:
    """Return a star of a million points, which would keep the library busy for minutes."""
    return tgs(lottie(layer(star(1_000_000))))


def many_stars() -> bytes:
    """Return a sticker in which every number is allowed, but all of them together take far too long."""
    return tgs(lottie(*(layer(*(star(1_000) for _ in range(200))) for _ in range(40))))


def self_eater() -> bytes:
    """Return a composition that contains itself, so that the library's stack overflows."""
    inner = {"ty": 0, "ind": 1, "refId": "a", "ip": 0, "op": 180, "st": 0, "w": SIDE, "h": SIDE, "ks": turning()}
    return tgs(lottie(inner, assets=[{"id": "a", "layers": [inner]}]))


def nested_lists() -> bytes:
    return gzip.compress(b"[" * 200_000 + b"]" * 200_000, mtime=0)


def picture_from_disk(path: str) -> bytes:
    """Return a sticker with a layer that shows a file of the reader's disk."""
    folder, _, name = path.rpartition("/")
    image = {"id": "image_0", "w": SIDE, "h": SIDE, "u": f"{folder}/", "p": name, "e": 0}
    shown = {"ty": 2, "ind": 1, "refId": "image_0", "ip": 0, "op": 180, "st": 0, "ks": turning()}
    return tgs(lottie(shown, assets=[image]))
