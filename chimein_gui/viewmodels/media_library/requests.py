"""What the operator asks models for: another text of a file, the texts of many, and sticker sets that nobody met."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.domain.media.library import MediaEntry
    from chimein_gui.domain.media.records import MediaRecord
    from chimein_gui.domain.media.requests import DescribingProgress, DescriptionEstimate
    from chimein_gui.viewmodels.engine_api.media import DescribingService
    from chimein_gui.viewmodels.media_library.jobs import MediaJobs


class DescribeRequests(QObject):
    """Requests of the operator.

    Attributes:
        changed: A text is being made, or was; carries the id of the file.
        made: A text was made; carries the id of the file.
        progressed: Many files are being described; how far that is, is in `progress`.
        imported: A set was listed; carries its name, and how many stickers are new.
        refused: A set could not be listed; carries why, in words.
        budget_changed: Other numbers are in `budget`.
        running: Files whose texts are being made.
        problems: Why no text could be made, by file.
        progress: The description of many files; None while there is none.
        budget: Descriptions that are left in this tick, those of a tick, and files that wait.
    """

    changed = Signal(str)
    made = Signal(str)
    progressed = Signal()
    imported = Signal(str, int)
    refused = Signal(str)
    budget_changed = Signal()

    def __init__(self, jobs: MediaJobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self.running: set[str] = set()
        self.problems: dict[str, str] = {}
        self.progress: DescribingProgress | None = None
        self.budget = (0, 0, 0)

    def look_at_budget(self) -> None:
        """Read the budget."""
        api = self._jobs.requests
        if api is not None and api.budget != self.budget:
            self.budget = api.budget
            self.budget_changed.emit()

    # --- one file -------------------------------------------------------------------------------------------------

    def describe_again(self, entry: MediaEntry, instruction: str = "") -> None:
        """Let a model describe a file anew."""
        api = self._jobs.requests
        if api is None or entry.unique_id in self.running:
            return
        self.running.add(entry.unique_id)
        self.problems.pop(entry.unique_id, None)
        self.changed.emit(entry.unique_id)
        job = self._describe_again(api, entry, instruction)
        self._jobs.run(job, "describe a file again", partial(self._end, entry.unique_id))

    async def _describe_again(self, api: DescribingService, entry: MediaEntry, instruction: str) -> None:
        record = await api.describe_again(entry, instruction)
        self._jobs.deliver(partial(self._again, record))

    def _again(self, record: MediaRecord) -> None:
        from chimein_gui.viewmodels.media_library.words import failure_words

        self._end(record.unique_id, "" if record.has_words else failure_words(record))
        self.made.emit(record.unique_id)

    def _end(self, unique_id: str, problem: str) -> None:
        self.running.discard(unique_id)
        if problem:
            self.problems[unique_id] = problem
        self.changed.emit(unique_id)

    # --- many files -----------------------------------------------------------------------------------------------

    def estimate(self, entries: Sequence[MediaEntry]) -> DescriptionEstimate | None:
        """Return what it costs to describe some files; None without an engine."""
        return self._jobs.requests.estimate(entries) if self._jobs.requests is not None else None

    @property
    def is_describing(self) -> bool:
        """Whether many files are being described."""
        return self.progress is not None and not self.progress.is_over

    def describe_all(self, entries: Sequence[MediaEntry]) -> None:
        """Describe many files."""
        api = self._jobs.requests
        if api is None or self.is_describing:
            return

        async def describe() -> None:
            await api.describe_all(entries, lambda now: self._jobs.deliver(partial(self._progress, now)))

        self._jobs.run(describe(), "describe many files", self._stop)

    def cancel(self) -> None:
        """Stop after the file that is being described."""
        if self._jobs.requests is not None:
            self._jobs.requests.cancel()

    def _progress(self, now: DescribingProgress) -> None:
        self.progress = now
        self.progressed.emit()
        self.look_at_budget()
        self.made.emit("")

    def _stop(self, words: str) -> None:
        self.progress = None
        self.progressed.emit()
        self._jobs.failed.emit(words)

    # --- sets -----------------------------------------------------------------------------------------------------

    def import_set(self, typed: str) -> None:
        """List the stickers of a set."""
        api = self._jobs.requests
        if api is None:
            return

        async def listed() -> None:
            name, count = await api.import_set(typed)
            self._jobs.deliver(lambda: self.imported.emit(name, count))
            self._jobs.deliver(lambda: self.made.emit(""))

        self._jobs.run(listed(), "list a sticker set", self.refused.emit)
