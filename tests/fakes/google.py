"""Gemini itself, as far as a test needs it: the sandbox's endpoint on loopback, which notes the keys it was given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.sandbox.model.endpoint import ModelEndpoint
from chimein_gui.sandbox.model.script import ModelScript

if TYPE_CHECKING:
    from chimein_gui.sandbox.http.messages import Answer, RawAnswer, Request


class FakeGoogle(ModelEndpoint):
    """Answers what its script is told to.

    Attributes:
        script: What it says next, and what it was asked.
        keys: With which key each request came.
    """

    def __init__(self) -> None:
        self.script = ModelScript()
        self.keys: list[str] = []
        super().__init__(self.script)

    async def open(self) -> str:
        """Listen; returns the address."""
        return f"http://127.0.0.1:{await self.start('127.0.0.1', 0)}"

    async def _answer(self, request: Request) -> Answer | RawAnswer:
        self.keys.append(request.headers.get("x-goog-api-key", ""))
        return await super()._answer(request)
