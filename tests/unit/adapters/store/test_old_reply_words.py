"""What earlier versions kept of replies as sentences is kept by name since the thirteenth migration."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from chimein_gui.adapters.store import schema
from chimein_gui.adapters.store.rows.values import (
    problem_from_text,
    problem_to_text,
    reply_problems_from_json,
    reply_problems_to_json,
)
from chimein_gui.domain.ids import ChatId, GraphId
from chimein_gui.domain.notes import PlanningKind, PlanningProblem
from chimein_gui.domain.replies.problems import ReplyFault, ReplyProblem
from chimein_gui.engine.ports import Transaction
from tests.unit.adapters.store.builders import opened
from tests.unit.adapters.store.old_file import old_file, put_problem

F = ReplyFault
OLD = {
    "line 3: «dance» is not a type of block": ReplyProblem(F.UNKNOWN_TYPE, 3, said=("dance",)),
    "line 1: “to Ada: «x»” behind «send» is not a message number": ReplyProblem(
        F.NO_NUMBER, 1, said=("to Ada: «x»", "send")
    ),
    "line 7: a «wait» needs a line such as “delay: 5”": ReplyProblem(F.WAIT_NEEDS_DELAY, 7),
    "line 7: a «sticker» needs two lines: the set and the name": ReplyProblem(F.STICKER_NEEDS_NAME, 7),
    "line 7: a «retrieve» needs at least one http(s) address on a line of its own": ReplyProblem(
        F.RETRIEVE_NEEDS_ADDRESS, 7
    ),
    "line 9: this line is no part of a «sticker»; a text for the chat needs a heading # «send» of its own": (
        ReplyProblem(F.NO_PART, 9, said=("sticker",))
    ),
    "line 2: web pages cannot be looked up here; answer with what you know": ReplyProblem(F.NO_PAGES, 2),
    "line 2: the reply was cut off in this «remember»; it was left out": ReplyProblem(F.MEMORY_CUT_OFF, 2),
    "line 2: «retrieve» is not available yet and was left out": ReplyProblem(F.NOT_AVAILABLE, 2, said=("retrieve",)),
    "line 2: «block» is for direct messages only and was left out": ReplyProblem(F.DIRECT_ONLY, 2, said=("block",)),
    "line 2: a message of 1,040,961 characters was cut": ReplyProblem(F.TOO_LONG, 2, 1_040_961),
    "the plan has 20 steps more than 50; they were left out": ReplyProblem(F.TOO_MANY_STEPS, number=20, said=("50",)),
    "line 1: the sticker king of cats of Cats is not known; it goes as text": ReplyProblem(
        F.STICKER_UNKNOWN, 1, said=("king of cats", "Cats")
    ),
    "line 1: the sticker 🐶 of Dogs could not be looked up (the account is not connected); it goes as text": (
        ReplyProblem(F.STICKER_OFFLINE, 1, said=("🐶", "Dogs"))
    ),
    "line 1: the sticker 🐶 of Dogs could not be looked up (Telegram did not answer); it goes as text": (
        ReplyProblem(F.STICKER_NOT_FOUND_OUT, 1, said=("🐶", "Dogs", ""))
    ),
    "line 1: the sticker 🐶 of Dogs could not be looked up (Telegram asks to wait 9 s.); it goes as text": (
        ReplyProblem(F.STICKER_NOT_FOUND_OUT, 1, said=("🐶", "Dogs", "Telegram asks to wait 9 s."))
    ),
    "line 4: there is no message 987654321 in this chat; sent without a reply": ReplyProblem(
        F.NO_MESSAGE, 4, 987654321
    ),
    "history incomplete: older messages were still being fetched when this plan was made": ReplyProblem(
        F.HISTORY_INCOMPLETE
    ),
    "line 5: words of nobody": ReplyProblem(F.OTHER, 5, said=("words of nobody",)),
    "words of nobody\nin two lines": ReplyProblem(F.OTHER, said=("words of nobody\nin two lines",)),
}
"""Every sentence that version 12 stored of a reply, and what it is called."""

P = PlanningKind
PLANNING = {
    '["only waits","line 7: a «wait» needs a line such as “delay: 5”"]': PlanningProblem(
        P.ONLY_WAITS, cause=ReplyProblem(F.WAIT_NEEDS_DELAY, 7)
    ),
    '["nothing usable","line 3: «dance» is not a type of block"]': PlanningProblem(
        P.NOTHING_USABLE, cause=ReplyProblem(F.UNKNOWN_TYPE, 3, said=("dance",))
    ),
    '["partly used","line 5: left out"]': PlanningProblem(
        P.PARTLY_USED, cause=ReplyProblem(F.OTHER, 5, said=("left out",))
    ),
    '["nothing usable"]': PlanningProblem(P.NOTHING_USABLE),
    '["silent"]': PlanningProblem(P.SILENT),
    '["failed","line 3: «dance» is not a type of block",0,10]': PlanningProblem(
        P.FAILED, "line 3: «dance» is not a type of block", attempt=10
    ),
}


async def test_an_old_file_is_read_with_every_sentence_it_can_hold(tmp_path: Path) -> None:
    path = old_file(tmp_path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        schema.migrate(connection, schema.MIGRATIONS[:12])
        for number, sentence in enumerate(OLD, start=1000):
            connection.execute(
                "INSERT INTO graphs (graph_id, chat_id, problems, created_at) VALUES (?, 1, ?, 0)",
                (number, json.dumps([sentence, "left out"])),
            )
        for number, stored in enumerate(PLANNING, start=100):
            put_problem(connection, number, stored)

    def read(tx: Transaction) -> tuple[list[tuple[ReplyProblem, ...]], list[PlanningProblem | None]]:
        graphs = [tx.graphs.get(GraphId(number)).problems for number in range(1000, 1000 + len(OLD))]
        return graphs, [tx.chats.get(ChatId(100 + place)).planning_problem for place in range(len(PLANNING))]

    async with opened(tmp_path) as store:
        graphs, chats = await store.read(read)
    rest = ReplyProblem(F.OTHER, said=("left out",))
    assert graphs == [(problem, rest) for problem in OLD.values()]
    assert chats == list(PLANNING.values())


@pytest.mark.parametrize("fault", ReplyFault)
def test_every_fault_comes_back_as_it_was_stored(fault: ReplyFault) -> None:
    for problem in (ReplyProblem(fault), ReplyProblem(fault, 3, 4, ("w", "")), ReplyProblem(fault, number=3)):
        assert reply_problems_from_json(reply_problems_to_json([problem, problem])) == (problem, problem)
        planning = PlanningProblem(PlanningKind.PARTLY_USED, cause=problem)
        assert problem_from_text(problem_to_text(planning)) == planning
    assert reply_problems_from_json(reply_problems_to_json(())) == ()
