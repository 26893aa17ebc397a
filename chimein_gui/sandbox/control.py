"""The control channel: the console for the own-process case, as JSON lines over one loopback port.

A client first says `{"id": 0, "method": "hello", "params": {"token": …}}`; every line after it is a request
`{"id", "method", "params"}` that gets one line `{"id", "result"}` or `{"id", "error": {"type", "message"}}`, in order.
"""

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Any

from chimein_gui.sandbox.connections import Connections
from chimein_gui.sandbox.console import LocalConsole
from chimein_gui.sandbox.model.script import ModelScript

_Params = dict[str, Any]
_Method = Callable[[_Params], Awaitable[Any]]
_CALLERS_FAULT = (LookupError, TypeError, ValueError)


class ControlChannel:
    """Serves the console to whoever knows the token.

    Args:
        auth_key: Gives an account's key, for clients that log in with preseeded keys.
        shutdown: Called when a client asks the server to end.
    """

    def __init__(
        self,
        console: LocalConsole,
        model: ModelScript,
        auth_key: Callable[[int], bytes],
        shutdown: Callable[[], None],
        token: str,
    ) -> None:
        self._console = console
        self._model = model
        self._auth_key = auth_key
        self._shutdown = shutdown
        self._token = token.encode()
        self._connections = Connections()
        self._methods: dict[str, _Method] = {
            "partners": self._partners,
            "speak": self._speak,
            "speak_many": self._speak_many,
            "mailbox": self._mailbox,
            "mailbox_counts": self._mailbox_counts,
            "set_model_delay": self._set_model_delay,
            "queue_reply": self._queue_reply,
            "queue_error": self._queue_error,
            "model_calls": self._model_calls,
            "auth_key": self._give_auth_key,
            "shutdown": self._end,
        }

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

    def _greet(self, line: bytes) -> _Params:
        request = _parsed(line)
        token = str(request.get("params", {}).get("token", "")).encode() if request else b""
        if request and request.get("method") == "hello" and hmac.compare_digest(token, self._token):
            return {"id": request.get("id"), "result": True}
        return _fault(None, PermissionError("say hello with the token first"))

    async def _answer(self, line: bytes) -> _Params:
        request = _parsed(line)
        if request is None:
            return _fault(None, ValueError("not a JSON object"))
        method = self._methods.get(str(request.get("method")))
        if method is None:
            return _fault(request.get("id"), ValueError(f"no method {request.get('method')!r}"))
        try:
            return {"id": request.get("id"), "result": await method(request.get("params") or {})}
        except _CALLERS_FAULT as error:
            return _fault(request.get("id"), error)

    # -- methods ------------------------------------------------------------------------------------------------------

    async def _partners(self, _params: _Params) -> list[_Params]:
        return [asdict(partner) for partner in await self._console.partners()]

    async def _speak(self, params: _Params) -> int:
        return await self._console.speak(params["partner_id"], params["account_id"], params["text"])

    async def _speak_many(self, params: _Params) -> list[int]:
        return list(await self._console.speak_many([(one, other, text) for one, other, text in params["lines"]]))

    async def _mailbox(self, params: _Params) -> list[_Params]:
        return [asdict(delivery) for delivery in await self._console.mailbox(params["partner_id"])]

    async def _mailbox_counts(self, _params: _Params) -> list[list[int]]:
        return [[user_id, count] for user_id, count in (await self._console.mailbox_counts()).items()]

    async def _set_model_delay(self, params: _Params) -> None:
        self._model.set_delay(float(params["seconds"]))

    async def _queue_reply(self, params: _Params) -> None:
        self._model.queue_reply(str(params["text"]))

    async def _queue_error(self, params: _Params) -> None:
        self._model.queue_error(int(params["status"]), str(params.get("message", "")))

    async def _model_calls(self, _params: _Params) -> list[_Params]:
        return [asdict(call) for call in self._model.calls]

    async def _give_auth_key(self, params: _Params) -> str:
        return self._auth_key(params["account_id"]).hex()

    async def _end(self, _params: _Params) -> None:
        self._shutdown()


def _parsed(line: bytes) -> _Params | None:
    try:
        request = json.loads(line)
    except ValueError:
        return None
    return request if isinstance(request, dict) and isinstance(request.get("params", {}), dict) else None


def _fault(request_id: object, error: Exception) -> _Params:
    kind = "LookupError" if isinstance(error, LookupError) else type(error).__name__
    return {"id": request_id, "error": {"type": kind, "message": str(error)}}
