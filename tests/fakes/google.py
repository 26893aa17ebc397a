"""A Gemini for tests: the sandbox's endpoint on loopback, which records the received keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.sandbox.model.endpoint import ModelEndpoint
from chimein_gui.sandbox.model.script import ModelScript

if TYPE_CHECKING:
    from chimein_gui.sandbox.http.messages import Answer, RawAnswer, Request


class FakeGoogle(ModelEndpoint):
    """Answers by its script.

    Attributes:
        script: The planned answers and the received requests.
        keys: The key of each request.
    """

    def __init__(self) -> None:
        self.script = ModelScript()
        self.keys: list[str] = []
        super().__init__(self.script)

    async def open(self) -> str:
        """Listen, and return the address."""
        return f"http://127.0.0.1:{await self.start('127.0.0.1', 0)}"

    async def _answer(self, request: Request) -> Answer | RawAnswer:
        self.keys.append(request.headers.get("x-goog-api-key", ""))
        return await super()._answer(request)
