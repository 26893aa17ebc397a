"""`kill -9` between a reply, or a partner's order, and the memory file: each entry is in its file exactly once."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from chimein_gui.domain.failpoints import Failpoint
from chimein_gui.domain.memory.files import entries_of
from chimein_gui.domain.memory.orders.answers import FIXED_ANSWERS
from chimein_gui.domain.memory.orders.given import OrderState
from tests.kills.case import Case, case, plan
from tests.kills.harness import Run
from tests.kills.life import MEMORY_POINTS, Arming
from tests.kills.mutations import WITHOUT_KEYS
from tests.kills.processes import Sandbox

REMEMBERED = ["likes tea", "has a cat", "sleeps late"]
ORDERED = "I'm allergic to nuts"


def entries(it: Case, name: str) -> list[str]:
    """Return what one memory file of the account's agent holds."""
    found = it.life.folder.glob(f"*/{name}")
    return [one.text for path in found for one in entries_of(path.read_text(encoding="utf-8"))]


def states(it: Case, table: str) -> set[str]:
    with closing(sqlite3.connect(it.life.database)) as db:
        return {state for (state,) in db.execute(f"SELECT state FROM {table}")}


async def says_and_dies(it: Case, run: Run, words: str, arming: Arming) -> None:
    await run.online()
    await run.call("arm", arming)
    await it.console.speak(it.partner, it.account, words)
    await run.death()


async def reply_is_remembered_once(
    sandbox: Sandbox, folder: Path, point: Failpoint, nth: int, mutation: str = ""
) -> None:
    async with case(sandbox, folder) as it:
        async with it.living(mutation=mutation) as run:
            await it.console.queue_reply(plan(*(f"# «remember»\n{text}" for text in REMEMBERED), "Noted."))
            await says_and_dies(it, run, "I like tea.", Arming(point, nth))
        for _ in range(2):
            async with it.living(mutation=mutation) as run:
                await run.online()
                await run.call("memories.write_now")
                assert [card.text for card in await run.cards(1)] == ["Noted."]
        assert entries(it, "memory.md") == REMEMBERED
        assert states(it, "memories") == {"written"}


@pytest.mark.parametrize("nth", [1, 2])
@pytest.mark.parametrize("point", MEMORY_POINTS)
async def test_what_a_reply_remembers_is_in_its_file_once(
    sandbox: Sandbox, tmp_path: Path, point: Failpoint, nth: int
) -> None:
    await reply_is_remembered_once(sandbox, tmp_path, point, nth)


@pytest.mark.parametrize("point", MEMORY_POINTS)
async def test_what_a_partner_orders_is_in_its_file_once_and_confirmed_once(
    sandbox: Sandbox, tmp_path: Path, point: Failpoint
) -> None:
    async with case(sandbox, tmp_path) as it:
        async with it.living() as run:
            await says_and_dies(it, run, f"/remember {ORDERED}", Arming(point))
        for _ in range(2):
            async with it.living() as run:
                await run.online()
                await run.call("memories.write_now")
                (card,) = await run.cards(1)
                assert card.text == FIXED_ANSWERS[OrderState.WRITTEN]
        async with it.living() as run:
            await run.approve((await run.cards(1))[0])
            await run.settled()
        assert entries(it, f"memory/{it.partner}.md") == [ORDERED]
        assert states(it, "memory_orders") == {"written"}
        assert await it.mailbox() == [FIXED_ANSWERS[OrderState.WRITTEN]]
        await it.check_books()


async def test_it_is_noticed_if_an_entry_is_written_twice(sandbox: Sandbox, tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        await reply_is_remembered_once(sandbox, tmp_path, Failpoint.AFTER_MEMORY_FILE, 1, WITHOUT_KEYS)
