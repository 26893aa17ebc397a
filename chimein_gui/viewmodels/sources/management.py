"""Creates, renames, copies and archives files of agents and prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from chimein_gui.domain.agent_files.sources import SourceFile
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.sources import SourcesService

translate = QCoreApplication.translate


class SourceManagement(QObject):
    """Each method is one call of the engine.

    Attributes:
        done: A file was created, renamed, copied, archived or restored; carries its path, a sentence that says so, and
            what undoes it or None.
    """

    done = Signal(str, str, object)

    def __init__(
        self, bridge: EngineBridge, call: Callable[[Coroutine[Any, Any, None], str], None], parent: QObject
    ) -> None:
        """`call` runs a call of the engine under a name."""
        super().__init__(parent)
        self._bridge, self._call = bridge, call
        self._api: SourcesService | None = None

    def attach(self, api: SourcesService | None) -> None:
        """Use this engine; None stops all calls."""
        self._api = api

    def create_prompt(self, name: str, agent: str = "") -> None:
        """Create a prompt; one of an agent's own if the agent is named."""
        if self._api is not None:
            words = translate("SourceEditor", "“{name}” is created").format(name=name)
            self._run(self._api.create_prompt(name, "", agent), words, None)

    def rename(self, file: SourceFile, name: str) -> None:
        """Rename a file; its agent, or the agents that use it, follow."""
        if self._api is not None and name != file.name:
            words = translate("SourceEditor", "“{before}” is now “{name}”").format(before=file.name, name=name)
            self._run(self._api.rename(file.path, name), words, lambda path: self._rename_back(path, file.name))

    def duplicate(self, file: SourceFile, name: str) -> None:
        """Copy a file."""
        if self._api is not None:
            words = translate("SourceEditor", "“{name}” is a copy").format(name=name)
            self._run(self._api.duplicate(file.path, name), words, None)

    def archive(self, file: SourceFile) -> None:
        """Move a file to the archive."""
        self._archive(file.path, file.name)

    def restore(self, file: SourceFile) -> None:
        """Move a file back from the archive."""
        self._restore(file.path, file.name)

    def _rename_back(self, path: str, name: str) -> None:
        if self._api is not None:
            words = translate("SourceEditor", "“{name}” has its former name").format(name=name)
            self._run(self._api.rename(path, name), words, None)

    def _archive(self, path: str, name: str) -> None:
        if self._api is not None:
            words = translate("SourceEditor", "“{name}” is in the archive").format(name=name)
            self._run(self._api.archive(path), words, lambda now: self._restore(now, name))

    def _restore(self, path: str, name: str) -> None:
        if self._api is not None:
            words = translate("SourceEditor", "“{name}” is back from the archive").format(name=name)
            self._run(self._api.restore(path), words, lambda now: self._archive(now, name))

    def _run(self, command: Coroutine[Any, Any, str], words: str, undo: Callable[[str], None] | None) -> None:
        async def job() -> None:
            path = await command
            again = (lambda: undo(path)) if undo is not None else None
            self._bridge.deliver(lambda: self.done.emit(path, words, again))

        self._call(job(), "manage files of agents")
