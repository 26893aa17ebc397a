"""Groups with the whole product: real clients, the sandbox's servers, the samples' agents."""

from __future__ import annotations

from pathlib import Path

import pytest

from chimein_gui.sandbox.seeds import people
from tests.e2e.whole_house import house


@pytest.mark.parametrize("call", ["where is the key, nora?", "@nora_vale_box where is the key?"], ids=["alias", "name"])
async def test_a_callout_in_a_group_becomes_a_draft_of_the_agent_that_was_called(tmp_path: Path, call: str) -> None:
    async with house(tmp_path) as here:
        await here.console.speak(people.OSKAR, people.BOATHOUSE, "what weather")
        await here.console.speak(people.OSKAR, people.BOATHOUSE, call)
        rows = await here.drafts(lambda rows: rows)
        assert {(row.account_id, row.peer_id) for row in rows} == {(people.NORA, people.BOATHOUSE)}
