"""The Gemini API (v1beta) on 127.0.0.1: routes requests to their handlers."""

import asyncio
import json
import re
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

from chimein_gui.sandbox.connections import Connections
from chimein_gui.sandbox.http.connection import HttpConnection
from chimein_gui.sandbox.http.messages import Answer, RawAnswer, Request
from chimein_gui.sandbox.model.bodies import reply_body
from chimein_gui.sandbox.model.catalogue import find_model, list_body, model_for
from chimein_gui.sandbox.model.counting import count_body
from chimein_gui.sandbox.model.embeddings import batch_body, embed_body
from chimein_gui.sandbox.model.errors import BAD_KEY, ApiError, bad_key, error_answer, no_key
from chimein_gui.sandbox.model.prefix_cache import PrefixCache
from chimein_gui.sandbox.model.requests import json_object, parse_call, too_large
from chimein_gui.sandbox.model.script import ModelCall, ModelScript, ScriptedReply
from chimein_gui.sandbox.model.talk.responder import Responder
from chimein_gui.sandbox.model.troubles import AskFault, no_fault, raise_error, shortened, silence, troubled
from chimein_gui.sandbox.scenes.fields import SceneError
from chimein_gui.sandbox_api import FaultRule

_METHOD = re.compile(r"/v1beta/models/([^/:]+):(\w+)")
_MODEL = re.compile(r"/v1beta/models/([^/:]+)")
_LIST = "/v1beta/models"
_JSON = (("Content-Type", "application/json; charset=UTF-8"),)
_METHODS = frozenset({"GET", "HEAD", "POST"})
_GOLDEN = 0.618
_Query = dict[str, list[str]]
_Reply = Answer | RawAnswer


class ModelEndpoint:
    """Answers the Gemini API: from the script first, then with the responder."""

    def __init__(self, script: ModelScript, responder: Responder | None = None, ask_fault: AskFault = no_fault) -> None:
        """Create an endpoint that does not listen yet.

        Args:
            script: Planned answers; it also records the calls.
            responder: Answers where the script has nothing; by default with the voices that come with the program, each
                read when it is first needed.
            ask_fault: Returns the fault for a call, or None.
        """
        self._script = script
        self._responder = responder or Responder(written=script.written)
        self._ask_fault = ask_fault
        self._connections = Connections()
        self._served = 0
        self._cache = PrefixCache()

    async def start(self, host: str, port: int) -> int:
        """Listen on an address and return the port; port 0 takes any free one."""
        return await self._connections.listen(self._serve, host, port)

    async def aclose(self) -> None:
        """Stop listening and cancel the requests in progress."""
        await self._connections.aclose()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await HttpConnection(reader, writer, self._answer).serve()

    async def _answer(self, request: Request) -> _Reply:
        try:
            return await self._route(request)
        except ApiError as error:
            return error_answer(error)

    async def _route(self, request: Request) -> _Reply:
        address = urlsplit(request.target)
        query = parse_qs(address.query)
        if request.method not in _METHODS:
            raise ApiError(405, headers=(("Allow", ", ".join(sorted(_METHODS))),))
        if request.is_too_large:
            raise too_large()
        asked = _METHOD.fullmatch(address.path)
        if asked is not None and request.method == "POST":
            _check_key(request, query)
            return await self._call(asked[1], asked[2], request.body)
        model = _MODEL.fullmatch(address.path)
        if request.method != "POST" and (model is not None or address.path == _LIST):
            _check_key(request, query)
            if model is not None:
                return _json(_model_body(model[1]))
            return self._finished(_json(_list_body(query)), self._triggered("listModels"))
        raise ApiError(404, f"No method {request.method} {address.path} in the sandbox.")

    async def _call(self, model: str, method: str, body: bytes) -> _Reply:
        if method == "generateContent":
            model_for(model, method)
            return await self._generate(parse_call(model, json_object(body)))
        if method not in {"embedContent", "batchEmbedContents", "countTokens"}:
            raise ApiError(404, f"No method {method} in the sandbox.")
        model_for(model, method)
        request = json_object(body)
        if method == "countTokens":
            answer = count_body(model, request)
        else:
            answer = embed_body(request) if method == "embedContent" else batch_body(model, request)
        return self._finished(_json(answer), self._triggered(method))

    async def _generate(self, call: ModelCall) -> _Reply:
        """Answer a call: with a fault first, then with a scripted answer, then with the responder."""
        self._script.record(call)
        rule = self._triggered("generateContent")
        self._served += 1
        serial = self._served
        thinking_s = 0.0
        body = silence(rule, call, serial)
        if body is None:
            planned = self._script.take()
            if planned is None:
                thinking_s = self._thinking_s(serial)
                planned = await self._spoken(call)
            body = shortened(rule, reply_body(call, planned, serial, self._cache.take(call)))
        return self._finished(replace(_json(body), delay_s=thinking_s), rule)

    async def _spoken(self, call: ModelCall) -> ScriptedReply:
        """Return the responder's answer.

        Raises:
            ApiError: 500 with the error in the persona's voice file; the next call reads the file again.
        """
        try:
            return await self._responder.answer(call, self._script.seed)
        except SceneError as error:
            raise ApiError(500, str(error)) from None

    def _thinking_s(self, serial: int) -> float:
        """Return how many seconds the answer takes, so that planning and typing can be seen; it varies by call."""
        least, most = self._script.thinking_s
        return least + (most - least) * (serial * _GOLDEN % 1.0)

    def _triggered(self, method: str) -> FaultRule | None:
        rule = self._ask_fault(method)
        if rule is not None:
            raise_error(rule)
        return rule

    def _finished(self, answer: Answer, rule: FaultRule | None) -> _Reply:
        if self._script.delay_s:
            answer = replace(answer, delay_s=answer.delay_s + self._script.delay_s)
        return answer if rule is None else troubled(rule, answer)


def _check_key(request: Request, query: _Query) -> None:
    key = request.headers.get("x-goog-api-key") or _first(query, "key")
    if not key:
        raise no_key()
    if key == BAD_KEY:
        raise bad_key()


def _model_body(name: str) -> dict[str, Any]:
    model = find_model(name)
    if model is None:
        raise ApiError(404, f"Model is not found: models/{name} for api version v1beta")
    return model.body()


def _list_body(query: _Query) -> dict[str, Any]:
    return list_body(_first(query, "pageSize"), _first(query, "pageToken"))


def _json(body: dict[str, Any]) -> Answer:
    return Answer(200, _JSON, json.dumps(body).encode())


def _first(query: _Query, name: str) -> str:
    return query.get(name, [""])[0]
