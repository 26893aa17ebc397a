"""Reads the picture of a message. The bytes are foreign, so the header is checked before anything is decoded.

`read_still` runs in a thread of its own.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QLoggingCategory, QSize, Qt
from PySide6.QtGui import QImage, QImageIOHandler, QImageReader

from chimein_gui.domain.media.picture_size import MOST_PIXELS

if TYPE_CHECKING:
    from pathlib import Path

MEMORY_MB = 64
"""Most memory that decoding one picture may take."""

MAX_PIXELS = MOST_PIXELS
MAX_SIDE = 16_384
MAX_FILE = 32 * 2**20

_BEGINNINGS = ((b"\x89PNG\r\n\x1a\n", b"png"), (b"\xff\xd8\xff", b"jpeg"), (b"GIF87a", b"gif"), (b"GIF89a", b"gif"))
_ENDS = {b"png": b"IEND\xaeB`\x82", b"jpeg": b"\xff\xd9"}
_TAIL = 4096


class PictureState(StrEnum):
    """The state of a message's picture."""

    WAITING = "waiting"
    READY = "ready"
    BROKEN = "broken"
    TOO_BIG = "too big"
    OFFLINE = "offline"


class UnreadablePictureError(Exception):
    """A picture cannot be shown; the message says why.

    Attributes:
        state: BROKEN or TOO_BIG.
    """

    def __init__(self, why: str, state: PictureState = PictureState.BROKEN) -> None:
        super().__init__(why)
        self.state = state


def set_up() -> None:
    """Limit the memory of image decoders for the whole program, and silence their log: errors are logged once here."""
    QImageReader.setAllocationLimit(MEMORY_MB)
    # A call replaces the rules of an earlier one, so the rule that `program` sets is repeated here.
    QLoggingCategory.setFilterRules("qt.gui.imageio*=false\nqt.text.font.db=false")


def read_still(path: Path, box: QSize) -> QImage:
    """Return a picture scaled down to fit `box`; of an animation the first frame.

    Args:
        path: A WebP, JPEG, PNG or GIF file; its suffix does not matter.
        box: Longest sides in device pixels, after rotation.

    Raises:
        UnreadablePictureError: It has another format, is damaged, or is too large.
    """
    reader = QImageReader(str(path), _format_of(path))
    reader.setAutoDetectImageFormat(False)
    reader.setAutoTransform(True)
    size = reader.size()
    if size.isEmpty():
        raise UnreadablePictureError("its header cannot be read")
    if size.width() * size.height() > MAX_PIXELS or max(size.width(), size.height()) > MAX_SIDE:
        raise UnreadablePictureError(f"it has {size.width()} × {size.height()} pixels", PictureState.TOO_BIG)
    lies = reader.transformation() & QImageIOHandler.Transformation.TransformationRotate90
    room = box.transposed() if lies else box
    if size.width() > room.width() or size.height() > room.height():
        fitting = size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
        reader.setScaledSize(fitting.expandedTo(QSize(1, 1)))
    image = reader.read()
    if image.isNull():
        raise UnreadablePictureError("it is damaged")
    return image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)


def _format_of(path: Path) -> bytes:
    """Return the format by the first bytes; raise if the length or the last bytes show that the file is cut off."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(16)
            file.seek(max(0, size - _TAIL))
            tail = file.read(_TAIL)
    except OSError as error:
        raise UnreadablePictureError(error.strerror or "it cannot be read") from error
    if size > MAX_FILE:
        raise UnreadablePictureError(f"it has {size} bytes", PictureState.TOO_BIG)
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        if size < int.from_bytes(head[4:8], "little") + 8:
            raise UnreadablePictureError("it is cut off")
        return b"webp"
    for beginning, name in _BEGINNINGS:
        if head.startswith(beginning):
            if _ENDS.get(name, b"") not in tail:
                raise UnreadablePictureError("it is cut off")
            return name
    raise UnreadablePictureError("it is no WebP, JPEG, PNG or GIF picture")
