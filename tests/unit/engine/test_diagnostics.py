"""What of a running engine may be given away."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from chimein_gui.domain.agents import MethodWait
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.engine.settings.diagnostics import account_facts
from tests.fakes.engine_api import NOON, agent
from tests.support.engine_room import NORA, engine_room


class Taker:
    """Implements `engine.ports.DiagnosticsFile`: takes the facts."""

    def __init__(self) -> None:
        self.taken: list[tuple[Path, Mapping[str, object]]] = []

    async def write(self, target: Path, facts: Mapping[str, object]) -> None:
        self.taken.append((target, facts))


async def test_accounts_and_settings_are_told_without_what_is_private(tmp_path: Path) -> None:
    taker = Taker()
    async with engine_room(tmp_path, adjust=lambda setup: replace(setup, diagnostics_file=taker)) as room:
        await room.engine.diagnostics.save(tmp_path / "out.zip")
    [(target, facts)] = taker.taken
    assert target == tmp_path / "out.zip"
    told = json.dumps(facts)
    assert '"health": "online"' in told
    assert '"undo_s"' in told
    for private in (NORA.name, NORA.phone, NORA.phone[:-2], NORA.instructions):
        assert private
        assert private not in told


def test_of_an_account_its_state_is_told() -> None:
    one = agent(
        health_note=Note(NoteKind.OTHER, "Zoë is away"), limited="Telegram says: no", proxy="SOCKS5 proxy.example:1080"
    )
    facts = account_facts(replace(one, waits=(MethodWait("", NOON),), next_try_at=NOON))
    assert facts["phone"] == "…01"
    assert facts["proxy"] == "SOCKS5"
    assert facts["limited"] is True
    assert facts["waits"] == {"connecting": NOON.isoformat(timespec="seconds")}
    told = json.dumps(facts)
    for private in ("Nora", "Zoë", "Telegram says", "proxy.example", str(one.account_id)):
        assert private not in told
