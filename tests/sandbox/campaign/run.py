"""The course of a campaign: warm up, measure, end the traffic, settle, compare, close."""

from __future__ import annotations

import asyncio
import logging
import random
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.sandbox.campaign.operator import Operator
from tests.sandbox.campaign.stage import Stage, staged
from tests.sandbox.campaign.traffic import Partners
from tests.sandbox.campaign.troubles import Troubles
from tests.sandbox.campaign.watch import MIB, LogBook, Sample, Watch
from tests.support.books import compare
from tests.support.vitals import Vitals, open_files, take_vitals

_log = logging.getLogger(__name__)

WARM_UP_S = 300.0
"""Growth is judged in runs of more than twice that, over their second half.

The product keeps up to 2,048 rows of a kind (`SAME_ROWS`), and those of plans fill within 20 minutes of this traffic;
from then on the number of its objects stays the same.
"""
SAMPLES = 30
"""Looks at both processes in a whole run."""

SHOWN_EVERY = 5
"""Samples told in the report; the JSON has them all."""

SHOWN_PROBLEMS = 12

THREADS = 4
"""As many as the program's own executor has."""

SETTLE_S = 150.0
"""How long both sides may take to become quiet once nothing goes wrong any more."""

GROWTH_MIB = 1.0
"""In ten minutes, beyond what is stored."""

SQLITE_MIB = 16.0
"""Page caches of two connections to the store and of a session file an account, 2 MB each, and what goes with them."""

REST_LOOKS = 20
"""Looks, a second apart, at what is still open at the end."""

QUIET_LOOKS = 4
_LOOK_S = 1.0


@dataclass
class Report:
    """What a campaign found."""

    seconds: float
    seed: int
    figures: dict[str, Any] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def text(self) -> str:
        """Return it for people, as Markdown."""
        lines = [f"### Random traffic with random faults: {self.seconds:.0f} s, seed {self.seed}", ""]
        for name, value in self.figures.items():
            if isinstance(value, dict):
                lines.append(f"- {name}: " + ", ".join(f"{key} {one}" for key, one in sorted(value.items())))
            elif not isinstance(value, list):
                lines.append(f"- {name}: {value}")
        lines += [
            "",
            "| minute | product MiB | of which SQLite | sandbox MiB | of which SQLite | stored |",
            "|---|---|---|---|---|---|",
        ]
        for sample in self.figures.get("samples", ())[::SHOWN_EVERY]:
            product, sandbox = sample["product"], sample["sandbox"]
            sizes = (product["rss"], product["sqlite"], sandbox["rss"], sandbox["sqlite"], sample["stored_bytes"])
            lines.append(f"| {sample['at_s'] / 60:.1f} | " + " | ".join(f"{size / MIB:.1f}" for size in sizes) + " |")
        lines += ["", *(self.problems or ["All held."])]
        return "\n".join(lines)


async def campaign(folder: Path, *, seconds: float, seed: int) -> Report:
    """Run one; shorter ones have a shorter warm-up, and their growth is only reported."""
    report = Report(seconds, seed)
    logs = LogBook()
    logs.install()
    before = take_vitals()
    async with staged(folder) as stage:
        await _play(stage, report, random.Random(seed))
    await asyncio.get_running_loop().shutdown_default_executor()
    after = await _left_behind(before)
    for name in ("tasks", "threads", "sockets", "files"):
        if getattr(after, name) > getattr(before, name):
            report.problems.append(f"after the end: {getattr(after, name)} {name}, before {getattr(before, name)}")
    report.figures["expected warnings"] = dict(logs.expected)
    report.problems += [f"logged: {line}" for line in logs.unexpected]
    logs.remove()
    return report


async def _left_behind(before: Vitals) -> Vitals:
    """Look at what is left once everything is closed; threads and transports may take a moment to be gone."""
    for _ in range(50):
        after = take_vitals()
        if after.tasks <= before.tasks and after.threads <= before.threads and after.sockets <= before.sockets:
            break
        await asyncio.sleep(0.1)
    return after


async def _play(stage: Stage, report: Report, chance: random.Random) -> None:
    partners, operator, troubles = Partners(stage, chance), Operator(stage, chance), Troubles(stage, chance)
    watch = Watch(stage)
    await _warm_up(stage, operator)
    start = await watch.sample(0.0)
    began = time.monotonic()
    await _traffic([partners.run, operator.run, troubles.run], watch, report.seconds)
    lasted = time.monotonic() - began
    await troubles.end()
    await partners.say_goodbye()
    report.figures |= {"partners": dict(partners.done), "operator": dict(operator.done), "faults": dict(troubles.done)}
    try:
        async with asyncio.timeout(SETTLE_S):
            await _settled(stage, operator)
    except TimeoutError:
        report.problems.append(f"not settled in {SETTLE_S:.0f} s: {await _restless(stage)}")
    await stage.fill_the_pool()
    end = await _at_rest(watch, start, lasted)
    await _judge(stage, report, watch, lasted)  # afterwards: it opens the store once more
    report.figures["start"], report.figures["end"] = _counts(start), _counts(end)
    more = _more_than(start, end)
    if more:
        tasks = Counter(task.get_name().rstrip("0123456789") for task in asyncio.all_tasks())
        report.problems += [*more, f"tasks of the product: {dict(tasks)}"]
    _log.info("Open at the end: %s; tasks: %s", sorted(open_files()), sorted(map(repr, asyncio.all_tasks())))


async def _at_rest(watch: Watch, start: Sample, lasted: float) -> Sample:
    """Look until all counts are back where they were; a ping under way is a task for a moment."""
    for _ in range(REST_LOOKS):
        end = await watch.look(lasted)
        if not _more_than(start, end):
            break
        await asyncio.sleep(_LOOK_S)
    return end


def _more_than(start: Sample, end: Sample) -> list[str]:
    """Say what there is more of at the end."""
    more = []
    for side in ("product", "sandbox"):
        for name in ("tasks", "threads", "sockets", "files"):
            first, last = getattr(getattr(start, side), name), getattr(getattr(end, side), name)
            if last > first:
                more.append(f"{side}: {last} {name} after the traffic, {first} before it")
    return more


async def _warm_up(stage: Stage, operator: Operator) -> None:
    """Let everything happen once that opens something and keeps it open; threads of the executor are begun by need."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS))
    all_here = threading.Barrier(THREADS)
    await asyncio.gather(*(asyncio.to_thread(all_here.wait) for _ in range(THREADS)))
    for partner in stage.partners:
        for account in stage.accounts:
            await stage.console.speak(partner, account, "Good morning!")
    await _settled(stage, operator)
    await stage.fill_the_pool()


async def _traffic(jobs: list[Callable[[], Awaitable[None]]], watch: Watch, seconds: float) -> None:
    """Let everybody act for so long, and look at the processes now and then."""
    began = time.monotonic()
    async with asyncio.TaskGroup() as group:
        running = [group.create_task(_forever(job)) for job in jobs]
        for number in range(1, SAMPLES + 1):
            await asyncio.sleep(max(0.0, began + number * seconds / SAMPLES - time.monotonic()))
            await watch.sample(time.monotonic() - began)
        for job in running:
            job.cancel()


async def _forever(job: Callable[[], Awaitable[None]]) -> None:
    await job()


async def _settled(stage: Stage, operator: Operator) -> None:
    """Return once everybody is online and has heard everything, nothing waits, and nothing changes for a while.

    An account whose key was ended while it was idle notices with its next ping, within a minute; a plan whose model
    call hangs goes on when the call is given up, within a minute too.
    """
    quiet, before = 0, None
    while quiet < QUIET_LOOKS:
        await stage.all_online()
        is_decided = await operator.tidy_up()
        now = await _state(stage)
        is_idle = is_decided and now == before and not await _is_planning(stage)
        quiet = quiet + 1 if is_idle and await _has_heard_all(stage) else 0
        before = now
        await asyncio.sleep(_LOOK_S)


async def _state(stage: Stage) -> Any:
    chats = await stage.engine.queries.chats()
    return [(chat.chat_id, chat.unread, chat.newest_in_id, chat.planned_up_to) for chat in chats.rows]


async def _is_planning(stage: Stage) -> bool:
    return any(chat.planning for chat in (await stage.engine.queries.chats()).rows)


async def _has_heard_all(stage: Stage) -> bool:
    """Tell whether the newest message that others wrote is stored, in every chat of every account."""
    known: dict[tuple[int, int], int] = {
        (one.info.account_id, one.info.peer_id): one.newest_in_id for one in (await stage.engine.queries.chats()).rows
    }
    for account in stage.accounts:
        for message in (await stage.console.box(user_id=account))["messages"]:
            if not message["outgoing"] and message["message_id"] > known.get((account, message["peer_id"]), 0):
                return False
    return True


async def _restless(stage: Stage) -> str:
    approvals = (await stage.engine.queries.approvals()).rows
    waiting = [f"{one.task_status} {one.note}" for one in approvals[:5]]
    return f"accounts {sorted(stage.health.values())}, {len(approvals)} sends open {waiting}"


async def _judge(stage: Stage, report: Report, watch: Watch, lasted: float) -> None:
    boxes = {user: await stage.console.box(user) for user in (*stage.accounts, *stage.partners)}
    found, figures = compare(stage.database, boxes, stage.accounts), report.figures
    sends = found.sent.total()
    figures["messages compared"], figures["sends confirmed exactly once"] = found.messages, sends
    partners = figures["partners"]
    spoken = partners.get("messages", 0) + partners.get("group messages", 0)
    figures["a minute"] = {
        "messages": round(spoken * 60 / lasted, 1),
        "sends": round(sends * 60 / lasted, 1),
        "faults": round(sum(figures["faults"].values()) * 60 / lasted, 1),
    }
    if found.wrong:
        report.problems += [f"{len(found.wrong)} disagreements:", *found.wrong[:SHOWN_PROBLEMS]]
    warm_up = lasted / 2 if lasted > 2 * WARM_UP_S else lasted / 3
    growth = watch.growth(warm_up)
    figures["MiB in 10 min beyond what is stored"] = {side: round(value, 2) for side, value in growth.items()}
    cached = {side: max(getattr(one, side).sqlite for one in watch.samples) / MIB for side in growth}
    report.problems += [
        f"SQLite holds {size:.1f} MiB in the {side}" for side, size in cached.items() if size > SQLITE_MIB
    ]
    figures["samples"] = [asdict(sample) for sample in watch.samples]
    if lasted > 2 * WARM_UP_S:
        report.problems += [
            f"{side} grows by {value:.2f} MiB in 10 min" for side, value in growth.items() if value > GROWTH_MIB
        ]


def _counts(sample: Any) -> dict[str, str]:
    return {
        side: "/".join(
            f"{getattr(getattr(sample, side), name)} {name}" for name in ("tasks", "threads", "sockets", "files")
        )
        for side in ("product", "sandbox")
    }
