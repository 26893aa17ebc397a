"""The operator changes the steps of a plan and their order, and takes that back."""

from __future__ import annotations

from datetime import datetime

from chimein_gui.domain.ids import ChatId
from chimein_gui.domain.plans.planned_steps import PlannedStep, PlannedWait
from chimein_gui.domain.plans.step_edits import EditVerdict, PlanEdit, StepAction, StepEdit, StepEditRequest
from chimein_gui.domain.tasks import TaskKind
from chimein_gui.engine.ports import GraphRow, TaskRow, Transaction
from tests.unit.engine.state_machine.facts import Written
from tests.unit.engine.state_machine.town import Town

A = StepAction
_TAKES_TIME = (A.SKIP, A.CANCEL, A.RUN_NOW, A.RETRY, A.CHANGE_DELAY)
_ORDERS = (A.INSERT, A.INSERT, A.DUPLICATE, A.MOVE, A.MOVE, A.SPLIT_OFF, A.JOIN)


async def edits_the_plan(town: Town, chat: int | None = None) -> None:
    """The operator does something with a step of a plan, as it is or as it was a moment ago."""
    chat = chat or town.rng.choice(sorted(town.chats.values()))
    steps = town.store.peek(lambda tx: tx.tasks.of_graph(plan.graph_id) if (plan := _plan(tx, chat)) else ())
    if not steps:
        return
    action = town.rng.choice((*_TAKES_TIME, *_ORDERS, A.UNDO, A.UNDO, A.UNDO))
    step, other = town.rng.choice(steps), town.rng.choice(steps)
    edit = StepEdit(
        action,
        step.task_id,
        new=_new(town, chat) if action is A.INSERT else None,
        other=other.task_id,
        is_before=town.rng.random() < 0.4,
        delay_s=town.rng.choice((0.0, 5.0, 120.0)),
    )
    await _execute(town, edit, step)


async def edits_in_a_row(town: Town) -> None:
    """Several edits of one plan, with a little time between them."""
    chat = town.rng.choice(sorted(town.chats.values()))
    for _ in range(4):
        await edits_the_plan(town, chat)
        await town.passes(town.rng.choice((0, 0, 3)))


def _plan(tx: Transaction, chat: int) -> GraphRow | None:
    return tx.graphs.current_of(ChatId(chat))


def _new(town: Town, chat: int) -> PlannedStep | PlannedWait:
    if town.rng.random() < 0.3:
        return PlannedWait(town.rng.choice((0.0, 4.0, 90.0)))
    token, book = town.token("t"), town.book
    saw = frozenset(one.token for one in book.happenings.get(chat, []) if one.order is not None)
    book.written[token] = Written(saw, 0, book.order)
    book.inserted.add(token)
    return PlannedStep(TaskKind.SEND, token)


async def _execute(town: Town, edit: StepEdit, step: TaskRow) -> None:
    book, edits = town.book, town.engine.plan_edits
    graph_id = step.graph_id
    assert graph_id is not None
    expected = town.store.peek(lambda tx: tx.plan_edits.count(graph_id))
    if town.rng.random() < 0.1:
        expected -= 1
    before = {number: card.approval for number, card in ((one.task, one) for one in book.cards.values())}
    ended = {number for number, one in book.tasks.items() if one["status"] in {"skipped", "cancelled"}}
    touched = before.get(int(step.task_id))
    if edit.action is A.SKIP and touched is not None:
        book.reconsidered.add(touched)
        book.undoing = touched
    if edit.action is A.DUPLICATE and touched is not None:
        book.copying = (book.cards[touched].text.split() or [""])[0]
    client = town.token("edit")
    newest, postponed = town.store.peek(lambda tx: tx.plan_edits.newest(graph_id)), dict(book.postponed)
    if edit.action is A.RETRY and touched is not None:
        book.postponed.pop(touched, None)  # the send may leave before there is an answer
    outcome = await town.do(edits.edit(StepEditRequest(edit, expected, None, client)))
    book.copying, book.undoing = "", 0
    is_stored = town.store.peek(lambda tx: tx.plan_edits.of_client(client)) is not None  # a crash leaves no answer
    _note_postponement(town, edit.action, postponed, newest, is_stored=is_stored)
    town.story.append(f"  {edit.action} {step.kind} {step.task_id}: {outcome and (outcome.verdict, outcome.note)}")
    if outcome is None or outcome.verdict is not EditVerdict.ACCEPTED:
        return
    if outcome.added is not None and touched is not None and edit.action is A.DUPLICATE:
        copy = next(card.approval for card in book.cards.values() if card.task == outcome.added)
        book.seen[copy] = book.seen.get(touched, 0)  # what the operator had seen beside the original
    book.reordered[int(graph_id)] = town.clock.now()
    if town.rng.random() < 0.2:
        again = await town.do(edits.edit(StepEditRequest(edit, expected, None, client)))
        if again is not None and again.verdict is not EditVerdict.ACCEPTED:
            book.blame(f"the same edit has another answer: {again}")
    _note(town, edit, ended)


def _note_postponement(
    town: Town, action: StepAction, before: dict[int, datetime], newest: PlanEdit | None, *, is_stored: bool
) -> None:
    """Note that a postponement is as before, because its end was refused or undone."""
    book = town.book
    if action is A.RETRY and not is_stored:
        book.postponed = before
    elif action is A.UNDO and is_stored and newest is not None and newest.action is A.RETRY:
        cards = {card.task: card.approval for card in book.cards.values()}
        book.postponed |= {cards[int(one.task_id)]: one.due_at for one in newest.waits if one.due_at is not None}


def _note(town: Town, edit: StepEdit, ended: set[int]) -> None:
    book = town.book
    cards = {card.task: card.approval for card in book.cards.values()}
    if edit.action in {A.SKIP, A.CANCEL}:
        now = {number for number, one in book.tasks.items() if one["status"] in {"skipped", "cancelled"}}
        for number in now - ended:
            if number in cards:
                book.rejected.add(cards[number])
                book.marked.add(cards[number])
            else:
                book.marked_tasks.add(number)
    if edit.action is A.MOVE:
        book.marked_at[int(edit.task_id)] = book.tick()
