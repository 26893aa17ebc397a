"""Redacted engine state for the diagnostics file: states and settings, without names, numbers, texts or keys."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import DiagnosticsError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.engine.ports import DiagnosticsFile

LAST_DIGITS = 2


class Diagnostics:
    """Saves the diagnostics file."""

    def __init__(
        self,
        file: DiagnosticsFile | None,
        agents: Callable[[], tuple[Agent, ...]],
        preferences: Callable[[], Preferences],
    ) -> None:
        """Without `file` nothing can be saved."""
        self._file, self._agents, self._preferences = file, agents, preferences

    async def save(self, target: Path) -> None:
        """Save all diagnostics as one file.

        Raises:
            DiagnosticsError: The file can't be written; the words say what to do. No partial file is left.
        """
        if self._file is None:
            raise DiagnosticsError(Note(FaultReason.NO_DIAGNOSTICS))
        accounts = [account_facts(agent) for agent in self._agents()]
        await self._file.write(target, {"accounts": accounts, "settings": settings_facts(self._preferences())})


def account_facts(agent: Agent) -> dict[str, object]:
    """Return an account's state under its agent's id, with the last two digits of its number."""
    spec = agent.spec
    return {
        "agent": agent.agent_id,
        "phone": f"…{spec.phone[-LAST_DIGITS:]}",
        "has account": agent.account_id is not None,
        "health": agent.health.value,
        "next try at": _time(agent.next_try_at),
        "last event": agent.last_event.value if agent.last_event is not None else "",
        "last event at": _time(agent.last_event_at),
        "limited": bool(agent.limited),
        "waits": {wait.method or "connecting": _time(wait.until) for wait in agent.waits},
        "proxy": agent.proxy.partition(" ")[0],
        "trust": spec.trust.value if spec.trust is not None else "",
        "trust confirmed": agent.trust_confirmed,
        "own model": bool(spec.model),
        "aliases": len(spec.aliases),
        "stickers": len(spec.stickers) + len(spec.sticker_sets),
        "memory": spec.memory_scope,
    }


def settings_facts(preferences: Preferences) -> dict[str, object]:
    """Return the preferences; directories and prices only as counts."""
    facts = asdict(preferences)
    return {**facts, "prices": len(preferences.prices), "config_dirs": len(preferences.config_dirs)}


def _time(at: datetime | None) -> str:
    return at.isoformat(timespec="seconds") if at is not None else ""
