"""Keeps unsaved changes of files within a second, so that a crash loses little."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from chimein_gui.domain.agent_files.sources import Draft

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.sources import SourcesService
    from chimein_gui.viewmodels.sources.document import SourceDocument

PAUSE_MS = 1_000
"""Milliseconds after a change until it is kept: the most typing that a crash loses."""


class FileAutosave(QObject):
    """The unsaved changes as they are kept on the disk.

    Attributes:
        loaded: What an earlier run kept is in `kept`.
        kept: By path of the file.
    """

    loaded = Signal()

    def __init__(
        self, bridge: EngineBridge, call: Callable[[Coroutine[Any, Any, None], str], None], parent: QObject
    ) -> None:
        """`call` runs a call of the engine under a name."""
        super().__init__(parent)
        self._bridge = bridge
        self.kept: dict[str, Draft] = {}
        self._call = call
        self._api: SourcesService | None = None
        self._changed: dict[str, SourceDocument] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self.keep)

    def attach(self, api: SourcesService) -> None:
        """Keep changes with this engine, and read those that an earlier run kept."""
        self._api = api
        self._call(self._load(api), "load drafts of files")

    def detach(self) -> None:
        """Keep what is not kept yet, before the engine is closed."""
        self._timer.stop()
        self.keep()
        self._api = None

    async def _load(self, api: SourcesService) -> None:
        drafts = {draft.path: draft for draft in await api.drafts()}
        self._bridge.deliver(lambda: self._take(drafts))

    def _take(self, drafts: dict[str, Draft]) -> None:
        self.kept = {**drafts, **self.kept}
        self.loaded.emit()

    def note(self, document: SourceDocument) -> None:
        """Note that a file was changed, or saved."""
        self._changed[document.file.path] = document
        if self._api is not None:
            self._timer.start()

    def keep(self) -> None:
        """Keep the changes of the noted files, and forget those of files without any."""
        if self._api is None:
            return
        for path, document in self._changed.items():
            draft = Draft(path, document.base, document.text)
            if document.is_edited and self.kept.get(path) != draft:
                self.kept[path] = draft
                self._call(self._api.keep_draft(draft), f"keep draft of {path}")
            elif not document.is_edited and self.kept.pop(path, None) is not None:
                self._call(self._api.drop_draft(path), f"drop draft of {path}")
        self._changed.clear()
