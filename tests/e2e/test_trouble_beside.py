"""Accounts with every kind of trouble at once, beside healthy ones, whose messages all arrive once."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui.domain.chats import TrustLevel
from tests.benchmarks.audience import Answered, say
from tests.benchmarks.stage import engine_stage, get_acquainted, sandbox_process
from tests.support.troubled_accounts import (
    FROM_THE_START,
    KINDS,
    differences,
    is_settled,
    make_trouble,
    out_from_the_start,
)

HEALTHY, MESSAGES = 8, 24


async def _all_sent(database: Path, account_ids: list[int]) -> None:
    async with asyncio.timeout(60):
        while not is_settled(database, account_ids):  # noqa: ASYNC110 - a database tells nobody
            await asyncio.sleep(0.1)


@pytest.mark.gate_slow
async def test_healthy_accounts_are_as_if_alone(tmp_path: Path) -> None:
    with sandbox_process(tmp_path, HEALTHY + len(KINDS)) as whole:
        account_ids = [account["user_id"] for account in whole.accounts()]
        healthy, troubled = account_ids[:HEALTHY], account_ids[HEALTHY:]
        partners = [partner["user_id"] for partner in whole.description["partners"]][:HEALTHY]
        pairs = [(partner, account) for account in healthy for partner in partners]
        beside = [(partner, account) for account in troubled[: -len(FROM_THE_START)] for partner in partners[:2]]
        sandbox = replace(whole, **out_from_the_start(dict(zip(KINDS, troubled, strict=True))))
        online = len(account_ids) - len(FROM_THE_START)
        async with engine_stage(sandbox, tmp_path, online=online) as stage:
            await get_acquainted(stage, [*pairs, *beside], TrustLevel.AUTO)
            await make_trouble(stage.console, troubled)
            async with asyncio.TaskGroup() as group:
                group.create_task(say(stage.console, pairs, MESSAGES, 20.0))
                group.create_task(say(stage.console, beside, 2, 2.0))
            answered = Answered(MESSAGES, frozenset(healthy))
            async with asyncio.timeout(60):
                while not answered.all():
                    answered.take(await stage.events.get())
            await _all_sent(tmp_path / "chimein.db", healthy)
            assert await differences(tmp_path / "chimein.db", stage.console, healthy, partners) == []
            agents = sorted((await stage.engine.directory.load()).rows, key=lambda agent: agent.agent_id)
            assert [agent.health for agent in agents[-3:]] == ["waiting", "proxy trouble", "logged out"]
