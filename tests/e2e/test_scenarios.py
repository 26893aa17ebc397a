"""Scenes against the whole product without its window: real clients, the real engine, the sandbox's servers."""

from __future__ import annotations

import asyncio
from pathlib import Path

from chimein_gui.domain.approvals import Approval, Approve
from chimein_gui.domain.tasks import ApprovalState
from chimein_gui.engine.engine import Engine
from chimein_gui.sandbox.seeds import people
from tests.e2e.whole_house import PATIENCE_S, house


async def test_a_scene_hears_what_the_operator_approved_and_answers(tmp_path: Path) -> None:
    async with house(tmp_path) as here:
        await here.console.set_speed(100)
        await here.console.start_scenario("five-accounts-at-once")
        state = await here.console.rehearsal()
        while state.scenario is None or state.scenario.done < 20:  # everything is said, and five people wait
            state = await here.console.rehearsal(after=state.revision)
        await here.console.set_speed(3)
        async with asyncio.timeout(PATIENCE_S):
            here.changed.clear()
            approved: set[str] = set()
            while not approved & {one.text for one in await here.console.mailbox(people.JULE)}:
                # Her second message may replace a draft in the moment it is approved: then it is the next one's turn.
                approved |= await approve_all_to_jule(here.engine)
                await here.changed.wait()
                here.changed.clear()
            while not any(text.startswith("Ist erledigt.") for text in await said_to_otto(here.engine)):
                await here.changed.wait()
                here.changed.clear()


async def approve_all_to_jule(engine: Engine) -> set[str]:
    """Approve what waits; returns the texts."""
    waiting = [
        row for row in (await engine.queries.approvals()).rows if is_to_jule(row) and row.state is ApprovalState.OPEN
    ]
    for row in waiting:
        await engine.decisions.decide(
            row.approval_id,
            expected_version=row.version,
            decision=Approve(),
            seen_up_to=row.seen_up_to,
            client_id=f"operator {row.approval_id}",
        )
    return {row.text for row in waiting}


async def said_to_otto(engine: Engine) -> list[str]:
    chats = (await engine.queries.chats()).rows
    with_jule = next(one for one in chats if (one.info.account_id, one.info.peer_id) == (people.OTTO, people.JULE))
    return [one.text for one in (await engine.transcripts.before(with_jule.chat_id, None, 20)).rows]


def is_to_jule(row: Approval) -> bool:
    return (row.account_id, row.peer_id) == (people.OTTO, people.JULE)
