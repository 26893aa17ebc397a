"""Files that lie in another data centre are asked for there, over a connection that is given back."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from telethon import errors
from telethon.tl import types

from chimein_gui.adapters.telegram.downloads import Download, FileLocation
from chimein_gui.adapters.telegram.transport import data_centres

HOME, AWAY = 2, 4


class Elsewhere:
    """A connection to another data centre: gives its answers, one a question."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[Any] = []
        self.is_closed = False

    async def send(self, request: Any) -> Any:
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        if answer is None:
            await asyncio.Event().wait()
        return answer

    async def disconnect(self) -> None:
        self.is_closed = True


class Client:
    """Lends one connection, as Telethon's client does."""

    def __init__(self, sender: Elsewhere) -> None:
        self.session = SimpleNamespace(dc_id=HOME)
        self.sender = sender
        self.lent: list[int] = []
        self.returned = 0
        self._borrowed_senders: dict[int, Any] = {}

    async def _borrow_exported_sender(self, dc_id: int) -> Elsewhere:
        self.lent.append(dc_id)
        self._borrowed_senders[dc_id] = self.sender
        return self.sender

    async def _return_exported_sender(self, _sender: Elsewhere) -> None:
        self.returned += 1


def part(data: bytes) -> Any:
    return types.upload.File(types.storage.FileUnknown(), 0, data)


async def fetched(client: Any, dc_id: int, ask: Any = None) -> bytes:
    async def asking(question: Any) -> bytes:
        data: bytes = await question
        return data

    place = FileLocation(1, dc_id, types.InputDocumentFileLocation(1, 2, b"r", ""), 4)
    found = Download(client, ask, place, None, asking)  # type: ignore[arg-type]
    return b"".join([piece async for piece in found.pieces()])


async def test_a_file_elsewhere_is_asked_for_there() -> None:
    client = Client(Elsewhere(part(b"data")))
    assert await fetched(client, AWAY) == b"data"
    assert (client.lent, client.returned) == ([AWAY], 1)
    assert client.sender.asked[0].offset == 0


async def test_a_file_that_has_moved_is_followed() -> None:
    client = Client(Elsewhere(part(b"data")))

    async def moved(request: Any) -> Any:
        raise errors.FileMigrateError(request, capture=AWAY)

    assert await fetched(client, HOME, moved) == b"data"
    assert client.lent == [AWAY]


async def test_a_lost_connection_is_not_lent_again() -> None:
    client = Client(Elsewhere(ConnectionResetError("lost")))
    with pytest.raises(ConnectionError):
        await fetched(client, AWAY)
    assert (client.sender.is_closed, client._borrowed_senders, client.returned) == (True, {}, 0)


async def test_no_answer_ends_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data_centres, "_TIMEOUT_S", 0.01)
    client = Client(Elsewhere(None))
    with pytest.raises(TimeoutError):
        await fetched(client, AWAY)
    assert client.returned == 1
