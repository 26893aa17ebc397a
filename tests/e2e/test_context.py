"""A busy group in the sandbox: the request that reaches the model holds the right messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chimein_gui.sandbox.model import endpoint, requests
from chimein_gui.sandbox.seeds import people
from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.e2e.whole_house import house

TALK = (
    (people.OSKAR, "Dédé, does the night train to Porto still stop at Aveiro?"),
    (people.TIAGO, "Jule, o remo azul está partido outra vez"),
    (people.DEDE, "Oskar, the night train to Porto stops at Aveiro at four"),
    (people.JULE, "Tiago, welcher Ruder? Das blaue Ruder ist beim Schreiner"),
    (people.OSKAR, "Dédé, four is early for a night train, is there a later stop at Aveiro?"),
    (people.TIAGO, "Jule, então o remo azul fica no hangar até sábado"),
)
"""Two subjects, interleaved."""


@pytest.mark.parametrize("embeds", [True, False], ids=["both stages", "stage one alone"])
async def test_of_two_interleaved_subjects_the_model_gets_the_one_it_is_called_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, embeds: bool
) -> None:
    received: list[Any] = []
    really = requests.parse_call

    def note(*arguments: Any, **named: Any) -> Any:
        received.append((arguments, named))
        return really(*arguments, **named)

    monkeypatch.setattr(endpoint, "parse_call", note)
    async with house(tmp_path) as here:
        if not embeds:
            await here.console.inject(FaultRule(FaultKind.MODEL_ERROR, "batchEmbedContents", times=0))
        for who, text in TALK:
            await here.console.speak(who, people.BOATHOUSE, text)
        await here.console.speak(
            people.OSKAR, people.BOATHOUSE, "@nora_vale_box what do you think, Dédé and I are lost"
        )
        rows = await here.drafts(lambda rows: rows)
        held = str(received[-1])
        assert all(text in held for who, text in TALK if who in {people.OSKAR, people.DEDE})
        assert not [text for who, text in TALK if who in {people.TIAGO, people.JULE} and text in held]
        assert 0 < rows[0].context_held < rows[0].context_of
        assert rows[0].context_of > 20
        [fault] = (await here.console.rehearsal()).faults or [None]
        assert embeds if fault is None else fault.hits > 0
