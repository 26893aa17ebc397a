"""The same chat gives the same choice: under other names, numbers and dates, and whoever asks in whatever order."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
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
        "import json; from tests.unit.domain.context.test_same_choice import questions, select_context;"
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
