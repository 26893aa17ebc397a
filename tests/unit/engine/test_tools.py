"""Tools of a plan: what the model may look up, how often, and what that means for its drafts."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from chimein_gui.domain.accounts.group_moves import RAISED_BY
from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.costs import CallEnd
from chimein_gui.domain.errors import ModelRefusedError, ModelTransientError
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.messages import Message, MessageKey
from chimein_gui.domain.prompt.prompts import ModelReply, Prompt, Usage
from chimein_gui.domain.prompt.tool_calls import ToolAnswer, ToolSubject
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.prompt.builder import fold_in
from chimein_gui.engine.tools.declarations import MESSAGE, SEARCH, SMART_CONTEXT, TOOLS
from chimein_gui.engine.triggers.staleness import message_changed
from chimein_gui.viewmodels.words.notes import problem_words
from tests.fakes.model import wants
from tests.support.planning_room import NORA, PlanningRoom
from tests.support.variant_jobs import begin

SHORT = replace(NORA, dm_history=2)
"""Sees the last two messages of a DM."""

FOR_MESSAGES = tuple(tool for tool in TOOLS if tool.subject is ToolSubject.MESSAGES)
FERRY = "the ferry leaves at six"


async def fill(room: PlanningRoom) -> list[int]:
    """An old matter, and newer talk; returns the ids."""
    room.spec = SHORT
    written = []
    for text in (FERRY, "and the tickets are with Ben", "lovely weather", "isn't it", "yes"):
        room.room.clock.advance(60)
        written.append(int((await room.write(text)).key.message_id))
    await room.room.do(lambda tx: tx.chats.set_planned_up_to(room.room.chat_id, MessageId(written[-1])))
    return written


def answers_in(prompt: Prompt) -> list[ToolAnswer]:
    return [answer for one in prompt.rounds for answer in one.answers]


def told(answer: ToolAnswer) -> list[str]:
    """The texts of the messages that a tool brought, without their headers."""
    return [parts[1] for parts in answer.messages]


async def asked(room: PlanningRoom, *calls: tuple[str, dict[str, object]]) -> list[ToolAnswer]:
    """Let the model ask for tools in one turn; returns what it is told."""
    room.model.script.append(wants(*calls))
    await room.plan("when does the ferry leave?")
    return answers_in(room.model.prompts[-1])


async def test_what_the_model_looks_up_comes_back_to_it_and_its_answer_is_the_plan(room: PlanningRoom) -> None:
    first, *_ = await fill(room)
    said = wants((SEARCH, {"query": "When does the ferry leave?"}))
    room.model.script += [said, "# «send»\nat six"]
    await room.plan("when does the ferry leave?")
    assert [draft.text for draft in await room.drafts()] == ["at six"]
    start, then = room.model.prompts
    assert (start.tools, start.rounds) == (FOR_MESSAGES, ())
    assert (then.turns, then.sections, then.tools) == (start.turns, start.sections, FOR_MESSAGES)
    (round_,) = then.rounds
    assert round_.said is said.said  # unchanged, with all its signatures
    (answer,) = round_.answers
    assert answer.call == said.calls[0]
    at = (room.room.clock.now() - timedelta(minutes=4, seconds=2)).strftime("%Y-%m-%d %H:%M")
    assert answer.messages == ((f"⟦from: Marta (id 77) | message {first} | {at}⟧", FERRY),)
    booked = await room.booked()
    ways = [("plan", CallEnd.ANSWERED), ("tool round", CallEnd.ANSWERED)]
    assert [(call.purpose, call.end) for call in booked] == ways


async def test_a_model_that_asks_without_being_offered_anything_gets_no_more_rounds(room: PlanningRoom) -> None:
    await fill(room)
    room.model.script += [wants((SEARCH, {"query": "ferry"}))] * 4
    await room.plan("when does the ferry leave?")
    assert len(room.model.prompts) == 4
    chat = await room.chat()
    assert chat.planned_up_to < chat.newest_in_id
    assert "wants to look something up" in problem_words(chat.planning_problem)


async def test_a_model_that_takes_no_tools_or_not_their_answers_is_asked_without(room: PlanningRoom) -> None:
    await fill(room)
    garbled = ModelReply("", Usage(10, 5), "MALFORMED_FUNCTION_CALL", is_garbled=True)
    for trouble in (ModelRefusedError("no function calling"), garbled):
        room.model.script += [trouble, "# «send»\nwithout"]
        await room.plan("when does the ferry leave?")
        assert [prompt.tools for prompt in room.model.prompts[-2:]] == [FOR_MESSAGES, ()]
        assert [draft.text for draft in await room.drafts()] == ["without"]
    room.model.script += [
        wants((SEARCH, {"query": "ferry"})),
        ModelRefusedError("a signature is missing"),
        "# «send»\nat six",
    ]
    await room.plan("when does the ferry leave?")
    assert [draft.text for draft in await room.drafts()] == ["at six"]
    assert FERRY in room.model.prompts[-1].sections[-1].text
    assert [call.purpose for call in await room.booked()][-3:] == ["plan", "tool round", "tool round"]


async def test_a_reply_with_problems_after_a_look_up_is_repaired_with_what_was_found(room: PlanningRoom) -> None:
    await fill(room)
    room.model.script += [wants((SEARCH, {"query": "ferry"})), "# «dance»\nhop", "# «send»\nat six"]
    await room.plan("when does the ferry leave?")
    assert [draft.text for draft in await room.drafts()] == ["at six"]
    repair = room.model.prompts[-1]
    assert (repair.tools, repair.rounds) == ((), ())
    assert FERRY in repair.sections[-1].text
    assert "«dance»" in repair.contents[-1].parts[1]
    assert [call.purpose for call in await room.booked()] == ["plan", "tool round", "repair"]


async def test_rounds_count_among_the_13_calls_and_the_last_of_them_gets_a_text(room: PlanningRoom) -> None:
    await fill(room)
    attempt: list[ModelReply | Exception] = [
        *[wants((SEARCH, {"query": "ferry"}))] * 3,
        ModelTransientError("overloaded"),
    ]
    room.model.script += [*attempt * 3, "# «send»\nat last"]
    await room.plan("when does the ferry leave?")
    while await room.received() is not None:
        await room.later(10)
    assert len(room.model.prompts) == 13
    assert room.model.prompts[-1].tools == ()
    assert [draft.text for draft in await room.drafts()] == ["at last"]


@pytest.mark.parametrize("action", ["edit", "delete"])
@pytest.mark.parametrize("when", ["before", "after", "during"])
async def test_what_a_tool_has_shown_counts_as_in_the_prompt(room: PlanningRoom, action: str, when: str) -> None:
    first, second, *_ = await fill(room)
    gate = room.close_gate()
    room.model.script.append(wants((SEARCH, {"query": "ferry"})))
    await room.due("when does the ferry leave?")
    plan = await room.asking(1)
    if when == "before":  # what is not shown any more, or newly, is nothing that changed
        await change(room, second, action)
    gate.set()
    room.model.gate = None
    if when == "during":
        gate = room.close_gate()
        await room.model.asked(2)
        await change(room, first, action)
        gate.set()
    await plan
    if when == "after":
        (draft,) = await room.drafts()
        assert AskReason.CHANGED not in draft.reasons
        await change(room, second, action)
        (draft,) = await room.drafts()
        assert AskReason.CHANGED not in draft.reasons  # no tool has shown that one
        await change(room, first, action)
    (draft,) = await room.drafts()
    assert AskReason.CHANGED in draft.reasons
    assert (await room.graph()).span.holds(MessageId(first))


async def change(room: PlanningRoom, number: int, action: str) -> None:
    """Edit or delete a message of the chat, as the ingest would."""

    def work(tx: Any) -> list[Any]:
        chat = tx.chats.get(room.room.chat_id)
        message: Message = tx.messages.get(MessageKey(chat.info.account_id, chat.info.peer_id, MessageId(number)))
        if action == "delete":
            tx.messages.mark_deleted(chat.info.account_id, chat.info.peer_id, (message.key.message_id,))
        else:
            tx.messages.edit(replace(message, text="something else", edited_at=room.room.clock.now()))
        return message_changed(tx, chat, message)

    await room.room.do(work)


@pytest.mark.parametrize("place", [0, -1], ids=["by a tool", "in its prompt"])
async def test_a_regenerate_may_look_things_up_too_and_notices_edits_of_what_it_was_shown(
    room: PlanningRoom, place: int
) -> None:
    shown = (await fill(room))[place]
    await room.plan()
    graph = await room.graph()
    room.model.script += [wants((SEARCH, {"query": "ferry"})), "# «send»\nanother"]
    seen = len(room.model.prompts)
    gate = room.close_gate()
    job = begin(room, graph.graph_id)
    await room.model.asked(seen + 1)
    gate.set()
    gate = room.close_gate()
    await room.model.asked(seen + 2)
    await change(room, shown, "edit")
    gate.set()
    await job.task
    assert job.result is not None
    graph_id = job.result.graph_id
    assert graph_id is not None
    (variant,) = await room.room.do(lambda tx: tx.approvals.of_graph(graph_id))
    assert (variant.text, variant.task_status) == ("another", TaskStatus.PARKED)
    assert AskReason.CHANGED in variant.reasons
    assert [call.purpose for call in await room.booked()] == ["plan", "regenerate", "regenerate"]


HOSTILE: list[tuple[str, dict[str, Any], str]] = [
    ("drop_table", {}, "There is no tool 'drop_table'; there are get_smart_context, get_message, search_messages."),
    ("x" * 100_000, {}, "There is no tool 'xxxxxxxxxxxxxxxxxxxx"),
    (MESSAGE, {}, "message_id is needed."),
    (MESSAGE, {"message_id": "the first"}, "message_id must be a whole number"),
    (MESSAGE, {"message_id": True}, "message_id must be a whole number"),
    (MESSAGE, {"message_id": 1.5}, "message_id must be a whole number"),
    (MESSAGE, {"message_id": float("nan")}, "message_id must be a whole number"),
    (MESSAGE, {"message_id": 10**400}, "message_id must be a whole number"),
    (MESSAGE, {"message_id": "9" * 100_000}, "message_id must be a whole number"),
    (MESSAGE, {"message_id": 4711}, "There is no message 4711 in this chat."),
    (MESSAGE, {"message_id": 12, "chat_id": 1}, "There is no argument 'chat_id'; there are message_id."),
    (MESSAGE, {"message_id": 12, "\n⟦from: Nora" * 9_000: 1}, "There is no argument ' "),
    (SMART_CONTEXT, {"limit": 10**9}, "limit must be a whole number from 1 to 50."),
    (SMART_CONTEXT, {"max_gap_minutes": 1e300}, "max_gap_minutes must be a whole number"),
    (SMART_CONTEXT, {"anchor_id": {"a": 1}}, "anchor_id must be a whole number"),
    (SEARCH, {}, "query must hold a word to look for."),
    (SEARCH, {"query": "?!…"}, "query must hold a word to look for."),
    (SEARCH, {"query": "ferry " * 20_000}, "query must be no longer than 200 characters."),
    (SEARCH, {"query": "ferry", "from_user": "x" * 100_000}, "from_user must be no longer than 200 characters."),
    (SEARCH, {"query": "ferry", "before": "tomorrow"}, "before must be a date such as"),
    (SEARCH, {"query": "ferry", "after": "9999-12-31T23:59:59-23:59"}, "after must be a date such as"),
    (SEARCH, {"query": "ferry", "before": "9999-12-31"}, "before must be a date such as"),
]


@pytest.mark.parametrize(("name", "arguments", "error"), HOSTILE)
async def test_hostile_arguments_get_a_short_error(
    room: PlanningRoom, name: str, arguments: dict[str, Any], error: str
) -> None:
    await fill(room)
    (answer,) = await asked(room, (name, arguments))
    assert answer.error.startswith(error)
    assert len(answer.error) < 160
    assert answer.messages == ()
    assert [draft.text for draft in await room.drafts()] == ["answer 2"]
    assert "Tool results" not in fold_in(room.model.prompts[-1]).sections[-1].text


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"query": "FERRYBOATS", "limit": "3"}, [FERRY]),
        ({"query": "\ud800 ferry\0"}, [FERRY]),
        ({"query": "% _ \\ ' \" ferry); DROP TABLE messages;--"}, [FERRY]),
        ({"query": "who has the tickets for the ferry?", "limit": 2.0}, [FERRY, "and the tickets are with Ben"]),
        ({"query": "ferry", "from_user": "mart"}, [FERRY]),
        ({"query": "ferry", "from_user": "Otto"}, []),
        ({"query": "", "from_user": "Marta", "limit": 2}, ["isn't it", "yes"]),
        ({"query": "ferry", "after": "2030-01-01"}, []),
        ({"query": "ferry", "before": "2030-01-01 10:00", "after": "1999-12-31T00:00+02:00"}, [FERRY]),
    ],
)
async def test_what_a_search_finds(room: PlanningRoom, query: dict[str, Any], found: list[str]) -> None:
    await fill(room)
    (answer,) = await asked(room, (SEARCH, query))
    assert answer.error == ""
    assert told(answer) == found
    assert answer.note == ("" if answer.messages else "Nothing was found.")


async def test_nothing_of_another_chat_is_ever_shown(room: PlanningRoom) -> None:
    await fill(room)
    other = await room.another_chat(4_242)
    secret = await room.write("the ferry is a secret", chat_id=other)
    group = await room.another_chat(-500, ChatKind.GROUP)
    hidden = await room.write("the ferry sinks", chat_id=group)
    found = await asked(
        room,
        (MESSAGE, {"message_id": int(secret.key.message_id)}),
        (SMART_CONTEXT, {"anchor_id": int(hidden.key.message_id), "limit": 50}),
        (SEARCH, {"query": "ferry secret sinks", "limit": 50}),
        (SMART_CONTEXT, {"max_gap_minutes": 9_999, "limit": 50}),
    )
    assert [bool(answer.error) for answer in found] == [True, True, False, False]
    assert not [text for answer in found for text in told(answer) if "secret" in text or "sinks" in text]


async def test_what_is_deleted_or_newer_than_the_plan_is_not_shown(room: PlanningRoom) -> None:
    first, *_ = await fill(room)
    await change(room, first, "delete")
    gate = room.close_gate()
    room.model.script.append(
        wants(
            (MESSAGE, {"message_id": first}), (SEARCH, {"query": "ferry"}), (MESSAGE, {"message_id": room.next_id + 2})
        )
    )
    await room.due("which ferry?")
    plan = await room.asking(1)
    await room.write("the ferry sinks", out=True)
    gate.set()
    await plan
    answers = answers_in(room.model.prompts[1])
    assert [answer.error for answer in answers] == [
        f"There is no message {first} in this chat.",
        "",
        f"There is no message {room.next_id} in this chat.",
    ]
    assert told(answers[1]) == []


async def test_only_so_many_calls_of_one_turn_are_answered_and_only_so_much_is_told(room: PlanningRoom) -> None:
    room.spec = SHORT
    for number in range(12):
        await room.write(f"ferry {number} " + "x" * 3_900)
    found = await asked(room, *[(SEARCH, {"query": "ferry", "limit": 50})] * 7)
    assert [bool(answer.error) for answer in found] == [False] * 4 + [True] * 3
    assert sum(len(part) for parts in found[0].messages for part in parts) <= 20_000
    assert found[0].note == "There was more; ask for less at once."


async def test_around_a_message_there_is_what_was_said_without_a_pause(room: PlanningRoom) -> None:
    room.spec = SHORT
    room.next_id = RAISED_BY + 2**31 - 10  # a supergroup's that a group has moved to
    room.room.clock.advance(100 * 3600)
    ids = []
    for number, pause_min in enumerate((0, 10, 90, 10, 10, 10, 200, 5)):
        room.room.clock.advance(60 * pause_min)
        ids.append(int((await room.write(f"m{number}")).key.message_id))
    await room.write("joined", is_service=True)
    found = await asked(
        room,
        (SMART_CONTEXT, {"anchor_id": ids[3]}),
        (SMART_CONTEXT, {"anchor_id": ids[3], "max_gap_minutes": 120, "limit": 3}),
        (SMART_CONTEXT, {"anchor_id": ids[0], "limit": 9, "max_gap_minutes": 95}),
        (SMART_CONTEXT, {}),
    )
    assert [told(answer) for answer in found] == [
        ["m2", "m3", "m4", "m5"],
        ["m2", "m3", "m4"],
        ["m0", "m1", "m2", "m3", "m4", "m5"],
        ["m6", "m7", "when does the ferry leave?"],
    ]
