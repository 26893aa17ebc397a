"""What can be done with a page of a trace: read its source, deny its site, go on without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from chimein_gui.ui.requests import RunAction
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.marks import IconLabel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.domain.traces.summaries import TraceId
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.panes.traces.detail.pages import PagesTab
    from chimein_gui.ui.widgets.surfaces.news import News
    from chimein_gui.viewmodels.traces.open_trace import Traces
    from chimein_gui.viewmodels.traces.site_rules import DeniedSite


class PageActions(QObject):
    """Does what the tab of pages asks for, and says what became of it."""

    def __init__(self, context: PaneContext, models: Traces, tab: PagesTab, news: News, parent: QWidget) -> None:
        super().__init__(parent)
        self._context, self._models, self._news = context, models, news
        send = context.requests.send
        self._tab = tab
        tab.reading.source_asked.connect(models.open.read_source)
        models.open.source_read.connect(self._take_source)
        models.open.source_refused.connect(self._refuse_source)
        tab.facts.asked.connect(lambda action: send(RunAction(action)))
        tab.facts.deny_asked.connect(self._deny)
        self._denied: DeniedSite | None = None
        models.sites.denied.connect(self._tell_denied)
        models.sites.denied_already.connect(self._tell_denied_already)
        models.sites.undone.connect(self._tell_allowed)
        models.sites.failed.connect(news.fail)

    def _take_source(self, trace_id: TraceId, step_id: int, source: str | None) -> None:
        if trace_id == self._models.open.trace_id:
            self._tab.reading.take_source(step_id, source)

    def _refuse_source(self, trace_id: TraceId, step_id: int, why: str) -> None:
        if trace_id == self._models.open.trace_id:
            self._tab.reading.refuse_source(step_id, why)

    def _deny(self, host: str) -> None:
        trace = self._models.open.trace
        agent = self._context.models.agents.find(trace.summary.agent_id) if trace is not None else None
        if agent is not None and host:
            self._models.sites.deny(agent, host)

    def _tell_denied(self, site: DeniedSite) -> None:
        self._denied = site
        host, agent = (foreign_text.isolate(foreign_text.line(one, 60)) for one in (site.host, site.agent))
        words = self.tr("{host} is denied in the file of {agent}. Its next plan looks up nothing there.")
        label = IconLabel("check", words.format(host=host, agent=agent), "ok")
        self._news.say(label, self.tr("Undo"), lambda: self._models.sites.undo(site))

    def _tell_denied_already(self, site: DeniedSite) -> None:
        """Say it without a way back, because nothing was changed; the way back from the change before stays."""
        if self._denied is not None and (self._denied.path, self._denied.host) == (site.path, site.host):
            self._tell_denied(self._denied)
            return
        host, agent = (foreign_text.isolate(foreign_text.line(one, 60)) for one in (site.host, site.agent))
        words = self.tr("{host} is denied in the file of {agent} already.").format(host=host, agent=agent)
        self._news.say(IconLabel("info", words, "info"))

    def _tell_allowed(self, site: DeniedSite) -> None:
        self._denied = None
        host = foreign_text.isolate(foreign_text.line(site.host, 60))
        self._news.say(IconLabel("undo", self.tr("{host} is not denied any more.").format(host=host), "info"))
