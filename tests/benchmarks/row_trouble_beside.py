"""trouble_beside: drafts of eight healthy accounts while others suffer every kind of trouble, one kind each, at once.

The yardstick is the same run, with the same traffic to the same accounts, without the trouble. Besides, the healthy
accounts' ledgers must equal their partners' mailboxes. A row of our own.
"""

from __future__ import annotations

import asyncio
import socket
import statistics
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer

from chimein_gui.adapters.telegram.session import seed_session
from chimein_gui.domain.chats import ChatInfo, TrustLevel
from chimein_gui.domain.events import ApprovalRequested, TaskStatusChanged
from chimein_gui.domain.messages import Message
from chimein_gui.engine.listener import AgentListener
from tests.benchmarks.audience import percentile, say, watching
from tests.benchmarks.row_draft_latency import StopWatch
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import Sandbox, engine_stage, get_acquainted, run_in_qt, sandbox_process
from tests.support.troubled_accounts import KINDS, UNREACHABLE, differences, is_settled, make_trouble

HEALTHY = 8
PARTNERS = 8
A_SECOND = 20.0
A_SECOND_TO_TROUBLED = 2.0
BUDGET = 1.2


class HealthyOnly(StopWatch):
    """Takes the time of healthy accounts' drafts alone."""

    def __init__(self, model_s: dict[str, float], account_ids: frozenset[int]) -> None:
        super().__init__(model_s)
        self._account_ids = account_ids
        self.joined = 0
        """Messages that came before the draft to an earlier one of their chat: the clock of that one runs on."""

    def arrive(self, message: Message) -> None:
        if message.out or message.key.account_id not in self._account_ids:
            return
        if (message.key.account_id, message.key.peer_id) in self._arrived:
            self.joined += 1
        else:
            super().arrive(message)

    def batch(self, events: tuple[object, ...]) -> None:
        """A draft that a rule approves at once may be on its way by the time it is shown."""
        shown = [event.approval for event in events if isinstance(event, ApprovalRequested | TaskStatusChanged)]
        if shown:
            QTimer.singleShot(0, lambda: self._painted(shown))


def leads_nowhere(sandbox: Sandbox, path: Path, account: dict[str, Any]) -> None:
    """Give an account a session with a port at which nobody listens."""
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
    at = sandbox.description
    seed_session(path, dc_id=at["dc_id"], host=at["host"], port=port, auth_key=bytes.fromhex(account["auth_key_hex"]))


async def latencies_ms(folder: Path, count: int, *, trouble: bool) -> tuple[list[float], list[str]]:
    folder.mkdir()  # noqa: ASYNC240 - nothing is measured yet
    with sandbox_process(folder, HEALTHY + len(KINDS)) as whole:
        account_ids = [account["user_id"] for account in whole.accounts()]
        healthy, troubled = account_ids[:HEALTHY], account_ids[HEALTHY:]
        partners = [partner["user_id"] for partner in whole.description["partners"]][:PARTNERS]
        pairs = [(partner, account) for account in healthy for partner in partners]
        beside = [(partner, account) for account in troubled for partner in partners[:2]]
        unreachable = troubled[KINDS.index(UNREACHABLE)]
        sandbox = replace(whole, seeding={unreachable: leads_nowhere}) if trouble else whole
        online = len(account_ids) - trouble
        async with engine_stage(sandbox, folder, online=online) as stage, watching(stage) as (_, models):
            known = [*pairs, *(pair for pair in beside if not trouble or pair[1] != unreachable)]
            await get_acquainted(stage, known, TrustLevel.AUTO)
            if trouble:
                await make_trouble(stage.console, troubled)
            watch = HealthyOnly(stage.model.spent_s, frozenset(healthy))
            models.bridge.batch_ready.connect(watch.batch)
            await _talk(stage, watch, pairs, beside, count)
            async with asyncio.timeout(60):
                while not is_settled(folder / "chimein.db", healthy):  # noqa: ASYNC110 - a database tells nobody
                    await asyncio.sleep(0.1)
            wrong = await differences(folder / "chimein.db", stage.console, healthy, partners)
            return watch.latencies_ms, wrong


async def _talk(stage: Any, watch: HealthyOnly, pairs: Any, beside: Any, count: int) -> None:
    arrive = AgentListener.message_arrived

    def timed(self: AgentListener, chat: ChatInfo, message: Message) -> None:
        watch.arrive(message)
        arrive(self, chat, message)

    AgentListener.message_arrived = timed  # type: ignore[method-assign]
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(say(stage.console, pairs, count, A_SECOND))
            also = round(count * A_SECOND_TO_TROUBLED / A_SECOND)
            group.create_task(say(stage.console, beside, also, A_SECOND_TO_TROUBLED))
        async with asyncio.timeout(60):
            while len(watch.latencies_ms) + watch.joined < count:  # noqa: ASYNC110 - the paint tells nobody
                await asyncio.sleep(0.01)
    finally:
        AgentListener.message_arrived = arrive  # type: ignore[method-assign]


def measure(folder: Path, *, quick: bool) -> Result:
    runs, count = (1, 100) if quick else (3, 600)

    async def main(_app: Any) -> tuple[list[float], list[float], list[str]]:
        calm: list[float] = []
        busy: list[float] = []
        wrong: list[str] = []
        for number in range(runs):
            for trouble, p99 in ((False, calm), (True, busy)):
                found, differing = await latencies_ms(folder / f"{number}-{trouble}", count, trouble=trouble)
                p99.append(percentile(found, 0.99))
                wrong += differing
        return calm, busy, wrong

    calm, busy, wrong = run_in_qt(main)
    value, yardstick = statistics.median(busy), statistics.median(calm)
    note = f"p99, median of {runs}; {len(KINDS)} kinds of trouble; " + (
        "; ".join(wrong[:3]) or "ledger and mailboxes agree"
    )
    budget = f"<= {BUDGET} x the yardstick"
    return Result("trouble_beside", value, "ms", yardstick, budget, value <= BUDGET * yardstick and not wrong, note)
