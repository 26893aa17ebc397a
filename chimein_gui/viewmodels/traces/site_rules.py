"""Denies a site in an agent's file, and takes that back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.agent_files.edits import with_host_denied
from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.configs import ConfigReason
from chimein_gui.domain.retrieval.addresses import WebAddress, read_address
from chimein_gui.domain.retrieval.host_lists import HostLists
from chimein_gui.domain.retrieval.refusals import RefusalRule
from chimein_gui.viewmodels.core.commands import CommandRunner
from chimein_gui.viewmodels.prompt.file_edit import path_of

if TYPE_CHECKING:
    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.retrieval.pages import PageFetched
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.sources import SourcesService


class SiteRulesApi(Protocol):
    """What this model asks of the engine."""

    @property
    def sources(self) -> SourcesService: ...


@dataclass(frozen=True, slots=True)
class DeniedSite:
    """A change of an agent's file.

    Attributes:
        host: The site that is denied now.
        agent: Name of the agent.
        path: The file.
        before: Its text before.
        after: Its text now.
    """

    host: str
    agent: str
    path: str
    before: str
    after: str


class SiteRules(CommandRunner[SiteRulesApi]):
    """Each change is one save of the file, which keeps what another program changed meanwhile.

    Attributes:
        denied: A site is denied; carries the `DeniedSite`.
        denied_already: The file denied the site already, and was not changed; carries the `DeniedSite`.
        undone: It is not denied any more; carries the `DeniedSite`.
    """

    denied = Signal(object)
    denied_already = Signal(object)
    undone = Signal(object)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(bridge, parent)

    def deny(self, agent: Agent, host: str) -> None:
        """Add a host to the denied ones of an agent; its next plan looks up nothing there."""
        if self._api is not None:
            self._send(self._deny(self._api, agent, host), f"deny {host}")

    def undo(self, site: DeniedSite) -> None:
        """Restore the file; what was changed in it since stays, or nothing is written."""
        if self._api is not None:
            self._send(self._undo(self._api, site), f"allow {site.host}")

    async def _deny(self, api: SiteRulesApi, agent: Agent, host: str) -> None:
        path = await path_of(api.sources, agent.spec.source)
        before = await api.sources.read(path)
        after = with_host_denied(before, host)
        if after == before:  # an undo would change nothing
            same = DeniedSite(host, agent.spec.name, path, before, before)
            self._bridge.deliver(lambda: self.denied_already.emit(same))
            return
        saved = await api.sources.save(path, before, after)
        if saved.is_conflict:
            raise RefusedError(Note(ConfigReason.FILE_CHANGED, PurePath(path).name))
        site = DeniedSite(host, agent.spec.name, path, before, saved.text)
        self._bridge.deliver(lambda: self.denied.emit(site))

    async def _undo(self, api: SiteRulesApi, site: DeniedSite) -> None:
        saved = await api.sources.save(site.path, site.after, site.before)
        if saved.is_conflict:
            raise RefusedError(Note(ConfigReason.FILE_CHANGED, PurePath(site.path).name))
        self._bridge.deliver(lambda: self.undone.emit(site))


def host_of(page: PageFetched) -> str:
    """Return the host that brought a page, or that was asked for; empty if the address names none."""
    for address in (page.final, page.requested):
        read = read_address(address)
        if isinstance(read, WebAddress):
            return read.host
    return ""


def is_denied(agent: Agent, page: PageFetched) -> bool:
    """Return whether the agent's file denies the host of a page already."""
    read = read_address(page.final)
    lists = HostLists(denied=agent.spec.denied_hosts)
    return isinstance(read, WebAddress) and lists.refusal_of(read) is RefusalRule.DENIED
