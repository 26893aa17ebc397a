"""Writes the shown lines of the log to a file, without telephone numbers."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from chimein_gui.reporting.redaction import without_numbers
from chimein_gui.viewmodels.saved_files import file_problem, write_whole

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from chimein_gui.engine.ports import Spawn
    from chimein_gui.reporting.log_lines import LogLine
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.engine_api.prompts import PromptsService


def as_text(lines: Sequence[LogLine]) -> str:
    """Return lines as JSON lines. Secrets were removed when they were written; telephone numbers are removed here."""
    return "".join(f"{without_numbers(_json(line))}\n" for line in lines)


def as_report(line: LogLine) -> str:
    """Return one line with its traceback, to be copied."""
    at = datetime.fromtimestamp(line.at, UTC).isoformat(timespec="milliseconds")
    head = f"{at} {logging.getLevelName(line.level)} {line.source} {line.text}"
    return without_numbers(f"{head}\n{line.error}" if line.error else head)


def _json(line: LogLine) -> str:
    about = line.about
    fields = {
        "at": datetime.fromtimestamp(line.at, UTC).isoformat(timespec="milliseconds"),
        "level": logging.getLevelName(line.level),
        "from": line.source,
        "text": line.text,
        "error": line.error,
        "agent": about.agent_id,
        "chat": about.chat_id,
        "plan": about.graph_id,
    }
    return json.dumps({name: value for name, value in fields.items() if value not in ("", None)}, ensure_ascii=False)


class LogExportApi(Protocol):
    """What this model asks of the engine."""

    @property
    def prompts(self) -> PromptsService: ...


class LogExport(QObject):
    """Exports without blocking the window.

    Attributes:
        saved: The file is written; its path and the number of lines.
        failed: It could not be written; why and what to do, in words.
    """

    saved = Signal(object, int)
    failed = Signal(str)

    def __init__(self, feed: Feed) -> None:
        super().__init__(feed.bridge)
        self._bridge = feed.bridge
        self._api: LogExportApi | None = None
        self._spawn: Spawn | None = None

    def attach(self, api: LogExportApi, spawn: Spawn) -> None:
        """Keep the engine, whose threads write."""
        self._api, self._spawn = api, spawn

    def detach(self) -> None:
        """Write no more."""
        self._api = self._spawn = None

    def save(self, lines: Sequence[LogLine], path: Path) -> None:
        """Write lines to a file, whole or not at all."""
        if self._api is not None and self._spawn is not None:
            self._spawn(self._save(self._api, tuple(lines), path), name="export log")

    async def _save(self, api: LogExportApi, lines: tuple[LogLine, ...], path: Path) -> None:
        try:
            await api.prompts.compute(lambda: write_whole(path, as_text(lines).encode("utf-8", "replace")))
        except OSError as error:
            words = file_problem(error)
            self._bridge.deliver(lambda: self.failed.emit(words))
        else:
            self._bridge.deliver(lambda: self.saved.emit(path, len(lines)))


def make_log_export(feed: Feed) -> LogExport:
    """Create the export when the pane is first shown."""
    export = LogExport(feed)
    feed.register(export)
    return export
