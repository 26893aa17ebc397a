"""A stream server that leaves nothing behind when it is closed."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

_Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
_LINE_LIMIT = 64 * 1024 * 1024


class Connections:
    """Listens, and knows the tasks that asyncio starts for its connections, so that they can be ended."""

    def __init__(self) -> None:
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[object]] = set()

    async def listen(self, serve: _Serve, host: str, port: int) -> int:
        """Serve every connection with `serve`.

        Returns:
            The port; one of the system's choice if `port` is 0.
        """

        async def serve_and_close(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            if task is not None:
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            try:
                await serve(reader, writer)
            except asyncio.CancelledError:
                # The server closes. What a client has not read is dropped; raising would be reported as an error.
                writer.transport.abort()
            writer.close()
            with suppress(OSError, asyncio.CancelledError):
                await writer.wait_closed()

        self._server = await asyncio.start_server(serve_and_close, host, port, limit=_LINE_LIMIT)
        port_in_use: int = self._server.sockets[0].getsockname()[1]
        return port_in_use

    async def aclose(self) -> None:
        """Stop listening and end all connections; a second time does nothing."""
        server, self._server = self._server, None
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
