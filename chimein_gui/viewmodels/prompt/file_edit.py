"""Applies an edit of the what-if mode to the file of its section: proposed first, then written, and undone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.domain.prompt.source_edits import carried
from chimein_gui.viewmodels.words.errors import error_words

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from chimein_gui.domain.prompt.prompts import PromptSection
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.engine_api.sources import SourcesApi, SourcesService


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change of a file that is not written yet.

    Attributes:
        path: The file.
        base: Its text as it was read.
        text: Its text with the edit.
        section: The section as it was built.
        edited: The edited section.
        is_again: The file was changed by somebody else since it was proposed first.
    """

    path: str
    base: str
    text: str
    section: PromptSection
    edited: str
    is_again: bool = False


class FileEdit(QObject):
    """One change at a time.

    Attributes:
        proposed: A change can be looked at; carries the `Proposal`.
        written: It is written, or undone; carries the path and whether it was undone.
        failed: Why not, in words.
    """

    proposed = Signal(object)
    written = Signal(str, bool)
    failed = Signal(str)

    def __init__(self, feed: Feed, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._feed = feed
        self._api: SourcesService | None = None
        self._spawn: Spawn | None = None
        self._last: Proposal | None = None

    def attach(self, api: SourcesApi, spawn: Spawn) -> None:
        """Write with this engine."""
        self._api, self._spawn = api.sources, spawn

    def detach(self) -> None:
        """Forget the engine."""
        self._api = self._spawn = None

    def propose(self, section: PromptSection, edited: str) -> None:
        """Read the file of a section, and propose the edit."""
        if self._api is not None:
            self._run(self._propose(self._api, section, edited), f"propose a change of {section.source}")

    def write(self, proposal: Proposal) -> None:
        """Write a change as it was proposed. If the file is another one by now, that one is proposed instead."""
        if self._api is not None:
            self._run(self._write(self._api, proposal), f"write {proposal.path}")

    def undo(self) -> None:
        """Give the file that was written last its earlier text back, unless it was changed since."""
        if self._api is not None and self._last is not None:
            self._run(self._undo(self._api, self._last), f"undo {self._last.path}")

    async def _propose(
        self, api: SourcesService, section: PromptSection, edited: str, *, is_again: bool = False
    ) -> None:
        path = await path_of(api, section.source)
        base = await api.read(path)
        text = carried(base, section.first_line, section.text, edited)
        if text is None:
            self._tell_failure(self.tr("The file has changed since the prompt was built. Build it again, then apply."))
            return
        proposal = Proposal(path, base, text, section, edited, is_again)
        self._feed.bridge.deliver(lambda: self.proposed.emit(proposal))

    async def _write(self, api: SourcesService, proposal: Proposal) -> None:
        if await api.read(proposal.path) != proposal.base:
            await self._propose(api, proposal.section, proposal.edited, is_again=True)
            return
        result = await api.save(proposal.path, proposal.base, proposal.text)
        if result.is_conflict:
            await self._propose(api, proposal.section, proposal.edited, is_again=True)
            return
        self._last = proposal
        self._feed.bridge.deliver(lambda: self.written.emit(proposal.path, False))

    async def _undo(self, api: SourcesService, last: Proposal) -> None:
        result = await api.save(last.path, last.text, last.base)
        if result.is_conflict:
            self._tell_failure(self.tr("The file has changed since; nothing was undone."))
            return
        self._last = None
        self._feed.bridge.deliver(lambda: self.written.emit(last.path, True))

    def _run(self, command: Coroutine[Any, Any, None], name: str) -> None:
        async def job() -> None:
            try:
                await command
            except ChimeinError as error:
                self._tell_failure(error_words(error))

        if self._spawn is None:
            command.close()
        else:
            self._spawn(job(), name=name)

    def _tell_failure(self, words: str) -> None:
        self._feed.bridge.deliver(lambda: self.failed.emit(words))


async def path_of(api: SourcesService, source: str) -> str:
    """Return the path of a source, which may be relative to a config directory."""
    paths = [one.path for one in await api.files() if not one.is_archived]
    ending = "/" + source
    return (
        source if source in paths else next((one for one in paths if one.replace("\\", "/").endswith(ending)), source)
    )
