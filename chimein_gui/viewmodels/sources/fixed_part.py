"""The fixed part of the prompts of the agent whose file is open, also of changes that are not saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from chimein_gui.domain.agent_files.fixed_part import FixedKind, FixedPart
from chimein_gui.viewmodels.core.numbers import count_words, dollars_words
from chimein_gui.viewmodels.core.throttle import Throttle

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from typing import Any

    from chimein_gui.domain.agent_files.sources import SourceFile
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.sources import SourcesService
    from chimein_gui.viewmodels.sources.document import SourceDocument

translate = QCoreApplication.translate

PAUSE_MS = 300
"""Shortest time between two estimates while the operator types."""


class FixedPartModel(QObject):
    """Follows the text of the open agent file.

    Attributes:
        changed: There is another estimate.
        part: The estimate; empty while there is none.
    """

    changed = Signal()

    def __init__(
        self,
        bridge: EngineBridge,
        call: Callable[[Coroutine[Any, Any, None], str], None],
        prompts: Callable[[], Mapping[str, SourceFile]],
        parent: QObject,
    ) -> None:
        """Create the model.

        Args:
            bridge: Delivers answers.
            call: Runs a call of the engine under a name.
            prompts: Returns the prompts that the open agent can use, by name.
            parent: Qt parent.
        """
        super().__init__(parent)
        self._bridge, self._call, self._prompts = bridge, call, prompts
        self._api: SourcesService | None = None
        self._document: SourceDocument | None = None
        self._pause = Throttle(PAUSE_MS, self._read, self)
        self.part = FixedPart()

    def attach(self, api: SourcesService | None) -> None:
        """Use this engine; None stops all calls."""
        self._api = api

    def show_document(self, document: SourceDocument | None) -> None:
        """Follow another file; None, or a prompt, has no fixed part."""
        if self._document is not None:
            self._document.changed.disconnect(self._pause.ask)
        self._document = document if document is not None and document.is_agent else None
        self.part = FixedPart()
        self.changed.emit()
        if self._document is not None:
            self._document.changed.connect(self._pause.ask)
            self._read()

    def read_again(self) -> None:
        """Estimate anew: prompts have changed on the disk, or the list of files is there."""
        self._pause.ask()

    def _read(self) -> None:
        if self._document is not None and self._api is not None:
            self._call(self._fetch(self._api, self._document), "fixed part of an agent's prompts")

    async def _fetch(self, api: SourcesService, document: SourceDocument) -> None:
        paths = {name: file.path for name, file in self._prompts().items()}
        part = await api.fixed_part(document.text, paths)

        def take() -> None:
            if document is self._document and part != self.part:
                self.part = part
                self.changed.emit()

        self._bridge.deliver(take)


def kind_words(kind: FixedKind) -> str:
    """Return where tokens come from."""
    return {
        FixedKind.MODEL: translate("FixedPart", "model"),
        FixedKind.ROLES: translate("FixedPart", "roles"),
        FixedKind.INSTRUCTIONS: translate("FixedPart", "instructions"),
        FixedKind.STICKERS: translate("FixedPart", "stickers"),
        FixedKind.OURS: translate("FixedPart", "Chimein"),
    }[kind]


def total_words(part: FixedPart) -> str:
    """Return the sum, and what it costs a call if there is a price."""
    total = part.total
    tokens = translate("FixedPart", "about %Ln token(s)", "", total)
    if part.usd is None:
        return tokens
    words = translate("FixedPart", "{tokens} · {price} a call")
    return words.format(tokens=tokens, price=dollars_words(part.usd, 4))


def spoken_words(part: FixedPart) -> str:
    """Return the sum and its parts in one sentence."""
    parts = ", ".join(f"{kind_words(kind)} {count_words(count)}" for kind, count in part.tokens)
    return f"{total_words(part)}: {parts}" if parts else ""
