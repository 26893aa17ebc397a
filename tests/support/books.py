"""Compares the records of both sides: the product's ledger and the server's boxes."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chimein_gui.domain.replies.splitting import split
from chimein_gui.engine.text.markdown import formatted

MESSAGES = frozenset({"send", "sticker", "file"})
OPEN = frozenset({"prepared", "sending", "unknown"})

_LEDGER = """
SELECT l.*, c.peer_id, a.state AS approval_state, a.reasons, a.text AS card_text, a.version AS card_version,
    t.task_id, t.status, t.graph_id
FROM ledger l JOIN chats c USING (chat_id) JOIN approvals a USING (approval_id) JOIN tasks t USING (task_id)
ORDER BY l.ledger_id
"""
_CARDS = """
SELECT a.*, t.kind, t.status, t.chat_id FROM approvals a JOIN tasks t USING (task_id) ORDER BY a.approval_id
"""


_TRACES = """
SELECT r.trace_id, r.state, group_concat(t.status) AS statuses FROM traces r JOIN tasks t ON t.graph_id = r.graph_id
JOIN approvals a ON a.task_id = t.task_id GROUP BY r.trace_id
"""
_TOLD = {
    "unknown": "unknown",
    "sending": "sending",
    "failed": "failed",
    "awaiting_decision": "waiting",
    "approved": "approved",
    "parked": "parked",
    "done": "sent",
}
"""What a trace says by the planned sends of its plan; the first counts."""


@dataclass(frozen=True)
class Books:
    """The result of a comparison.

    Attributes:
        sent: How many requests the ledger says were carried out, by kind.
        ended: The final states of the planned sends, in words.
        wrong: One line for each difference.
        copied: The approvals with more messages than requests; 0 for a message without one.
        messages: How many messages of the accounts' boxes were compared.
    """

    sent: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)
    wrong: tuple[str, ...] = ()
    copied: tuple[int, ...] = ()
    messages: int = 0


def compare(
    database: Path, boxes: Mapping[int, Any], accounts: Iterable[int], *, second_copies: int = 0, at_rest: bool = True
) -> Books:
    """Compare a store with the boxes of its accounts and of their recipients.

    Args:
        database: The store; nothing may write to it meanwhile.
        boxes: The result of the sandbox's `box` for each user.
        accounts: The users the store belongs to.
        second_copies: The expected number of second copies: those decided upon after "perhaps not delivered", with a
            server that has forgotten the first. -1: the caller checks it.
        at_rest: Nothing may be open any more.
    """
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as store:
        store.row_factory = sqlite3.Row
        rows = store.execute(_LEDGER).fetchall()
        earlier = store.execute("SELECT task_id, earlier_id FROM step_dependencies").fetchall()
        cards = store.execute(_CARDS).fetchall()
        stored = store.execute(
            "SELECT account_id, peer_id, message_id, text, out FROM messages WHERE NOT deleted"
        ).fetchall()
        traces = store.execute(_TRACES).fetchall()
    wrong: list[str] = []
    copied: list[int] = []
    for account in accounts:
        mine = [row for row in rows if row["account_id"] == account]
        found, more = _account(account, mine, boxes)
        found += _not_stored(boxes[account], [row for row in stored if row["account_id"] == account])
        wrong += [f"{account}: {problem}" for problem in found]
        copied += more
    if second_copies not in {-1, len(copied)}:
        wrong.append(f"{len(copied)} second copies instead of {second_copies}")
    wrong += [*_cards(rows, cards), *_order(rows, earlier), *_traces(traces)]
    if at_rest:
        wrong += _open(rows, cards)
    return Books(
        Counter(row["kind"] for row in rows if row["state"] == "sent"),
        Counter(f"{card['state']}, {card['status']}" for card in cards),
        tuple(wrong),
        tuple(copied),
        sum(len(boxes[account]["messages"]) for account in accounts),
    )


def _traces(traces: list[sqlite3.Row]) -> Iterator[str]:
    """Check that what a trace says of its plan is what the plan's steps say."""
    for row in traces:
        statuses = row["statuses"].split(",")
        expected = next((told for status, told in _TOLD.items() if status in statuses), row["state"])
        if row["state"] != expected:
            yield f"trace {row['trace_id']} says {row['state']}, and its sends are {', '.join(statuses)}"


def _account(account: int, rows: list[sqlite3.Row], boxes: Mapping[int, Any]) -> tuple[list[str], list[int]]:
    """Compare one account; returns the differences, and the approvals with more messages than requests."""
    box = boxes[account]
    by_random_id = {row["random_id"]: row for row in rows if row["kind"] in MESSAGES}
    ids = {row["message_id"]: row["random_id"] for row in by_random_id.values()}
    copies: dict[int, list[Any]] = defaultdict(list)
    copied: list[int] = []
    for message in box["messages"]:
        if not message["outgoing"] or message["is_service"]:
            continue
        random_id = message["random_id"] or ids.get(message["message_id"])  # the server may have forgotten it
        if random_id:
            copies[random_id].append(message)
        else:
            copied.append(0)
    for random_id, messages in copies.items():
        copied += [by_random_id[random_id]["approval_id"] if random_id in by_random_id else 0] * (len(messages) - 1)
    wrong = [
        *_not_decided(by_random_id, copies),
        *_not_delivered(by_random_id, dict(box["sent"]), copies),
        *_twice(rows, copies),
        *_not_received(account, box, boxes),
    ]
    return wrong, copied


def _not_stored(box: Any, stored: list[sqlite3.Row]) -> Iterator[str]:
    """Check that the store has exactly the messages of the box, except those marked as deleted."""
    texts = {(row["peer_id"], row["message_id"]): (row["text"], bool(row["out"])) for row in stored}
    for message in box["messages"]:
        known = texts.pop((message["peer_id"], message["message_id"]), None)
        if known != (message["text"], message["outgoing"]):
            yield f"message {message['message_id']} of {message['peer_id']} is not in the store as it is: {known}"
    yield from (f"message {message_id} of {peer} is in the store alone" for peer, message_id in texts)


def _not_decided(rows: Mapping[int, sqlite3.Row], copies: Mapping[int, list[Any]]) -> Iterator[str]:
    """Check that all the server has was decided upon with exactly these bytes and is in the ledger."""
    for random_id, messages in copies.items():
        row = rows.get(random_id)
        for message in messages:
            named = f"message {message['message_id']} {message['text'][:30]!r}"
            if row is None:
                yield f"{named} was sent by nobody"
            elif row["state"] not in {"sent", "sending", "unknown", "void"}:
                yield f"{named} is at the server, its request is {row['state']}"
            elif row["state"] == "void" and row["claimed_at"] is None:
                yield f"{named} is at the server, its request was never claimed"
            elif message["peer_id"] != row["peer_id"]:
                yield f"{named} went to {message['peer_id']} instead of {row['peer_id']}"
            elif not message["edited_at"] and not _is_it(row, message):
                yield f"{named} is not what was decided: {row['text'][:30]!r}"


def _is_it(row: sqlite3.Row, message: Any) -> bool:
    if row["kind"] == "sticker":
        return bool(message["media"] == "sticker")
    return bool(message["text"].strip() == row["text"].strip())


def _not_delivered(
    rows: Mapping[int, sqlite3.Row], sent: Mapping[int, int], copies: Mapping[int, list[Any]]
) -> Iterator[str]:
    """Check that the server has all that the ledger calls sent, under the same id."""
    for random_id, row in rows.items():
        if row["state"] != "sent":
            continue
        ids = {message["message_id"] for message in copies.get(random_id, [])} | {sent.get(random_id, 0)}
        if not ids - {0}:
            yield f"request {row['ledger_id']} {row['text'][:30]!r} is called sent, and the server never had it"
        elif row["message_id"] is not None and row["message_id"] not in ids:
            yield f"request {row['ledger_id']} is message {row['message_id']}, at the server {sorted(ids)}"


def _twice(rows: list[sqlite3.Row], copies: Mapping[int, list[Any]]) -> Iterator[str]:
    """Check that no part was sent with two numbers, unless the operator edited a "perhaps not delivered" one."""
    parts: dict[tuple[int, int], list[sqlite3.Row]] = defaultdict(list)
    for row in rows:
        parts[row["approval_id"], row["part"]].append(row)
    for (approval, part), versions in parts.items():
        if sum(row["state"] == "sent" for row in versions) > 1:
            yield f"part {part} of approval {approval} is called sent twice"
        left = [row for row in versions if row["random_id"] in copies]
        given_up = [row for row in left if row["state"] == "void"]
        if len(left) - len(given_up) > 1:
            yield f"part {part} of approval {approval} has left {len(left)} times"
        if given_up and len({row["version"] for row in left}) != len(left):
            yield f"part {part} of approval {approval} has left twice for one version"


def _not_received(account: int, box: Any, boxes: Mapping[int, Any]) -> Iterator[str]:
    """Check that each message of an account arrived once in every recipient's box."""
    for message in box["messages"]:
        peer = message["peer_id"]
        if not message["outgoing"] or peer not in boxes or message["is_service"]:
            continue
        received = [one["text"] for one in boxes[peer]["messages"] if one["uid"] == message["uid"]]
        if received != [message["text"]]:
            yield f"{len(received)} copies of message {message['message_id']} of {account} with {peer}"


def _cards(rows: list[sqlite3.Row], cards: list[sqlite3.Row]) -> Iterator[str]:
    """Check that exactly the finished sends are complete at the server, with the words decided upon."""
    requests: dict[int, list[sqlite3.Row]] = defaultdict(list)
    for row in rows:
        requests[row["approval_id"]].append(row)
    for card in cards:
        sent = sorted((row for row in requests[card["approval_id"]] if row["state"] == "sent"), key=_part)
        named = f"approval {card['approval_id']} ({card['kind']}, {card['state']}, {card['status']})"
        if card["status"] == "done":
            if [_contents(row) for row in sent] != _wanted(card):
                yield f"{named} is done with {len(sent)} requests, and they are not what was decided"
            if card["state"] != "approved":
                yield f"{named} was sent, and nobody had approved it"
        elif card["status"] in {"skipped", "cancelled", "observed", "failed"}:
            left = [row for row in requests[card["approval_id"]] if row["state"] in {"sending", "prepared"}]
            if left:
                yield f"{named} is over, and a request of it is {left[0]['state']}"


def _part(row: sqlite3.Row) -> int:
    part: int = row["part"]
    return part


def _wanted(card: sqlite3.Row) -> list[tuple[str, str]]:
    """Return the contents of a card's requests: text, sticker."""
    if card["kind"] == "send":
        return [(piece.text, "") for piece in split(*formatted(card["text"]))]
    return [("", card["sticker"] or "")]


def _contents(row: sqlite3.Row) -> tuple[str, str]:
    return (row["text"], "") if row["kind"] == "send" else ("", row["sticker"] or "")


def _order(rows: list[sqlite3.Row], dependencies: list[sqlite3.Row]) -> Iterator[str]:
    """Check that no send arrived before one that its step waits for; the branches of an edited plan may overtake."""
    earlier: dict[int, set[int]] = defaultdict(set)
    for one in dependencies:
        earlier[one["task_id"]].add(one["earlier_id"])
    sent: dict[int, list[sqlite3.Row]] = defaultdict(list)
    for row in rows:
        if row["state"] == "sent" and row["kind"] in MESSAGES and row["message_id"] is not None:
            sent[row["task_id"]].append(row)
    for task, parts in sent.items():
        ids = [row["message_id"] for row in sorted(parts, key=_part)]
        before, to_see = set[int](), [task]
        while to_see:
            further = earlier[to_see.pop()] - before
            before |= further
            to_see += further
        if ids != sorted(ids) or any(row["message_id"] > ids[0] for one in before for row in sent.get(one, ())):
            yield f"step {task} of plan {parts[0]['graph_id']} arrived out of its order: {ids}"


def _open(rows: list[sqlite3.Row], cards: list[sqlite3.Row]) -> Iterator[str]:
    """Check that at the end no request is in flight, and no decided one is left unsent."""
    for card in cards:
        if card["status"] in {"approved", "sending", "unknown", "awaiting_decision", "pending"}:
            yield f"approval {card['approval_id']} is left {card['state']}, {card['status']}: {card['note']}"
        if card["state"] == "approved" and card["status"] not in {"done", "failed"}:
            yield f"approval {card['approval_id']} was approved, and is {card['status']}"
    for row in rows:
        if row["state"] in OPEN and row["approval_state"] not in {"rejected", "superseded"}:
            yield f"request {row['ledger_id']} is left {row['state']} ({row['approval_state']}, {row['status']})"
