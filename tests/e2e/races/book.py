"""What the store really did, against what the operator saw and pressed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chimein_gui.domain.approvals import ApproveEdited, Reject, RejectPlan, Undo, Verdict
from chimein_gui.domain.plans.step_edits import StepAction
from tests.unit.engine.state_machine.inline_store import InlineStore, Move
from tests.unit.engine.state_machine.judge import Judge

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.approvals import Decision, Outcome
    from chimein_gui.domain.plans.step_edits import EditOutcome, StepEditRequest
    from tests.e2e.races.eye import Eye, Look, Print

_WATCH = """
CREATE TEMP TABLE decided (id INTEGER, old TEXT, new TEXT, version INTEGER, text TEXT, by TEXT);
CREATE TEMP TRIGGER approval_decided AFTER UPDATE OF state ON main.approvals WHEN old.state <> new.state BEGIN
    INSERT INTO decided VALUES (new.approval_id, old.state, new.state, old.version, new.text, new.decided_by); END;
CREATE TEMP TRIGGER approval_born AFTER INSERT ON main.approvals WHEN new.state = 'approved' BEGIN
    INSERT INTO decided VALUES (new.approval_id, '', new.state, new.version, new.text, new.decided_by); END;
"""


@dataclass(frozen=True)
class Asked:
    """One decision on its way to the engine, and what was seen when it was pressed."""

    version: int
    decision: Decision
    looks: tuple[Look, ...]
    is_batch: bool
    is_review: bool = False


class Book(Judge):
    """A notebook of what left the program, and of who let it.

    Attributes:
        asked: Decisions on their way to the engine.
        approvals: The text of what is approved, and by whom.
        went: Chat and text of every part that may have come to a partner, by approval and part.
        is_tidying: Nobody looks; the room is made ready for the next interleaving.
        is_reviewing: What was held is being confirmed.
        ending: The step from which the operator ends a plan in the Plans pane, or that he skips there; 0 for none.
    """

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.asked: dict[int, Asked] = {}
        self.approvals: dict[int, tuple[str, str]] = {}
        self.reopened: dict[int, str] = {}
        self.went: dict[tuple[int, int], tuple[int, str]] = {}
        self.is_tidying = self.is_reviewing = False
        self.ending = 0
        self.claimed: list[Move] = []
        self.history: dict[int, list[str]] = {}
        self.counts = {"approved": 0, "rejected": 0, "undone": 0, "by rule": 0, "sent": 0, "refused": 0}

    def claims(self, move: Move, row: dict[str, Any]) -> None:
        """A request turns *sending*."""
        self.claimed.append(move)

    def committed(self, decided: list[tuple[Any, ...]]) -> None:
        """A transaction is over: first what it decided counts, then what it sends."""
        for one in decided:
            self.decided(*one)
        for move in self.claimed:
            self._may_leave(move)
        self.claimed.clear()

    def _may_leave(self, move: Move) -> None:
        """A decision or a rule must have let these bytes go."""
        text, by = self.approvals.get(move.owner, ("", ""))
        if not by:
            self.blame(f"sent without a decision: {move.text[:20]!r}, {self.history.get(move.owner)}")
        elif move.text not in text:
            self.blame(f"sent {move.text[:20]!r}, let go was {text[:20]!r} by {by}")
        else:
            self.went[move.owner, move.part] = (move.chat, move.text)
        self.counts["sent"] += 1

    def comes_back(self, move: Move) -> None:
        """Why is the engine's business; what was let go is taken back in `decided`."""

    def is_replaced(self, move: Move) -> None:
        """As above."""

    def decided(self, number: int, old: str, new: str, version: int, text: str, by: str) -> None:
        """A planned send changed its state in the store."""
        asked = self.asked.get(number)
        what = f"{old or '(new)'} -> {new} by {by or 'nobody'}, v{version} {text[:20]!r} at {self.now():%H:%M:%S}"
        self.history.setdefault(number, []).append(what)
        if old == "approved":
            self.approvals.pop(number, None)
            if new == "open" and asked is not None and isinstance(asked.decision, Undo):
                self.reopened[number] = text
                self.counts["undone"] += 1
        if new == "approved":
            self.approvals[number] = (text, by)
            if by != "operator":
                self.counts["by rule"] += 1
                if self.level(self.cards[number].chat) not in {"auto", "countdown"}:
                    self.blame(f"approved by {by} at {self.level(self.cards[number].chat)}: {text[:20]!r}")
                return
            self.counts["approved"] += 1
            self._was_seen(number, version, text)
        elif new == "rejected":
            self.counts["rejected"] += 1
            self.rejected.add(number)
            ends = self.ending and int(self.tasks[self.ending]["graph"]) == self._plan_of(number)
            if not self.is_tidying and not ends and not self._goes_with_its_plan(number):
                self._was_seen(number, version, text)

    def _goes_with_its_plan(self, number: int) -> bool:
        """A whole plan was rejected on another card of it, whose text was in view."""
        plan = self._plan_of(number)
        asked = (one for one, how in self.asked.items() if isinstance(how.decision, RejectPlan))
        return any(one != number and self._plan_of(one) == plan for one in asked)

    def has_newer_plan(self, number: int) -> bool:
        """Tell whether another plan has taken the place of a card's own."""
        plan, chat = self._plan_of(number), self.cards[number].chat
        return any(card.chat == chat and self._plan_of(other) > plan for other, card in self.cards.items())

    def _plan_of(self, number: int) -> int:
        return int(self.tasks[self.cards[number].task]["graph"])

    def _was_seen(self, number: int, version: int, text: str) -> None:
        """The operator's decision fell on the version and the text that were in his sight."""
        asked = self.asked.get(number)
        if asked is None:
            self.blame(f"decided without a press: {number} {text[:20]!r}")
            return
        if asked.version != version:
            self.blame(f"pressed on version {asked.version}, decided on {version}: {number} {text[:20]!r}")
        if isinstance(asked.decision, ApproveEdited):
            if text != asked.decision.text.strip():
                self.blame(f"typed {asked.decision.text[:20]!r}, approved {text[:20]!r}")
            return
        is_rejected = isinstance(asked.decision, Reject | RejectPlan)  # its reason may have been asked long before
        looks = asked.looks if is_rejected else asked.looks[-3:]
        if any(self._shows(look, asked, number, (version, text)) for look in looks):
            return
        what = f"{type(asked.decision).__name__} of {number} v{version} {text[:20]!r}, which was not in view"
        for look in asked.looks[-1:]:
            what += f"; painted {look.painted.get(number)}, read {look.read.get(number)}, {look.where}"
        self.blame(what)

    def _shows(self, look: Look, asked: Asked, number: int, wanted: Print) -> bool:
        """Tell whether a version was in sight at a press: a click needs less than a key."""
        read, pointed_at = look.read.get(number, set()), look.painted.get(number) if look.is_click else None
        is_loose = asked.is_batch or isinstance(asked.decision, Reject | RejectPlan)
        if pointed_at == wanted or (wanted in read if is_loose else look.reading.get(number) == wanted):
            return True
        # The same press has stopped its countdown first, or it was approved under a hold, whose end makes another
        # version of it.
        is_again = asked.is_review or self.reopened.get(number) == wanted[1]
        return is_again and any(one is not None and one[1] == wanted[1] for one in (*read, pointed_at))


class WatchedStore(InlineStore):
    """The real database, and every change of a decision as SQLite saw it."""

    def __init__(self, *arguments: Any, committed: Callable[[list[tuple[Any, ...]]], None]) -> None:
        super().__init__(*arguments)
        self._committed = committed
        self._connection.executescript(_WATCH)

    def _run(self, work: Any) -> Any:
        try:
            return super()._run(work)
        finally:
            rows = self._connection.execute("SELECT * FROM decided").fetchall()
            self._connection.execute("DELETE FROM decided")
            self._committed(rows)


def listen(engine: Any, book: Book, eye: Eye) -> None:
    """Note every decision that the window asks the engine for, with what was seen at the last presses."""
    decisions, confirm, edit = engine.decisions, engine.backlog.confirm, engine.plan_edits.edit
    decide, decide_many = decisions.decide, decisions.decide_many

    def note(number: int, version: int, decision: Decision, *, is_batch: bool) -> None:
        book.asked[int(number)] = Asked(version, decision, tuple(eye.presses), is_batch, book.is_reviewing)

    def count(outcomes: tuple[Outcome, ...]) -> None:
        book.counts["refused"] += sum(one.verdict is not Verdict.ACCEPTED for one in outcomes)

    async def one(approval_id: int, **how: Any) -> Outcome:
        note(approval_id, how["expected_version"], how["decision"], is_batch=False)
        try:
            outcome: Outcome = await decide(approval_id, **how)
        finally:
            book.asked.pop(int(approval_id), None)
        count((outcome,))
        return outcome

    async def many(requests: Any) -> tuple[Outcome, ...]:
        for request in requests:
            note(request.approval_id, request.expected_version, request.decision, is_batch=True)
        try:
            outcomes: tuple[Outcome, ...] = await decide_many(requests)
        finally:
            for request in requests:
                book.asked.pop(int(request.approval_id), None)
        count(outcomes)
        return outcomes

    async def review(*what: Any, **how: Any) -> tuple[Outcome, ...]:
        book.is_reviewing = True
        try:
            outcomes: tuple[Outcome, ...] = await confirm(*what, **how)
        finally:
            book.is_reviewing = False
        return outcomes

    async def ends(request: StepEditRequest) -> EditOutcome:
        is_end = request.edit.action in {StepAction.SKIP, StepAction.CANCEL}
        book.ending = int(request.edit.task_id) if is_end else 0
        try:
            outcome: EditOutcome = await edit(request)
        finally:
            book.ending = 0
        return outcome

    engine.plan_edits.edit = ends
    decisions.decide, decisions.decide_many, engine.backlog.confirm = one, many, review
