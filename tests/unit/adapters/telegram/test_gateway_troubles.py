"""The gateway when the session file does not take writes, or Telegram does not answer: no update is swallowed."""

from __future__ import annotations

import asyncio
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from chimein_gui.adapters.telegram import questions
from chimein_gui.adapters.telegram.backend import sandbox_backend
from chimein_gui.adapters.telegram.gateway import TelethonGateway
from chimein_gui.adapters.telegram.mapping.peers import PeerBook
from chimein_gui.adapters.telegram.mapping.updates import UpdateReader
from chimein_gui.adapters.telegram.questions import Questions
from chimein_gui.adapters.telegram.transport.tl import types
from chimein_gui.domain.errors import NotConnectedError
from chimein_gui.domain.ids import AccountId
from tests.support.log_guard import ExpectedLogs
from tests.unit.adapters.telegram.support import Recorder

SENT_AT = datetime(2026, 11, 20, 14, 0, tzinfo=UTC)


def refuse(*_anything: object) -> None:
    raise sqlite3.OperationalError("database or disk is full")


async def refuse_later() -> None:
    refuse()


async def never(_request: object) -> None:
    await asyncio.Event().wait()


def gateway_with(tmp_path: Path, **client: Any) -> tuple[TelethonGateway, Recorder]:
    """Return a gateway on a client that can do nothing but what is given."""
    gateway, recorder = TelethonGateway(session_path=tmp_path / "x.session", backend=sandbox_backend()), Recorder()
    peers = PeerBook(AccountId(1))
    fake: Any = SimpleNamespace(is_up=lambda: True, **client)
    gateway.connection.client = fake
    gateway.connection._questions = Questions(fake, AccountId(1), peers)
    gateway.connection._reader = UpdateReader(AccountId(1), peers, recorder)
    return gateway, recorder


async def test_updates_are_reported_even_if_the_session_file_cannot_be_written(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs(r"WARNING chimein_gui\.adapters\.telegram\.questions: The session file does not take new people")
    gateway, recorder = gateway_with(tmp_path, remember=refuse)
    user = types.User(id=5, access_hash=7, first_name="Marta")
    message = types.Message(id=9, peer_id=types.PeerUser(5), date=SENT_AT, message="hello", out=False)
    await gateway.connection.take([types.UpdateNewMessage(message, 1, 1)], [user], [])
    [(chat, arrived)] = recorder.of("arrived")
    assert (chat.title, arrived.text) == ("Marta", "hello")


async def test_a_session_file_that_cannot_be_closed_does_not_hinder_the_disconnect(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs(r"WARNING chimein_gui\.adapters\.telegram\.connection: A connection did not close cleanly")
    gateway, _ = gateway_with(tmp_path, close=refuse_later)
    await gateway.disconnect()
    assert not gateway.is_up()


async def test_a_question_without_an_answer_counts_as_a_lost_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "_ANSWER_TIMEOUT_S", 0.001)
    gateway, _ = gateway_with(tmp_path, submit=never)
    with pytest.raises(NotConnectedError):
        await gateway.dialogs()
