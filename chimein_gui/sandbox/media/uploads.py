"""Files that are being uploaded in parts (`upload.saveFilePart`), until a message uses them.

The parts are in memory: a restart of the sandbox loses unfinished uploads. When there are too many, the oldest are
dropped.
"""

import hashlib
from collections.abc import Iterator

MAX_PART = 512 * 1_024
MAX_PARTS = 4_000
SMALL_FILE = 10 * 1_024 * 1_024
"""Maximum size of a small file in bytes; larger ones must be uploaded as big files."""

_MOST_UPLOADS = 20


class UploadFault(Exception):  # noqa: N818 - it is an answer, not an error of ours
    """The upload is refused; the text is Telegram's name of the error."""


class Uploads:
    """Collects the parts of uploads."""

    def __init__(self) -> None:
        self._parts: dict[tuple[int, int], dict[int, bytes]] = {}

    def save(self, user_id: int, upload_id: int, index: int, data: bytes, *, total: int | None = None) -> None:
        """Store a part; one with the same index is replaced.

        Args:
            user_id: Who uploads.
            upload_id: The client's id of the file.
            index: Number of the part, from 0.
            data: At most 512 KB.
            total: How many parts there will be, known for big files; -1 if the client does not know yet.

        Raises:
            UploadFault: If the part is invalid.
        """
        _check_part(index, data, total)
        while len(self._parts) >= _MOST_UPLOADS and (user_id, upload_id) not in self._parts:
            del self._parts[next(iter(self._parts))]
        self._parts.setdefault((user_id, upload_id), {})[index] = data

    def whole(self, user_id: int, upload_id: int, parts: int) -> "WholeUpload":
        """Return a complete upload.

        Raises:
            UploadFault: If parts are missing or inconsistent.
        """
        if not 0 < parts <= MAX_PARTS:
            raise UploadFault("FILE_PARTS_INVALID")
        kept = self._parts.get((user_id, upload_id), {})
        for index in range(parts):
            if index not in kept:
                raise UploadFault(f"FILE_PART_{index}_MISSING")
        step = len(kept[0])
        if parts > 1 and (step % 1_024 or MAX_PART % step):
            raise UploadFault("FILE_PART_SIZE_INVALID")
        if any(len(kept[index]) != step for index in range(parts - 1)) or len(kept[parts - 1]) > step:
            raise UploadFault("FILE_PART_SIZE_CHANGED")
        return WholeUpload([kept[index] for index in range(parts)])

    def forget(self, user_id: int, upload_id: int) -> None:
        """Drop the parts of an upload that has been stored."""
        self._parts.pop((user_id, upload_id), None)


class WholeUpload:
    """All parts of a file, in order."""

    def __init__(self, parts: list[bytes]) -> None:
        self._parts = parts
        self.size = sum(map(len, parts))

    def pieces(self) -> Iterator[bytes]:
        """Iterate over the content, one part at a time."""
        return iter(self._parts)

    def head(self) -> bytes:
        """Return the beginning, at most 64 KB."""
        return self._parts[0][: 64 * 1_024]

    def md5(self) -> str:
        """Return the MD5 checksum in hexadecimal, to compare with the client's."""
        return hashlib.md5(b"".join(self._parts), usedforsecurity=False).hexdigest()


def _check_part(index: int, data: bytes, total: int | None) -> None:
    if not data:
        raise UploadFault("FILE_PART_EMPTY")
    if len(data) > MAX_PART:
        raise UploadFault("FILE_PART_TOO_BIG")
    if not 0 <= index < MAX_PARTS:
        raise UploadFault("FILE_PART_INVALID")
    if total is None:
        return
    if total != -1 and not index < total <= MAX_PARTS:
        raise UploadFault("FILE_PARTS_INVALID")
    if index < total - 1 and (len(data) % 1_024 or MAX_PART % len(data)):
        raise UploadFault("FILE_PART_SIZE_INVALID")
