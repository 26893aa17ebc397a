"""Frames of videos and gifs, in MP4 or WEBM. Needs the optional extra `video`."""

from __future__ import annotations

import io

import av

from chimein_gui.adapters.frames.drawing import MAX_SECONDS, CannotDrawError, Drawing, fitting
from chimein_gui.adapters.frames.webm import pixels_of, warm_up

__all__ = ["draw", "warm_up"]

MAX_CANVAS = 4_096
FRAMES = 12
"""Frames that are taken of a video, at equal distances."""
MAX_PACKETS = 30_000
_CODECS = frozenset({"h264", "hevc", "vp8", "vp9", "av1", "mpeg4"})
_MATROSKA = b"\x1aE\xdf\xa3"


def draw(data: bytes, longest: int, _fps: int) -> Drawing:
    """Return some frames of a video.

    Args:
        data: The file.
        longest: Longest side in pixels.

    Raises:
        CannotDrawError: It is damaged, too large or of an unknown kind.
    """
    # The format is named, so that no demuxer that opens further files is tried.
    form = "matroska" if data.startswith(_MATROSKA) else "mov"
    try:
        with av.open(io.BytesIO(data), format=form) as container:
            return _draw(container, longest)
    except (av.error.FFmpegError, IndexError, ValueError) as error:
        raise CannotDrawError("it is no video, or a damaged one") from error


def _draw(container: av.container.InputContainer, longest: int) -> Drawing:
    stream = container.streams.video[0]
    context = stream.codec_context
    if not (1 <= context.width <= MAX_CANVAS and 1 <= context.height <= MAX_CANVAS):
        raise CannotDrawError("its picture has no sensible size")
    if context.name not in _CODECS:
        raise CannotDrawError("it is no video of a usual kind")
    seconds = (container.duration or 0) / av.time_base
    if seconds > MAX_SECONDS:
        context.skip_frame = "NONKEY"  # the others take long, and look alike
    drawing = Drawing(*fitting(context.width, context.height, longest), 1.0, is_premultiplied=False)
    next_at = 0.0
    for number, packet in enumerate(container.demux(stream)):
        if number > MAX_PACKETS or len(drawing.packed) >= FRAMES:
            break
        for frame in packet.decode():
            if (frame.time or 0.0) + 1e-3 >= next_at:
                next_at += max(seconds, 0.1) / FRAMES
                drawing.add(pixels_of(frame, drawing.width, drawing.height))
    if not drawing.packed:
        raise CannotDrawError("it holds no picture")
    return drawing
