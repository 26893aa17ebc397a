"""The faults that the engine and the window report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.events import FaultReported
from chimein_gui.viewmodels.words.notes import note_sentence

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.viewmodels.core.bridge import EngineBridge


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in words.

    Attributes:
        key: A later report with the same key replaces an earlier one; an empty `cause` clears it.
        cause: What happened, one sentence.
        remedy: The effect on messages, and what to do.
    """

    key: str
    cause: str
    remedy: str


class FailureSource(Protocol):
    """A model that says why something could not be done, and when the same was done after all."""

    @property
    def failed(self) -> SignalInstance: ...

    @property
    def recovered(self) -> SignalInstance: ...


Source = TypeVar("Source", bound=FailureSource)


class FaultModel(QObject):
    """The faults that are neither cleared nor dismissed, newest first.

    Attributes:
        changed: `faults` has changed.
    """

    changed = Signal()

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._faults: dict[str, Fault] = {}
        bridge.batch_ready.connect(self._receive)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults, newest first."""
        return tuple(reversed(self._faults.values()))

    def report(self, fault: Fault) -> None:
        """Show a fault, or clear the one with its key if it has no cause."""
        self._faults.pop(fault.key, None)
        if fault.cause:
            self._faults[fault.key] = fault
        self.changed.emit()

    def dismiss(self, key: str) -> None:
        """Dismiss a fault; it comes back when it is reported again."""
        if self._faults.pop(key, None) is not None:
            self.changed.emit()

    def follow(self, key: str, source: Source) -> Source:
        """Report a model's failures under one key; `recovered` dismisses the report. Return the model."""
        self.listen(key, source.failed)
        source.recovered.connect(lambda: self.dismiss(f"window: {key}"))
        return source

    def listen(self, key: str, failed: SignalInstance) -> None:
        """Report the reasons that a signal carries, under one key: a later one replaces the earlier."""
        remedy = self.tr("Nothing changed. Try again.")
        failed.connect(lambda reason: self.report(Fault(f"window: {key}", reason, remedy)))

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        for event in events:
            if isinstance(event, FaultReported):
                self.report(Fault(event.key, note_sentence(event.cause), note_sentence(event.remedy)))
