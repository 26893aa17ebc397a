"""The row set of what is kept for a time only."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from chimein_gui.domain.ids import GraphId
from chimein_gui.domain.messages import MessageKey


class RetentionRows(Protocol):
    """What takes much room and is of no use after a while."""

    def plans_before(self, before: datetime, *, limit: int) -> tuple[GraphId, ...]:
        """Return the oldest replaced plans from before then that are over and still hold their choice of context.

        A chat's current plan, its variants and whatever has an open step are never among them.
        """
        ...

    def raw_before(self, before: datetime, *, limit: int) -> tuple[MessageKey, ...]:
        """Return the oldest messages from before then that still hold what Telegram sent."""
        ...

    def forget_choices(self, graph_ids: Sequence[GraphId]) -> None:
        """Forget how the context of these plans was chosen; which part of the chat it was is kept."""
        ...

    def forget_raw(self, keys: Sequence[MessageKey]) -> None:
        """Forget what Telegram sent of these messages, but for who came and who went."""
        ...
