"""A `kill -9` forgets neither what a cap has counted nor what waits for it."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from chimein_gui.domain.notes import PlanningKind
from chimein_gui.domain.spending.caps import EVERYTHING, Release
from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.kills.capped_traffic import Report, capped_campaign
from tests.kills.case import Case, case, plan
from tests.kills.harness import Run
from tests.kills.processes import Sandbox, sandbox_process

KILLS = int(os.environ.get("CHIMEIN_CAMPAIGN_KILLS", "100"))
SEED = int(os.environ.get("CHIMEIN_CAMPAIGN_SEED", "1"))


def asked(it: Case, question: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(it.life.database)) as db:
        return list(db.execute(question))


async def until_asked(it: Case) -> None:
    """Wait until the model was asked and hangs."""
    seen = await it.console.rehearsal()
    while not any(fault.hits for fault in seen.faults):
        seen = await it.console.rehearsal(after=seen.revision)


async def paused(run: Run) -> None:
    async def is_so() -> bool | None:
        (chat,) = await run.chats()
        return (chat.planning_problem is not None and chat.planning_problem.kind is PlanningKind.CAP) or None

    await run.until(is_so)


async def test_a_call_that_was_under_way_is_booked_and_what_waits_for_a_cap_still_waits(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    async with case(sandbox, tmp_path) as it:
        async with it.living() as run:
            await run.online()
            await run.call("caps.set_cap", EVERYTHING, 5.0)
            await it.console.inject(FaultRule(FaultKind.MODEL_HANG, times=0))
            await it.console.speak(it.partner, it.account, "Are you there?")
            await until_asked(it)
            await run.kill()
        ((tokens, prompt_usd),) = asked(it, "SELECT prompt_tokens, prompt_usd FROM reservations")
        await it.console.queue_reply(plan("Yes."))
        async with it.living() as run:
            (card,) = await run.cards(1)
            assert asked(it, "SELECT * FROM reservations") == []
            lost, *_ = asked(it, "SELECT ending, estimated, prompt_tokens, cost_usd FROM model_calls ORDER BY call_id")
            assert lost == ("cancelled", 1, tokens, prompt_usd)
            (standing,) = await run.call("caps.standings")
            assert standing.spent_usd > prompt_usd
            await run.call("caps.set_cap", EVERYTHING, standing.spent_usd)
            await it.console.speak(it.partner, it.account, "And now?")
            await paused(run)
            await run.kill()
        await it.console.queue_reply(plan("Now, too."))
        async with it.living() as run:
            await run.online()
            await paused(run)
            (standing,) = await run.call("caps.standings")
            assert (standing.is_reached, standing.waiting) == (True, 1)
            await run.call("caps.release", EVERYTHING, Release.ADD)
            await run.kill()
        async with it.living() as run:
            await run.online()

            async def is_planned() -> bool | None:
                cards = await run.call("queries.approvals")
                return any(one.text == "Now, too." for one in cards.rows) or None

            await run.until(is_planned)
            (standing,) = await run.call("caps.standings")
            assert standing.added_usd == 2.0
        del card


def run_campaign(folder: Path, *, people: int, kills: int, seed: int) -> Report:
    """Run a campaign in a sandbox of its own."""
    with sandbox_process(folder, people) as own:
        return asyncio.run(capped_campaign(own, folder, kills=kills, seed=seed))


def check(report: Report) -> None:
    assert not report.wrong, report.text()
    assert report.books.messages > report.questions
    assert report.reached.total() > report.kills / 10


@pytest.mark.gate_slow
def test_caps_hold_and_every_question_is_planned_once_whatever_is_answered_and_killed(tmp_path: Path) -> None:
    check(run_campaign(tmp_path, people=3, kills=4, seed=3))


@pytest.mark.campaign
def test_64_chats_never_pass_a_cap_by_more_than_a_reservation_and_lose_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = run_campaign(tmp_path, people=8, kills=KILLS, seed=SEED)
    with capsys.disabled():
        sys.stdout.write(f"\n{report.text()}\n")
    check(report)
    assert report.most_at_once > 1
