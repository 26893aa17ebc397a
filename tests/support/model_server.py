"""A model endpoint with an answer set by the test, and a client for it."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from chimein_gui.adapters.gemini.model import GeminiModel
from chimein_gui.domain.prompt.prompts import Prompt, PromptSection, Role, Turn

CANARY = "AIzaCANARY-0123456789-secret"
PROMPT = Prompt(
    "gemini-2.5-flash",
    (PromptSection("Role", "Be Nora."), PromptSection("Time", "It is noon.")),
    (
        Turn(Role.USER, ("⟦Marta⟧", "Hello 🍰 «you»")),
        Turn(Role.MODEL, ("⟦Nora⟧", "Hi")),
        Turn(Role.USER, ("⟦Marta⟧", "How are you?")),
    ),
)


@dataclass
class Server:
    """A raw HTTP server with one fixed answer; it stores its requests."""

    status: int = 200
    body: bytes = b"{}"
    headers: str = ""
    silent: bool = False
    hang_up: bool = False
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    request_line: str = ""
    request_headers: dict[str, str] = field(default_factory=dict)
    request_body: Any = None
    url: str = ""
    connections: int = 0

    def answer(self, body: Any, status: int = 200, headers: str = "") -> None:
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.status, self.headers = status, headers

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while head := await self._head(reader):
                self.request_line, *lines = head.split("\r\n")
                pairs = (line.partition(": ") for line in lines if line)
                self.request_headers = {name.lower(): value for name, _, value in pairs}
                if length := int(self.request_headers.get("content-length", 0)):
                    self.request_body = json.loads(await reader.readexactly(length))
                self.asked.set()
                if self.hang_up:
                    return
                if self.silent:
                    await reader.read()
                    return
                head_out = f"HTTP/1.1 {self.status} X\r\ncontent-length: {len(self.body)}\r\n{self.headers}\r\n"
                writer.write(head_out.encode() + self.body)
        finally:
            self.gone.set()
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _head(self, reader: asyncio.StreamReader) -> str:
        try:
            return (await reader.readuntil(b"\r\n\r\n")).decode()
        except (asyncio.IncompleteReadError, ConnectionError):
            return ""


@contextlib.asynccontextmanager
async def serving(key: str = CANARY, timeout_s: float = 20.0) -> AsyncIterator[tuple[Server, GeminiModel]]:
    it = Server()
    server = await asyncio.start_server(it.serve, "127.0.0.1", 0)
    it.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    model = GeminiModel(key, it.url, timeout_s)
    try:
        yield it, model
    finally:
        await model.aclose()
        server.close()
        if it.connections:
            await it.gone.wait()
        await server.wait_closed()


def spoken(text: str, finish: str = "STOP", **more: Any) -> dict[str, Any]:
    return {"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": finish}], **more}
