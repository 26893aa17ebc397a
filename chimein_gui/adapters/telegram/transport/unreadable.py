"""Answers that hold an object of a later layer: all of them but the message around that object is read.

TL tells no object's length, so an unknown one can't be stepped over. But the message that holds it has a known
beginning, and only one end fits: the one after which the rest of the answer reads, and says the same bytes when it is
written again. There an empty message of the same id takes its place. An object that holds what looks like a message is
not read around: somebody may have put that there.
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
"""Messages of one answer that are left out; with more it counts as not readable at all."""

MOST_TRIES = 250
"""Ends that are tried in one answer."""

_WORD = 4
_VECTOR = 0x1CB5C415
_FAILED = (TypeNotFoundError, struct.error, BufferError, ValueError, OverflowError, TypeError, AttributeError)
"""What reading bytes ends with that were not meant so."""
_ID_AT = {types.Message.CONSTRUCTOR_ID: 12, types.MessageService.CONSTRUCTOR_ID: 8}
"""Where in a message its id stands: behind its constructor and its flags."""


def read_around(body: bytes, read: Read) -> tuple[Any, tuple[MessageId, ...]]:
    """Read an answer, and leave out the messages that hold what can't be read.

    Args:
        body: All of it.
        read: Reads it, as Telethon does.

    Returns:
        What it says, and the ids of the messages that were left out.

    Raises:
        TypeNotFoundError: What can't be read is in no message, or nothing fits around it.
    """
    search = _Search(read)
    found = search.read(body, ())
    if found is None:
        assert search.error is not None
        raise search.error
    return found


def let_be_read_around(request: TLObject, tell: Callable[[tuple[MessageId, ...]], object]) -> None:
    """Let the answer to a request be read also where one of its messages can't be; `tell` hears which."""
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
    """Decrypt as before; what is pushed and can't be read, Telethon's sender drops, so a difference is asked for."""

    def decrypted(body: bytes) -> Any:  # noqa: ANN401 - Telethon's message
        try:
            return decrypt(body)
        except TypeNotFoundError:
            put(types.UpdatesTooLong())
            raise

    return decrypted


class _Tracer(BinaryReader):  # type: ignore[misc]  # Telethon is untyped
    """Knows which objects were being read when reading ended."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.open: list[int] = []

    def tgread_object(self) -> TLObject:
        self.open.append(self.tell_position())
        found = super().tgread_object()
        self.open.pop()
        return found


class _Search:
    """Looks for the ends of what can't be read."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._tries = MOST_TRIES
        self.error: TypeNotFoundError | None = None

    def read(self, body: bytes, left_out: tuple[MessageId, ...]) -> tuple[Any, tuple[MessageId, ...]] | None:
        """Read all of it, or return None if it can't be read with any end of what is left out."""
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
                return None  # never over the beginning of another message, whoever has put it there
            self._tries -= 1
            if self._leads_on(before, body[end:]):
                found = self.read(before + body[end:], (*left_out, MessageId(raw_id)))
                if found is not None:
                    return found
        return None

    def _leads_on(self, before: bytes, rest: bytes) -> bool:
        """Tell whether an end is worth a look: what follows reads to its end, or to another such object further on."""
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
    """Return an answer as it is sent; what was read askew, such as a count for a vector, does not come out the same."""
    try:
        if isinstance(answer, list):
            return struct.pack("<II", _VECTOR, len(answer)) + b"".join(map(bytes, answer))
        return bytes(answer)
    except _FAILED:
        return b""
