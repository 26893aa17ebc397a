"""What the operator decides on cards, as he sees them or as he saw them a while ago."""

from __future__ import annotations

from datetime import timedelta

from chimein_gui.domain.approvals import (
    Approve,
    ApproveEdited,
    Decision,
    Edit,
    Postpone,
    Reject,
    RejectPlan,
    Undo,
    Verdict,
)
from chimein_gui.domain.ids import Revision
from tests.unit.engine.state_machine.facts import Yes
from tests.unit.engine.state_machine.town import Town


async def decides(town: Town) -> None:
    """The operator presses something on a card, as he sees it or as he saw it a while ago."""
    if town.rng.random() < 0.75:
        town.look()
    if not town.last:
        return
    number = town.rng.choice(sorted(town.last))
    await press(town, number, _decision(town, town.last[number][0].text))


async def approves(town: Town) -> None:
    """The operator looks and says yes."""
    town.look()
    waiting = sorted(number for number, (card, _) in town.last.items() if card.task_status == "awaiting_decision")
    if waiting:
        await press(town, town.rng.choice(waiting), Approve(), acknowledged=True)


async def approves_all(town: Town) -> None:
    """The operator goes through the whole list."""
    town.look()
    for number, (card, _) in sorted(town.last.items()):
        if card.task_status == "awaiting_decision":
            await press(town, number, Approve(), acknowledged=True)


def _decision(town: Town, text: str) -> Decision:
    word = text.split()[0] if text.split() else "t0"
    edited = f"{word} {town.token('e')}"
    until = town.clock.now() + timedelta(seconds=town.rng.choice((20, 300)))
    choices: tuple[Decision, ...] = (
        Approve(),
        Approve(),
        ApproveEdited(edited),
        Edit(edited),
        Reject(),
        RejectPlan(),
        Undo(),
        Undo(),
        Postpone(until),
        Postpone(None),
    )
    return town.rng.choice(choices)


async def press(town: Town, number: int, decision: Decision, *, acknowledged: bool | None = None) -> None:
    """Press a button of a card, and note what became of it."""
    card, order = town.last[number]
    if acknowledged is None:
        acknowledged = town.rng.random() < 0.6
    seen = max(card.changed_at, card.seen_up_to) if acknowledged else card.seen_up_to
    pressed = {
        "expected_version": card.version,
        "decision": decision,
        "seen_up_to": Revision(seen),
        "client_id": town.token("press"),
    }
    if isinstance(decision, Undo | Edit):
        town.book.reconsidered.add(number)  # before it is known whether it was accepted: then nothing is expected
    if isinstance(decision, ApproveEdited | Edit):
        town.book.reworded.add(number)
    town.book.undoing = number if isinstance(decision, Undo) else 0
    outcome = await town.do(town.engine.decisions.decide(card.approval_id, **pressed))  # type: ignore[arg-type]
    town.story.append(f"  {type(decision).__name__} on {number} {card.text[:8]!r}: {outcome and outcome.verdict}")
    if outcome is None or outcome.verdict is not Verdict.ACCEPTED:
        return
    town.presses.append({"approval_id": card.approval_id, **pressed})
    note_decision(town, number, decision, order if acknowledged else 0)


def note_decision(town: Town, number: int, decision: Decision, order: int) -> None:
    """Note an accepted decision, and how much the operator had seen."""
    book, (card, _) = town.book, town.last[number]
    at = town.clock.now()
    match decision:
        case Approve() | ApproveEdited():
            book.seen[number] = max(order, book.seen.get(number, 0))
            text = decision.text if isinstance(decision, ApproveEdited) else card.text
            book.yes[number] = Yes(text, at, book.seen[number])
            book.touched.add(number)
            if text != card.draft_text:
                book.marked.add(number)
        case Undo():
            book.touched.add(number)
            book.yes.pop(number, None)
        case Reject():
            book.rejected.add(number)
            book.marked.add(number)
        case RejectPlan():
            _note_rejected_plan(town, number)
        case Postpone(until=until):
            if until is None:
                book.postponed.pop(number, None)
            else:
                book.postponed[number] = until
        case Edit():
            book.touched.add(number)


def _note_rejected_plan(town: Town, number: int) -> None:
    book = town.book
    graph = book.tasks[book.task_of[number]]["graph"]
    for other, task in book.task_of.items():
        if book.tasks[task]["graph"] == graph and book.tasks[task]["status"] == "cancelled":
            book.rejected.add(other)


async def presses_again(town: Town) -> None:
    """A press that was answered comes once more, byte for byte: nothing may change."""
    if not town.presses:
        return
    town.store.no_race()
    pressed = dict(town.rng.choice(town.presses))
    before = dict(town.book.states), {k: dict(v) for k, v in town.book.rows.items()}
    approval = pressed.pop("approval_id")
    task = town.engine.decisions.decide(approval, **pressed)
    outcome = await task
    if outcome.verdict is not Verdict.ACCEPTED:
        town.book.blame(f"the same press has another answer: {outcome.verdict}")
    if before != (dict(town.book.states), {k: dict(v) for k, v in town.book.rows.items()}):
        town.book.blame("a repeated press changed something")
    await town.settled()
