"""One TCP connection: packets in, calls executed, answers and pushes out.

A plain asyncio protocol without tasks: everything a packet asks for is done inside `data_received`, so that under
qasync a round trip costs one callback.
"""

import asyncio
import struct
from typing import cast

from chimein_gui.sandbox import service
from chimein_gui.sandbox.crypto import BadPacketError, decrypt, encrypt, key_id_of
from chimein_gui.sandbox.handshake import answer_unencrypted
from chimein_gui.sandbox.rpc.registry import Dispatcher
from chimein_gui.sandbox.timekeeping import MessageIds
from chimein_gui.sandbox.tl import CONTAINER_ID, GZIP_ID, RPC_RESULT_ID, TypeNotFoundError, inflate, read_object, types
from chimein_gui.sandbox.updates import Hub
from chimein_gui.sandbox.wire import UNKNOWN_KEY, BadStreamError, Transport, detect

_ENVELOPE = struct.Struct("<qqqii")  # salt, session id, message id, sequence number, length
_INNER = struct.Struct("<qii")  # message id, sequence number, length
_MAX_BACKLOG = 16 * 1024 * 1024
_MALFORMED = (BadStreamError, BadPacketError, BufferError, EOFError, ValueError, struct.error)


class Session(asyncio.Protocol):
    """A client's connection, of whichever key its packets carry."""

    def __init__(self, dispatcher: Dispatcher, hub: Hub, open_sessions: set["Session"]) -> None:
        self._dispatcher = dispatcher
        self._hub = hub
        self._open_sessions = open_sessions
        self._keys = dispatcher.world.keys
        self._buffer = bytearray()
        self._framing: Transport | None = None
        self._ids = MessageIds()
        self._content_count = 0
        self._session_id = 0
        self._key = b""
        self._answers: list[tuple[int, int, bytes]] = []
        self.key_id = 0

    # -- asyncio ------------------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember where to write."""
        self._transport = cast("asyncio.Transport", transport)
        self._gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._open_sessions.add(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio calls it so
        """Forget the client."""
        self._open_sessions.discard(self)
        self._hub.detach(self)
        self._gone.set_result(None)

    def data_received(self, data: bytes) -> None:
        """Execute every complete packet, commit, then answer."""
        self._buffer += data
        try:
            self._consume()
        except _MALFORMED:
            self._transport.abort()
        finally:
            self._hub.settle(self)
        self._flush()

    def drop(self) -> asyncio.Future[None]:
        """Drop the client; the future is done when the socket is closed."""
        self._transport.abort()
        return self._gone

    # -- in -----------------------------------------------------------------------------------------------------------

    def _consume(self) -> None:
        if self._framing is None:
            self._framing = detect(self._buffer)
        if self._framing is None:
            return
        while (packet := self._framing.take(self._buffer)) is not None:
            self._on_packet(packet)

    def _on_packet(self, packet: bytes) -> None:
        key_id = key_id_of(packet)
        if key_id == 0:
            self._write(answer_unencrypted(packet))
            return
        key = self._keys.key(key_id)
        if key is None:
            self._write(UNKNOWN_KEY)  # the client hangs up; closing first would look like a network fault to it
            return
        self.key_id, self._key = key_id, key
        plain = decrypt(key, packet)
        _salt, self._session_id, message_id, _sequence, length = _ENVELOPE.unpack_from(plain)
        self._on_message(message_id, plain[_ENVELOPE.size : _ENVELOPE.size + length])

    def _on_message(self, message_id: int, body: bytes) -> None:
        constructor = int.from_bytes(body[:4], "little")
        if constructor == CONTAINER_ID:
            self._on_container(body)
        elif constructor == GZIP_ID:
            self._on_message(message_id, inflate(body))
        else:
            self._on_object(message_id, body)

    def _on_container(self, body: bytes) -> None:
        position = 8
        for _ in range(int.from_bytes(body[4:8], "little")):
            message_id, _sequence, length = _INNER.unpack_from(body, position)
            position += _INNER.size
            self._on_message(message_id, body[position : position + length])
            position += length

    def _on_object(self, message_id: int, body: bytes) -> None:
        try:
            request = read_object(body)
        except TypeNotFoundError:
            self._result(message_id, bytes(types.RpcError(400, "METHOD_INVALID")))
            return
        if service.is_service(request):
            if (answer := service.answer(message_id, request)) is not None:
                self._answers.append((self._ids.reply(), self._next_sequence(), answer))
            return
        self._result(message_id, self._dispatcher.execute(self, request))

    # -- out ----------------------------------------------------------------------------------------------------------

    def push(self, update: bytes) -> None:
        """Send an update that no call of this client asked for."""
        if self._session_id and not self._transport.is_closing():
            self._send(self._ids.push(), self._next_sequence(), update)

    def _result(self, request_id: int, body: bytes) -> None:
        result = struct.pack("<Iq", RPC_RESULT_ID, request_id) + body
        self._answers.append((self._ids.reply(), self._next_sequence(), result))

    def _next_sequence(self) -> int:
        self._content_count += 1
        return self._content_count * 2 - 1

    def _flush(self) -> None:
        """Send the answers of one turn, several in a container."""
        answers, self._answers = self._answers, []
        if not answers or self._transport.is_closing():
            return
        if len(answers) == 1:
            self._send(*answers[0])
            return
        parts = [_INNER.pack(mid, sequence, len(body)) + body for mid, sequence, body in answers]
        container = struct.pack("<Ii", CONTAINER_ID, len(parts)) + b"".join(parts)
        self._send(self._ids.reply(), self._content_count * 2, container)

    def _send(self, message_id: int, sequence: int, body: bytes) -> None:
        plain = _ENVELOPE.pack(0, self._session_id, message_id, sequence, len(body)) + body
        self._write(encrypt(self._key, self.key_id, plain))

    def _write(self, packet: bytes) -> None:
        if self._framing is None:
            return
        if self._transport.get_write_buffer_size() > _MAX_BACKLOG:
            self._transport.abort()  # a client that never reads must not eat our memory
            return
        self._transport.write(self._framing.encode(packet))
