"""What the scorer calls takes data of any shape, and says the same however often and in whatever order it is asked."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest

from docs.context_model.adapter import select_context

Message = dict[str, Any]

NAMES = ("Ana", "ben|away", "Çelik 🦊", "李雷", "dora.k")
WORDS = ("boat", "tent", "pole", "sail", "rope", "knot", "ferry", "map", "stove", "lamp", "rain", "wind", "tide", "key")


def a_chat(rows: int = 60, seed: int = 1) -> list[Message]:
    """People who talk about this and that, some by name, some with a reply."""
    dice = random.Random(seed)
    found: list[Message] = []
    for number in range(1, rows + 1):
        who, to = dice.sample(NAMES, 2)
        text = " ".join(dice.choices(WORDS, k=dice.randint(1, 9))) + dice.choice(("", "?", "!", "…"))
        reply_to = dice.choice(found)["id"] if found and dice.random() < 0.2 else None
        found.append(
            {
                "id": number,
                "ts": 1_800_000_000 + 50 * number,
                "sender": who,
                "text": f"{to}: {text}" if dice.random() < 0.4 else text,
                "reply_to": reply_to,
            }
        )
    return found


def a_trigger(**fields: Any) -> Message:
    return {
        "id": 10_000,
        "ts": 1_800_020_000,
        "sender": "Ana",
        "text": "@bot what do you think?",
        "reply_to": None,
        **fields,
    }


def each(**fields: Any) -> list[Message]:
    """The chat with some fields of each message replaced by a value, or by what a function says of the message."""
    return [
        {**message, **{name: value(message) if callable(value) else value for name, value in fields.items()}}
        for message in a_chat()
    ]


def without(name: str) -> list[Message]:
    return [{key: value for key, value in message.items() if key != name} for message in a_chat()]


ODD: dict[str, tuple[list[Message], Message]] = {
    "ids are text": (
        each(
            id=lambda one: f"m{one['id']}",
            reply_to=lambda one: None if one["reply_to"] is None else f"m{one['reply_to']}",
        ),
        a_trigger(id="m99", reply_to="m7"),
    ),
    "ids are huge": (each(id=lambda one: one["id"] + 2**90, reply_to=None), a_trigger(id=2**91, reply_to=2**90 + 7)),
    "ids fall": (each(id=lambda one: -one["id"], reply_to=None), a_trigger(reply_to=-7)),
    "ids are of every kind": (
        each(id=lambda one: (one["id"], [one["id"]], {"of": one["id"]}, None, ([one["id"]],))[one["id"] % 5]),
        a_trigger(id=["any"], reply_to={"of": 52}),
    ),
    "ids are all the same": (each(id=5), a_trigger(reply_to=5)),
    "times are the same": (each(ts=1_800_000_000), a_trigger(ts=1_800_000_000)),
    "times have fractions": (each(ts=lambda one: one["ts"] + 0.25), a_trigger()),
    "times go back": (each(ts=lambda one: 1_900_000_000 - 50 * one["id"]), a_trigger()),
    "times are text": (each(ts=lambda one: str(one["ts"])), a_trigger(ts="1800020000")),
    "times are dates": (each(ts="2027-01-15T08:00:00+14:00"), a_trigger(ts="2027-01-15")),
    "times are lists": (each(ts=[1]), a_trigger(ts={"at": 1})),
    "times are no times": (each(ts="yesterday"), a_trigger(ts=None)),
    "times are beyond all": (each(ts=10**400), a_trigger(ts=float("inf"))),
    "no times": (without("ts"), {key: value for key, value in a_trigger().items() if key != "ts"}),
    "no reply_to": (without("reply_to"), {key: value for key, value in a_trigger().items() if key != "reply_to"}),
    "no senders": (without("sender"), a_trigger(sender=None)),
    "senders are None": (each(sender=None), a_trigger(sender=None)),
    "senders are numbers": (each(sender=lambda one: one["id"] % 3), a_trigger(sender=1)),
    "senders are of every kind": (each(sender=lambda one: (None, "", "Ana", 7)[one["id"] % 4]), a_trigger()),
    "no texts": (without("text"), a_trigger(text=None)),
    "texts are None or empty": (each(text=lambda one: (None, "")[one["id"] % 2]), a_trigger(text="")),
    "a reply to what is not here": (each(reply_to=777_777), a_trigger(reply_to=777_777)),
    "a reply to itself": (each(reply_to=lambda one: one["id"]), a_trigger(reply_to=10_000)),
    "a reply to what comes later": (each(reply_to=lambda one: one["id"] + 1), a_trigger(reply_to=60)),
    "a reply to nothing one can name": (each(reply_to=[1]), a_trigger(reply_to={"id": 1})),
    "nothing before": ([], a_trigger()),
    "nothing before, with a reply": ([], a_trigger(reply_to=3)),
    "one before": (a_chat()[:1], a_trigger()),
    "one before, with a reply": (a_chat()[:1], a_trigger(reply_to=1)),
    "five thousand before": (a_chat(5_000), a_trigger()),
    "five thousand before, with a reply to the third": (a_chat(5_000), a_trigger(reply_to=3)),
    "the trigger is among them": ([*a_chat(), a_trigger()], a_trigger()),
    "the trigger is among them, with a reply": ([*a_chat(), a_trigger(reply_to=7)], a_trigger(reply_to=7)),
    "the trigger has no id": (a_chat(), {key: value for key, value in a_trigger().items() if key != "id"}),
    "control characters": (each(text="\x00\x01\x1c\x85\u2028 boat \x7f"), a_trigger(text="\x00")),
    "surrogates": (each(text="\ud800 boat \udfff", sender="\ud83e"), a_trigger(sender="\ud83e", text="\udc00: boat")),
    "texts of 100 kB": (each(text="boat tent " * 10_000), a_trigger(text="x" * 100_000)),
    "texts of 100 kB without a space": (each(text="字" * 33_000), a_trigger(text="字" * 33_000)),
    "texts of 100 kB of marks": (each(text="@" * 100_000), a_trigger(text=": , " * 25_000)),
    "names of 100 kB": (each(sender="a" * 100_000), a_trigger(sender="a" * 100_000)),
    "thousands of senders": ([{**one, "sender": f"s{one['id']}"} for one in a_chat(3_000)], a_trigger(reply_to=2_800)),
    "one sender": (each(sender="Ana"), a_trigger()),
    "names of emoji alone": (
        each(sender=lambda one: "🦊🐻🐼"[one["id"] % 3]),
        a_trigger(sender="🐻", text="🦊: @bot?"),
    ),
    "names that mean something to patterns": (
        each(sender=lambda one: ("(.*", "[a", "\\", "^$")[one["id"] % 4], text="(.*: [a, \\ ^$?"),
        a_trigger(sender="(.*", text="[a: @bot"),
    ),
    "names in capitals": (each(sender=lambda one: one["sender"].upper()), a_trigger(sender="ANA")),
    "no spaces": (each(text="明日の天気はどうですか", sender="李雷"), a_trigger(text="@bot天気は?")),
    "right to left": (each(text="\u202e\u05e9\u05dc\u05d5\u05dd\u202c \u200f?"), a_trigger(text="\u202e@bot")),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_data_neither_raise_nor_bring_ids_that_are_not_there(name: str) -> None:
    history, trigger = ODD[name]
    chosen = select_context(history, trigger)
    there = [message["id"] for message in history]
    assert all(number in there for number in chosen)
    assert trigger.get("id") not in chosen
    assert select_context(history, trigger) == chosen


@pytest.mark.parametrize(
    "same",
    [
        lambda one: {**one, "id": f"m{one['id']}"} | ({"reply_to": f"m{one['reply_to']}"} if one["reply_to"] else {}),
        lambda one: {**one, "reply_to": str(one["reply_to"]) if one["reply_to"] else None},
        lambda one: {**one, "ts": str(one["ts"])},
        lambda one: {**one, "ts": datetime.fromtimestamp(one["ts"], UTC).isoformat()},
        lambda one: {**one, "ts": datetime.fromtimestamp(one["ts"], UTC).replace(tzinfo=None).isoformat(" ")},
        lambda one: {**one, "of the harness": "alone"},
        lambda one: {key: value for key, value in one.items() if value is not None},
    ],
    ids=[
        "ids as text",
        "replies as text",
        "times as text",
        "times as dates",
        "times as dates without a zone",
        "more keys",
        "no empty keys",
    ],
)
def test_the_same_chat_written_otherwise_gives_the_same(same: Callable[[Message], Message]) -> None:
    for seed in range(4):
        history, trigger = a_chat(80, seed), a_trigger(reply_to=(None, 40)[seed % 2])
        wanted = [str(number) for number in select_context(history, trigger)]
        found = select_context([same(one) for one in history], same(trigger))
        assert [str(number).removeprefix("m") for number in found] == wanted != []


def test_a_history_that_holds_the_trigger_counts_up_to_it() -> None:
    history, later = a_chat(80)[:60], a_chat(80)[60:]
    trigger = a_trigger(reply_to=50)
    assert select_context([*history, trigger, *later], trigger) == select_context(history, trigger) != []


def test_what_came_after_the_trigger_is_none_of_its_history() -> None:
    """Where the trigger itself is not among them, too: a later message has a higher id and a later time."""
    talk = a_chat(80)
    trigger = {**a_trigger(reply_to=50), "id": 60, "ts": talk[59]["ts"]}
    assert select_context([*talk[:59], *talk[60:]], trigger) == select_context(talk[:59], trigger) != []
    set_back = [{**one, "ts": one["ts"] + 86_400} for one in talk[:59]]  # by a clock that went wrong, then right
    assert select_context(set_back, trigger)


MOVED: dict[str, Callable[[Message], Message]] = {
    "later by years": lambda one: {**one, "ts": one["ts"] + 300_000_000},
    "before 1970": lambda one: {**one, "ts": one["ts"] - 2_400_000_000},
    "ids far apart": lambda one: {**one, "id": 977 * one["id"] + 10**12},
}


@pytest.mark.parametrize("how", MOVED)
def test_when_it_was_and_what_the_ids_are_count_for_nothing(how: str) -> None:
    """Nothing is fitted to the dates and numbers of some chat: only what lies between messages counts."""
    for seed in range(4):
        talk = [*a_chat(80, seed), a_trigger(id=81, ts=1_800_004_100)]
        moved = [MOVED[how](one) for one in talk]
        now = {one["id"]: new["id"] for one, new in zip(talk, moved, strict=True)}
        for new in moved:
            new["reply_to"] = now.get(new["reply_to"])
        found = select_context(moved[:-1], moved[-1])
        assert found == [now[number] for number in select_context(talk[:-1], talk[-1])] != []


def test_other_names_of_the_same_shape_choose_the_same() -> None:
    """Names that are no words, exchanged all over a chat: who is who does not matter, only who speaks to whom."""
    names, others = ("Anka", "Bolo", "Cemi", "Dura"), ("Wexa", "Anka", "Zulo", "Bolo")
    swap = dict(zip(names, others, strict=True))
    for seed in range(6):
        dice = random.Random(seed)
        talk: list[Message] = []
        for number in range(1, 82):
            who, to = dice.sample(names, 2)
            said = " ".join(dice.choices(WORDS, k=dice.randint(2, 7)))
            text = f"{to}: {said}" if dice.random() < 0.6 else said
            talk.append({"id": number, "ts": 1_800_000_000 + 50 * number, "sender": who, "text": text})
        named = re.compile("|".join(names))
        swapped = [
            {**one, "sender": swap[one["sender"]], "text": named.sub(lambda name: swap[name[0]], one["text"])}
            for one in talk
        ]
        assert select_context(swapped[:-1], swapped[-1]) == select_context(talk[:-1], talk[-1])


def questions() -> list[tuple[list[Message], Message]]:
    """Several triggers in each of several chats, as a scorer asks them."""
    found: list[tuple[list[Message], Message]] = []
    for seed in range(4):
        talk = a_chat(140, seed)
        tags = [{**one, "text": "@bot what do you think?" if one["id"] % 2 else one["text"]} for one in talk]
        found += [(talk[:end], tags[end]) for end in range(40, 140, 13)]
    return found


def test_the_order_of_the_questions_and_who_asks_change_nothing() -> None:
    asked = questions()
    alone = [select_context(*one) for one in asked]
    order = list(range(len(asked)))
    random.Random(5).shuffle(order)
    shuffled = {number: select_context(*asked[number]) for number in order}
    assert [shuffled[number] for number in range(len(asked))] == alone
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda one: select_context(*one), [*asked, *asked])) == [*alone, *alone]


def test_neither_hashes_nor_threads_of_the_algebra_library_change_an_answer() -> None:
    code = (
        "import json; from tests.unit.domain.context.test_odd_data import questions, select_context;"
        "print(json.dumps([select_context(*one) for one in questions()]))"
    )
    answers = []
    for seed, threads in (("1", "1"), ("2", "4")):
        limits = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), threads)
        ran = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, **limits},
            capture_output=True,
            check=True,
        )
        answers.append(json.loads(ran.stdout))
    assert answers[0] == answers[1] == [select_context(*one) for one in questions()]
