"""Answers that contain an object of a later layer: everything but the message around that object is read.

TL objects have no length, so an unknown one can't be skipped. But the message that contains it has a known beginning,
and only one end fits: the one after which the rest of the answer can be parsed, and serialises to the same bytes. An
empty message of the same id replaces the unreadable one. An object that contains what looks like a message is not
skipped, because a sender may have forged that.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from telethon.errors import TypeNotFoundError
from telethon.extensions import BinaryReader

from chimein_gui.adapters.telegram.transport.tl import TLObject, types
from chimein_gui.domain.ids import MessageId

Read = Callable[[BinaryReader], Any]

MOST_LEFT_OUT = 20
"""Most messages of one answer that are left out; with more the answer counts as unreadable."""

MOST_TRIES = 250
"""Most ends that are tried in one answer."""

_WORD = 4
_VECTOR = 0x1CB5C415
_FAILED = (TypeNotFoundError, struct.error, BufferError, ValueError, OverflowError, TypeError, AttributeError)
"""Errors of parsing bytes that have another meaning."""
_ID_AT = {types.Message.CONSTRUCTOR_ID: 12, types.MessageService.CONSTRUCTOR_ID: 8}
"""Offset of the id in a message: behind its constructor and its flags."""


def read_around(body: bytes, read: Read) -> tuple[Any, tuple[MessageId, ...]]:
    """Read an answer, and leave out the messages with unreadable content.

    Args:
        body: The whole answer.
        read: Telethon's function that reads it.

    Returns:
        The answer, and the ids of the messages that were left out.

    Raises:
        TypeNotFoundError: The unreadable object is in no message, or no end fits.
    """
    search = _Search(read)
    found = search.read(body, ())
    if found is None:
        assert search.error is not None
        raise search.error
    return found


def let_be_read_around(request: TLObject, tell: Callable[[tuple[MessageId, ...]], object]) -> None:
    """Make a request's answer readable even if one of its messages is not; `tell` is called with those left out."""
    plain = request.read_result

    def read(reader: BinaryReader) -> Any:  # noqa: ANN401 - whatever the answer is
        begins = reader.tell_position()
        try:
            return plain(reader)
        except TypeNotFoundError:
            answer, ids = read_around(reader.get_bytes()[begins:], plain)
        tell(ids)
        return answer

    request.read_result = read


def telling_of_unread(decrypt: Callable[[bytes], Any], put: Callable[[TLObject], object]) -> Callable[[bytes], Any]:
    """Decrypt as before; Telethon's sender drops unreadable pushes, so a difference is requested for them."""

    def decrypted(body: bytes) -> Any:  # noqa: ANN401 - Telethon's message
        try:
            return decrypt(body)
        except TypeNotFoundError:
            put(types.UpdatesTooLong())
            raise

    return decrypted


class _Tracer(BinaryReader):  # type: ignore[misc]  # Telethon is untyped
    """A reader that knows which objects were being read when reading failed."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.open: list[int] = []

    def tgread_object(self) -> TLObject:
        self.open.append(self.tell_position())
        found = super().tgread_object()
        self.open.pop()
        return found


class _Search:
    """Searches the ends of unreadable messages."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._tries = MOST_TRIES
        self.error: TypeNotFoundError | None = None

    def read(self, body: bytes, left_out: tuple[MessageId, ...]) -> tuple[Any, tuple[MessageId, ...]] | None:
        """Read the whole body, or return None if it can't be read with any end of the unreadable messages."""
        reader = _Tracer(body)
        try:
            answer = self._read(reader)
        except TypeNotFoundError as error:
            self.error = self.error or error
            return self._without(body, reader.open, left_out)
        except _FAILED:
            return None
        return (answer, left_out) if _says(answer) == body[: reader.tell_position()] else None

    def _without(
        self, body: bytes, open_at: list[int], left_out: tuple[MessageId, ...]
    ) -> tuple[Any, tuple[MessageId, ...]] | None:
        begins = next((at for at in reversed(open_at) if _constructor(body, at) in _ID_AT), None)
        if begins is None or len(left_out) >= MOST_LEFT_OUT:
            return None
        (raw_id,) = struct.unpack_from("<i", body, begins + _ID_AT[_constructor(body, begins)])
        empty = struct.pack("<IIi", types.MessageEmpty.CONSTRUCTOR_ID, 0, raw_id)  # no flags, so no chat
        before = body[:begins] + empty
        for end in range(open_at[-1] + _WORD, len(body) + 1, _WORD):
            if self._tries <= 0 or _constructor(body, end - _WORD) in _ID_AT:
                return None  # never over the beginning of another message, which may be forged
            self._tries -= 1
            if self._leads_on(before, body[end:]):
                found = self.read(before + body[end:], (*left_out, MessageId(raw_id)))
                if found is not None:
                    return found
        return None

    def _leads_on(self, before: bytes, rest: bytes) -> bool:
        """Return whether an end is plausible: the rest can be read to its end, or to a later unreadable object."""
        reader = _Tracer(before + rest)
        try:
            answer = self._read(reader)
        except TypeNotFoundError:
            return reader.open[-1] > len(before) + _WORD and any(
                at >= len(before) and _constructor(before + rest, at) in _ID_AT for at in reader.open
            )
        except _FAILED:
            return False
        return _says(answer) == (before + rest)[: reader.tell_position()]


def _constructor(body: bytes, at: int) -> int:
    return int(struct.unpack_from("<I", body, at)[0])


def _says(answer: Any) -> bytes:  # noqa: ANN401 - whatever an answer is
    """Serialise an answer; a misread one, such as a count taken for a vector, gives other bytes."""
    try:
        if isinstance(answer, list):
            return struct.pack("<II", _VECTOR, len(answer)) + b"".join(map(bytes, answer))
        return bytes(answer)
    except _FAILED:
        return b""
