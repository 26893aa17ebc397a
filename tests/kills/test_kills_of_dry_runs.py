"""A hundred dry runs, and a `kill -9` in the middle of one, leave nothing behind but their cost and their traces."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from chimein_gui.domain.costs import DRY_RUN
from chimein_gui.domain.prompt.dry_runs import PromptEdits
from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.kills.case import Case, case
from tests.kills.harness import DiedError
from tests.kills.processes import Sandbox

RUNS = 100
REPLY = "# «send»\nNo.\n\n# «remember»\nlikes tea\n\n# «block»\n\n# «shutdown»\n\n# «clear-conversation»"
COSTS, COMMITS = "model_calls", "meta"
LEFT = {COSTS, COMMITS, "cost_days", "traces", "trace_bodies"}


async def state(it: Case) -> dict[str, Any]:
    """Return all rows of the store but what a dry run leaves, all files beside it, and the server's boxes."""
    with closing(sqlite3.connect(it.life.database)) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage")]
        found: dict[str, Any] = {
            name: sorted(map(repr, db.execute(f"SELECT * FROM {name}"))) for name in {*tables} - LEFT
        }
    files = (path for path in it.life.folder.rglob("*") if path.is_file() and not path.name.startswith("chimein.db"))
    found |= {str(path): path.read_bytes() for path in files if ".session" not in path.suffixes}
    return found | {"server": [await it.box(person) for person in (it.account, it.partner)]}


def asked(it: Case, question: str, *values: object) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(it.life.database)) as db:
        return list(db.execute(question, values))


async def test_a_hundred_dry_runs_and_a_kill_in_one_leave_cost_and_traces(sandbox: Sandbox, tmp_path: Path) -> None:
    async with case(sandbox, tmp_path) as it:
        async with it.living() as run:
            (card,) = await it.asked(run, "One.")
            (call,) = await run.call("prompts.calls", card.graph_id)
            stored = await run.call("prompts.sent", call.call_id)
            now = await run.call("prompts.rebuilt", card.chat_id)
            before = await state(it)
            ((commits,),) = asked(it, f"SELECT revision FROM {COMMITS}")
            for number in range(RUNS):
                await it.console.queue_reply(REPLY)
                if number % 2:
                    made = await run.call("dry_runs.exact", f"run {number}", card.chat_id, stored)
                else:
                    edits = PromptEdits(((0, f"Be brief {number}."),), temperature=0.5)
                    made = await run.call("dry_runs.rebuilt", f"run {number}", card.chat_id, now.prompt, edits)
                assert len(made.reply.blocks) == 5
            assert await state(it) == before
            booked = asked(it, f"SELECT ending, cost_usd > 0 FROM {COSTS} WHERE purpose = ?", DRY_RUN)
            assert booked == [("answered", 1)] * RUNS
            traces = asked(it, "SELECT kind, state, count(*) FROM traces GROUP BY kind, state ORDER BY kind")
            assert traces == [("dry run", "answered", RUNS), ("plan", "waiting", 1)]
            assert asked(it, f"SELECT revision FROM {COMMITS}") == [(commits + RUNS,)], "one commit each"
            await it.console.inject(FaultRule(FaultKind.MODEL_HANG, times=0))
            last = asyncio.get_running_loop().create_task(run.call("dry_runs.exact", "last", card.chat_id, stored))
            seen = await it.console.rehearsal()
            while not any(fault.hits for fault in seen.faults):
                seen = await it.console.rehearsal(after=seen.revision)
            await run.kill()
            with suppress(DiedError):
                await last
            assert await state(it) == before
        async with it.living() as run:
            await run.online()
            (card,) = await run.cards(1)
            await run.approve(card)
            await run.settled()
        assert await it.mailbox() == ["One."]
        await it.check_books()
