"""The MTProto end of the sandbox: one listening socket, one `Session` a client."""

import asyncio

from chimein_gui.sandbox.rpc.call import Surroundings
from chimein_gui.sandbox.rpc.registry import Dispatcher
from chimein_gui.sandbox.session import Session


class TelegramEndpoint:
    """Listens for MTProto clients."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._dispatcher = Dispatcher(around)
        self._sessions: set[Session] = set()
        self._server: asyncio.Server | None = None

    async def start(self, host: str, port: int) -> int:
        """Listen; returns the port, which is also what clients are told in the configuration."""
        self._server = await asyncio.get_running_loop().create_server(self._session, host, port)
        port_in_use: int = self._server.sockets[0].getsockname()[1]
        self._around.port = port_in_use
        return port_in_use

    async def aclose(self) -> None:
        """Stop listening and drop all clients; a second time does nothing."""
        server, self._server = self._server, None
        if server is None:
            return
        server.close()
        dropped = [session.drop() for session in self._sessions]
        if dropped:
            await asyncio.wait(dropped)
        await server.wait_closed()

    def _session(self) -> Session:
        return Session(self._dispatcher, self._around.hub, self._sessions)
