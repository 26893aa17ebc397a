"""Random traffic for the campaign of kills: what partners say, what the model plans, what the operator does."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any

from chimein_gui.domain.approvals import (
    Approval,
    Approve,
    ApproveEdited,
    AskReason,
    Decision,
    Reject,
    RejectPlan,
    Undo,
    Verdict,
)
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.ids import ApprovalId
from chimein_gui.domain.plans.step_edits import EditVerdict, StepAction, StepEditRequest
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.kills.case import STICKER, plan
from tests.kills.harness import Run
from tests.kills.plan_editing import PlanEditing
from tests.support.control import ControlChannelConsole

WORDS = (
    "harbour",
    "otter",
    "plank",
    "cake",
    "lake",
    "rain",
    "Saturday",
    "lamp",
    "🙂",
    "übermorgen",
    "до встречи",
    "明天",
)
BLOCKS = ("send",) * 12 + ("long",) * 2 + ("sticker",) * 3 + ("wait", "block")
SEND = "messages.sendMessage"
EDIT = "plan_edits.edit"
LEVELS = (TrustLevel.REVIEW, TrustLevel.REVIEW, TrustLevel.AUTO, TrustLevel.COUNTDOWN)


@dataclass(frozen=True)
class Press:
    """One press of the operator's."""

    method: str
    arguments: tuple[Any, ...]
    options: dict[str, Any]
    reasons: tuple[AskReason, ...] = ()
    """Why the card asked."""


class Traffic:
    """All chance of a campaign, and what came of it.

    Attributes:
        done: What the operator did, in words.
        accepted: The planned sends whose approval was answered as accepted, newest decision.
        decided_again: Those that were approved after "perhaps not delivered".
        editing: The edits of plans.
    """

    def __init__(self, seed: int, accounts: tuple[int, ...], partners: tuple[int, ...]) -> None:
        self.chance = random.Random(seed)
        self.done: Counter[str] = Counter()
        self.accepted: dict[ApprovalId, str] = {}
        self.decided_again: set[ApprovalId] = set()
        self._pairs = list(itertools.product(partners, accounts))
        self._numbers = itertools.count(1)
        self.editing = PlanEditing(self.chance, self._words)
        self._unanswered: list[Press] = []

    # --- partners and the model

    async def block(self, console: ControlChannelConsole, *, blocked: bool) -> None:
        """Let every account block every partner, or no account any partner."""
        for partner, account in self._pairs:
            await console.set_blocked(account, partner, blocked=blocked)

    async def speak(self, console: ControlChannelConsole, count: int) -> None:
        """Let partners say something, and the model have something to answer."""
        lines = []
        for partner, account in self.chance.sample(self._pairs, count):
            if self.chance.random() < 0.8:
                await console.queue_reply(self._reply())
            lines.append((partner, account, self._words()))
        await console.speak_many(lines)

    def _words(self) -> str:
        words = " ".join(self.chance.choices(WORDS, k=self.chance.randint(2, 9)))
        return f"{next(self._numbers)}: {words}?"

    def _reply(self) -> str:
        kinds = self.chance.choices(BLOCKS, k=self.chance.choice((1, 1, 2, 3)))
        return plan(*(block for kind in kinds for block in self._blocks(kind)))

    def _blocks(self, kind: str) -> tuple[str, ...]:
        if kind == "long":
            return ("\n\n".join(f"{self._words()} " * 70 for _ in range(self.chance.randint(2, 4))),)
        if kind == "sticker":
            return (STICKER,)
        if kind == "wait":
            return ("# «wait»\ndelay: 0.05",)
        if kind == "block":
            return ("# «block»", "# «unblock»")
        return (self._words(),)

    # --- the operator

    async def look(self, run: Run, *, tidy: bool = False) -> bool:
        """Look at what waits and do something about it; tells whether nothing is open any more."""
        cards = await run.cards()
        for card in cards:
            decision = self._decision(card, tidy=tidy)
            if decision is not None:
                await self._decide(run, card, decision)
        return not cards

    def _decision(self, card: Approval, *, tidy: bool) -> Decision | None:
        if card.task_status is TaskStatus.APPROVED:
            return Undo() if not tidy and self.chance.random() < 0.02 else None
        if card.task_status is not TaskStatus.AWAITING_DECISION:
            return None
        roll = self.chance.random()
        if roll < 0.65 or card.kind is TaskKind.UNBLOCK or (tidy and roll < 0.8):
            return Approve()
        if roll < 0.75 and card.kind is TaskKind.SEND:
            return ApproveEdited(f"{card.text}\n— {self._words()}")
        if roll < 0.85 or tidy:
            return Reject(self.chance.choice(("", "Too long")))
        return RejectPlan() if roll < 0.88 else None

    async def _decide(self, run: Run, card: Approval, decision: Decision) -> None:
        knowingly = self.chance.random() < 0.7
        seen_up_to = card.changed_at if knowingly else card.seen_up_to
        options = {"expected_version": card.version, "decision": decision, "seen_up_to": seen_up_to}
        outcome = await self._press(run, "decisions.decide", card.approval_id, reasons=card.reasons, **options)
        word = type(decision).__name__
        if outcome.verdict is not Verdict.ACCEPTED:
            self.done[f"{word}: {outcome.verdict}"] += 1
            return
        self.done[word] += 1
        self.accepted[card.approval_id] = word
        if isinstance(decision, Approve | ApproveEdited) and AskReason.NOT_DELIVERED in card.reasons:
            self.decided_again.add(card.approval_id)
            self.done["approved again after 'perhaps not delivered'"] += 1

    async def _press(
        self, run: Run, method: str, *arguments: Any, reasons: tuple[AskReason, ...] = (), **options: Any
    ) -> Any:
        """Press a button; what is not answered is pressed again in the next life, and that must not count twice."""
        return await self._send(
            run, Press(method, arguments, {**options, "client_id": f"press {next(self._numbers)}"}, reasons)
        )

    async def _send(self, run: Run, press: Press) -> Any:
        self._unanswered.append(press)
        answer = await run.call(press.method, *press.arguments, **press.options)
        self._unanswered.remove(press)
        return answer

    async def press_again(self, run: Run) -> None:
        """Repeat what the last life did not answer."""
        while self._unanswered:
            press = self._unanswered[0]
            answer = await run.call(press.method, *press.arguments, **press.options)
            self._unanswered.remove(press)
            self.done["pressed again after a kill"] += 1
            if press.method == EDIT:
                self._note_edit(press, answer.verdict)
                continue
            decision = press.options.get("decision")
            if decision is not None and answer.verdict is Verdict.ACCEPTED:
                self.accepted[press.arguments[0]] = type(decision).__name__
            if isinstance(decision, Approve | ApproveEdited) and AskReason.NOT_DELIVERED in press.reasons:
                self.decided_again.add(press.arguments[0])

    async def edit_plan(self, run: Run) -> None:
        """Change a step of a plan that is not over."""
        chats = [chat for chat in await run.chats() if chat.pending]
        plans = (await run.call("plan_history.current", self.chance.choice(chats).chat_id)).rows if chats else ()
        request = next((self.editing.request(plan) for plan in plans if plan.is_current), None)
        if request is not None:
            await self._edit(run, request)

    async def surely_edit_plan(self, run: Run, console: ControlChannelConsole) -> None:
        """Insert a step into some plan; if there is none to insert it into, let partners cause one that waits."""
        while not await self._insert(run):
            for chat in await run.chats():
                await run.call("chat_settings.set_trust", chat.chat_id, TrustLevel.REVIEW)
            await self.release(run)
            await self.speak(console, len(self._pairs))
            await run.until(partial(self._inserts, run))

    async def _insert(self, run: Run) -> bool:
        for request in await self._inserts(run):
            if await self._edit(run, request) is EditVerdict.ACCEPTED:
                return True
        return False

    async def _inserts(self, run: Run) -> list[StepEditRequest]:
        """Return an insertion for each plan that has a step to put it beside."""
        found: list[StepEditRequest | None] = []
        for chat in await run.chats():
            rows = (await run.call("plan_history.current", chat.chat_id)).rows if chat.pending else ()
            found += [self.editing.request(one, StepAction.INSERT) for one in rows if one.is_current]
        return [one for one in found if one is not None]

    async def _edit(self, run: Run, request: StepEditRequest) -> EditVerdict:
        press = Press(EDIT, (request,), {})
        verdict: EditVerdict = (await self._send(run, press)).verdict
        self._note_edit(press, verdict)
        return verdict

    def _note_edit(self, press: Press, verdict: EditVerdict) -> None:
        [request] = press.arguments
        self.editing.answered(request, is_accepted=verdict is EditVerdict.ACCEPTED)
        words = f"edit: {request.edit.action}"
        self.done[words if verdict is EditVerdict.ACCEPTED else f"{words} {verdict}"] += 1

    async def meddle(self, run: Run, console: ControlChannelConsole) -> None:
        """Change trust, hold or release, write himself, lose a connection now and then."""
        roll = self.chance.random()
        if roll < 0.1:
            await self._trust(run)
        elif roll < 0.14:
            scope, target = await self._something(run)
            await run.call("holds.hold", scope, target, "one moment")
            self.done[f"hold {scope}"] += 1
        elif roll < 0.5:
            await self.release(run)
        elif roll < 0.64:
            await self._write(run)
        elif roll < 0.67:
            kind = self.chance.choice((FaultKind.DROP_BEFORE, FaultKind.DROP_AFTER))
            await console.inject(FaultRule(kind, SEND))
            self.done[f"a connection lost: {kind}"] += 1

    async def _trust(self, run: Run) -> None:
        chats = await run.chats()
        if chats:
            level = self.chance.choice(LEVELS)
            await run.call("chat_settings.set_trust", self.chance.choice(chats).chat_id, level)
            self.done[f"trust {level}"] += 1

    async def _write(self, run: Run) -> None:
        """Let the operator write himself."""
        chats = await run.chats()
        if chats:
            chat = self.chance.choice(chats)
            written = await self._press(run, "composer.write", chat.chat_id, self._words(), confirm=True)
            self.done["written by himself" if written.approval is not None else "not written"] += 1

    async def release(self, run: Run) -> None:
        """Release every pause."""
        for hold in (await run.call("holds.load")).rows:
            await run.call("holds.release", hold.scope, hold.target)
            self.done["release"] += 1

    async def _something(self, run: Run) -> tuple[HoldScope, int]:
        chats: Any = await run.chats()
        scope = self.chance.choice(list(HoldScope)) if chats else HoldScope.ALL
        if scope is HoldScope.ALL:
            return scope, 0
        chat = self.chance.choice(chats)
        return scope, int(chat.info.account_id if scope is HoldScope.ACCOUNT else chat.chat_id)
