"""Videos and silent videos that Telegram calls GIF, in MP4 or WEBM. Needs the optional extra `video`."""

from __future__ import annotations

import io

import av

from chimein_gui.adapters.frames.drawing import MAX_SECONDS, CannotDrawError, Drawing, Effort, fitting
from chimein_gui.adapters.frames.webm import pixels_of

MAX_CANVAS = 4_096
FRAMES = 12
"""Frames that are taken of a whole video, at equal distances."""
MAX_PACKETS = 30_000
MAX_FPS = 15.0
"""Frames a second of a video that moves."""
_CODECS = frozenset({"h264", "hevc", "vp8", "vp9", "av1", "mpeg4"})
_MATROSKA = b"\x1aE\xdf\xa3"


def draw(data: bytes, longest: int, fps: int) -> Drawing:
    """Return the first ten seconds of a video, or some frames of all of it.

    Args:
        data: The file.
        longest: Longest side in pixels.
        fps: Most frames per second; 0 for some frames of all of it.

    Raises:
        CannotDrawError: It is damaged, too large or of an unknown kind.
    """
    # The format is named, so that no demuxer that opens further files is tried.
    form = "matroska" if data.startswith(_MATROSKA) else "mov"
    try:
        with av.open(io.BytesIO(data), format=form) as container:
            return _draw(container, longest, fps)
    except (av.error.FFmpegError, IndexError, ValueError) as error:
        raise CannotDrawError("it is no video, or a damaged one") from error


def _draw(container: av.container.InputContainer, longest: int, fps: int) -> Drawing:
    stream = container.streams.video[0]
    context = stream.codec_context
    if not (1 <= context.width <= MAX_CANVAS and 1 <= context.height <= MAX_CANVAS):
        raise CannotDrawError("its picture has no sensible size")
    if context.name not in _CODECS:
        raise CannotDrawError("it is no video of a usual kind")
    seconds = (container.duration or 0) / av.time_base
    if fps:
        rate = float(stream.average_rate or stream.guessed_rate or MAX_FPS)
        drawing = _drawing(context, longest, max(1.0, min(float(fps), MAX_FPS, rate)))
        _add_frames(container, stream, drawing, 1 / drawing.fps, MAX_SECONDS)
    else:
        if seconds > MAX_SECONDS:
            context.skip_frame = "NONKEY"  # the others take long, and look alike
        drawing = _drawing(context, longest, 1.0)
        _add_frames(container, stream, drawing, max(seconds, 0.1) / FRAMES, max(seconds, MAX_SECONDS), FRAMES)
    if not drawing.packed:
        raise CannotDrawError("it holds no picture")
    return drawing


def _drawing(context: av.CodecContext, longest: int, fps: float) -> Drawing:
    return Drawing(*fitting(context.width, context.height, longest), fps, is_premultiplied=False)


def _add_frames(
    container: av.container.InputContainer,
    stream: av.VideoStream,
    drawing: Drawing,
    distance_s: float,
    until_s: float,
    most: int = MAX_PACKETS,
) -> None:
    """Add the frames that are at least so far apart, up to a time; fewer if they are too much work, or too large."""
    effort, next_at = Effort(), 0.0
    for number, packet in enumerate(container.demux(stream)):
        for frame in packet.decode():
            at = frame.time or 0.0
            if at > until_s or drawing.is_full or len(drawing.packed) >= most:
                return
            if at + 1e-3 >= next_at:
                next_at += distance_s
                drawing.add(pixels_of(frame, drawing.width, drawing.height))
        if number > MAX_PACKETS or (drawing.packed and effort.is_spent):
            return
