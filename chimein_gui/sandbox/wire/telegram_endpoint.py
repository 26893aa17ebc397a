"""The MTProto endpoint of the sandbox: one listening socket, one `ClientConnection` for each client."""

import asyncio
import socket
import sys

from chimein_gui.sandbox.rpc.call import Surroundings
from chimein_gui.sandbox.rpc.registry import Dispatcher
from chimein_gui.sandbox.wire.connection import ClientConnection
from chimein_gui.sandbox.wire.mtproto_session import MtprotoSessions
from chimein_gui.sandbox.wire.server_key import ServerKey


class _Connections(set[ClientConnection]):
    """The connected clients; a client that arrives after the socket was closed is dropped."""

    is_open = True

    def add(self, connection: ClientConnection) -> None:
        """Add a client, or drop it if the endpoint does not listen."""
        super().add(connection)
        if not self.is_open:
            connection.drop()


class TelegramEndpoint:
    """Listens for MTProto clients.

    Args:
        around: The objects that all calls share.
        server_key: The key for the exchange of auth keys.
    """

    def __init__(self, around: Surroundings, server_key: ServerKey) -> None:
        self._server_key = server_key
        self._around = around
        self._dispatcher = Dispatcher(around)
        self._connections = _Connections()
        self._sessions = MtprotoSessions()
        self._server: asyncio.Server | None = None
        self._comeback: asyncio.Task[None] | None = None
        self._back: asyncio.Future[None] | None = None
        self._has_ended = False

    async def start(self, host: str, port: int) -> int:
        """Listen; returns the port, which the configuration for clients contains, too."""
        self._server = await asyncio.get_running_loop().create_server(self._connection, host, port)
        port_in_use: int = self._server.sockets[0].getsockname()[1]
        self._around.port = port_in_use
        return port_in_use

    def kick(self, user_id: int) -> None:
        """Close all connections of an account."""
        owner = self._around.world.keys.owner
        for connection in [connection for connection in self._connections if owner(connection.key_id) == user_id]:
            connection.drop()

    def restart(self, seconds: float) -> asyncio.Future[None]:
        """Drop all clients, and listen again on the same port after so many seconds.

        The restart runs in its own task, so that the caller need not wait; the endpoint keeps and cancels the task.

        Returns:
            Done when the server listens again. A second restart during the first starts over and returns the same
                future.

        Raises:
            ConnectionError: If the endpoint is closed; the future raises it, too.
        """
        if self._has_ended:
            raise ConnectionResetError("the sandbox has gone")
        loop = asyncio.get_running_loop()
        if self._comeback is not None:
            self._comeback.cancel()
        if self._back is None or self._back.done():
            self._back = loop.create_future()
        self._comeback = loop.create_task(self._come_back(seconds, self._back), name="restart of Telegram")
        return self._back

    async def aclose(self) -> None:
        """Stop listening and drop all clients; a second call does nothing."""
        self._has_ended = True
        if self._comeback is not None:
            self._comeback.cancel()
            await asyncio.wait([self._comeback])
        if self._back is not None and not self._back.done():
            self._back.set_exception(ConnectionResetError("the sandbox has gone"))
            self._back.exception()  # marks the exception as retrieved if nobody awaits the future
        await self._stop()

    async def _come_back(self, seconds: float, back: asyncio.Future[None]) -> None:
        """Bind the port without listening meanwhile: clients are refused, and no other program can take the port."""
        await self._stop()
        with socket.socket() as kept:
            if sys.platform != "win32":  # on Windows this option would let others share the port
                kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            kept.bind((self._around.host, self._around.port))
            await asyncio.sleep(seconds)
            self._connections.is_open = True
            self._server = await asyncio.get_running_loop().create_server(self._connection, sock=kept.dup())
        back.set_result(None)

    async def _stop(self) -> None:
        server, self._server = self._server, None
        if server is None:
            return
        server.close()
        self._connections.is_open = False
        dropped = [connection.drop() for connection in self._connections]
        if dropped:
            await asyncio.wait(dropped)
        await server.wait_closed()

    def _connection(self) -> ClientConnection:
        return ClientConnection(self._dispatcher, self._around.hub, self._connections, self._sessions, self._server_key)
