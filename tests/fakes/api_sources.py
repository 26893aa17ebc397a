"""The editor's real service over real files of a test; nothing waits, and no agent is started by it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from chimein_gui.adapters.files.agents.sources import ConfigSourceFiles
from chimein_gui.engine.agents.source_editor import SourceEditor

if TYPE_CHECKING:
    from chimein_gui.domain.agent_files.sources import Draft, SourceFile
    from chimein_gui.engine.agents.agent_files import AgentFileWatcher
    from tests.fakes.engine_api import FakeEngineApi


class DirectSourceFiles(ConfigSourceFiles):
    """The real files, read and written at once: jobs of the window's tests never wait."""

    async def files(self) -> tuple[SourceFile, ...]:
        return self._files()

    async def read(self, path: str) -> str:
        return self._read(Path(path))

    async def write(self, path: str, text: str, expected: str | None) -> str | None:
        return self._write(Path(path), text, expected)

    async def move(self, moves: tuple[tuple[str, str], ...]) -> None:
        self._move([(Path(old), Path(new)) for old, new in moves])

    async def copy(self, source: str, target: str) -> None:
        self._copy(Path(source), Path(target))

    async def keep_draft(self, draft: Draft) -> None:
        self._keep_draft(draft)

    async def drop_draft(self, path: str) -> None:
        self._drop_draft(path)

    async def drafts(self) -> tuple[Draft, ...]:
        return self._kept_drafts()


class FakeWatcher:
    """Counts how often the files were taken in."""

    def __init__(self) -> None:
        self.reloads = 0

    async def reload(self) -> None:
        self.reloads += 1


def sources_of(api: FakeEngineApi, folder: Path | None = None) -> SourceEditor:
    """Return the service; without a folder it has no files."""
    files = None if folder is None else DirectSourceFiles([folder / "config"], folder / "state")
    watcher = cast("AgentFileWatcher", FakeWatcher())
    return SourceEditor(files, watcher, lambda: [agent.spec for agent in api.agents.values()])
