"""TGS stickers: gzipped Lottie. Excessive content is refused before the rendering library sees it."""

from __future__ import annotations

import gzip
import json
import math
import zlib
from typing import Any, NoReturn

from rlottie_python.rlottie_wrapper import LottieAnimation

from chimein_gui.adapters.frames.drawing import MAX_FPS, MAX_SECONDS, CannotDrawError, Drawing, Effort, fitting

MAX_JSON = 4 * 2**20
"""Bytes after unzipping; the largest stickers of Telegram have 2 MB."""

MAX_NODES = 300_000
"""Most values in the JSON of a sticker."""

MAX_LAYERS = 1_000
MAX_POINTS = 1_000
"""Points of a star or polygon; a million would keep the library busy for minutes (docs/library-facts.md, "Stickers").
"""

MAX_COPIES = 500
MAX_CANVAS = 4_096

BUSY_S = 1.0
"""Seconds that rendering all frames of one sticker may take; slower ones get fewer frames."""

LEAST_FPS = 5


def warm_up() -> None:
    """Render a dummy, so that the library starts its threads before memory is limited."""
    shape = {"v": "5.5.2", "fr": 30, "ip": 0, "op": 1, "w": 8, "h": 8, "layers": []}
    draw(gzip.compress(json.dumps(shape).encode()), 8, 30)


def draw(data: bytes, longest: int, fps: int) -> Drawing:
    """Render a TGS sticker.

    Args:
        data: The file.
        longest: Longest side in pixels.
        fps: Most frames per second.

    Raises:
        CannotDrawError: It is damaged or too large.
    """
    parsed = _parse(_unzip(data))
    _check(parsed)
    parsed["assets"] = [one for one in parsed.get("assets") or [] if "p" not in one]  # pictures: not in stickers
    with LottieAnimation.from_data(json.dumps(parsed), resource_path="") as animation:
        total, rate = animation.lottie_animation_get_totalframe(), animation.lottie_animation_get_framerate()
        width, height = animation.lottie_animation_get_size()
        if not total or not rate or not width or not height:
            raise CannotDrawError("its content makes no animation")
        return _draw(animation, Drawing(*fitting(width, height, longest), min(fps, rate)), total, rate)


def _draw(animation: LottieAnimation, drawing: Drawing, total: int, rate: float) -> Drawing:
    width, height = drawing.width, drawing.height

    def pixels(number: int) -> bytes:
        return bytes(animation.lottie_animation_render(min(number, total - 1), width=width, height=height))

    effort = Effort()
    pixels(total // 2)
    each_s = effort.seconds
    seconds = total / rate
    while drawing.fps > LEAST_FPS and each_s * drawing.fps * seconds > BUSY_S:
        drawing.fps = max(LEAST_FPS, drawing.fps / 2)
    for place in range(max(1, round(seconds * drawing.fps))):
        drawing.add(pixels(round(place * rate / drawing.fps)))
    return drawing


def _unzip(data: bytes) -> bytes:
    unzipper = zlib.decompressobj(wbits=31)
    try:
        plain = unzipper.decompress(data, MAX_JSON + 1)
    except zlib.error as error:
        raise CannotDrawError("it is no gzip file, or a damaged one") from error
    if len(plain) > MAX_JSON:
        raise CannotDrawError("it is too large when unpacked")
    if not unzipper.eof:
        raise CannotDrawError("it is cut off")
    return plain


def _parse(plain: bytes) -> dict[str, Any]:
    try:
        parsed = json.loads(plain, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise CannotDrawError("its content is no JSON that makes sense") from error
    if not isinstance(parsed, dict):
        raise CannotDrawError("its content is no animation")
    return parsed


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _check(parsed: dict[str, Any]) -> None:
    width, height = _number(parsed, "w"), _number(parsed, "h")
    first, last, rate = _number(parsed, "ip"), _number(parsed, "op"), _number(parsed, "fr")
    if not (1 <= width <= MAX_CANVAS and 1 <= height <= MAX_CANVAS):
        raise CannotDrawError("its canvas has no sensible size")
    if not 1 <= rate <= MAX_FPS * 2 or not 0 < last - first <= MAX_SECONDS * rate:
        raise CannotDrawError("it has no sensible length")
    if any(not isinstance(one, dict) for one in parsed.get("assets") or []):
        raise CannotDrawError("its content is no animation")
    _count(parsed)


def _count(parsed: dict[str, Any]) -> None:
    """Check every value without recursion, because the sender controls the depth."""
    nodes = layers = 0
    waiting: list[Any] = [parsed]
    while waiting:
        value = waiting.pop()
        nodes += 1
        if nodes > MAX_NODES:
            raise CannotDrawError("it has too many parts")
        if isinstance(value, dict):
            layers += len(value["layers"]) if isinstance(value.get("layers"), list) else 0
            if layers > MAX_LAYERS:
                raise CannotDrawError("it has too many layers")
            _check_shape(value)
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)


def _check_shape(shape: dict[str, Any]) -> None:
    kind = shape.get("ty")
    if kind == "sr" and _largest(shape.get("pt")) > MAX_POINTS:
        raise CannotDrawError("it has a star with too many points")
    if kind == "rp" and _largest(shape.get("c")) > MAX_COPIES:
        raise CannotDrawError("it repeats something too often")


def _largest(value: object) -> float:
    """Return the largest number in a property, animated or not."""
    largest = 0.0
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)
        elif isinstance(one, int | float):
            largest = max(largest, abs(one))
    return largest


def _number(parsed: dict[str, Any], name: str) -> float:
    value = parsed.get(name)
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise CannotDrawError("its content is no animation")
    return value
