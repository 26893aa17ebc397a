"""Caps on costs under traffic: many chats are planned at once, the operator answers, and every life is killed.

Three caps overlap: for everything, for one agent, for one chat. Some lives begin on a later day. Whenever the test
looks, each cap holds; at the end every question was planned once, and both sides' books agree.
"""

from __future__ import annotations

import json
import random
import sqlite3
import time
from collections import Counter, defaultdict
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from chimein_gui.domain.approvals import Approve
from chimein_gui.domain.costs import PRICES, Price
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.notes import PlanningKind
from chimein_gui.domain.spending.caps import EVERYTHING, CapDay, CapScope, Release, cap_of_agent, cap_of_chat
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.core.clock import SystemClock
from chimein_gui.sandbox_api import DuplicateMode, FaultKind, FaultRule
from tests.kills.harness import DiedError, Run, api_of, living
from tests.kills.life import AT_ONCE, Life
from tests.kills.processes import Sandbox
from tests.support.books import Books, compare

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.domain.approvals import Approval

CAP_USD, AGENT_USD, CHAT_USD = 0.05, 0.02, 0.008
"""The caps: each allows some calls. Fewer chats have smaller ones."""

CHATS = 36

PRICE = Price("gemini-2.5-flash", 10.0, 0.05)
"""Dear prompts and cheap replies: some reservations fit below a cap at the same time."""

PARALLEL = 64
SLOW_S = 0.15
"""How long the model takes, so that calls are under way."""

LOOK_S = 0.05
PATIENCE_S = 120.0
TINY_USD = 1e-6
ANSWERS = (
    *(Release.ADD,) * 5,
    *(Release.ONCE,) * 3,
    Release.UNTIL_MIDNIGHT,
    Release.KEEP_PAUSED,
)

_STANDING = """
SELECT c.scope, c.target, c.usd, coalesce(d.added_usd, 0), coalesce(d.is_lifted, 0)
FROM caps c LEFT JOIN cap_days d ON d.scope = c.scope AND d.target = c.target AND d.day = ?
"""
_SPENT = "SELECT agent_id, chat_id, sum(usd) FROM cost_days WHERE day = ? GROUP BY agent_id, chat_id"
_RESERVED = """
SELECT agent_id, chat_id, usd FROM reservations WHERE date(began_at / 1000000, 'unixepoch', 'localtime') = ?
"""
_PLANS = """
SELECT g.chat_id, g.trigger_ids FROM graphs g JOIN tasks t USING (graph_id)
WHERE t.kind = 'received' AND t.status = 'done'
"""
_QUESTIONS = """
SELECT c.chat_id, m.message_id FROM messages m JOIN chats c ON c.account_id = m.account_id AND c.peer_id = m.peer_id
WHERE NOT m.out AND NOT m.deleted
"""


class Paid(NamedTuple):
    """What was paid or may be paid for a chat."""

    agent: str
    chat: str
    usd: float

    def counts_for(self, scope: str, target: str) -> bool:
        """Tell whether a cap covers it."""
        return target == {CapScope.ALL: "", CapScope.AGENT: self.agent, CapScope.CHAT: self.chat}[CapScope(scope)]


@dataclass
class Report:
    """What a campaign of caps found."""

    kills: int
    seed: int
    days: int = 1
    looks: int = 0
    most_at_once: int = 0
    most_beyond_usd: float = 0.0
    largest_usd: float = 0.0
    questions: int = 0
    calls: int = 0
    lost_calls: int = 0
    usd: float = 0.0
    seconds: float = 0.0
    reached: Counter[str] = field(default_factory=Counter)
    operator: Counter[str] = field(default_factory=Counter)
    books: Books = field(default_factory=Books)
    wrong: list[str] = field(default_factory=list)

    def text(self) -> str:
        """Return it for people, as Markdown."""
        lines = [
            f"### Caps: {self.kills} kills on {self.days} days, seed {self.seed}: {self.seconds:.0f} s",
            "",
            f"- {self.questions} questions; {self.calls} calls for ${self.usd:.4f}, {self.lost_calls} cut off",
            f"- {self.looks} looks: at most {self.most_at_once} calls under way, the largest reserved"
            f" ${self.largest_usd:.4f}; spent and reserved at most ${self.most_beyond_usd:.4f} beyond a limit",
            "- caps asked: " + ", ".join(f"{name} {count}" for name, count in sorted(self.reached.items())),
            "- the operator: " + ", ".join(f"{name} {count}" for name, count in sorted(self.operator.items())),
            f"- messages compared: {self.books.messages}",
            "",
            *(self.wrong[:20] or ["Every question was planned once; no cap was passed by more than a reservation."]),
        ]
        return "\n".join(lines)


class CappedCampaign:
    """One campaign on one state directory."""

    def __init__(self, sandbox: Sandbox, folder: Path, *, kills: int, seed: int) -> None:
        self.report = Report(kills, seed)
        self._sandbox = sandbox
        self._chance = random.Random(seed)
        self._accounts, self._partners = sandbox.accounts, sandbox.partners
        preferences = replace(AT_ONCE, prices=(PRICE, *PRICES), parallel_plans=PARALLEL, descriptions_per_tick=0)
        self._life = Life(folder / "state", sandbox.port_file, 0, self._accounts, preferences=preferences)
        self._passed: defaultdict[str, set[str]] = defaultdict(set)
        self._asked = 0

    async def run(self) -> Report:
        """Run it."""
        report, began = self.report, time.monotonic()
        async with api_of(self._sandbox) as self._console:
            await self._first_life()
            await self._console.inject(FaultRule(FaultKind.MODEL_SLOW, times=0, seconds=SLOW_S))
            for number in range(report.kills):
                if number % 5 == 4:  # the day ends while the program is off
                    self._next_day()
                async with living(self._sandbox, self._life) as run:
                    await self._live(run)
                self._look()
            await self._last_life()
            boxes = {user: await self._console.box(user) for user in (*self._accounts, *self._partners)}
        report.seconds = time.monotonic() - began
        report.books = compare(self._life.database, boxes, self._accounts)
        report.wrong += [*report.books.wrong, *self._plans(), *self._sums(), *self._log()]
        return report

    async def _first_life(self) -> None:
        """Log in, meet everybody, and set the caps."""
        async with living(self._sandbox, self._life) as run:
            await run.online()
            await self._speak(everybody=True)
            await self._rest(run)
            chats = await run.chats()
            share = min(1.0, len(chats) / CHATS)
            await run.call("caps.set_cap", EVERYTHING, CAP_USD * share)
            await run.call("caps.set_cap", cap_of_agent(chats[0].agent_id), AGENT_USD * share)
            await run.call("caps.set_cap", cap_of_chat(chats[-1].chat_id), CHAT_USD * share)
        self._next_day()  # what was spent before counts for another day

    def _next_day(self) -> None:
        self._life = replace(self._life, ahead=self._life.ahead + timedelta(days=1))
        self.report.days += 1

    async def _live(self, run: Run) -> None:
        """Ask, answer the caps, approve, until the kill."""
        looks = self._chance.randint(4, 40)
        try:
            await run.online()
            await self._speak(idle=await self._idle(run))
            for _ in range(looks):
                self._look()
                if self._chance.random() < 0.3:
                    await self._answer(run)
                    await self._retry(run)
                if self._chance.random() < 0.3:
                    await self._approve(run, (await run.cards())[:12])
                await run.pause(LOOK_S)
            await run.kill()
        except DiedError:
            raise AssertionError(f"it ended by itself: {run.story()}") from None

    async def _last_life(self) -> None:
        """Take the caps away: all that waited is planned and sent."""
        await self._console.clear_faults()
        await self._console.set_duplicate_mode(DuplicateMode.ERROR)
        async with living(self._sandbox, self._life) as run:
            await run.online()
            for cap in await run.call("caps.standings"):
                if cap.key.scope is not CapScope.MODEL:
                    await run.call("caps.set_cap", cap.key, None)
            await self._rest(run)
            self.report.wrong += [
                f"chat {chat.chat_id} says {chat.planning_problem}"
                for chat in await run.chats()
                if chat.planning_problem
            ]

    # --- partners

    async def _idle(self, run: Run) -> set[tuple[int, int]]:
        """Return the pairs in whose chats nothing is open: what they ask next is a question of its own."""
        busy = {card.chat_id for card in await run.cards()}
        return {
            (int(chat.info.peer_id), int(chat.info.account_id))
            for chat in await run.chats()
            if chat.planned_up_to >= chat.newest_in_id and not chat.planning and chat.chat_id not in busy
        }

    async def _speak(self, *, idle: set[tuple[int, int]] | None = None, everybody: bool = False) -> None:
        pairs = [(partner, account) for partner in self._partners for account in self._accounts]
        if not everybody:
            pairs = [pair for pair in pairs if idle and pair in idle and self._chance.random() < 0.7]
        lines = []
        for partner, account in pairs:
            self._asked += 1
            await self._console.queue_reply(f"# «send»\nAn answer, the {self._asked}th.")
            lines.append((partner, account, f"Question {self._asked}?"))
        if lines:
            await self._console.speak_many(lines)

    # --- the operator

    async def _answer(self, run: Run) -> None:
        """Answer one of the caps that ask."""
        asking: list[CapDay] = [cap for cap in await run.call("caps.standings") if cap.asks and cap.waiting]
        if not asking:
            return
        cap = self._chance.choice(asking)
        self.report.reached[cap.key.scope.value] += 1
        answer = self._chance.choice(ANSWERS)
        if answer is Release.UNTIL_MIDNIGHT and cap.key == EVERYTHING and self._chance.random() < 0.7:
            answer = Release.ADD  # else there would be few looks at it
        raised = self._chance.random() < 0.1
        with suppress(NotFoundError):
            if raised:
                await run.call("caps.set_cap", cap.key, cap.usd + 0.002)
            else:
                await run.call("caps.release", cap.key, answer, 0.01)
        self._note_passes()
        self.report.operator["raise" if raised else answer.value] += 1

    async def _approve(self, run: Run, cards: Iterable[Approval]) -> None:
        for card in cards:
            if card.task_status is TaskStatus.AWAITING_DECISION:
                outcome = await run.decide(card, Approve(), knowingly=True)
                self.report.operator[f"approve: {outcome.verdict.value}"] += 1

    async def _retry(self, run: Run) -> None:
        """Let plans be made that were given up after three crashes."""
        for chat in await run.chats():
            if chat.planning_problem is not None and chat.planning_problem.kind is PlanningKind.CRASHED:
                await run.call("plans.retry", chat.chat_id)
                self.report.operator["retry after three crashes"] += 1

    async def _rest(self, run: Run) -> None:
        """Approve all until nothing is open."""
        began = time.monotonic()
        while time.monotonic() < began + PATIENCE_S:
            cards = await run.cards()
            await self._approve(run, cards)
            await self._retry(run)
            chats = await run.chats()
            open_yet = [one for one in chats if one.planned_up_to < one.newest_in_id or one.planning]
            if not cards and not open_yet and len(chats) == len(self._accounts) * len(self._partners):
                return
            await run.pause(LOOK_S)
        raise AssertionError(f"it does not come to rest: {cards[:3]}, {open_yet[:3]}, {run.story()}")

    # --- what became of it

    def _look(self) -> None:
        """See whether each cap holds: with what calls under way may cost, it is passed by one reservation at most."""
        report, day = self.report, self._day()
        with closing(self._open()) as store, store:
            store.execute("BEGIN")
            caps = store.execute(_STANDING, (day,)).fetchall()
            paid = [Paid(str(agent), str(chat), usd) for agent, chat, usd in store.execute(_SPENT, (day,))]
            held = [Paid(str(agent), str(chat), usd) for agent, chat, usd in store.execute(_RESERVED, (day,))]
        report.looks += 1
        report.most_at_once = max(report.most_at_once, len(held))
        report.largest_usd = max(report.largest_usd, *(one.usd for one in held), 0.0)
        for scope, target, usd, added_usd, is_lifted in caps:
            if is_lifted:
                continue
            covered = [one for one in (*paid, *held) if one.counts_for(scope, target)]
            counted = sum(one.usd for one in covered if one.chat not in self._passed[day])
            beyond_usd = counted - usd - added_usd
            report.most_beyond_usd = max(report.most_beyond_usd, beyond_usd)
            if beyond_usd > report.largest_usd + TINY_USD:
                report.wrong.append(f"{scope} {target}: {counted} of {usd} + {added_usd}, {len(held)} calls under way")

    def _day(self) -> str:
        return (SystemClock().now() + self._life.ahead).astimezone().date().isoformat()

    def _note_passes(self) -> None:
        """Remember the chats that may be planned once, whatever it costs."""
        day = self._day()
        self._passed[day].update(str(chat) for (chat,) in self._ask("SELECT chat_id FROM cap_passes"))

    def _plans(self) -> list[str]:
        """Every question is answered by one plan."""
        planned = Counter((chat, number) for chat, ids in self._ask(_PLANS) for number in json.loads(ids))
        asked = {(chat, number) for chat, number in self._ask(_QUESTIONS)}
        self.report.questions = len(asked)
        wrong = [f"question {one} was planned {planned[one]} times" for one in sorted(asked) if planned[one] != 1]
        if len(asked) != self._asked:
            wrong.append(f"{self._asked} questions were asked, and {len(asked)} came")
        return wrong

    def _sums(self) -> list[str]:
        """The sums are those of the calls, and nothing is reserved or permitted any more."""
        report = self.report
        ((report.calls, report.usd),) = self._ask("SELECT count(*), sum(cost_usd) FROM model_calls")
        ((report.lost_calls,),) = self._ask("SELECT count(*) FROM model_calls WHERE ending = 'cancelled'")
        ((calls, usd),) = self._ask("SELECT sum(calls), sum(usd) FROM cost_days")
        wrong = [
            f"{name} is not empty" for name in ("reservations", "cap_passes") if self._ask(f"SELECT 1 FROM {name}")
        ]
        if calls != report.calls or abs(usd - report.usd) > TINY_USD:
            wrong.append(f"the days have {calls} calls for {usd}, the ledger {report.calls} for {report.usd}")
        return wrong

    def _log(self) -> list[str]:
        lines = self._life.log.read_text(encoding="utf-8").splitlines()
        return [line for line in lines if line.startswith(("ERROR", "CRITICAL"))]

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(f"file:{self._life.database}?mode=ro", uri=True)

    def _ask(self, query: str) -> list[Any]:
        with closing(self._open()) as store:
            return store.execute(query).fetchall()


async def capped_campaign(sandbox: Sandbox, folder: Path, *, kills: int, seed: int) -> Report:
    """Run one campaign."""
    return await CappedCampaign(sandbox, folder, kills=kills, seed=seed).run()
