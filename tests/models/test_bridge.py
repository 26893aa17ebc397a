import asyncio
from dataclasses import replace
from time import perf_counter
from typing import Any

import pytest
from PySide6.QtCore import QEventLoop, QTimer

from chimein_gui.domain import events as ev
from chimein_gui.domain.events import EngineEvent
from chimein_gui.domain.ids import ChatId, Revision
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.viewmodels.core import bridge as bridge_module
from chimein_gui.viewmodels.core.bridge import COLLECT_MS, FRAME_MS, EngineBridge
from chimein_gui.viewmodels.core.feed import ModelRegistry
from chimein_gui.viewmodels.core.throttle import TURN
from tests.fakes.engine_api import FakeEngineApi, agent, approval, chat, message, run_now
from tests.support.bridge import drain

Batches = list[Any]


def test_news_after_a_short_turn_waits_for_no_whole_frame(qapp, monkeypatch):
    """A draft that comes just after news of another account would be shown a frame later because of it."""
    monkeypatch.setattr(bridge_module, "perf_counter", lambda: 0.0)  # the turn is short, however busy the machine is
    bridge = EngineBridge()
    bridge.push(ev.AgentChanged(agent(), Revision(1)))
    drain(bridge)
    bridge.push(ev.ApprovalRequested(approval(), Revision(2)))
    assert bridge._timer.interval() == COLLECT_MS < FRAME_MS


def test_after_a_long_turn_the_loop_rests_for_a_frame(qapp):
    bridge = EngineBridge()

    def toil(_batch):
        until = perf_counter() + FRAME_MS / 1000
        while perf_counter() < until:
            pass

    bridge.batch_ready.connect(toil)
    bridge.push(ev.AgentChanged(agent(), Revision(1)))
    drain(bridge)
    bridge.push(ev.AgentChanged(agent(), Revision(2)))
    assert bridge._timer.interval() == FRAME_MS


def test_news_comes_even_if_one_frame_follows_the_other_without_a_gap(qapp):
    bridge, loop, frames, painted = EngineBridge(), QEventLoop(), QTimer(), 0

    def paint() -> None:
        nonlocal painted
        painted += 1
        until = perf_counter() + 0.003
        while perf_counter() < until:
            pass
        TURN.end("frame")
        if painted == 300:
            loop.quit()

    frames.timeout.connect(paint)
    bridge.batch_ready.connect(lambda _batch: loop.quit())
    frames.start(0)
    bridge.push(ev.AgentChanged(agent(), Revision(1)))
    loop.exec()
    frames.stop()
    assert painted < 30


def test_later_snapshots_replace_earlier_ones_and_the_order_is_that_of_the_revisions(qapp):
    bridge, batches = EngineBridge(), Batches()
    bridge.batch_ready.connect(batches.append)
    first, second = message(1, "a"), message(2, "b")
    events: list[EngineEvent] = [
        ev.ChatChanged(chat(), Revision(1)),
        ev.MessageStored(ChatId(1), first, Revision(2)),
        ev.MessageStored(ChatId(1), second, Revision(3)),
        ev.ApprovalRequested(approval(), Revision(4)),
        ev.TaskStatusChanged(replace(approval(), version=2), Revision(5)),
        ev.ChatChanged(chat(unread=3), Revision(6)),
        ev.MessageStored(ChatId(1), replace(first, text="edited"), Revision(7)),
    ]
    for event in events:
        bridge.push(event)
    drain(bridge)
    assert len(batches) == 1
    assert [event.revision for event in batches[0]] == [3, 5, 6, 7]


def test_answers_come_in_order_with_events(qapp):
    bridge, seen = EngineBridge(), Batches()
    bridge.batch_ready.connect(lambda batch: seen.extend(event.revision for event in batch))
    bridge.push(ev.AgentChanged(agent(), Revision(1)))
    bridge.deliver(lambda: seen.append("answer"))
    bridge.push(ev.AgentChanged(agent(), Revision(2)))
    drain(bridge)
    assert seen == [1, "answer", 2]


def test_what_wants_a_turn_of_its_own_is_called_once_and_later(qapp):
    bridge, api, seen = EngineBridge(), FakeEngineApi(), Batches()
    bridge.attach(api)

    def call():
        seen.append("own turn")

    def ask(batch):
        for _ in batch:
            bridge.deliver_once(call)

    bridge.batch_ready.connect(ask)
    bridge.push(ev.AgentChanged(agent(), Revision(1)))
    bridge.push(ev.AgentChanged(agent(2), Revision(2)))
    bridge._drain()
    assert seen == []
    bridge._drain()
    assert seen == ["own turn"]
    bridge.deliver_once(call)
    bridge.detach()
    bridge._drain()
    assert seen == ["own turn"], "what waited is forgotten"
    bridge.deliver_once(call)
    assert seen == ["own turn", "own turn"], "without an engine it is called at once"
    assert not bridge._timer.isActive()


def test_detaching_forgets_what_was_not_handed_over(qapp):
    bridge, api, batches = EngineBridge(), FakeEngineApi(), Batches()
    bridge.batch_ready.connect(batches.append)
    bridge.attach(api)
    api.put_agent(agent())
    bridge.detach()
    api.put_agent(agent())
    bridge.push(ev.AgentChanged(agent(), Revision(1)))
    bridge.deliver(lambda: batches.append(()))  # the answer to a press of the last moment
    assert not bridge._timer.isActive()
    bridge._drain()
    assert batches == []


def test_a_batch_is_never_overtaken_by_one_from_a_nested_loop(qtbot):
    bridge, seen = EngineBridge(), Batches()

    def nest(batch):
        if batch[0].revision == 1:
            bridge.push(ev.AgentChanged(agent(), Revision(2)))
            loop = QEventLoop()
            QTimer.singleShot(60, loop.quit)
            loop.exec()

    bridge.batch_ready.connect(nest)
    bridge.batch_ready.connect(lambda batch: seen.extend(event.revision for event in batch))
    bridge.push(ev.AgentChanged(agent(), Revision(1)))
    qtbot.waitUntil(lambda: seen == [1, 2])


@pytest.mark.qt_loop
async def test_a_slot_that_nests_a_loop_stalls_no_job():
    bridge, jobs, api = EngineBridge(), JobRunner(), FakeEngineApi()
    bridge.attach(api)
    turns_inside, nested_done = [], asyncio.Event()
    turns = 0

    def nest(_batch):
        before = turns
        loop = QEventLoop()
        look, end = QTimer(loop, interval=5), QTimer(loop, interval=30_000, singleShot=True)
        look.timeout.connect(lambda: loop.quit() if turns - before > 5 else None)
        end.timeout.connect(loop.quit)  # only if the job stands still
        look.start()
        end.start()
        loop.exec()
        look.stop()
        end.stop()
        turns_inside.append(turns - before)
        nested_done.set()

    async def work():
        nonlocal turns
        while not nested_done.is_set():
            turns += 1
            await asyncio.sleep(0.001)

    async def publish_from_a_job():
        api.put_agent(agent())  # a direct emit would run `nest` inside this very task
        api.put_chat(chat())

    bridge.batch_ready.connect(nest)
    worker = jobs.spawn(work(), name="work")
    jobs.spawn(publish_from_a_job(), name="publish")
    async with asyncio.timeout(60):
        await nested_done.wait()
        await worker
    bridge.detach()
    await jobs.aclose()
    assert turns_inside[0] > 5


def test_registered_models_come_and_go_with_the_engine():
    went: list[str] = []

    class Model:
        def __init__(self, name: str) -> None:
            self.name = name

        def attach(self, api: object, spawn: object) -> None:
            went.append(f"{self.name} comes to {api}")

        def detach(self) -> None:
            went.append(f"{self.name} goes")

    registry: ModelRegistry[str] = ModelRegistry()
    registry.register(Model("first"))
    registry.attach("engine", run_now)
    registry.register(Model("late"))
    registry.detach()
    registry.register(Model("too late"))
    assert went == ["first comes to engine", "late comes to engine", "late goes", "first goes"]
