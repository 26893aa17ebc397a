"""A stream server that ends all its connections when it is closed."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress

_Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
_TLS_S = 5.0
"""Longest TLS handshake and shutdown, in seconds."""

_LINE_LIMIT = 64 * 1024 * 1024


class Connections:
    """Listens, and tracks the tasks that asyncio starts for connections, so that they can be ended."""

    def __init__(self) -> None:
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[object]] = set()
        self._has_ended = False

    async def listen(self, serve: _Serve, host: str, port: int, *, tls: ssl.SSLContext | None = None) -> int:
        """Serve every connection with `serve`, encrypted if a context is given.

        Returns:
            The port; chosen by the system if `port` is 0.
        """

        async def serve_and_close(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if self._has_ended:  # accepted just before the end, begun just after it
                writer.transport.abort()
                return
            task = asyncio.current_task()
            if task is not None:
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            try:
                await serve(reader, writer)
            except asyncio.CancelledError:
                # The server closes. Unread data is dropped; raising would be reported as an error.
                writer.transport.abort()
            finally:  # whatever went wrong, nobody is left waiting for an answer
                writer.close()
                with suppress(OSError, asyncio.CancelledError):
                    await writer.wait_closed()

        bounds = {"ssl_handshake_timeout": _TLS_S, "ssl_shutdown_timeout": _TLS_S} if tls else {}
        self._server = await asyncio.start_server(serve_and_close, host, port, limit=_LINE_LIMIT, ssl=tls, **bounds)
        port_in_use: int = self._server.sockets[0].getsockname()[1]
        return port_in_use

    async def aclose(self) -> None:
        """Stop listening and end all connections; a second call has no effect."""
        server, self._server = self._server, None
        self._has_ended = True
        if server is None:
            return
        server.close()
        mine = asyncio.current_task()
        tasks = [task for task in self._tasks if task is not mine]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        if mine not in self._tasks:
            await server.wait_closed()
