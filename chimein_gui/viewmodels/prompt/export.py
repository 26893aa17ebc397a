"""Writes a prompt into a file: its request as it was sent, or as text to read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from chimein_gui.viewmodels.prompt.sections import RowKind, parts_of, source_words
from chimein_gui.viewmodels.saved_files import write_whole
from chimein_gui.viewmodels.words.errors import error_words

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from chimein_gui.domain.prompt.sent import PromptView
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.engine_api.prompts import PromptsApi

translate = QCoreApplication.translate

_TICKS = re.compile("`{3,}")


def markdown_of(view: PromptView) -> str:
    """Return a prompt as Markdown: each part below its title and source, each turn below its role."""
    parts = parts_of(view)
    title = translate("PromptExport", "Prompt for {model}").format(model=view.model)
    total = parts.total
    lines = [f"# {title}", "", translate("PromptExport", "%Ln token(s)", "", total), ""]
    for row in parts.sent:
        lines += [f"## {row.title}", "", source_words(row), ""]
        if row.kind is not RowKind.CONTENTS:
            lines += [_fenced(row.text), ""]
            continue
        for turn in view.text.turns:
            lines += [f"### {turn.role}", "", _fenced("\n".join(turn.parts)), ""]
    return "\n".join(lines)


def _fenced(text: str) -> str:
    """Return a text in a fence that it can't close."""
    fence = "`" * (1 + max(map(len, _TICKS.findall(text)), default=2))
    return f"{fence}\n{text}\n{fence}"


class PromptExport(QObject):
    """Writes files, one after the other, on another thread.

    Attributes:
        saved: A file was written; its path.
        failed: A file could not be written; the reason in words.
    """

    saved = Signal(object)
    failed = Signal(str)

    def __init__(self, feed: Feed, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._feed = feed
        self._api: PromptsApi | None = None
        self._spawn: Spawn | None = None

    def attach(self, api: PromptsApi, spawn: Spawn) -> None:
        """Keep the engine, whose threads write."""
        self._api, self._spawn = api, spawn

    def detach(self) -> None:
        """Write no more."""
        self._api = self._spawn = None

    def save_request(self, view: PromptView, target: Path) -> None:
        """Write the bytes of a request into a file that the operator chose."""
        self._save(target, lambda: view.body)

    def save_text(self, view: PromptView, target: Path) -> None:
        """Write a prompt as Markdown into a file that the operator chose."""
        self._save(target, lambda: markdown_of(view).encode("utf-8", "replace"))

    def _save(self, target: Path, made: Callable[[], bytes]) -> None:
        if self._api is not None and self._spawn is not None:
            self._spawn(self._write(self._api, target, made), name=f"save {target.name}")

    async def _write(self, api: PromptsApi, target: Path, made: Callable[[], bytes]) -> None:
        try:
            await api.prompts.compute(lambda: write_whole(target, made()))
        except OSError as error:
            why = error_words(error)
            self._feed.bridge.deliver(lambda: self.failed.emit(why))
        else:
            self._feed.bridge.deliver(lambda: self.saved.emit(target))
