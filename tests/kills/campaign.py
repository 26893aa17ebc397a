"""Kills spread over the failpoints, with random traffic: at the end nothing is lost, and nothing is there twice."""

from __future__ import annotations

import asyncio
import itertools
import random
import sqlite3
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from chimein_gui.domain.chats import Chat
from chimein_gui.domain.failpoints import Failpoint
from chimein_gui.domain.ids import ApprovalId
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.sandbox_api import DuplicateMode
from tests.kills.harness import DiedError, Run, api_of, living
from tests.kills.life import AT_ONCE, EDIT_POINTS, TRAFFIC_POINTS, Arming, Life
from tests.kills.plan_editing import EDITS, STEPS
from tests.kills.processes import Sandbox
from tests.kills.traffic import Traffic
from tests.support.books import Books, compare

PEOPLE = 3
"""Accounts, and partners of each."""

TAKEOVER_S = 0.3
"""How long an agent pauses where the operator writes himself."""

PAUSE_S = 0.1
"""Between two looks of the operator, unless something happens."""

LONGEST_LIFE_S = 60.0
PATIENCE_S = 60.0
"""How long the last life may take to come to rest."""

RESOLVED = {
    TaskStatus.DONE: "found at Telegram",
    TaskStatus.APPROVED: "found at Telegram, further parts followed",
    TaskStatus.SENDING: "sent again with the same number",
    TaskStatus.AWAITING_DECISION: "perhaps not delivered",
}


@dataclass
class Report:
    """What a campaign found."""

    kills: int
    seed: int
    killed: Counter[str] = field(default_factory=Counter)
    cut_off: int = 0
    resolved: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    operator: Counter[str] = field(default_factory=Counter)
    books: Books = field(default_factory=Books)
    given_up: int = 0
    wrong: list[str] = field(default_factory=list)

    def text(self) -> str:
        """Return it for people, as Markdown."""
        per_kill = self.seconds / max(1, self.killed.total())
        lines = [
            f"### {self.killed.total()} kills with random traffic, seed {self.seed}: {per_kill:.2f} s each",
            "",
            _line("kills", self.killed),
            _line(f"{self.books.sent.total()} requests carried out", self.books.sent),
            f"- cut off in the hand-over: {self.cut_off}",
            _line("of these", self.resolved),
            _line("the operator", self.operator),
            _line("planned sends", self.books.ended),
            f"- messages compared: {self.books.messages}",
            f"- plans given up after three crashes: {self.given_up}",
            "",
            *(self.wrong[:20] or ["Nothing lost, nothing twice: the ledger is the partners' mailboxes."]),
        ]
        return "\n".join(lines)


def _line(title: str, counts: Counter[str]) -> str:
    return f"- {title}: " + (", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "none")


class Campaign:
    """One campaign on one state directory."""

    def __init__(self, sandbox: Sandbox, folder: Path, *, kills: int, seed: int, mutation: str) -> None:
        self.report = Report(kills, seed)
        self._sandbox = sandbox
        self._accounts, self._partners = sandbox.accounts[:PEOPLE], sandbox.partners[:PEOPLE]
        self._traffic = Traffic(seed, self._accounts, self._partners)
        preferences = replace(AT_ONCE, takeover_s=TAKEOVER_S)
        self._life = Life(
            folder / "state", sandbox.port_file, 0, self._accounts, preferences=preferences, mutation=mutation
        )
        self._in_doubt: set[ApprovalId] = set()
        self._deck: list[Failpoint] = []

    async def run(self) -> Report:
        """Run it."""
        report = self.report
        async with api_of(self._sandbox) as self._console:
            await self._first_life()
            await self._traffic.block(self._console, blocked=True)  # as plans may leave it that were cut short
            began = time.monotonic()
            for _ in range(report.kills):
                await self._one_kill()
            report.seconds = time.monotonic() - began
            await self._last_life()
            users = (*self._accounts, *self._partners)
            boxes = {user: await self._console.box(user) for user in users}
        report.operator = self._traffic.done
        report.books = compare(self._life.database, boxes, self._accounts, second_copies=-1)
        report.wrong += [*report.books.wrong, *self._copies(), *self._decisions(), *self._log()]
        report.wrong += self._traffic.editing.compare(self._ask(EDITS), self._ask(STEPS))
        return report

    async def _first_life(self) -> None:
        """Log in: what is said before that triggers nothing."""
        async with living(self._sandbox, self._life) as run:
            await run.online()

    async def _one_kill(self) -> None:
        """Live until the armed failpoint."""
        chance = self._traffic.chance
        if not self._deck:
            self._deck = list(TRAFFIC_POINTS)
            chance.shuffle(self._deck)
        point = self._deck.pop()
        await self._console.clear_faults()
        await self._traffic.block(self._console, blocked=False)  # else the traffic would dry up
        await self._console.set_duplicate_mode(chance.choice(list(DuplicateMode)))
        arming = Arming(point, chance.choice((1, 1, 2, 3)))
        async with living(self._sandbox, replace(self._life, arming=arming)) as run:
            try:
                async with asyncio.timeout(LONGEST_LIFE_S):
                    await self._live(run)
            except TimeoutError:
                raise AssertionError(f"it was never killed {point.value}: {run.story()}") from None
        self._count_resolved(run)
        self.report.killed[point.value] += 1
        self._note_cut_off()
        self._traffic.editing.stored = frozenset(client_id for _, client_id, *_ in self._ask(EDITS))

    async def _live(self, run: Run) -> None:
        """Go on until the end comes."""
        needs_edit = run.life.arming is not None and run.life.arming.point in EDIT_POINTS
        try:
            await self._traffic.press_again(run)
            for look in itertools.count():
                if look % 3 == 0:
                    await self._traffic.speak(self._console, self._traffic.chance.randint(1, 3))
                await self._traffic.edit_plan(run)
                if needs_edit:
                    await self._traffic.surely_edit_plan(run, self._console)
                await self._traffic.look(run)
                await self._traffic.meddle(run, self._console)
                await run.pause(PAUSE_S)
        except DiedError:
            await run.death()

    async def _last_life(self) -> None:
        """Let everything come to rest: the operator decides all that waits."""
        await self._console.clear_faults()
        await self._console.set_duplicate_mode(DuplicateMode.ERROR)
        async with living(self._sandbox, self._life) as run:
            await run.online()
            await self._traffic.press_again(run)
            await self._traffic.release(run)
            async with asyncio.timeout(PATIENCE_S):
                while not (await self._traffic.look(run, tidy=True) and await self._is_at_rest(run)):
                    await run.pause(PAUSE_S)
            self._count_resolved(run)
            chats = await run.chats()
        failed = self._failed()
        for chat in chats:
            if chat.planning_problem:
                self.report.given_up += 1
            elif chat.planned_up_to < chat.newest_in_id and chat.chat_id not in failed:
                words = f"chat {chat.chat_id} ({chat.last_text!r}) is unanswered, and nobody says why"
                self.report.wrong.append(f"{words}: {self._story_of(chat)}")

    async def _is_at_rest(self, run: Run) -> bool:
        await run.call("work_off")
        at_rest = not any(chat.planning or chat.pending for chat in await run.chats()) and not await run.cards()
        return at_rest and not self._still_to_come()

    def _still_to_come(self) -> list[Any]:
        """Return what comes by itself: a plan, before which a chat pauses if the operator has just written, or the end
        of a wait.
        """
        return self._ask("""
            SELECT 1 FROM tasks WHERE kind = 'received' AND status IN ('waiting', 'ready', 'running')
            UNION ALL SELECT 1 FROM tasks WHERE kind = 'wait' AND status = 'waiting'
        """)

    # --- what became of it

    def _note_cut_off(self) -> None:
        """Remember what a kill has cut off in the middle of its hand-over."""
        found = self._ask("SELECT DISTINCT approval_id FROM ledger WHERE state = 'sending'")
        new = {ApprovalId(approval_id) for (approval_id,) in found} - self._in_doubt
        self.report.cut_off += len(new)
        self._in_doubt |= new

    def _count_resolved(self, run: Run) -> None:
        """See what became of what earlier kills cut off."""
        for event in run.events:
            card: Any = getattr(event, "approval", None)
            if card is not None and card.approval_id in self._in_doubt and card.task_status in RESOLVED:
                self._in_doubt.discard(card.approval_id)
                self.report.resolved[RESOLVED[card.task_status]] += 1

    def _failed(self) -> set[int]:
        """Return the chats in whose newest plan Telegram refused a send: what they answer stays unanswered.

        What the operator wrote himself since, and did not send, is a graph too, but no plan.
        """
        query = """
            SELECT chat_id FROM tasks WHERE status = 'failed'
            AND graph_id = (
                SELECT max(graph_id) FROM graphs WHERE graphs.chat_id = tasks.chat_id AND origin != 'operator'
            )
        """
        return {chat_id for (chat_id,) in self._ask(query)}

    def _story_of(self, chat: Chat) -> str:
        """Tell what a chat's last steps came to, for whoever looks for the cause."""
        steps = self._ask(f"""
            SELECT task_id, graph_id, kind, status, trigger_ids, attempts, crashes, reason FROM tasks
            WHERE chat_id = {int(chat.chat_id)} ORDER BY task_id DESC LIMIT 8
        """)
        return f"{chat.trust}, answered {chat.planned_up_to}, newest {chat.newest_in_id}, steps {steps}"

    def _ask(self, query: str) -> list[Any]:
        with closing(sqlite3.connect(f"file:{self._life.database}?mode=ro", uri=True)) as store:
            return store.execute(query).fetchall()

    def _copies(self) -> list[str]:
        """A second copy is what the operator decided upon, knowing that the first perhaps was delivered."""
        copied = [one for one in self.report.books.copied if one not in self._traffic.decided_again]
        return [f"approval {one} was delivered twice, and nobody decided so" for one in copied]

    def _decisions(self) -> list[str]:
        """Every press that was answered is in the log of decisions."""
        logged = {row[0] for row in self._ask("SELECT approval_id FROM decisions WHERE verdict = 'accepted'")}
        lost = [f"the decision on {one} is lost" for one in self._traffic.accepted if one not in logged]
        twice = self._ask("""
            SELECT text FROM approvals JOIN tasks USING (task_id) JOIN graphs USING (graph_id)
            WHERE origin = 'operator' GROUP BY text HAVING count(*) > 1
        """)
        return lost + [f"the operator wrote {text!r} once, and it was taken twice" for (text,) in twice]

    def _log(self) -> list[str]:
        """Nothing went wrong in a way nobody foresaw."""
        lines = self._life.log.read_text(encoding="utf-8").splitlines()
        return [line for line in lines if line.startswith(("ERROR", "CRITICAL"))]


async def campaign(sandbox: Sandbox, folder: Path, *, kills: int, seed: int, mutation: str = "") -> Report:
    """Run one campaign; a mutation is a fault that is built into the product."""
    random.seed(seed)
    return await Campaign(sandbox, folder, kills=kills, seed=seed, mutation=mutation).run()
