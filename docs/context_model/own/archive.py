"""Our own scenarios after an archive: what the same people wrote weeks before, taken from other scenarios."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from docs.context_model.data import Scenario

DAY = 86_400.0
_OLDER_IDS = 1_000


def with_archive(scenarios: Sequence[Scenario], seed: int = 0) -> list[Scenario]:
    """Put two to four other scenarios before each, as sessions days or weeks apart, said by its own people."""
    return [_after(one, scenarios, random.Random(f"{seed} {one.name}")) for one in scenarios]


def _after(scenario: Scenario, others: Sequence[Scenario], rng: random.Random) -> Scenario:
    people = list(dict.fromkeys(message["sender"] for message in [*scenario.history, scenario.trigger]))
    sessions = rng.sample([one for one in others if one is not scenario], rng.choice((2, 3, 4)))
    end = scenario.history[0]["ts"]
    archive: list[list[dict[str, Any]]] = []
    for number, session in enumerate(sessions):
        end -= 10 ** rng.uniform(0, 1.5) * DAY
        moved = _moved(session.history, people, end, -_OLDER_IDS * (number + 1))
        end = moved[0]["ts"]
        archive.insert(0, moved)
    older = [message for session in archive for message in session]
    return Scenario(f"{scenario.name}+archive", [*older, *scenario.history], scenario.trigger, scenario.gold)


def _moved(messages: list[dict[str, Any]], people: list[str], end: float, ids: int) -> list[dict[str, Any]]:
    """Move messages to before `end`, give them to other people and other ids; topics of a forum are left out."""
    shift, first = end - messages[-1]["ts"], messages[0]["id"]
    senders = list(dict.fromkeys(message["sender"] for message in messages))
    parts = {sender: people[place % len(people)] for place, sender in enumerate(senders)}
    return [
        {
            **{key: value for key, value in message.items() if key not in {"thread_id", "mentions"}},
            "id": ids + message["id"] - first,
            "ts": message["ts"] + shift,
            "sender": parts[message["sender"]],
            "reply_to": None if message.get("reply_to") is None else ids + message["reply_to"] - first,
        }
        for message in messages
    ]
