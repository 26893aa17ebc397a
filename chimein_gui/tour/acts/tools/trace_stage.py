"""What the acts about traces of their own run share: somebody speaks, and the newest trace is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui import ui_driver as hand
from chimein_gui.domain.retrieval.pages import PageFetched
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.tour.driver import account_of, looks, still
from chimein_gui.ui.panes.traces.pane import TracesPane

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.traces.summaries import TraceId, TraceState, TraceSummary
    from chimein_gui.program import Program
    from chimein_gui.sandbox_api import SandboxConsole
    from chimein_gui.tour.report import Tour


class TraceStage:
    """The Traces pane, and the sandbox that brings about what it shows."""

    def __init__(self, tour: Tour, program: Program) -> None:
        window = program.window
        window.show_pane("traces")
        pane = window.pane("traces")
        assert isinstance(pane, TracesPane)
        console = program.running.sandbox
        assert console is not None
        self.tour, self.program, self.window, self.pane = tour, program, window, pane
        self.engine = program.running.engine
        self.sandbox: SandboxConsole = console
        self._last: TraceId | None = None

    async def begin(self) -> None:
        """The trace that is looked at next is a newer one than there is."""
        await hand.until("the traces", lambda: self.pane.traces.is_loaded)
        self._last = self.newest.trace_id if self.newest is not None else None

    async def speak(self, partner: str, persona: str, words: str) -> None:
        """Let a partner write to a persona; the trace that is looked at next is a newer one."""
        await self.begin()
        partners = await self.sandbox.partners()
        speaker = next(one.user_id for one in partners if one.name == partner)
        await self.sandbox.speak(speaker, await account_of(self.program, persona), words)

    @property
    def newest(self) -> TraceSummary | None:
        """The first row."""
        rows = self.pane.traces.rows()
        return rows[0] if rows else None

    async def look(self, state: TraceState | None, words: str = "") -> TraceSummary:
        """Open the newest trace once it is in a state, or a newer one at all, and its box says these words."""

        def is_there() -> bool:
            row = self.newest
            return row is not None and row.trace_id != self._last and state in {None, row.state}

        await hand.until(f"a trace that is {state}", is_there)
        row = self.newest
        assert row is not None
        await hand.until("its row", lambda: self.pane.side.list.choose(row.trace_id))
        await hand.until("it", lambda: _is_shown(self.pane.shown, row))
        if words:
            await hand.until(f"the box that says {words}", lambda: self._says(words))
        return row

    def _says(self, words: str) -> bool:
        problem = self.pane.page.reason.shown
        return problem is not None and hand.begins(problem.cause, words)

    async def choose_page(self, host: str) -> None:
        """Choose the page of a host in the shown trace."""
        trace = self.pane.model.trace
        assert trace is not None
        fetched = [(one.step_id, one.detail) for one in trace.steps if isinstance(one.detail, PageFetched)]
        found = [step_id for step_id, page in fetched if host in page.requested]
        assert found, f"{host} is not among {[page.requested for _, page in fetched]}"
        self.pane.page.waterfall.choose(found[0])
        await hand.until("the page", self.pane.page.pages.isVisible)

    async def picture(self, name: str) -> None:
        """Photograph the window."""
        for look in looks(self.tour, self.program):
            await still(self.pane)
            self.tour.picture(self.window, f"{name}-{look}")

    async def card(self) -> Approval:
        """Return the card of the shown plan that waits for the operator."""

        def waiting() -> Approval | None:
            trace = self.pane.model.trace
            cards = (one.approval for one in trace.blocks) if trace is not None else ()
            return next((one for one in cards if one and one.task_status is TaskStatus.AWAITING_DECISION), None)

        found: Approval = await hand.until("its card", waiting)
        return found

    async def approve(self) -> None:
        """Approve the card of the shown plan."""
        self.window.models.actions.approve(await self.card())

    async def reject(self) -> None:
        """Reject the shown plan."""
        row = self.pane.shown
        assert row is not None
        assert row.graph_id is not None
        await self.engine.plans.reject(row.graph_id)


def _is_shown(shown: TraceSummary | None, row: TraceSummary) -> bool:
    return shown is not None and (shown.trace_id, shown.state) == (row.trace_id, row.state)
