"""The shown prompt beside another one of its chat: the cache lens, and the differences part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.viewmodels.prompt.cache_lens import CacheLens, Cut, cut_of, lens_of
from chimein_gui.viewmodels.prompt.differences import DiffModel, PromptDiff, diff_of
from chimein_gui.viewmodels.prompt.sections import parts_of
from chimein_gui.viewmodels.words.errors import error_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.costs import Price
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.domain.prompt.sent import CallId, PromptView, SentCall
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.engine_api.prompts import PromptsApi
    from chimein_gui.viewmodels.prompt.model import PromptModel


class _Found(NamedTuple):
    """What a comparison brought."""

    calls: tuple[SentCall, ...] = ()
    base_id: CallId | None = None
    lens: CacheLens | None = None
    cut: Cut | None = None
    diff: PromptDiff = PromptDiff()
    problem: str = ""


class ComparisonModel(QObject):
    """Follows the shown prompt. What takes long is computed on another thread.

    Attributes:
        changed: The comparison, or the calls to compare with, changed.
        rows: The differences.
        calls: The stored calls of the chat without the shown one, newest first.
        base_id: The call that is compared with; None while there is none.
        lens: What the shown prompt has in common with the call before it; None while that is not known.
        cut: Where it begins to differ from that call.
        problem: Why the last comparison failed, in words; or empty.
    """

    changed = Signal()

    def __init__(
        self, feed: Feed, prompt: PromptModel, prices: Callable[[], tuple[Price, ...]], parent: QObject | None = None
    ) -> None:
        """`prices` gives what calls cost."""
        super().__init__(parent)
        self._feed, self._prompt, self._prices = feed, prompt, prices
        self._api: PromptsApi | None = None
        self._spawn: Spawn | None = None
        self._generation = 0
        self._is_busy = False
        self._seen: PromptView | None = None
        self._diff = PromptDiff()
        self._wanted: CallId | None = None
        self._chat_id: ChatId | None = None
        self.rows = DiffModel(self)
        self.calls: tuple[SentCall, ...] = ()
        self.base_id: CallId | None = None
        self.lens: CacheLens | None = None
        self.cut: Cut | None = None
        self.problem = ""
        prompt.changed.connect(self._follow)

    def attach(self, api: PromptsApi, spawn: Spawn) -> None:
        """Begin to compare."""
        self._api, self._spawn = api, spawn
        self._seen = None
        self._follow()

    def detach(self) -> None:
        """Stop comparing."""
        self._generation += 1
        self._api = self._spawn = None

    def choose(self, call_id: CallId) -> None:
        """Compare with another call of the chat."""
        if call_id != self.base_id:
            self._wanted = call_id
            self._compare()

    def _follow(self) -> None:
        prompt = self._prompt
        if prompt.chat_id != self._chat_id:
            self._chat_id, self._wanted = prompt.chat_id, None
        if prompt.view is self._seen:
            before = self.rows.diff
            self._show_figures()  # the provider may have counted the parts
            if self.rows.diff is not before:
                self.changed.emit()
            return
        self._seen = prompt.view
        if prompt.view is None:
            self._generation += 1
            self._show(_Found())
        else:
            self._compare()

    def _compare(self) -> None:
        chat_id, view = self._chat_id, self._seen
        if self._api is None or self._spawn is None or chat_id is None or view is None:
            return
        self._generation += 1
        if self._is_busy:
            return  # the next one begins when this one ends
        self._is_busy = True
        self._spawn(self._run(self._generation, self._api, chat_id, view), name=f"compare prompt of chat {chat_id}")

    async def _run(self, generation: int, api: PromptsApi, chat_id: ChatId, view: PromptView) -> None:
        try:
            found = await self._found(api, chat_id, view, self._wanted)
        except ChimeinError as error:
            found = _Found(problem=error_words(error))
        self._feed.bridge.deliver(lambda: self._take(generation, found))

    async def _found(self, api: PromptsApi, chat_id: ChatId, view: PromptView, wanted: CallId | None) -> _Found:
        shown = view.sent.call_id if view.sent is not None else None
        calls = tuple(one for one in await api.prompts.of_chat(chat_id) if one.call_id != shown)
        ids = [one.call_id for one in calls]
        before = next((one for one in ids if shown is None or one < shown), None)
        base_id = wanted if wanted in ids else before if before is not None else ids[0] if ids else None
        if base_id is None:
            return _Found(calls)
        base = await api.prompts.sent(base_id)
        last = base if before in {None, base_id} else await api.prompts.sent(before)
        prices = self._prices()

        def compared() -> tuple[CacheLens | None, Cut | None, PromptDiff]:
            parts = parts_of(view, scales=False)
            lens = lens_of(last, view, prices) if before is not None else None
            cut = cut_of(lens.place, parts, view.text) if lens is not None else None
            return lens, cut, diff_of(parts_of(base, scales=False), parts)

        return _Found(calls, base_id, *await api.prompts.compute(compared))

    def _take(self, generation: int, found: _Found) -> None:
        self._is_busy = False
        if generation != self._generation:
            self._compare()
        else:
            self._show(found)

    def _show(self, found: _Found) -> None:
        self.calls, self.base_id, self.problem = found.calls, found.base_id, found.problem
        self.lens, self.cut = found.lens, found.cut
        self._diff = found.diff
        self._show_figures()
        self.changed.emit()

    def _show_figures(self) -> None:
        """Show the differences with the tokens of the rows that stand beside them."""
        shown = self._prompt.parts.parts
        self.rows.show_diff(self._diff.as_in(shown) if self._diff.parts and shown.sent else self._diff)
