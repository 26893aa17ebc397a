"""Who answers in the sandbox: the written model that comes with it, or Gemini itself with the operator's key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.settings.answering import Answering


class ModelChoice(Protocol):
    """Lets the operator choose while the program runs. A choice holds until the program ends: Gemini costs money."""

    @property
    def answering(self) -> Answering:
        """Return which model answers now."""
        ...

    def has_key(self) -> bool:
        """Tell whether there is a key for Gemini, whether it works or not."""
        ...

    def choose(self, answering: Answering) -> None:
        """Let another model answer from now on; plans that had waited for a key are made."""
        ...

    def listen(self, changed: Callable[[], None]) -> None:
        """Call somebody after each change."""
        ...
