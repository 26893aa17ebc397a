"""`POST /v1beta/models/{model}:generateContent` on 127.0.0.1."""

import asyncio
import re
from urllib.parse import parse_qs, urlsplit

from chimein_gui.sandbox.connections import Connections
from chimein_gui.sandbox.model.answers import BadRequestError, error_body, parse_call, reply_body
from chimein_gui.sandbox.model.http_server import HttpConnection, Request, Response
from chimein_gui.sandbox.model.responder import respond
from chimein_gui.sandbox.model.script import ModelScript, ScriptedError, ScriptedReply

_GENERATE = re.compile(r"^/v1beta/models/([\w.\-]+):generateContent$")
_NO_KEY = ScriptedError(
    403,
    "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other "
    "form of API consumer identity to call this API.",
)


class ModelEndpoint:
    """Answers the Gemini API from a script."""

    def __init__(self, script: ModelScript) -> None:
        self._script = script
        self._connections = Connections()
        self._served = 0

    async def start(self, host: str, port: int) -> int:
        """Listen; returns the port."""
        return await self._connections.listen(self._serve, host, port)

    async def aclose(self) -> None:
        """Stop listening and break off what is under way."""
        await self._connections.aclose()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await HttpConnection(reader, writer, self._answer).serve()

    async def _answer(self, request: Request) -> Response:
        address = urlsplit(request.target)
        found = _GENERATE.match(address.path)
        if found is None or request.method != "POST":
            return _error(ScriptedError(404, f"No method {request.method} {address.path} in the sandbox."))
        if not (request.headers.get("x-goog-api-key") or parse_qs(address.query).get("key")):
            return _error(_NO_KEY)
        try:
            call = parse_call(found[1], request.body)
        except BadRequestError as error:
            return _error(ScriptedError(400, str(error)))
        self._script.record(call)
        planned = self._script.take()
        if self._script.delay_s:
            await asyncio.sleep(self._script.delay_s)
        if isinstance(planned, ScriptedError):
            return _error(planned)
        text = planned.text if isinstance(planned, ScriptedReply) else respond(call.contents)
        self._served += 1
        return Response(200, reply_body(call, text, self._served))


def _error(error: ScriptedError) -> Response:
    return Response(error.status, error_body(error))
