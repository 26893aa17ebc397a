"""The control channel: the console for the own-process case, as JSON lines over one loopback port.

A client first says `{"id": 0, "method": "hello", "params": {"token": …}}`; every line after it is a request
`{"id", "method", "params"}` that gets one line `{"id", "result"}` or `{"id", "error": {"type", "message"}}`, in order.
Values of the port travel as `engine.sandbox_port.codec` writes them. A connection serves one request at a time: a
client that waits for a change (`rehearsal`) does so on a connection of its own.
"""

import asyncio
import hmac
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from chimein_gui.engine.sandbox_port import SandboxRefusedError
from chimein_gui.sandbox.connections import Connections

Params = dict[str, Any]
Method = Callable[[Params], Awaitable[Any]]

REFUSED = "refused"
"""The type of an error that says no to what was asked: there is no such thing, or it makes no sense."""

_CALLERS_FAULT = (ArithmeticError, LookupError, SandboxRefusedError, TypeError, ValueError)
_log = logging.getLogger(__name__)


class UnknownMethodError(Exception):
    """A client asks for what is not served."""


class ControlChannel:
    """Serves methods to whoever knows the token.

    Args:
        methods: What is served, by name; each takes the parameters as JSON gives them and returns what JSON takes.
        token: What a client has to know.
    """

    def __init__(self, methods: Mapping[str, Method], token: str) -> None:
        self._methods = methods
        self._token = token.encode()
        self._connections = Connections()

    async def start(self, host: str, port: int) -> int:
        """Listen; returns the port."""
        return await self._connections.listen(self._serve, host, port)

    async def aclose(self) -> None:
        """Stop listening and drop all clients."""
        await self._connections.aclose()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            is_known = False
            while line := await reader.readline():
                answer = await self._answer(line) if is_known else self._greet(line)
                writer.write(json.dumps(answer).encode() + b"\n")
                await writer.drain()
                is_known = is_known or "result" in answer
                if not is_known:
                    return
        except (ConnectionError, ValueError):
            return  # gone, or a line without end

    def _greet(self, line: bytes) -> Params:
        request = _parsed(line)
        token = str(request.get("params", {}).get("token", "")).encode() if request else b""
        if request and request.get("method") == "hello" and hmac.compare_digest(token, self._token):
            return {"id": request.get("id"), "result": True}
        return _fault(None, PermissionError("say hello with the token first"))

    async def _answer(self, line: bytes) -> Params:
        request = _parsed(line)
        if request is None:
            return _fault(None, ValueError("not a JSON object"))
        method = self._methods.get(str(request.get("method")))
        if method is None:
            return _fault(request.get("id"), UnknownMethodError(f"no method {request.get('method')!r}"))
        try:
            return {"id": request.get("id"), "result": await method(request.get("params", {}))}
        except _CALLERS_FAULT as error:
            return _fault(request.get("id"), error)
        except Exception:  # noqa: BLE001 - a bug of ours; a client that hears nothing would wait for ever
            _log.exception("the control channel could not answer %r", request.get("method"))
            return _fault(request.get("id"), RuntimeError("the sandbox broke on this; its log says how"))


def _parsed(line: bytes) -> Params | None:
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return request if isinstance(request, dict) and isinstance(request.get("params", {}), dict) else None


def _fault(request_id: object, error: Exception) -> Params:
    refused = isinstance(error, LookupError | ValueError | SandboxRefusedError)
    kind = REFUSED if refused else type(error).__name__
    return {"id": request_id, "error": {"type": kind, "message": _words(error)}}


def _words(error: Exception) -> str:
    """Return what an error says; a KeyError's words would be quoted."""
    is_missing_field = isinstance(error, KeyError) and len(error.args) == 1
    return f"{error.args[0]!r} is missing" if is_missing_field else str(error)
