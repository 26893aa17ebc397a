"""A person is forgotten in the whole program: Telegram still has the conversation, and no connect brings it back."""

from __future__ import annotations

from pathlib import Path

from chimein_gui.domain.ids import PeerId
from tests.e2e.restarts import GROUP, Place, Product, live_a_little, place_of, product
from tests.sandbox.clients import MARTA, NORA, sandbox

SAID = ("The jetty has a hole again", "This hole", "Could you bring a plank")
"""In the group, below a photo, and last in the direct chat."""
PERSON = PeerId(MARTA)


def files_with(state: Path, *words: str) -> dict[str, list[str]]:
    """Return which words are in which files; Telegram's own log-in file is not ours to change."""
    found = {}
    for path in sorted(path for path in state.rglob("*") if path.is_file() and "telegram.session" not in path.name):
        there = [word for word in words if word.encode() in path.read_bytes()]
        if there:
            found[path.name] = there
    return found


async def titles(here: Product) -> set[str]:
    return {chat.info.title for chat in (await here.engine.queries.chats()).rows}


async def test_what_telegram_still_has_does_not_come_back(tmp_path: Path) -> None:
    state = tmp_path / "state"
    async with sandbox(tmp_path / "world") as server:
        place: Place = place_of(server)
        async with product(tmp_path, place) as here:
            await live_a_little(place, here)
            assert files_with(state, *SAID)
            assert (await here.engine.people.look(PERSON)).held
            await here.engine.people.forget(PERSON)
            assert files_with(state, *SAID) == {}
            assert "Marta Oliveira" not in await titles(here)
            assert GROUP in await titles(here)
        for _ in range(2):
            async with product(tmp_path, place) as here:
                assert "Marta Oliveira" not in await titles(here)
                assert files_with(state, *SAID) == {}, "the dialogs were compared, and nothing came back"
        async with product(tmp_path, place) as here:
            await place.console.speak(MARTA, NORA, "Hello, it is me again")
            await here.heard("Marta Oliveira", "Hello, it is me again")
            draft = await here.draft("Marta Oliveira")
            rows = (await here.engine.transcripts.before(draft.chat_id, None, 50)).rows
            assert [row.text for row in rows] == ["Hello, it is me again"], "the prompt's history is not fetched anew"
            assert files_with(state, *SAID) == {}
