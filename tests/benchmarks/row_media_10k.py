"""media_10k: the Media pane with 10,000 files of descriptions: time to open, to choose a facet, and to scroll."""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication

from chimein_gui.adapters.files.media.records import MediaRecordFiles
from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.messages import Media
from chimein_gui.engine.core.clock import SystemClock
from chimein_gui.engine.core.event_bus import EventBus
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.media.library import MediaLibraryService
from chimein_gui.resource_files import resource_path
from chimein_gui.viewmodels.media_library.facets import NEEDS_LOOK, Section
from tests.benchmarks.audience import Lateness, painted_ms, painted_window, percentile
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import run_in_qt
from tests.fakes.engine_api import FakeEngineApi, agent, chat, message

FILES, SETS, MET = 10_000, 200, 3_000
OPEN_MS, FACET_MS, FRAME_MS = 150.0, 50.0, 16.0
STEP_PX, FIRST = 90, 10**15
STICKERS = sorted(resource_path("sandbox", "media", "stickers").glob("*.webp"))


@dataclass
class Measured:
    """Milliseconds of each kind."""

    opens: list[float] = field(default_factory=list)
    facets: list[float] = field(default_factory=list)
    frames: list[float] = field(default_factory=list)
    read_ms: float = 0.0
    late_ms: float = 0.0


def write_records(folder: Path) -> None:
    """Write a third of the descriptions as the operator's, the others as a model's; some of these failed."""
    shared, cache = folder / "config" / "media", folder / "state" / "media"
    for place in (shared, cache):
        place.mkdir(parents=True)
    for number in range(FILES):
        failed = number % 10 == 9
        record = {
            "unique_id": str(FIRST + number),
            "kind": "sticker" if number % 20 else "photo",
            "sticker_set_name": f"set_{number % SETS}" if number % 20 else None,
            "sticker_name": "🦦🚌☔👋🦊"[number % 5],
            "description": "" if failed else f"Number {number}: a brown otter smiles calmly and holds a red heart.",
            "status": "temporary_failure" if failed else "curated" if number % 3 == 0 else "generated",
            "mime_type": "image/webp",
        }
        place = shared if number % 3 == 0 and not failed else cache
        (place / f"{FIRST + number}.json").write_text(json.dumps(record), encoding="utf-8")


async def _service(folder: Path, store: SqliteStore, jobs: JobRunner, api: FakeEngineApi) -> MediaLibraryService:
    """Return the service over real files and a real store, in which a part of the files was met."""
    spec = api.agents[1].spec

    def fill(tx: Any) -> None:
        owner = tx.agents.upsert(spec)
        tx.agents.bind_account(owner.agent_id, api.chats[1].info.account_id)
        known, _new = tx.chats.ensure(owner.agent_id, api.chats[1].info, planned_up_to=MessageId(0))
        for number in range(MET):
            media = Media(FIRST + number, "image/webp", set_name=f"set_{number % SETS}")
            tx.messages.put(known.chat_id, message(number + 1, "", media_kind="sticker", media=media))

    await store.transact(fill)
    files = MediaRecordFiles(folder / "state", (folder / "config",), folder / "samples")
    (owner,) = await store.read(lambda tx: tx.agents.all())
    return MediaLibraryService(store, EventBus(), SystemClock(), jobs.spawn, files, lambda: {owner.agent_id: spec})


async def _run(folder: Path, *, repeats: int, steps: int) -> Measured:
    found, api, jobs = Measured(), FakeEngineApi(), JobRunner()
    api.agents[1], api.chats[1] = agent(), chat()
    store = await SqliteStore.open(folder / "chimein.db", now=SystemClock().now)
    service = await _service(folder, store, jobs, api)
    api.media_library = service  # type: ignore[assignment]
    for number in range(MET):
        one = message(number + 1, "")
        api.media_files.put(one.key, STICKERS[number % len(STICKERS)])
    began = time.perf_counter()
    library = await service.load()
    found.read_ms = (time.perf_counter() - began) * 1000
    assert library is not None
    assert len(library.entries) == FILES
    paint = QCoreApplication.sendPostedEvents
    async with painted_window() as (window, _models):
        window.attach(api, jobs.spawn)
        shown = await painted_ms(partial(window.show_pane, "media"), paint)
        pane: Any = window.pane("media")
        await _loaded(pane.model)
        for _ in range(repeats):
            pane.model._take(_empty(library))
            await asyncio.sleep(0.05)
            found.opens.append(shown + await painted_ms(partial(pane.model._take, library), paint))
        for _ in range(repeats):
            for section, value in ((Section.STATUS, NEEDS_LOOK), (Section.KIND, "photo"), (Section.STATUS, None)):
                choose = partial(pane.model.filter.choose, section, value)
                found.facets.append(await painted_ms(choose, paint))
                await asyncio.sleep(0.02)
            found.facets.append(await painted_ms(partial(pane.head.box.setText, "heart 77"), paint))
            await painted_ms(pane.model.filter.show_all, paint)
            pane.head.box.clear()
        pane.grid.open_all()
        await asyncio.sleep(0.3)
        bar, late = pane.grid.verticalScrollBar(), Lateness()
        late.start()
        for _ in range(steps):
            found.frames.append(await painted_ms(partial(bar.setValue, bar.value() + STEP_PX), paint))
            await asyncio.sleep(0.016)
        late.stop()
        found.late_ms = max(late.late_ms)
    await jobs.aclose()
    await store.aclose()
    return found


async def _loaded(model: Any) -> None:
    happened = asyncio.Event()
    model.changed.connect(happened.set)
    while not model.is_loaded:
        happened.clear()
        await happened.wait()


def _empty(library: Any) -> Any:
    return replace(library, entries=())


def measure(folder: Path, *, quick: bool) -> Result:
    write_records(folder)
    repeats, steps = (2, 60) if quick else (5, 400)

    async def main(_app: Any) -> Measured:
        return await _run(folder, repeats=repeats, steps=steps)

    run: Callable[[Any], Any] = main
    found: Measured = run_in_qt(run)
    opened, facet = statistics.median(found.opens), max(found.facets)
    frame = percentile(found.frames, 0.99)
    ok = opened <= OPEN_MS and facet <= FACET_MS and frame <= FRAME_MS
    note = f"slowest facet {facet:.1f} ms; frame p99 {frame:.1f} ms; the files are read in {found.read_ms:.0f} ms"
    note += f"; longest block while scrolling {found.late_ms:.0f} ms"
    budget = f"open <= {OPEN_MS:.0f} ms, facet <= {FACET_MS:.0f} ms, frame p99 <= {FRAME_MS:.0f} ms"
    return Result("media_10k", opened, "ms", 0.0, budget, ok, note)
