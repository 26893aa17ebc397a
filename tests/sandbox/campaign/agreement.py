"""Whether the product's store and the server agree, message by message, once both have settled."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from tests.sandbox.campaign.stage import Stage

_MAY_HAVE_LEFT = frozenset({"sent", "sending", "unknown", "void"})
"""States of a ledger row whose message may be at the server: an edit after "perhaps not delivered" voids a row."""

_SHOWN = 12


@dataclass(frozen=True)
class Agreement:
    """What the comparison found.

    Attributes:
        messages: How many messages of accounts' boxes were compared.
        sends: How many confirmed sends were found exactly once.
        disagreements: One line each.
    """

    messages: int
    sends: int
    disagreements: tuple[str, ...]


async def compare(stage: Stage) -> Agreement:
    """Compare everything of every account."""
    boxes = {user: await stage.console.box(user_id=user) for user in (*stage.accounts, *stage.partners)}
    wrong: list[str] = []
    messages = sends = 0
    with closing(sqlite3.connect(f"file:{stage.database}?mode=ro", uri=True)) as store:
        store.row_factory = sqlite3.Row
        for account in stage.accounts:
            box = boxes[account]["messages"]
            messages += len(box)
            wrong += _messages(store, account, box)
        confirmed, problems = _ledger(store, stage, boxes)
        sends += confirmed
        wrong += problems
        wrong += _twice(stage, boxes)
    return Agreement(messages, sends, tuple(wrong))


def _messages(store: sqlite3.Connection, account: int, box: list[dict[str, Any]]) -> Iterator[str]:
    """Every message of the box is in the store with its text, and nothing else is, unless it is marked as deleted."""
    rows = {
        (row["peer_id"], row["message_id"]): row
        for row in store.execute("SELECT * FROM messages WHERE account_id = ?", (account,))
    }
    for message in box:
        key = (message["peer_id"], message["message_id"])
        row = rows.pop(key, None)
        if row is None:
            yield f"{account} {key}: not in the store: {message['text'][:40]!r}"
        elif row["deleted"]:
            yield f"{account} {key}: deleted in the store only"
        elif row["text"] != message["text"]:
            yield f"{account} {key}: store {row['text'][:60]!r}, server {message['text'][:60]!r}"
        elif bool(row["out"]) != message["outgoing"]:
            yield f"{account} {key}: the store has it the other way round"
    for key, row in rows.items():
        if not row["deleted"]:
            yield f"{account} {key}: at the server it is gone: {row['text'][:40]!r}"


def _ledger(store: sqlite3.Connection, stage: Stage, boxes: dict[int, Any]) -> tuple[int, list[str]]:
    """Every confirmed row is one message under its `random_id`, and whatever was sent has its row."""
    by_account: dict[int, dict[int, sqlite3.Row]] = {account: {} for account in stage.accounts}
    query = "SELECT ledger.*, chats.account_id, chats.peer_id FROM ledger JOIN chats USING (chat_id)"
    for row in store.execute(query):
        by_account[row["account_id"]][row["random_id"]] = row
    confirmed = 0
    wrong: list[str] = []
    for account, rows in by_account.items():
        sent = dict(boxes[account]["sent"])
        texts = {message["message_id"]: message["text"] for message in boxes[account]["messages"]}
        problems = [*_not_sent(rows, sent), *_not_decided(rows, sent, texts), *_left_open(store, rows)]
        confirmed += sum(row["state"] == "sent" for row in rows.values())
        wrong += [f"{account}: {problem}" for problem in problems]
    return confirmed, wrong


def _not_sent(rows: dict[int, sqlite3.Row], sent: dict[int, int]) -> Iterator[str]:
    for random_id, row in rows.items():
        if row["state"] != "sent":
            continue
        if random_id not in sent:
            yield f"confirmed, but the server never had it: {row['text'][:40]!r}"
        elif row["message_id"] is not None and row["message_id"] != sent[random_id]:
            yield f"confirmed as {row['message_id']}, at the server it is {sent[random_id]}"


def _not_decided(rows: dict[int, sqlite3.Row], sent: dict[int, int], texts: dict[int, str]) -> Iterator[str]:
    for random_id, message_id in sent.items():
        row = rows.get(random_id)
        if row is None:
            yield f"message {message_id} was sent by nobody"
        elif row["state"] not in _MAY_HAVE_LEFT:
            yield f"message {message_id} is at the server, its row is {row['state']}"
        elif texts.get(message_id, row["text"].strip()) != row["text"].strip():
            yield f"message {message_id} is not what was decided"


def _left_open(store: sqlite3.Connection, rows: dict[int, sqlite3.Row]) -> Iterator[str]:
    for row in rows.values():
        if row["state"] in {"sending", "unknown"} and not _is_given_up(store, row):
            yield f"left {row['state']}: {row['text'][:40]!r}"


def _is_given_up(store: sqlite3.Connection, row: sqlite3.Row) -> bool:
    """A send of unknown outcome that the operator gave up stays unknown for ever."""
    query = "SELECT state FROM approvals WHERE approval_id = ?"
    state = store.execute(query, (row["approval_id"],)).fetchone()["state"]
    return state in {"rejected", "superseded"}


def _twice(stage: Stage, boxes: dict[int, Any]) -> Iterator[str]:
    """Nobody has two copies of one message, and what an account sent has arrived where it was sent."""
    for user, box in boxes.items():
        uids = [message["uid"] for message in box["messages"]]
        if len(set(uids)) != len(uids):
            yield f"{user}: a message is there twice"
    for account in stage.accounts:
        for message in boxes[account]["messages"]:
            peer = message["peer_id"]
            if not message["outgoing"] or peer not in boxes or message["is_service"]:
                continue
            copies = [one for one in boxes[peer]["messages"] if one["uid"] == message["uid"]]
            if [one["text"] for one in copies] != [message["text"]]:
                yield f"{account}: {len(copies)} copies of message {message['message_id']} with {peer}"


def shown(disagreements: tuple[str, ...]) -> str:
    """Return the first few lines."""
    more = len(disagreements) - _SHOWN
    return "\n".join(disagreements[:_SHOWN]) + (f"\n… and {more} more" if more > 0 else "")
