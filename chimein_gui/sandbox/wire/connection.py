"""One TCP connection of a client: receives packets, executes calls, sends answers and pushes.

This is an asyncio protocol without tasks: `data_received` does all the work for a packet, so that a round trip costs
one callback under qasync.
"""

import asyncio
import struct
from typing import cast

from chimein_gui.sandbox.faults.outcomes import CutError
from chimein_gui.sandbox.rpc.registry import Dispatcher
from chimein_gui.sandbox.timekeeping import Alarms
from chimein_gui.sandbox.views.update_hub import Hub
from chimein_gui.sandbox.wire import containers
from chimein_gui.sandbox.wire.crypto import BadPacketError, decrypt, encrypt, key_id_of
from chimein_gui.sandbox.wire.handshake import KeyExchange
from chimein_gui.sandbox.wire.mtproto_session import (
    CONTAINER_REPEATED,
    FORGOTTEN,
    INVALID_CONTAINER,
    MtprotoSession,
    MtprotoSessions,
    Sent,
    answer_service,
    fresh_session_name,
    is_service,
    timing_fault,
)
from chimein_gui.sandbox.wire.salts import Salts
from chimein_gui.sandbox.wire.server_key import ServerKey
from chimein_gui.sandbox.wire.tl import (
    GZIP_ID,
    RPC_ERROR_ID,
    RPC_RESULT_ID,
    TLObject,
    TypeNotFoundError,
    deflate,
    functions,
    inflate,
    read_object,
    types,
)
from chimein_gui.sandbox.wire.transports import UNKNOWN_KEY, BadStreamError, Transport, detect

_ENVELOPE = struct.Struct("<qqqii")  # salt, session id, message id, sequence number, length
_ERROR = struct.pack("<I", RPC_ERROR_ID)
_GZIP = struct.pack("<I", GZIP_ID)
_WRONG_SALT = 48
_MAX_BACKLOG = 16 * 1024 * 1024
_MALFORMED = (BadStreamError, BadPacketError, BufferError, EOFError, RecursionError, ValueError, struct.error)


class ClientConnection(asyncio.Protocol):
    """A client's connection; each packet may use another auth key.

    Attributes:
        key_id: The auth key of the last packet.
        session: The MTProto session of the last packet.
        sessions: All sessions of the server.
        salts: The salts of the key.
    """

    def __init__(
        self,
        dispatcher: Dispatcher,
        hub: Hub,
        open_connections: set["ClientConnection"],
        sessions: MtprotoSessions,
        server_key: ServerKey,
    ) -> None:
        self.key_id = 0
        self.session = MtprotoSession()
        self.sessions = sessions
        self.salts = Salts(lambda _period: 0)
        self._dispatcher = dispatcher
        self._hub = hub
        self._open_connections = open_connections
        self._keys = dispatcher.world.keys
        self._exchange = KeyExchange(server_key, self._keys.adopt)
        self._buffer = bytearray()
        self._framing: Transport | None = None
        self._session_id = 0
        self._key = b""
        self._answers: list[Sent] = []
        self._late = Alarms()

    # -- asyncio ------------------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport and register the connection."""
        self._transport = cast("asyncio.Transport", transport)
        self._gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._open_connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio calls it so
        """Unregister the connection and leave its session."""
        self._open_connections.discard(self)
        self._hub.detach(self)
        if self._session_id:
            self.sessions.leave(self.session)
        self._late.cancel()
        self._gone.set_result(None)

    def data_received(self, data: bytes) -> None:
        """Execute every complete packet, commit, then send the answers; malformed data closes the connection."""
        self._buffer += data
        try:
            self._consume()
        except (CutError, *_MALFORMED):
            self._hub.settle(self)
            self._transport.abort()
        finally:
            self._hub.settle(self)
        self._flush()

    def drop(self) -> asyncio.Future[None]:
        """Close the connection; the future is done when the socket is closed."""
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
            self._write(self._exchange.answer(packet))
            return
        key = self._keys.key(key_id)
        if key is None:
            self._write(UNKNOWN_KEY)  # if we closed first, the client would see a network fault
            return
        plain = decrypt(key, packet)
        salt, session_id, message_id, sequence, length = _ENVELOPE.unpack_from(plain)
        if (key_id, session_id) != (self.key_id, self._session_id):
            self._enter(key_id, key, session_id, message_id)
        if not self.salts.accepts(salt):
            self._notify(types.BadServerSalt(message_id, sequence, _WRONG_SALT, self.salts.current()))
            return
        self._on_message(message_id, sequence, plain[_ENVELOPE.size : _ENVELOPE.size + length])

    def _enter(self, key_id: int, key: bytes, session_id: int, message_id: int) -> None:
        """Enter the MTProto session of a packet."""
        if self._session_id:
            self.sessions.leave(self.session)
        if key_id != self.key_id:
            self.salts = Salts(lambda period: self._keys.salt(key_id, period))
        self.key_id, self._key, self._session_id = key_id, key, session_id
        self.session, is_new = self.sessions.enter(key_id, session_id)
        if is_new:
            news = types.NewSessionCreated(message_id, fresh_session_name(), self.salts.current())
            self._answers.append((self.session.ids.push(), self.session.content_sequence(), bytes(news)))

    def _on_message(self, message_id: int, sequence: int, body: bytes, *, is_inner: bool = False) -> None:
        """Process a message once; an invalid message is refused and a repeated one is not executed."""
        is_container = containers.is_container(body)
        reason = timing_fault(message_id) or (is_container and is_inner and INVALID_CONTAINER)
        if not reason and self.session.is_known(message_id):
            if not is_container:
                self._on_repeated(message_id)
                return
            reason = CONTAINER_REPEATED
        elif not reason and self.session.is_forgotten(message_id):
            reason = FORGOTTEN
        if reason:
            self._notify(types.BadMsgNotification(message_id, sequence, reason))
            return
        self.session.receive(message_id)
        if is_container:
            self._on_container(body)
        else:
            self._on_object(message_id, inflate(body) if body.startswith(_GZIP) else body)

    def _on_repeated(self, message_id: int) -> None:
        """Send the answer again if the client has not confirmed it; else acknowledge the message."""
        answer = self.session.answer_to(message_id)
        if answer is None:
            self._notify(types.MsgsAck([message_id]))
        else:
            self._answers.append(answer)

    def _on_container(self, body: bytes) -> None:
        for message_id, sequence, inner in containers.unpacked(body):
            self._on_message(message_id, sequence, inner, is_inner=True)

    def _on_object(self, message_id: int, body: bytes) -> None:
        try:
            request = read_object(body)
        except TypeNotFoundError:
            self.answer(message_id, bytes(types.RpcError(400, "METHOD_INVALID")))
            return
        if not is_service(request):
            self._on_call(message_id, request)
        elif (reaction := answer_service(self.session, message_id, request)) is not None:
            self._answer(message_id, reaction)

    def _on_call(self, message_id: int, request: TLObject) -> None:
        """Execute a call, and answer it unless a fault prevents the answer."""
        if _comes_after(request) & self.session.failed:
            self.answer(message_id, bytes(types.RpcError(400, "MSG_WAIT_FAILED")))
            return
        outcome = self._dispatcher.execute(self, request)
        if outcome.cut:
            raise CutError
        if outcome.body is not None and not outcome.delay_s:
            self.answer(message_id, outcome.body)
            return
        self._notify(types.MsgsAck([message_id]))
        if outcome.body is not None:
            self._answer_later(outcome.delay_s, message_id, outcome.body)

    # -- out ----------------------------------------------------------------------------------------------------------

    def push(self, update: bytes) -> None:
        """Send an update that is not the answer to a call."""
        if self._session_id and not self._transport.is_closing():
            sent = (self.session.ids.push(), self.session.content_sequence(), update)
            self.session.keep(sent)
            self._send(*sent)

    def answer(self, request_id: int, body: bytes) -> None:
        """Answer a call, compressed if that makes it smaller."""
        if body.startswith(_ERROR):
            self.session.failed.add(request_id)
        self._answer(request_id, struct.pack("<Iq", RPC_RESULT_ID, request_id) + deflate(body))

    def _answer(self, request_id: int, body: bytes) -> None:
        sent = (self.session.ids.reply(), self.session.content_sequence(), body)
        self.session.keep(sent, answers=request_id)
        self._answers.append(sent)

    def _notify(self, notice: TLObject) -> None:
        """Queue a service message, which needs no acknowledgement."""
        self._answers.append((self.session.ids.reply(), self.session.service_sequence(), bytes(notice)))

    def _answer_later(self, delay_s: float, request_id: int, body: bytes) -> None:
        """Delay one answer; it is lost if the connection closes."""

        def answer() -> None:
            self.answer(request_id, body)
            self._flush()

        self._late.after(delay_s, answer)

    def _flush(self) -> None:
        """Send the queued answers, in a container if there are several."""
        answers, self._answers = self._answers, []
        if not answers or self._transport.is_closing():
            return
        if len(answers) == 1:
            self._send(*answers[0])
            return
        self._send(self.session.ids.reply(), self.session.service_sequence(), containers.packed(answers))

    def _send(self, message_id: int, sequence: int, body: bytes) -> None:
        plain = _ENVELOPE.pack(self.salts.current(), self._session_id, message_id, sequence, len(body)) + body
        self._write(encrypt(self._key, self.key_id, plain))

    def _write(self, packet: bytes) -> None:
        if self._framing is None:
            return
        if self._transport.get_write_buffer_size() > _MAX_BACKLOG:
            self._transport.abort()  # limits the memory for a client that never reads
            return
        self._transport.write(self._framing.encode(packet))


def _comes_after(request: TLObject) -> set[int]:
    """Return the ids of the messages after which a call must be executed."""
    if isinstance(request, functions.InvokeAfterMsgRequest):
        return {request.msg_id}
    return set(request.msg_ids) if isinstance(request, functions.InvokeAfterMsgsRequest) else set()
