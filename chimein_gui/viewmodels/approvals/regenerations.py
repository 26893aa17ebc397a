"""Other versions of a plan: requested, generated, chosen or discarded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.events import VariantStored
from chimein_gui.viewmodels.core.commands import CommandRunner
from chimein_gui.viewmodels.core.sanitize import spoken
from chimein_gui.viewmodels.words.errors import error_words, is_answer
from chimein_gui.viewmodels.words.notes import note_sentence, problem_words

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.cards import Variant
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ChatId, GraphId
    from chimein_gui.domain.notes import Note
    from chimein_gui.viewmodels.approvals.store import ApprovalStore
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.engine_api.cards import PlansService, VariantsService

MOST_NOTES = 200


class RegenerationsApi(Protocol):
    """What this model asks of the engine."""

    @property
    def plans(self) -> PlansService: ...

    @property
    def variants(self) -> VariantsService:
        """Other versions of a plan."""
        ...


@dataclass(frozen=True, slots=True)
class Making:
    """A version that is being generated.

    Attributes:
        chat_id: The chat.
        instruction: The operator's instruction; may be empty.
        since: Aware UTC.
    """

    chat_id: ChatId
    instruction: str
    since: datetime


class Regenerations(CommandRunner[RegenerationsApi]):
    """Requests versions of plans, and remembers why one failed.

    Attributes:
        changed: The versions of this chat's plans changed; a chat id.
        stored: A version was stored; its `VariantStored`.
        choosing: The operator chose a version; the planned send it was chosen on, and the `Variant`.
    """

    changed = Signal(object)
    stored = Signal(object)
    choosing = Signal(object, object)

    def __init__(
        self, bridge: EngineBridge, clock: ClockFace, approvals: ApprovalStore, parent: QObject | None = None
    ) -> None:
        super().__init__(bridge, parent)
        self._clock, self._approvals = clock, approvals
        self._making: dict[GraphId, Making] = {}
        self._notes: dict[GraphId, str] = {}
        bridge.batch_ready.connect(self._receive)

    def making_of(self, graph_id: GraphId) -> Making | None:
        """Return the version of a plan that is being generated, or None."""
        return self._making.get(graph_id)

    def note_of(self, graph_id: GraphId) -> str:
        """Return why the last version of a plan failed or could not be chosen, in words; else empty."""
        return self._notes.get(graph_id, "")

    def regenerate(self, approval: Approval, instruction: str = "", *, without_pages: bool = False) -> bool:
        """Request another version of a card's plan; the draft stays as it is until one is chosen.

        Args:
            approval: The card.
            instruction: The operator's; may be empty.
            without_pages: The model looks up no web page for it.

        Returns:
            False if nothing was requested: a version of that plan is being generated, or there is no engine.
        """
        if self._api is None or self._spawn is None or approval.graph_id in self._making:
            return False
        self._making[approval.graph_id] = Making(approval.chat_id, instruction, self._clock.now())
        self._set_note(approval, "")
        asked = self._ask(self._api, approval, instruction, without_pages=without_pages)
        self._spawn(asked, name=f"regenerate {approval.graph_id}")
        return True

    def stop(self, approval: Approval) -> None:
        """Cancel the versions that are being generated for the card's chat."""
        if self._api is not None:
            self._api.variants.stop(approval.chat_id)

    def choose(self, approval: Approval, variant: Variant) -> None:
        """Replace the plan by a version."""
        if self._api is not None:
            command = self._refusing(approval, self._api.variants.choose, variant.graph_id)
            self.choosing.emit(approval, variant)
            self._send(command, f"choose {variant.graph_id}")

    def discard(self, approval: Approval, variant: Variant) -> None:
        """Delete a version."""
        if self._api is not None:
            command = self._refusing(approval, self._api.variants.discard, variant.graph_id)
            self._send(command, f"discard {variant.graph_id}")

    async def _ask(self, api: RegenerationsApi, approval: Approval, instruction: str, *, without_pages: bool) -> None:
        note = ""
        try:
            made = await api.plans.regenerate(approval.graph_id, instruction, without_pages=without_pages)
            note = problem_words(made.problem) or note_sentence(made.note)
        except Exception as error:
            note = error_words(error)
            if not is_answer(error):
                raise
        finally:
            self._bridge.deliver(lambda: self._end(approval, note))

    def _end(self, approval: Approval, note: str) -> None:
        self._making.pop(approval.graph_id, None)
        self._set_note(approval, note)
        if note and not self._has_card(approval):
            who = spoken(approval.chat_title)
            self.failed.emit(self.tr("No other version of the plan for {who}: {why}").format(who=who, why=note))

    def _has_card(self, approval: Approval) -> bool:
        """Tell whether the plan still has a card to show the note on; a newer message may have replaced the plan."""
        return any(one.graph_id == approval.graph_id for one in self._approvals.of_chat(approval.chat_id))

    async def _refusing(self, approval: Approval, command: _Command, graph_id: GraphId) -> None:
        refusal = note_sentence(await command(graph_id))
        self._bridge.deliver(lambda: self._set_note(approval, refusal))

    def _set_note(self, approval: Approval, note: str) -> None:
        self._notes.pop(approval.graph_id, None)
        if note:
            self._notes[approval.graph_id] = note
            while len(self._notes) > MOST_NOTES:
                del self._notes[next(iter(self._notes))]
        self.changed.emit(approval.chat_id)

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        for event in events:
            if isinstance(event, VariantStored):
                self.changed.emit(event.chat_id)
                self.stored.emit(event)


if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    _Command = Callable[[GraphId], Coroutine[Any, Any, Note | None]]
