"""Lists of which only some pages are in memory, and the models of log and costs, watched by Qt's own model tester."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from PySide6.QtCore import QAbstractItemModel
from PySide6.QtTest import QAbstractItemModelTester

from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.ids import AgentId
from chimein_gui.domain.plans.decision_log import DecisionFilter, DecisionKind
from chimein_gui.domain.spending.sums import Sums
from chimein_gui.domain.traces.summaries import NO_STANDINGS, TraceFilter, TraceId, TraceState
from chimein_gui.reporting.log_lines import about
from chimein_gui.reporting.logs import start_logging, stop_logging
from chimein_gui.reporting.redaction import Redaction
from chimein_gui.ui.panes.costs.table import CostLines
from chimein_gui.viewmodels.core.roles import ItemRole, KeyRole
from chimein_gui.viewmodels.costs.pane import CostLine
from chimein_gui.viewmodels.decisions.log import DecisionLogModel
from chimein_gui.viewmodels.log.filter import LogFilter
from chimein_gui.viewmodels.log.model import MOST, LogModel
from chimein_gui.viewmodels.paging.window import KEPT_PAGES, PAGE_ROWS, PageWindow
from chimein_gui.viewmodels.traces.list import TraceListModel
from tests.fakes.api_history import decided
from tests.fakes.api_traces import traced

ROWS = 30 * PAGE_ROWS + 7


@contextmanager
def qt_checked(model: QAbstractItemModel) -> Iterator[None]:
    """Let Qt check every signal of a model; what it finds fails the test."""
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    yield
    tester.deleteLater()


@pytest.fixture
def traces(room):
    fake = room.api.traces
    fake.rows.update({row.trace_id: row for row in map(traced, range(ROWS))})
    model = TraceListModel(room.models)
    room.models.register(model)
    room.attach()
    with qt_checked(model):
        model.watch(watched=True)
        room.settle()
        yield model


def newest(room):
    return sorted(room.api.traces.rows, reverse=True)


def see(room, model, row):
    """Ask for a row as a view does, and return its key once it is there."""
    model.index(row, 0).data(ItemRole)
    room.settle()
    return model.index(row, 0).data(KeyRole)


def follow(room, model):
    room.settle()
    model._read_again()
    room.settle()


def test_new_rows_come_at_the_top_and_the_others_keep_their_contents(room, traces):
    assert see(room, traces, 1_500) == newest(room)[1_500]
    room.api.traces.put(traced(-1), traced(-2))
    follow(room, traces)
    assert traces.rowCount() == ROWS + 2
    assert traces.index(1_502, 0).data(KeyRole) == newest(room)[1_502]
    for row in (0, 99, 150, 1_400, ROWS + 1):
        assert see(room, traces, row) == newest(room)[row]


def test_a_changed_row_far_down_is_changed_in_its_place(room, traces):
    trace_id = see(room, traces, 1_500)
    changed = []
    traces.dataChanged.connect(lambda first, last: changed.append((first.row(), last.row())))
    room.api.traces.put(replace(room.api.traces.rows[trace_id], state=TraceState.REJECTED))
    follow(room, traces)
    assert changed == [(1_500, 1_500)]
    assert "Rejected" in traces.index(1_500, 0).data()


@pytest.mark.parametrize("gone", [range(ROWS - 150, ROWS), range(2_000, 2_040), range(5)])
def test_deleted_rows_leave_no_gap(room, traces, gone):
    for row in (0, 1_000, 2_050, ROWS - 1):
        see(room, traces, row)
    room.api.traces.remove(*(newest(room)[place] for place in gone))
    follow(room, traces)
    assert traces.rowCount() == ROWS - len(gone)
    for row in (0, 99, 100, 1_000, 2_050, traces.rowCount() - 1):
        assert see(room, traces, row) == newest(room)[row]


def test_a_filter_shows_other_rows_and_few_of_them_have_no_more_pages(room, traces):
    for number in (3, 700, 2_999):
        row = traced(number, state=TraceState.FAILED)
        room.api.traces.rows[row.trace_id] = row
    traces.choose(TraceFilter(states=frozenset({TraceState.FAILED})))
    room.settle()
    assert [row.trace_id for row in traces.rows()] == [traced(number).trace_id for number in (3, 700, 2_999)]
    assert (traces.rowCount(), traces.counts.all) == (3, ROWS)
    traces.choose(TraceFilter(agent_id=AgentId(9)))
    room.settle()
    assert (traces.rowCount(), traces.is_loaded) == (0, True)


def test_memory_holds_few_pages_however_many_are_shown(room, traces):
    for row in range(0, ROWS, 50):
        assert see(room, traces, row) == newest(room)[row]
    assert len(traces.rows()) <= (KEPT_PAGES + 1) * PAGE_ROWS


@pytest.mark.parametrize("again", ["followed", "asked for later", "engine again"])
def test_pages_that_could_not_be_read_are_read_once_the_store_answers(room, traces, again):
    fake = room.api.traces
    fake.fail = StoreError("busy")
    for row in (500, 900, 1_300):
        traces.item_at(row)
    room.settle()
    assert traces.problem
    fake.fail = None
    assert see(room, traces, 500) is None, "a list in sight does not ask at each paint"
    if again == "followed":
        follow(room, traces)
    elif again == "asked for later":
        traces._later.timeout.emit()
    else:
        room.models.detach()
        assert traces.item_at(2_000) is None
        room.attach()
        room.settle()
        assert see(room, traces, 2_000) == newest(room)[2_000]
    for row in (500, 900, 1_300):
        assert see(room, traces, row) == newest(room)[row]


def test_a_page_is_read_after_another_one_broke_the_reader(room, traces):
    async def broken(*_args, **_more):
        raise ValueError("not expected")

    whole, room.api.traces.page = room.api.traces.page, broken
    with pytest.raises(ValueError, match="not expected"):
        traces.item_at(550)
    room.api.traces.page = whole
    follow(room, traces)
    assert see(room, traces, 550) == newest(room)[550]


def test_a_page_that_comes_late_is_not_put_among_other_rows(room):
    """It was asked for before rows were deleted above it."""
    fake = room.api.traces
    fake.rows.update({row.trace_id: row for row in map(traced, range(ROWS))})
    model, jobs = TraceListModel(room.models), []
    held = asyncio.Event()
    read = fake.page

    async def page(wanted, before, *, skip=0, limit, standings=NO_STANDINGS):
        found = await read(wanted, before, skip=skip, limit=limit, standings=standings)
        if skip:
            await held.wait()
        return found

    async def play():
        fake.page = page
        loop = asyncio.get_running_loop()
        model.attach(room.api, lambda job, name: jobs.append(loop.create_task(job, name=name)))
        with qt_checked(model):
            model.watch(watched=True)
            await jobs[0]
            room.settle()
            model.index(2_000, 0).data(ItemRole)
            await asyncio.sleep(0)
            fake.remove(*newest(room)[500:540])
            model._read_again()
            await jobs[-1]
            room.settle()
            held.set()
            await asyncio.gather(*jobs)
            room.settle()
            assert model.rowCount() == ROWS - 40
            row = model.item_at(2_000)
            assert row is None or row.trace_id == newest(room)[2_000]
            model.detach()

    room.attach()
    asyncio.run(play())


def test_decisions_are_read_on_page_by_page(room):
    room.api.decided = [decided(number) for number in range(3 * PAGE_ROWS + 5)]
    model = DecisionLogModel(room.models)
    room.models.register(model)
    room.attach()
    with qt_checked(model):
        model.watch(watched=True)
        room.settle()
        while not model.is_whole:
            model.fetchMore(model.index(-1, 0))
            room.settle()
        assert model.rowCount() == 3 * PAGE_ROWS + 5
        room.api.decided.append(decided(-1))
        follow(room, model)
        assert (model.rowCount(), model.index(0, 0).data(KeyRole)) == (3 * PAGE_ROWS + 6, "-00001")
        model.choose(DecisionFilter(kind=DecisionKind.EDITED))
        room.settle()
        assert (model.rowCount(), model.is_whole) == (0, True)


def test_the_window_finds_the_way_to_a_page_it_knows_nothing_of():
    window = PageWindow[int, int](lambda row: row, range(1_000, 900, -1))
    window.reserve(350)
    far = window.use(410)
    assert [(page.start, page.count) for page in far] == [(300, 100), (400, 50)]
    assert window.way_to(far[1]) == (901, 300), "from the end of the first page"
    window.fill(far[1], range(600, 550, -1))
    assert window.use(410) == [], "it is there, and the one above was told before"
    window.fill(far[0], range(700, 600, -1))
    assert window.way_to(far[1]) == (601, 0)
    window.cut(30)
    assert len(window.rows) == 420
    assert window.use(419) == []
    window.forget()
    assert not window.awaits(far[1])
    assert sum(row is not None for row in window.rows) == 100


def test_the_log_tells_of_lines_that_come_go_and_are_filtered(room, tmp_path, qtbot):
    start_logging(tmp_path, Redaction().clean)
    for handler in logging.getLogger().handlers:
        if type(handler) is logging.StreamHandler:
            handler.setLevel(logging.CRITICAL)
    try:
        model = LogModel(room.models)
        room.models.register(model)
        room.attach()
        with qt_checked(model):
            model.watch(watched=True)
            with about(chat_id=1, graph_id=5):
                for number in range(400):
                    logging.getLogger("chimein_gui.engine").info("line %s", number)
            for _ in range(3):
                model.take_new()
            room.settle()
            assert [line.text for line in model.lines()][-1] == "line 399"
            model.choose(LogFilter(graph_id=6))
            assert model.rowCount() == 0
            model.choose(LogFilter(graph_id=5))
            assert model.rowCount() == 400
            for number in range(MOST):
                logging.getLogger("chimein_gui.engine").info("more %s", number)
                if number % 200 == 0:
                    model.take_new()
            for _ in range(MOST // 200):
                model.take_new()
            qtbot.waitUntil(lambda: model.rowCount() == 0)  # those of the plan were dropped with the oldest
            model.choose(LogFilter())
            assert model.rowCount() == MOST
            model.watch(watched=False)
    finally:
        stop_logging()


def test_the_costs_change_their_rows_in_place_while_the_groups_stay():
    def line(key, usd):
        return CostLine(key, f"agent {key}", Sums(calls=1, usd=usd))

    model, resets, changes = CostLines(), [], []
    with qt_checked(model):
        model.put((line(1, 2.0), line(2, 1.0)))
        model.modelReset.connect(lambda: resets.append(1))
        model.dataChanged.connect(lambda first, last: changes.append((first.row(), last.row())))
        model.put((line(1, 3.0), line(2, 1.0)))
        assert (resets, changes) == ([], [(0, 0)])
        assert "$3.00" in model.index(0, 0).data()
        model.put((line(2, 4.0), line(1, 3.0)))
        model.put(())
        assert (len(resets), model.rowCount()) == (2, 0)


def test_figures_of_a_filter_that_is_no_longer_wanted_are_not_counted(room, traces, monkeypatch):
    fake, counted = room.api.traces, []
    page, count = fake.page, fake.count

    async def read(wanted, before, **which):
        if traces.wanted == TraceFilter(slow=True):  # another filter is chosen while its page is read
            traces.choose(TraceFilter(edited=True))
        return await page(wanted, before, **which)

    async def noted(wanted, standings):
        counted.append(wanted)
        return await count(wanted, standings)

    monkeypatch.setattr(fake, "page", read)
    monkeypatch.setattr(fake, "count", noted)
    traces.choose(TraceFilter(slow=True))
    room.settle()
    assert set(counted) == {TraceFilter(edited=True)}, "its page does not wait for the counts of the other one"
    assert (traces.reading, traces.problem) == (False, "")


def test_a_trace_is_found_by_its_id_only_while_it_is_in_memory(room, traces):
    assert traces.row_of(newest(room)[1_500]) == -1
    see(room, traces, 1_500)
    assert traces.row_of(newest(room)[1_500]) == 1_500
    assert traces.row_of(TraceId(1)) == -1
