"""Which of two models answers: a client is made outside the loop, whoever answers first."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

from chimein_gui.adapters.gemini.key_check import GeminiKeyChecker
from chimein_gui.adapters.gemini.model import GeminiModel
from chimein_gui.adapters.gemini.model_switch import ModelAt, ModelSwitch
from chimein_gui.adapters.gemini.transport import open_transport
from chimein_gui.domain.settings.answering import Answering
from tests.fakes.google import FakeGoogle
from tests.support.model_server import PROMPT

if TYPE_CHECKING:
    import pytest

    from chimein_gui.adapters.gemini.transport import Transport


async def test_the_client_of_the_other_model_is_made_once_and_holds_no_loop_up(monkeypatch: pytest.MonkeyPatch) -> None:
    made_in: list[int] = []

    def note(base_url: str | None, timeout_s: float) -> Transport:
        made_in.append(threading.get_ident())
        return open_transport(base_url, timeout_s)

    monkeypatch.setattr("chimein_gui.adapters.gemini.model.open_transport", note)
    servers = {which: FakeGoogle() for which in Answering}
    at = {which: await server.open() for which, server in servers.items()}
    models = {which: ModelAt(GeminiModel(which, url), GeminiKeyChecker(url)) for which, url in at.items()}
    switch = ModelSwitch(models, Answering.WRITTEN, lambda: True)
    try:
        await asyncio.to_thread(switch.prepare)
        switch.choose(Answering.GEMINI)
        for server in servers.values():
            server.script.queue_reply("# «send»\none")
            server.script.queue_reply("# «send»\ntwo")
        await asyncio.gather(switch.generate(PROMPT), switch.generate(PROMPT))
        switch.choose(Answering.WRITTEN)
        await switch.generate(PROMPT)
    finally:
        await switch.aclose()
        for server in servers.values():
            await server.aclose()
    assert [servers[which].keys for which in Answering] == [["written"], ["gemini", "gemini"]]
    assert len(made_in) == len(Answering)
    assert threading.get_ident() not in made_in
