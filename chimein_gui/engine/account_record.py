"""What is known of one account while the program runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio

    from chimein_gui.domain.agents import Agent
    from chimein_gui.engine.ports import TelegramGateway


@dataclass(slots=True)
class AccountRecord:
    """One account.

    Attributes:
        agent: As panes show it.
        gateway: While it is connected and has caught up.
        clock_ahead_s: How far our clock was ahead of Telegram's at the last connect.
        job: Keeps it connected.
        held_back: Why it must not start: its file can't be used; empty if it may.
    """

    agent: Agent
    gateway: TelegramGateway | None = None
    clock_ahead_s: float = 0.0
    job: asyncio.Task[None] | None = None
    held_back: str = ""
