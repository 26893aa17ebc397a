"""The trace that is open: its steps, its reply, and what can be done with it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from chimein_gui.domain.errors import ChimeinError, NotFoundError
from chimein_gui.domain.traces.axis import as_of
from chimein_gui.domain.traces.summaries import ExportFormat, ExportOptions
from chimein_gui.viewmodels.core.commands import GuardedJobs
from chimein_gui.viewmodels.saved_files import file_problem, write_whole
from chimein_gui.viewmodels.traces.list import TraceListModel
from chimein_gui.viewmodels.traces.site_rules import SiteRules
from chimein_gui.viewmodels.traces.standing import standing_in, standings_in
from chimein_gui.viewmodels.traces.steps import StepTreeModel
from chimein_gui.viewmodels.words.errors import error_words

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from chimein_gui.domain.ids import ChatId, GraphId, MessageId, TaskId
    from chimein_gui.domain.traces.steps import Trace
    from chimein_gui.domain.traces.summaries import TraceId, TraceSummary
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.engine_api.prompts import PromptsService
    from chimein_gui.viewmodels.traces.api import TraceQueries
    from chimein_gui.viewmodels.window import WindowModels

SETTLE_MS = 400


class OpenTraceApi(Protocol):
    """What this model asks of the engine."""

    @property
    def prompts(self) -> PromptsService: ...

    @property
    def traces(self) -> TraceQueries: ...


@dataclass(frozen=True, slots=True)
class NotSaved:
    """An export that could not be written.

    Attributes:
        path: The file.
        why: Why, and what to do about it, in words.
        trace_id, form, with_content: What was to be written.
    """

    path: Path
    why: str
    trace_id: TraceId
    form: ExportFormat
    with_content: bool


class OpenTrace(QObject):
    """Reads one trace at a time, again when it changes.

    Attributes:
        changed: The trace, the state of reading or `problem` changed.
        passed: Time passed while something in the trace waits; its steps and `trace` are as of now.
        found: A plan's trace is known; carries its id, or None if there is none.
        curl_made: The command of a call is there; carries it.
        source_read: The source of a page was asked for; carries trace, step, and the source, or None if it is not kept.
        source_refused: The source of a page can't be read now; carries trace, step, and why, in words.
        saved: A file was written; its path.
        not_saved: A file could not be written; carries a `NotSaved`.
        failed: Something was refused, in words.
        trace: What is shown; None while nothing is, or until it is read.
        trace_id: What shall be shown.
        steps: Its steps as a tree.
        problem: Why it can't be read, in words; else empty.
        is_gone: It was deleted.
        is_missing: Nothing is open because a plan was looked for that has no trace.
    """

    changed = Signal()
    passed = Signal()
    found = Signal(object)
    curl_made = Signal(str)
    source_read = Signal(object, int, object)
    source_refused = Signal(object, int, str)
    saved = Signal(object)
    not_saved = Signal(object)
    failed = Signal(str)

    def __init__(self, feed: Feed, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._feed = feed
        self._api: OpenTraceApi | None = None
        self._jobs = GuardedJobs(feed.bridge, self.failed.emit)
        self.steps = StepTreeModel(self)
        self.trace: Trace | None = None
        self.trace_id: TraceId | None = None
        self.problem, self.is_gone, self.is_missing = "", False, False
        self._watched, self._stale = True, False
        self._reads = self._taken = 0
        self._row: TraceSummary | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SETTLE_MS)
        self._soon.timeout.connect(self.read)
        feed.clock.ticked.connect(self._tick)

    def attach(self, api: OpenTraceApi, spawn: Spawn) -> None:
        """Read what shall be shown."""
        self._api, self._jobs.spawn = api, spawn
        self.read()

    def detach(self) -> None:
        """Stop reading."""
        self._soon.stop()
        self._api = self._jobs.spawn = None

    def open(self, trace_id: TraceId | None) -> None:
        """Show another trace; None shows nothing."""
        self.is_missing = False
        if trace_id != self.trace_id:
            self.trace_id, self.trace, self.problem, self.is_gone = trace_id, None, "", False
            self.read()
            if trace_id is None:
                self.steps.show_trace(None)
                self.changed.emit()

    def touched(self, trace_id: TraceId) -> None:
        """Read the trace again if it is the one that has changed, now or once it is shown."""
        if trace_id == self.trace_id:
            self._stale = True
            self.watch(watched=self._watched)

    def look_at(self, row: TraceSummary) -> None:
        """Read the trace at once if its row in the list is another one than it has: both tell the same story."""
        if self.trace is not None and row.trace_id == self.trace_id and row not in (self._row, self.trace.summary):
            self._row = row  # one row causes one read
            self.read()

    def watch(self, *, watched: bool) -> None:
        """Follow changes while the trace is shown; those missed before are read soon."""
        self._watched = watched
        if not watched:
            self._soon.stop()
        elif self._stale and not self._soon.isActive():
            self._soon.start()

    def read(self) -> None:
        """Read the trace again; what is shown stays until then."""
        self._stale = False
        self._soon.stop()
        if self._api is not None and self._jobs.spawn is not None and self.trace_id is not None:
            self._reads += 1
            self._jobs.spawn(self._fetch(self._api, self.trace_id, self._reads), name="read trace")

    async def _fetch(self, api: OpenTraceApi, trace_id: TraceId, number: int) -> None:
        trace: Trace | None = None
        problem, gone = "", False
        try:
            trace = await api.traces.trace(trace_id)
        except NotFoundError:
            gone = True
        except ChimeinError as error:
            problem = error_words(error)
        if number > self._taken:  # what began before one that is there already may be older
            self._taken = number
            self._feed.bridge.deliver(lambda: self._take(trace_id, trace, problem, gone=gone))

    def _take(self, trace_id: TraceId, trace: Trace | None, problem: str, *, gone: bool) -> None:
        if trace_id != self.trace_id:
            return
        self.trace, self.problem, self.is_gone = trace, problem, gone
        self.steps.show_trace(trace)
        self.changed.emit()

    def _tick(self) -> None:
        """Let what waits last until now, while it is shown."""
        if not self._watched or self.trace is None:
            return
        trace = as_of(self.trace, self._feed.clock.now())
        if trace is not self.trace:
            self.trace = trace
            self.steps.show_trace(trace)
            self.passed.emit()

    # --- actions ----------------------------------------------------------------------------------------------------

    def find(self, graph_id: GraphId) -> None:
        """Look for the trace of a plan; `found` tells."""
        self._find(lambda api: api.traces.of_graph(graph_id))

    def find_asked(self, task_id: TaskId) -> None:
        """Look for the trace of the attempts at a `received` step; `found` tells."""
        self._find(lambda api: api.traces.of_task(task_id))

    def find_sent(self, chat_id: ChatId, message_id: MessageId) -> None:
        """Look for the trace of the plan that sent a message; `found` tells."""
        self._find(lambda api: api.traces.of_message(chat_id, message_id))

    def _find(self, look: Callable[[OpenTraceApi], Awaitable[TraceId | None]]) -> None:
        api = self._api

        async def job() -> None:
            assert api is not None
            trace_id = await look(api)
            self._feed.bridge.deliver(lambda: self._tell_found(trace_id))

        if api is not None:
            self._jobs.run(job(), "find trace")

    def _tell_found(self, trace_id: TraceId | None) -> None:
        if trace_id is None:  # what was open belongs to another plan
            self.open(None)
            self.is_missing = True
            self.changed.emit()
        self.found.emit(trace_id)

    def keep(self, *, is_kept: bool) -> None:
        """Keep this trace from being deleted by age, or no longer."""
        api, trace_id = self._api, self.trace_id

        async def job() -> None:
            assert api is not None
            assert trace_id is not None
            await api.traces.keep(trace_id, is_kept=is_kept)
            self._feed.bridge.deliver(self.read)

        if api is not None and trace_id is not None:
            self._jobs.run(job(), "keep trace")

    def curl(self, step_id: int) -> None:
        """Ask for the command that makes a model call once more; `curl_made` tells."""
        api, trace_id = self._api, self.trace_id

        async def job() -> None:
            assert api is not None
            assert trace_id is not None
            words = await api.traces.curl(trace_id, step_id)
            self._feed.bridge.deliver(lambda: self.curl_made.emit(words))

        if api is not None and trace_id is not None:
            self._jobs.run(job(), "curl")

    def read_source(self, step_id: int) -> None:
        """Ask for the source of a page; `source_read` tells."""
        api, trace_id = self._api, self.trace_id

        async def job() -> None:
            assert api is not None
            assert trace_id is not None
            source: str | None = None
            try:
                source = await api.traces.page_source(trace_id, step_id)
            except NotFoundError:
                pass
            except ChimeinError as error:
                words = error_words(error)
                self._feed.bridge.deliver(lambda: self.source_refused.emit(trace_id, step_id, words))
                return
            self._feed.bridge.deliver(lambda: self.source_read.emit(trace_id, step_id, source))

        if api is not None and trace_id is not None:
            self._jobs.run(job(), f"source of a page {step_id}")

    def export(self, trace_ids: Sequence[TraceId], form: ExportFormat, path: Path, *, with_content: bool) -> None:
        """Write traces into a file, whole or not at all."""
        api = self._api

        async def job() -> None:
            assert api is not None
            data = await api.traces.export(tuple(trace_ids), ExportOptions(form, with_content=with_content))
            try:
                await api.prompts.compute(lambda: write_whole(path, data))
            except OSError as error:
                words = file_problem(error)
                lost = NotSaved(path, words, trace_ids[0], form, with_content=with_content)
                self._feed.bridge.deliver(lambda: self.not_saved.emit(lost))
            else:
                self._feed.bridge.deliver(lambda: self.saved.emit(path))

        if api is not None:
            self._jobs.run(job(), "export traces")


class Traces:
    """The pane's models, each registered with the engine."""

    def __init__(self, models: WindowModels) -> None:
        self.list = TraceListModel(models, models.bridge)
        self.list.standing_of = partial(standing_in, models)
        self.list.standings_now = partial(standings_in, models)
        for moved in (models.agents.summary_changed, models.approvals.waiting_changed, models.clock.ticked):
            moved.connect(self.list.look_at_standings)
        self.open = OpenTrace(models, models.bridge)
        self.sites = SiteRules(models.bridge, models.bridge)
        self.list.row_changed.connect(self.open.touched)
        self.list.changed.connect(self._compare)
        for model in (self.list, self.open):
            models.register(model)
        models.register(self.sites)

    def _compare(self) -> None:
        """Let the open trace follow its row, which another filter, or the pane when it is shown, reads earlier."""
        for row in self.list.rows() if self.open.trace is not None else ():
            self.open.look_at(row)


def make_traces(models: WindowModels) -> Traces:
    """Create the models when the pane is first shown: nothing is read before."""
    return Traces(models)
