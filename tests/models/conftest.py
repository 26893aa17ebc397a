"""Models on a small engine, attached and in step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QTranslator

from chimein_gui.resource_files import resource_path
from chimein_gui.viewmodels.costs import make_costs
from chimein_gui.viewmodels.panes.agents import make_activities
from chimein_gui.viewmodels.panes.approvals import make_approvals
from chimein_gui.viewmodels.panes.conversations import make_conversations
from chimein_gui.viewmodels.window import WindowModels
from tests.fakes.engine_api import NOON, FakeEngineApi, agent, chat, run_now
from tests.fakes.sandbox_console import Errands, FakeSandboxConsole
from tests.support.api_room import ApiRoom
from tests.support.bridge import drain


class Room(ApiRoom):
    """View models on a FakeEngineApi, without a window; `settle` does what the 16 ms timer would."""

    def __init__(self) -> None:
        self.time = NOON
        self.api = FakeEngineApi(lambda: self.time)
        self.models = WindowModels(lambda: self.time)
        for make in (
            make_approvals,
            make_conversations,
            make_activities,
            make_costs,
        ):  # as the window does for its panes
            self.models.own(make)
        self.sandbox = FakeSandboxConsole()
        self.errands = Errands()

    def attach(self, *, sandbox: bool = False) -> None:
        if sandbox:
            self.models.attach(self.api, self.errands, self.sandbox)
        else:
            self.models.attach(self.api, run_now)
        self.settle()

    def settle(self) -> None:
        for _ in range(3):  # an answer may bring about the next question
            self.errands.go_on()
            drain(self.models.bridge)


@pytest.fixture
def make_room(qapp: object) -> Iterator[Callable[[], Room]]:
    rooms: list[Room] = []

    def make() -> Room:
        made = Room()
        made.api.agents[1] = agent()
        made.api.chats[1] = chat()
        rooms.append(made)
        return made

    yield make
    for made in rooms:
        made.models.detach()
        made.errands.close()
        made.models.deleteLater()


@pytest.fixture
def room(make_room: Callable[[], Room]) -> Room:
    return make_room()


@pytest.fixture
def in_german(qapp: QCoreApplication) -> Callable[[Callable[[], Any]], Any]:
    """Return a function that gives the result of another one, called while the window speaks German."""

    def called(said: Callable[[], Any]) -> Any:
        translator = QTranslator()
        assert translator.load(str(resource_path("translations", "chimein_de.qm")))
        qapp.installTranslator(translator)
        try:
            return said()
        finally:
            qapp.removeTranslator(translator)

    return called
