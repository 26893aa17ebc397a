"""Files attached to a message being written: a thread examines them before they are shown."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QCoreApplication, QIODevice, QObject, QSize, Qt, Signal
from PySide6.QtGui import QImage, QImageReader, QImageWriter

from chimein_gui.domain.ids import ChatId
from chimein_gui.domain.plans.outgoing_files import MAX_FILE_BYTES, MAX_PHOTO_BYTES, FileToSend

_log = logging.getLogger(__name__)

translate = QCoreApplication.translate

MOST_FILES = 10
"""Most attachments of one message."""

_SIDE = 96
"""Longest side of a thumbnail, in pixels."""

_PHOTO_FORMATS = frozenset({b"jpeg", b"png", b"webp"})
"""Formats that Telegram accepts as photos; a GIF would lose its motion."""

_MAX_SIDES, _MAX_RATIO = 10_000, 20


@dataclass(frozen=True, slots=True, eq=False)
class Attachment:
    """One attached file; two attachments are never equal, even of the same file.

    Attributes:
        file: What would be sent.
        size: Bytes.
        small: A thumbnail; None where it is no picture.
        may_be_photo: Telegram would accept it as a photo.
    """

    file: FileToSend
    size: int
    small: QImage | None = None
    may_be_photo: bool = False

    def sent_as(self, *, photo: bool) -> Attachment:
        """Return a copy that is sent as a photo, if it may be, or as a file."""
        return replace(self, file=replace(self.file, as_photo=photo and self.may_be_photo))


class FileLooker(QObject):
    """Examines files in its own thread: a slow disk or a large picture must not block the window.

    Attributes:
        found: Carries the chat id, the attachments, and in words why other files cannot be attached.
    """

    found = Signal(object, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread: ThreadPoolExecutor | None = None

    def look(self, chat_id: ChatId, sources: tuple[Path | QImage, ...]) -> None:
        """Examine files for a chat; `found` reports the result."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="attachments")
        self._thread.submit(self._look, chat_id, sources)

    def close(self) -> None:
        """Wait for the thread and end it."""
        if self._thread is not None:
            self._thread.shutdown(wait=True, cancel_futures=True)
            self._thread = None

    def _look(self, chat_id: ChatId, sources: tuple[Path | QImage, ...]) -> None:
        try:
            found, problems = look_at(sources)
        except Exception:  # noqa: BLE001 - the thread pool would swallow it
            _log.exception("Files could not be looked at")
            found, problems = (), (translate("Attachments", "The files could not be read"),)
        self.found.emit(chat_id, found, problems)


def look_at(sources: tuple[Path | QImage, ...]) -> tuple[tuple[Attachment, ...], tuple[str, ...]]:
    """Examine files and pictures; runs in a thread.

    Returns:
        The attachments, and in words why other files cannot be attached.
    """
    found: list[Attachment] = []
    problems: list[str] = []
    for source in sources[:MOST_FILES]:
        if isinstance(source, QImage):
            found.append(_of_clipboard(source))
            continue
        try:
            found.append(_of_path(source))
        except OSError:
            problems.append(translate("Attachments", "{name} cannot be read").format(name=source.name))
        except ValueError as error:
            problems.append(str(error))
    if len(sources) > MOST_FILES:
        problems.append(translate("Attachments", "at most %n file(s) at once", "", MOST_FILES))
    return tuple(found), tuple(problems)


def _of_clipboard(image: QImage) -> Attachment:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    content = bytes(buffer.data().data())
    name = translate("Attachments", "Picture") + ".png"
    file = FileToSend(content, name, width=image.width(), height=image.height())
    return _pictured(Attachment(file, len(content), _small(image)), image.size())


def _of_path(path: Path) -> Attachment:
    if not path.is_file():
        raise ValueError(translate("Attachments", "{name} is a folder, not a file").format(name=path.name))
    size = path.stat().st_size
    if not size:
        raise ValueError(translate("Attachments", "{name} is empty").format(name=path.name))
    if size > MAX_FILE_BYTES:
        raise ValueError(translate("Attachments", "{name} is larger than 2 GB").format(name=path.name))
    plain = Attachment(FileToSend(path, path.name), size)
    reader = QImageReader(str(path))
    reader.setAutoTransform(True)
    sides = reader.size()
    if not sides.isValid() or bytes(reader.format().data()) not in _PHOTO_FORMATS:
        return plain
    reader.setScaledSize(sides.scaled(QSize(_SIDE, _SIDE), Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    if image.isNull():
        return plain
    file = replace(plain.file, width=sides.width(), height=sides.height())
    return _pictured(replace(plain, file=file, small=image), sides)


def _pictured(attachment: Attachment, sides: QSize) -> Attachment:
    """Send a picture as a photo, unless Telegram would refuse that."""
    long, short = max(sides.width(), sides.height()), max(1, min(sides.width(), sides.height()))
    fits = sides.width() + sides.height() <= _MAX_SIDES and long <= _MAX_RATIO * short
    may = fits and attachment.size <= MAX_PHOTO_BYTES
    return replace(attachment, may_be_photo=may).sent_as(photo=True)


def _small(image: QImage) -> QImage:
    return image.scaled(_SIDE, _SIDE, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
