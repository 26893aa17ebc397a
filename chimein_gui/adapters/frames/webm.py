"""WEBM stickers: VP9 video with an alpha channel. Needs the optional extra `video`."""

from __future__ import annotations

import contextlib
import importlib
import io
import pkgutil

import av

from chimein_gui.adapters.frames.drawing import MAX_SECONDS, CannotDrawError, Drawing, fitting

MAX_CANVAS = 1_024
"""Most pixels per side; Telegram's own limit is 512."""

MAX_FRAMES = 600


def warm_up() -> None:
    """Load all modules of the library: some are imported on first use, when no file can be opened any more."""
    for found in pkgutil.walk_packages(av.__path__, "av."):
        if not found.name.endswith("__main__"):
            with contextlib.suppress(ImportError):
                importlib.import_module(found.name)


def draw(data: bytes, longest: int, fps: int) -> Drawing:
    """Render a WEBM sticker.

    Args:
        data: The file.
        longest: Longest side in pixels.
        fps: Most frames per second.

    Raises:
        CannotDrawError: It is damaged or too large.
    """
    try:
        # The format is named, so that no other demuxer, and none that opens further files, is tried.
        with av.open(io.BytesIO(data), format="matroska") as container:
            return _draw(container, longest, fps)
    except (av.error.FFmpegError, IndexError, ValueError) as error:
        raise CannotDrawError("it is no video, or a damaged one") from error


def _draw(container: av.container.InputContainer, longest: int, fps: int) -> Drawing:
    stream = container.streams.video[0]
    width, height = stream.codec_context.width, stream.codec_context.height
    if not (1 <= width <= MAX_CANVAS and 1 <= height <= MAX_CANVAS):
        raise CannotDrawError("its picture has no sensible size")
    # FFmpeg's own VP9 decoder drops the alpha channel; this one keeps it.
    name = {"vp9": "libvpx-vp9", "vp8": "libvpx"}.get(stream.codec_context.name)
    if name is None:
        raise CannotDrawError("it is no VP9 video")
    decoder = av.CodecContext.create(name, "r")
    rate = float(stream.average_rate or stream.guessed_rate or 30)
    drawing = Drawing(*fitting(width, height, longest), min(float(fps), rate), is_premultiplied=False)
    next_at = 0.0
    for number, packet in enumerate(container.demux(stream)):
        if number > MAX_FRAMES:
            raise CannotDrawError("it has too many frames")
        for frame in decoder.decode(packet) if packet.size else ():
            at = frame.time if frame.time is not None else number / rate
            if at > MAX_SECONDS:
                return drawing
            if at + 0.5 / rate >= next_at:
                next_at += 1 / drawing.fps
                drawing.add(pixels_of(frame, drawing.width, drawing.height))
                if drawing.is_full:
                    return drawing
    if not drawing.packed:
        raise CannotDrawError("it holds no picture")
    return drawing


def pixels_of(frame: av.VideoFrame, width: int, height: int) -> bytes:
    """Return a frame in another size, 4 bytes a pixel."""
    # In two steps: FFmpeg 8 makes what is opaque a little transparent when it changes size and colours at once.
    plane = frame.reformat(width=width, height=height).reformat(format="bgra").planes[0]
    rows, row_bytes = bytes(plane), width * 4
    return b"".join(rows[y * plane.line_size : y * plane.line_size + row_bytes] for y in range(height))
