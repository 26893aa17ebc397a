"""The prompt that the operator edits for dry runs, and the runs so far. Nothing of it is stored."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.domain.prompt.dry_runs import PromptEdits
from chimein_gui.domain.replies.replies import BlockKind
from chimein_gui.viewmodels.prompt.sections import PartsModel, parts_of
from chimein_gui.viewmodels.words.errors import error_words

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from chimein_gui.domain.ids import ChatId
    from chimein_gui.domain.prompt.dry_runs import DryRun, RebuiltPrompt
    from chimein_gui.domain.prompt.prompts import PromptSection
    from chimein_gui.domain.prompt.sent import PromptView
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.engine_api.prompts import PromptsApi
    from chimein_gui.viewmodels.prompt.model import PromptModel

MOST_RUNS = 8
"""How many runs are kept; the oldest ones go first."""

_MARK = "⟦"

_numbers = count(1)


class PlaceKind(StrEnum):
    """What can be edited."""

    SECTION = "section"
    TURN = "turn"


@dataclass(frozen=True, slots=True, order=True)
class PromptPlace:
    """A place in the prompt: a section, or a turn of the contents, from 0."""

    kind: PlaceKind
    number: int


class RunSettings(NamedTuple):
    """With what a dry run asks.

    Attributes:
        model: Name of another model, or empty.
        temperature: None for the model's own.
        without_tools: It is offered no tools.
    """

    model: str = ""
    temperature: float | None = None
    without_tools: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """A run that has brought an answer.

    Attributes:
        number: From 1.
        is_exact: The bytes of a stored call were sent again; the edits are not in it.
        edits: How many sections and turns were edited.
        result: The answer.
    """

    number: int
    is_exact: bool
    edits: int
    result: DryRun

    @property
    def said(self) -> str:
        """Return the texts that would be sent, as one."""
        return "\n\n".join(one.body for one in self.result.reply.blocks if one.kind is BlockKind.SEND)


class WhatIfModel(QObject):
    """One chat at a time; another chat begins anew.

    Attributes:
        changed: The prompt, a run or the state changed.
        parts: The rebuilt prompt as rows.
        base: The prompt as the builder makes it now; None while it is not read.
        runs: The runs with an answer, newest first.
        running: A run is under way.
        problem: Why the last run or read brought nothing, in words; or empty.
    """

    changed = Signal()

    def __init__(self, feed: Feed, prompt: PromptModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._feed, self._prompt = feed, prompt
        self._api: PromptsApi | None = None
        self._spawn: Spawn | None = None
        self._chat_id: ChatId | None = None
        self._edits: dict[PromptPlace, str] = {}
        self._run_id = ""
        self._made = 0
        self._generation = 0
        self.parts = PartsModel(self)
        self.base: RebuiltPrompt | None = None
        self.runs: tuple[Run, ...] = ()
        self.problem = ""
        prompt.changed.connect(self._follow)

    @property
    def running(self) -> bool:
        """A run is under way."""
        return bool(self._run_id)

    @property
    def exact(self) -> PromptView | None:
        """Return the stored call whose bytes can be sent again: the one that the head shows; None for none."""
        view = self._prompt.view
        return view if view is not None and view.sent is not None else None

    @property
    def edited(self) -> frozenset[PromptPlace]:
        """Return the places whose text differs from that of the builder."""
        return frozenset(self._edits)

    def attach(self, api: PromptsApi, spawn: Spawn) -> None:
        """Read and run with this engine."""
        self._api, self._spawn = api, spawn

    def detach(self) -> None:
        """Forget the engine; what was read stays, without runs."""
        self._generation += 1
        self._run_id = ""
        self._api = self._spawn = None

    def begin(self) -> None:
        """Read the prompt, unless it is there: the mode came into sight."""
        self._follow()
        if self.base is None:
            self.read()

    def read(self) -> None:
        """Build the prompt again of today's files and messages; edits of what is the same as before stay."""
        if self._api is None or self._spawn is None or self._chat_id is None:
            return
        self.problem = ""
        self._generation += 1
        self._spawn(self._fetch(self._generation, self._api, self._chat_id), name=f"rebuild prompt of {self._chat_id}")

    def original(self, place: PromptPlace) -> str:
        """Return the text of a place as the builder makes it."""
        if self.base is None:
            return ""
        prompt = self.base.prompt
        if place.kind is PlaceKind.SECTION:
            return prompt.sections[place.number].text if place.number < len(prompt.sections) else ""
        return "\n".join(prompt.turns[place.number].parts) if place.number < len(prompt.turns) else ""

    def text(self, place: PromptPlace) -> str:
        """Return the text of a place with its edit."""
        return self._edits.get(place, self.original(place))

    def section(self, place: PromptPlace) -> PromptSection | None:
        """Return the section of a place as it was built; None if it is no part of a file."""
        if self.base is None or place.kind is not PlaceKind.SECTION or place.number >= len(self.base.prompt.sections):
            return None
        section = self.base.prompt.sections[place.number]
        return section if section.source and section.first_line else None

    def edit(self, place: PromptPlace, text: str) -> None:
        """Change the text of a place, for dry runs alone."""
        if text == self.text(place):
            return
        self._edits.pop(place, None)
        if text != self.original(place):
            self._edits[place] = text
        self.changed.emit()

    def reset(self, place: PromptPlace) -> None:
        """Undo the edit of a place."""
        if self._edits.pop(place, None) is not None:
            self.changed.emit()

    def run(self, settings: RunSettings) -> None:
        """Ask with the rebuilt prompt and its edits."""
        base, edits = self.base, self._as_edits(settings)
        if base is not None:
            number = len(edits.sections) + len(edits.turns)
            self._begin(
                lambda api, run_id, chat_id: api.dry_runs.rebuilt(run_id, chat_id, base.prompt, edits),
                edits=number,
                is_exact=False,
            )

    def run_exact(self) -> None:
        """Ask with the bytes of the shown stored call; no edit and no setting is in it."""
        view = self.exact
        if view is not None:
            self._begin(lambda api, run_id, chat_id: api.dry_runs.exact(run_id, chat_id, view), edits=0, is_exact=True)

    def stop(self) -> None:
        """Stop the run that is under way."""
        if self._api is not None and self._run_id:
            self._api.dry_runs.stop(self._run_id)

    def _as_edits(self, settings: RunSettings) -> PromptEdits:
        sections = [(place.number, text) for place, text in self._edits.items() if place.kind is PlaceKind.SECTION]
        turns = [(place.number, parts_in(text)) for place, text in self._edits.items() if place.kind is PlaceKind.TURN]
        return PromptEdits(tuple(sorted(sections)), tuple(sorted(turns)), *settings)

    def _begin(self, ask: _Ask, *, edits: int, is_exact: bool) -> None:
        if self._api is None or self._spawn is None or self._chat_id is None or self._run_id:
            return
        self._run_id, self.problem = f"what-if {next(_numbers)}", ""
        self.changed.emit()
        command = ask(self._api, self._run_id, self._chat_id)
        self._spawn(self._finish(command, self._run_id, edits, is_exact=is_exact), name=self._run_id)

    async def _finish(
        self, command: Coroutine[Any, Any, DryRun | None], run_id: str, edits: int, *, is_exact: bool
    ) -> None:
        result: DryRun | None = None
        problem = ""
        try:
            result = await command
        except ChimeinError as error:
            problem = error_words(error)
        finally:
            self._feed.bridge.deliver(lambda: self._end(run_id, result, problem, edits, is_exact=is_exact))

    def _end(self, run_id: str, result: DryRun | None, problem: str, edits: int, *, is_exact: bool) -> None:
        if run_id != self._run_id:
            return  # of another chat
        self._run_id, self.problem = "", problem
        if result is not None:
            self._made += 1
            self.runs = (Run(self._made, is_exact, edits, result), *self.runs)[:MOST_RUNS]
        self.changed.emit()

    def _follow(self) -> None:
        if self._prompt.chat_id != self._chat_id:
            self.stop()
            self._generation += 1
            self._chat_id, self.base, self.runs, self.problem, self._run_id = self._prompt.chat_id, None, (), "", ""
            self._made = 0
            self._edits.clear()
        self.changed.emit()

    async def _fetch(self, generation: int, api: PromptsApi, chat_id: ChatId) -> None:
        base: RebuiltPrompt | None = None
        problem = ""
        try:
            base = await api.prompts.rebuilt(chat_id)
        except ChimeinError as error:
            problem = error_words(error)
        self._feed.bridge.deliver(lambda: self._take(generation, base, problem))

    def _take(self, generation: int, base: RebuiltPrompt | None, problem: str) -> None:
        if generation != self._generation:
            return
        self.problem = problem
        if base is not None:
            before = {place: self.original(place) for place in self._edits}
            self.base = base
            self._edits = {
                place: text for place, text in self._edits.items() if self.original(place) == before[place] != text
            }
            self.parts.show_parts(parts_of(base.view))
        self.changed.emit()


def parts_in(text: str) -> tuple[str, ...]:
    """Return the parts of a turn that was edited as one text: each mark is a part, and so is what is between them."""
    parts: list[str] = []
    lines: list[str] = []
    for line in text.split("\n"):
        if not line.startswith(_MARK):
            lines.append(line)
            continue
        parts += ["\n".join(lines)] if lines else []
        parts.append(line)
        lines = []
    return (*parts, *(["\n".join(lines)] if lines else []))


if TYPE_CHECKING:
    _Ask = Callable[[PromptsApi, str, ChatId], Coroutine[Any, Any, DryRun | None]]
