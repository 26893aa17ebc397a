"""Drafts of eight healthy accounts while others suffer every kind of trouble, one kind each, at once: single runs.

The yardstick is the same run, with the same traffic to the same accounts, without the trouble. Besides, the healthy
accounts' ledgers must equal their partners' mailboxes.

Runs with and without trouble take turns. Before them comes a run that is not measured, and each begins at the same
place: a fresh sandbox, database and window, the same chats, everything sent, a second's rest, and nothing of the runs
before left to the collector. How many commits there were, how long they took and how long the loop's thread waited
for a core stands beside, in the details.
"""

from __future__ import annotations

import asyncio
import gc
import socket
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer

from chimein_gui.adapters.telegram.session import seed_session
from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.chats import ChatInfo, TrustLevel
from chimein_gui.domain.events import ApprovalRequested, TaskStatusChanged
from chimein_gui.domain.messages import Message
from chimein_gui.domain.proxies import Proxy, ProxyKind
from chimein_gui.engine.listener import AgentListener
from tests.benchmarks.audience import percentile, say, watching
from tests.benchmarks.hindrances import Commit, CoreWait, commits_noted, how_many, slowest_ms
from tests.benchmarks.row_draft_latency import Chat, StopWatch
from tests.benchmarks.stage import Sandbox, Stage, engine_stage, get_acquainted, run_in_qt, sandbox_process
from tests.support.troubled_accounts import (
    FROM_THE_START,
    KINDS,
    LOGGED_OUT,
    NO_PROXY,
    UNREACHABLE,
    differences,
    is_settled,
    make_trouble,
)

HEALTHY = 8
PARTNERS = 8
A_SECOND = 20.0
A_SECOND_TO_TROUBLED = 2.0

TURNS = (False, True, True, False) * 2
"""Whether there is trouble, run by run: what gets slower with time does so for both."""

COUNT, WARM_UP, QUICK_COUNT = 600, 60, 100
REST_S = 1.0


@dataclass(frozen=True, slots=True)
class Draft:
    """One draft: how long it took, and what held it up that is neither ours nor the trouble's."""

    ms: float
    slowest_commit_ms: float
    waited_for_core_ms: float


@dataclass(frozen=True, slots=True)
class Run:
    """What one run found: all its drafts, what differs between ledger and mailboxes, what held all of it up."""

    trouble: bool
    drafts: tuple[Draft, ...]
    wrong: tuple[str, ...]
    commits: int
    slowest_commit_ms: float
    waited_for_core_ms: float
    health: tuple[str, ...] = ()
    """How the accounts other than the healthy ones were at the end, in the order of KINDS."""

    def p(self, share: float) -> float:
        """Return the latency below which `share` of the drafts lie, in ms."""
        return percentile([draft.ms for draft in self.drafts], share)

    def p99_with_a_core_ms(self) -> float:
        """Return the p99 had the loop never waited for a core: beside the figure, which it does not replace.

        What waits may wait for our own threads or for the sandbox, and that too may be more beside trouble.
        """
        return percentile([max(0.0, draft.ms - draft.waited_for_core_ms) for draft in self.drafts], 0.99)


class HealthyOnly(StopWatch):
    """Takes the time of healthy accounts' drafts alone."""

    def __init__(self, model_s: dict[str, float], account_ids: frozenset[int], core: CoreWait) -> None:
        super().__init__(model_s)
        self._account_ids, self._core = account_ids, core
        self._waited_before: dict[Chat, float] = {}
        self._spans: list[tuple[float, float, float]] = []
        self.joined = 0
        """Messages that came before the draft to an earlier one of their chat: the clock of that one runs on."""

    def arrive(self, message: Message) -> None:
        chat = message.key.account_id, message.key.peer_id
        if message.out or message.key.account_id not in self._account_ids:
            return
        if chat in self._arrived:
            self.joined += 1
        else:
            self._waited_before[chat] = self._core.so_far_ms()
            super().arrive(message)

    def batch(self, events: tuple[object, ...]) -> None:
        """A draft that a rule approves at once may be on its way by the time it is shown."""
        shown = [event.approval for event in events if isinstance(event, ApprovalRequested | TaskStatusChanged)]
        if shown:
            QTimer.singleShot(0, lambda: self._painted(shown))

    def _painted(self, shown: list[Approval]) -> None:
        for approval in shown:
            chat = approval.account_id, approval.peer_id
            if chat in self._arrived:
                waited = self._core.so_far_ms() - self._waited_before.pop(chat)
                self._spans.append((self._arrived[chat][0], time.perf_counter(), waited))
            super()._painted([approval])

    def drafts(self, commits: list[Commit]) -> tuple[Draft, ...]:
        """Return all that was measured, each with the slowest commit of its time."""
        return tuple(
            Draft(ms, slowest_ms(commits, began, ended), waited)
            for ms, (began, ended, waited) in zip(self.latencies_ms, self._spans, strict=True)
        )


def nobodys_port() -> int:
    """Return a port at which nobody listens."""
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port: int = taken.getsockname()[1]
        return port


def leads_nowhere(sandbox: Sandbox, path: Path, account: dict[str, Any]) -> None:
    """Give an account a session with a port at which nobody listens."""
    at, key = sandbox.description, bytes.fromhex(account["auth_key_hex"])
    seed_session(path, dc_id=at["dc_id"], host=at["host"], port=nobodys_port(), auth_key=key)


def stays_out(_sandbox: Sandbox, _path: Path, _account: dict[str, Any]) -> None:
    """Give an account no session."""


def out_from_the_start(whole: Sandbox, who: Mapping[str, int]) -> Sandbox:
    """Give what is wrong from the start to one account each."""
    proxy = Proxy(ProxyKind.SOCKS5, "127.0.0.1", nobodys_port())
    seeding = {who[UNREACHABLE]: leads_nowhere, who[LOGGED_OUT]: stays_out}
    return replace(whole, seeding=seeding, proxies={who[NO_PROXY]: proxy})


async def one_run(folder: Path, count: int, *, trouble: bool) -> Run:
    """Let `count` messages come to the healthy accounts, and a tenth of that to the others."""
    gc.unfreeze()  # the runs before have frozen what was theirs; the stage freezes what is left
    gc.collect()
    folder.mkdir()  # noqa: ASYNC240 - nothing is measured yet
    with (
        sandbox_process(folder, HEALTHY + len(KINDS)) as whole,
        closing(CoreWait()) as core,
        commits_noted() as commits,
    ):
        account_ids = [account["user_id"] for account in whole.accounts()]
        healthy, troubled = account_ids[:HEALTHY], account_ids[HEALTHY:]
        partners = [partner["user_id"] for partner in whole.description["partners"]][:PARTNERS]
        pairs = [(partner, account) for account in healthy for partner in partners]
        beside = [(partner, account) for account in troubled for partner in partners[:2]]
        out = {kind: account for kind, account in zip(KINDS, troubled, strict=True) if kind in FROM_THE_START}
        sandbox = out_from_the_start(whole, out) if trouble else whole
        online = len(account_ids) - len(out) * trouble
        async with engine_stage(sandbox, folder, online=online) as stage, watching(stage) as (_, models):
            known = [*pairs, *(pair for pair in beside if not trouble or pair[1] not in out.values())]
            await get_acquainted(stage, known, TrustLevel.AUTO)
            await _all_sent(folder / "chimein.db", account_ids)
            await asyncio.sleep(REST_S)
            watch = HealthyOnly(stage.model.spent_s, frozenset(healthy), core)
            models.bridge.batch_ready.connect(watch.batch)
            began, waited_before = time.perf_counter(), core.so_far_ms()
            if trouble:
                await make_trouble(stage.console, troubled)
            await _talk(stage, watch, pairs, beside, count)
            drafts, slowest = watch.drafts(commits), slowest_ms(commits, began)
            count_of_commits = how_many(commits, began)
            waited = core.so_far_ms() - waited_before
            await _all_sent(folder / "chimein.db", healthy)
            wrong = await differences(folder / "chimein.db", stage.console, healthy, partners)
            agents = sorted((await stage.engine.load_agents()).rows, key=lambda agent: agent.agent_id)
            health = tuple(agent.health.value for agent in agents[HEALTHY:])
            return Run(trouble, drafts, tuple(wrong), count_of_commits, slowest, waited, health)


async def _all_sent(database: Path, account_ids: Sequence[int]) -> None:
    async with asyncio.timeout(60):
        while not is_settled(database, account_ids):  # noqa: ASYNC110 - a database tells nobody
            await asyncio.sleep(0.1)


async def _talk(stage: Stage, watch: HealthyOnly, pairs: list[Chat], beside: list[Chat], count: int) -> None:
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


def all_runs(folder: Path, turns: Sequence[bool], *, quick: bool) -> list[Run]:
    """Make a run for each of the turns, after one that is not kept; `quick` takes two with fewer messages."""
    turns, count = (turns[:2], QUICK_COUNT) if quick else (turns, COUNT)

    async def main(_app: Any) -> list[Run]:
        await one_run(folder / "warm-up", WARM_UP, trouble=True)
        return [
            await one_run(folder / str(number), count, trouble=trouble) for number, trouble in enumerate(turns, start=1)
        ]

    return run_in_qt(main)


def together(runs: Sequence[Run], *, trouble: bool) -> Run:
    """Take all runs of one kind as one."""
    mine = [run for run in runs if run.trouble == trouble]
    return Run(
        trouble,
        tuple(draft for run in mine for draft in run.drafts),
        tuple(difference for run in mine for difference in run.wrong),
        sum(run.commits for run in mine),
        max(run.slowest_commit_ms for run in mine),
        sum(run.waited_for_core_ms for run in mine),
    )


def in_short(run: Run) -> dict[str, object]:
    """Return what is told of one run."""
    return {
        "trouble": run.trouble,
        "p50_ms": round(run.p(0.5), 1),
        "p90_ms": round(run.p(0.9), 1),
        "p99_ms": round(run.p(0.99), 1),
        "p99_with_a_core_ms": round(run.p99_with_a_core_ms(), 1),
        "commits": run.commits,
        "slowest_commit_ms": round(run.slowest_commit_ms, 1),
        "waited_for_core_ms": round(run.waited_for_core_ms),
        "health": dict(zip(KINDS, run.health, strict=False)),
    }
