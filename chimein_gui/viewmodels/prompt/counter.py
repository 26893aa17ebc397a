"""Exact token counts of prompts, which the operator asks for."""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.viewmodels.words.errors import error_words

if TYPE_CHECKING:
    from chimein_gui.domain.prompt.sent import PromptView, TokenCounts
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.engine_api.prompts import PromptsApi

MOST_KEPT = 32
"""Number of prompts whose counts are kept."""


class TokenCounter(QObject):
    """Counts one prompt at a time, and keeps the counts of the last ones.

    Attributes:
        changed: The progress, a count or the problem changed.
        progress: How many requests are answered, of how many; None while nothing is counted.
        problem: Why the last count failed, in words; or empty.
    """

    changed = Signal()

    def __init__(self, feed: Feed, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._feed = feed
        self._api: PromptsApi | None = None
        self._spawn: Spawn | None = None
        self._number = 0
        self._kept: OrderedDict[tuple[str, bytes], TokenCounts] = OrderedDict()
        self.progress: tuple[int, int] | None = None
        self.problem = ""

    def attach(self, api: PromptsApi, spawn: Spawn) -> None:
        """Count with this engine from now on."""
        self._api, self._spawn = api, spawn

    def detach(self) -> None:
        """Stop counting."""
        self.stop()
        self._api = self._spawn = None

    def of(self, view: PromptView) -> TokenCounts | None:
        """Return the counts of a prompt, if it was counted."""
        return self._kept.get((view.model, view.body))

    def count(self, view: PromptView) -> None:
        """Let the provider count a prompt."""
        if self._api is None or self._spawn is None or self.progress is not None:
            return
        self.problem, self.progress = "", (0, 0)
        self._number += 1
        self.changed.emit()
        self._spawn(self._run(self._number, self._api, view), name="count tokens of a prompt")

    def stop(self) -> None:
        """Stop counting; what was answered so far is dropped."""
        if self.progress is None or self._api is None:
            return
        self._number += 1
        self.progress = None
        self._api.prompts.stop_counting()
        self.changed.emit()

    async def _run(self, number: int, api: PromptsApi, view: PromptView) -> None:
        counts: TokenCounts | None = None
        problem = ""
        try:
            counts = await api.prompts.count(view, partial(self._report, number))
        except ChimeinError as error:
            problem = error_words(error)
        self._feed.bridge.deliver(lambda: self._take(number, view, counts, problem))

    def _report(self, number: int, answered: int, of: int) -> None:
        self._feed.bridge.deliver(lambda: self._move(number, answered, of))

    def _move(self, number: int, answered: int, of: int) -> None:
        if number == self._number:
            self.progress = (answered, of)
            self.changed.emit()

    def _take(self, number: int, view: PromptView, counts: TokenCounts | None, problem: str) -> None:
        if number != self._number:
            return
        self.progress, self.problem = None, problem
        if counts is not None:
            self._kept[view.model, view.body] = counts
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self.changed.emit()
