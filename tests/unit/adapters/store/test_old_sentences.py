"""What earlier versions kept as sentences is kept by name since the eleventh migration, and old files stay true."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from chimein_gui.adapters.store import schema
from chimein_gui.adapters.store.migrations.words import notes as old_sentences
from chimein_gui.adapters.store.migrations.words.model import note_of_fault, problem_with_fault
from chimein_gui.adapters.store.migrations.words.notes import note_of, problem_of
from chimein_gui.adapters.store.migrations.words.refusals import note_of_refusal
from chimein_gui.adapters.store.migrations.words.replies import problem_with_cause
from chimein_gui.adapters.store.rows.values import note_from_text, note_to_text, problem_from_text, problem_to_text
from chimein_gui.domain.approvals import may_be_resent
from chimein_gui.domain.ids import ApprovalId, ChatId, GraphId, TaskId
from chimein_gui.domain.notes import Note, NoteKind, PlanningKind, PlanningProblem
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.tasks import CancelReason
from chimein_gui.engine.ports import Transaction
from tests.unit.adapters.store.builders import opened
from tests.unit.adapters.store.old_file import old_file, put_note, put_problem

K = NoteKind
NOTES = {
    "It lived through a hold": Note(K.WAS_HELD),
    "Held: by the operator": Note(K.HELD),
    "Held: dinner: back at nine": Note(K.HELD, "dinner: back at nine"),
    "You wrote in this chat yourself": Note(K.TAKEN_OVER),
    "The chat was set to observe": Note(K.SWITCHED, "observe"),
    "There were 20 automatic sends in this chat within an hour": Note(K.CAP_OF_CHAT, number=20),
    "There were 60 automatic sends of this account within an hour": Note(K.CAP_OF_ACCOUNT, number=60),
    "It is more than 10 minutes overdue": Note(K.OVERDUE, number=10),
    "Telegram asks to wait": Note(K.SERVER_WAIT),
    "Telegram asks to wait 42 s": Note(K.SERVER_WAIT, number=42),
    "Part 2 was refused, the parts before it were sent: You are blocked": Note(K.REFUSED, "You are blocked", 2),
    "Sending it again was refused: You are blocked": Note(K.REPEAT_REFUSED, "You are blocked"),
    "No trace of it in the chat on Telegram": Note(K.NOT_FOUND),
    "No trace of it in the chat on Telegram, and it was held meanwhile": Note(
        K.NOT_FOUND, cause=Note(K.HELD_MEANWHILE)
    ),
    "No trace of it in the chat on Telegram. You wrote in this chat yourself": Note(
        K.NOT_FOUND, cause=Note(K.TAKEN_OVER)
    ),
    "Deleted for everyone; the partner may have seen it; a part of it was sent before": Note(
        K.PART_SENT, cause=Note(K.DELETED)
    ),
    "Held: lunch; a part of it was sent before": Note(K.PART_SENT, cause=Note(K.HELD, "lunch")),
    "rejected": Note(K.REJECTED),
    "An earlier step was edited": Note(K.EARLIER_EDITED),
    "The plan wants to wait 30 h": Note(K.LONG_WAIT, number=30),
    "the chat is muted": Note(CancelReason.MUTED),
    "the program was closed": Note(K.CLOSED),
    "done after retry (attempt 2)": Note(K.DONE_AFTER_RETRY, number=2),
    "overloaded (10 attempts)": Note(K.MODEL_FAILED, "overloaded", 10),
    "superseded after approval": Note(CancelReason.SUPERSEDED_AFTER_APPROVAL),
    "account changed": Note(CancelReason.ACCOUNT_CHANGED),
    "Telegram: the chat's owner says no — “sorry”": Note(K.OTHER, "Telegram: the chat's owner says no — “sorry”"),
}
"""One sentence of each form that version 10 stored as a note, a reason or the fault of a plan, and its name."""

P = PlanningKind
PROBLEMS = {
    "The model decided not to answer.": PlanningProblem(P.SILENT),
    "The model only wants to wait; there is nothing to send.": PlanningProblem(P.ONLY_WAITS),
    "The model only wants to wait; there is nothing to send (line 3: left out).": PlanningProblem(
        P.ONLY_WAITS, "line 3: left out"
    ),
    "Nothing of the reply could be used.": PlanningProblem(P.NOTHING_USABLE),
    "Nothing of the reply could be used (line 1 (“dance”): unknown).": PlanningProblem(
        P.NOTHING_USABLE, "line 1 (“dance”): unknown"
    ),
    "Part of the reply was left out or changed: line 3": PlanningProblem(P.PARTLY_USED, "line 3"),
    "overloaded. Attempt 3 of 10; the next one comes by itself.": PlanningProblem(
        P.RETRYING, "overloaded", attempt=3, of=10
    ),
    "quota. The service asks to wait 37 s; the next attempt comes by itself.": PlanningProblem(
        P.ASKED_TO_WAIT, "quota", wait_s=37
    ),
    "No plan: Gemini does not accept it. It is made as soon as the key is changed.": PlanningProblem(
        P.NO_KEY, "Gemini does not accept it."
    ),
    "No plan: blocked": PlanningProblem(P.FAILED, "blocked"),
    "No plan: overloaded (10 attempts)": PlanningProblem(P.FAILED, "overloaded", attempt=10),
    "No plan: Gemini can't be reached (10 attempts)": PlanningProblem(P.FAILED, "Gemini can't be reached", attempt=10),
    "No plan: the program ended three times while making it.": PlanningProblem(P.CRASHED),
    "words of nobody": PlanningProblem(P.OTHER, "words of nobody"),
}


@pytest.mark.parametrize("sentence", old_sentences._NOTES)
def test_every_old_note_has_a_name_that_there_is(sentence: str) -> None:
    note = note_from_text(note_of(sentence))
    assert note is not None
    assert (note.kind is not K.OTHER, note.words) == (True, "")


def test_no_two_kinds_are_stored_as_one() -> None:
    assert not {kind.value for kind in NoteKind} & {reason.value for reason in CancelReason}


def test_no_note_stays_none() -> None:
    assert (note_of(""), problem_of("")) == ("", "")
    assert (note_from_text(""), problem_from_text("")) == (None, None)


@pytest.mark.parametrize("kind", [*NoteKind, *CancelReason])
def test_every_note_comes_back_as_it_was_stored(kind: NoteKind | CancelReason) -> None:
    for note in (Note(kind), Note(kind, "w"), Note(kind, number=3), Note(kind, cause=Note(kind, "x"))):
        assert note_from_text(note_to_text(note)) == note


@pytest.mark.parametrize("kind", PlanningKind)
def test_every_problem_comes_back_as_it_was_stored(kind: PlanningKind) -> None:
    for problem in (PlanningProblem(kind), PlanningProblem(kind, "w"), PlanningProblem(kind, attempt=3)):
        assert problem_from_text(problem_to_text(problem)) == problem


async def test_an_old_file_is_read_with_every_sentence_it_can_hold(tmp_path: Path) -> None:
    path = old_file(tmp_path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        schema.migrate(connection, schema.MIGRATIONS[:10])
        connection.execute("UPDATE approvals SET note = 'An earlier step was edited' WHERE state = 'rejected'")
        for number, sentence in enumerate(NOTES, start=1000):
            put_note(connection, number, sentence)
        put_note(connection, 2000, "Gemini can't be reached (10 attempts)")
        for number, sentence in enumerate(PROBLEMS, start=100):
            put_problem(connection, number, sentence)

    def read(tx: Transaction) -> tuple[list[PlanningProblem | None], Note | None]:
        for number, (sentence, note) in enumerate(NOTES.items(), start=1000):
            approval, task = tx.approvals.get(ApprovalId(number)), tx.tasks.get(TaskId(number))
            now = note_from_text(note_of_fault(note_of_refusal(note_to_text(note))))
            assert (approval.note, task.reason, tx.graphs.get(GraphId(number)).failed) == (now, now, now), sentence
            replaced = note.kind is CancelReason.SUPERSEDED_AFTER_APPROVAL
            assert may_be_resent(approval) is replaced, sentence
        failed = Note(K.MODEL_FAILED, "", 10, Note(ModelFault.UNREACHABLE))
        assert (tx.tasks.get(TaskId(2000)).reason, tx.graphs.get(GraphId(2000)).failed) == (failed, failed)
        chats = [tx.chats.get(ChatId(100 + place)).planning_problem for place in range(len(PROBLEMS))]
        return chats, tx.approvals.get(ApprovalId(8)).note

    async with opened(tmp_path) as store:
        chats, rejected = await store.read(read)
    later = [problem_with_fault(problem_with_cause(problem_to_text(one))) for one in PROBLEMS.values()]
    assert chats == [problem_from_text(one) for one in later]
    assert PlanningProblem(P.FAILED, attempt=10, fault=Note(ModelFault.UNREACHABLE)) in chats
    assert rejected == Note(NoteKind.REJECTED, "An earlier step was edited"), "the operator typed these words"
