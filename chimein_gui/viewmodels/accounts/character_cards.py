"""State of importing and exporting character cards."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from chimein_gui.viewmodels.accounts.first_run import USUAL_PROMPT
from chimein_gui.viewmodels.words.errors import error_words, is_answer
from chimein_gui.viewmodels.words.notes import note_sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path
    from typing import Any

    from PySide6.QtCore import SignalInstance

    from chimein_gui.domain.character_cards.card_file import CardContainer, CardFile
    from chimein_gui.domain.character_cards.contents import CardContent, CardUse
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.engine.ports import NewAgent, Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.engine_api.accounts import AgentFilesService, CharacterCardsService

PROGRESS_MS = 500
"""Milliseconds after which work that still runs shows its progress."""


class CharacterCardsApi(Protocol):
    """The part of the engine that imports and exports cards."""

    @property
    def character_cards(self) -> CharacterCardsService:
        """Makes agents of character cards, and cards of agents."""
        ...

    @property
    def agent_files(self) -> AgentFilesService:
        """Checks the fields of new agents."""
        ...


@dataclass(frozen=True, slots=True)
class CardDraft:
    """A card that was read, and the agent that is to be made of it.

    Attributes:
        file: The card.
        new: The agent's fields as they are in the form.
        contents: What becomes of the parts of the card.
    """

    file: CardFile
    new: NewAgent
    contents: tuple[CardContent, ...]

    def of_use(self, use: CardUse) -> tuple[CardContent, ...]:
        """Return the parts of which the same becomes."""
        return tuple(one for one in self.contents if one.use is use)


def make_character_cards(feed: Feed) -> CharacterCardModel:
    """Return the model, registered with the engine."""
    model = CharacterCardModel(feed.bridge, feed.bridge)
    feed.register(model)
    return model


class CharacterCardModel(QObject):
    """Reads and writes one card at a time; the engine does it in a thread.

    Attributes:
        lasts: What was asked for takes longer than half a second.
        ended: It has succeeded or failed.
        read: A card was read; carries a `CardDraft`.
        created: An agent was made; carries its id.
        found: Carries an agent's id, and the kind of the file that it was made of, or None.
        exported: A card was written; carries its path.
        failed: A card could not be read or written; carries the reason in words.
        refused: An agent could not be made; carries the reason in words.
    """

    lasts = Signal()
    ended = Signal()
    read = Signal(object)
    created = Signal(object)
    found = Signal(object, object)
    exported = Signal(object)
    failed = Signal(str)
    refused = Signal(str)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.busy = False
        self._bridge = bridge
        self._cards: CharacterCardsService | None = None
        self._files: AgentFilesService | None = None
        self._spawn: Spawn | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PROGRESS_MS)
        self._timer.timeout.connect(self.lasts)

    def attach(self, api: CharacterCardsApi, spawn: Spawn) -> None:
        """Keep the engine's cards."""
        self._cards, self._files, self._spawn = api.character_cards, api.agent_files, spawn

    def detach(self) -> None:
        """Stop the progress timer."""
        self._timer.stop()
        self._cards = self._files = self._spawn = None

    @property
    def available(self) -> bool:
        """Whether this run can import and export cards."""
        return self._cards is not None and self._cards.available

    def prompts(self) -> tuple[str, ...]:
        """Return the names of the available role prompts; empty without an engine."""
        return self._files.role_prompts if self._files is not None else ()

    def problems(self, draft: CardDraft) -> dict[str, str]:
        """Return the first problem of each field of the agent, in words."""
        found: dict[str, str] = {}
        for problem in self._files.problems_of(draft.new) if self._files is not None else ():
            found.setdefault(str(problem.field), note_sentence(problem.note))
        return found

    def open(self, path: Path, timezone: str) -> None:
        """Read a card; `read` or `failed` reports it.

        Args:
            path: The file.
            timezone: The time zone that is suggested for the agent.
        """
        cards = self._cards
        if cards is not None:

            async def work() -> Callable[[], None]:
                from chimein_gui.domain.character_cards.contents import contents_of
                from chimein_gui.domain.character_cards.persona import suggested_name
                from chimein_gui.engine.ports import NewAgent

                file = await cards.read(path)
                usual = tuple(name for name in self.prompts() if name == USUAL_PROMPT)
                text = instructions_of(file, with_prompts=False)
                new = NewAgent(suggested_name(file.card), "", text, usual, timezone)
                draft = CardDraft(file, new, contents_of(file))
                return lambda: self.read.emit(draft)

            self._do(work(), "read a character card", self.failed)

    def create(self, draft: CardDraft) -> None:
        """Make the agent; `created` or `refused` reports it."""
        cards = self._cards
        if cards is not None:

            async def work() -> Callable[[], None]:
                agent_id = await cards.create(draft.file, draft.new)
                return lambda: self.created.emit(agent_id)

            self._do(work(), "create an agent of a character card", self.refused)

    def look_up(self, agent_id: AgentId) -> None:
        """Find out whether an agent was made of a card; `found` reports it."""
        cards = self._cards

        async def job() -> None:
            container: CardContainer | None = None
            try:
                container = await cards.original(agent_id) if cards is not None else None
            finally:
                self._bridge.deliver(lambda: self.found.emit(agent_id, container))

        if self._spawn is not None:
            self._spawn(job(), name="look up a character card")

    def export(self, agent_id: AgentId, target: Path, *, as_imported: bool) -> None:
        """Write the card of an agent; `exported` or `failed` reports it."""
        cards = self._cards
        if cards is not None:

            async def work() -> Callable[[], None]:
                await cards.export(agent_id, target, as_imported=as_imported)
                return lambda: self.exported.emit(target)

            self._do(work(), "export a character card", self.failed)

    def _do(self, work: Coroutine[Any, Any, Callable[[], None]], name: str, refused: SignalInstance) -> None:
        """Run one piece of work, and emit `refused` if it fails; a request while another runs is dropped."""

        async def job() -> None:
            tell: Callable[[], None] | None = None
            try:
                tell = await work
            except Exception as error:
                tell = partial(refused.emit, error_words(error))
                if not is_answer(error):
                    raise
            finally:
                self._bridge.deliver(partial(self._end, tell))

        if self._spawn is None or self.busy:
            work.close()
            return
        self.busy = True
        self._timer.start()
        self._spawn(job(), name=name)

    def _end(self, tell: Callable[[], None] | None) -> None:
        self.busy = False
        self._timer.stop()
        self.ended.emit()
        if tell is not None:
            tell()


def instructions_of(file: CardFile, *, with_prompts: bool) -> str:
    """Return a card as instructions; `with_prompts` takes also what its author tells the model."""
    from chimein_gui.domain.character_cards.persona import instructions_of as made

    return made(file.card, with_prompts=with_prompts)


def edited(draft: CardDraft, **changes: Any) -> CardDraft:  # noqa: ANN401 - fields of NewAgent
    """Return a draft with changed fields of the agent."""
    return replace(draft, new=replace(draft.new, **changes))
