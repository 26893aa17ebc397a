"""Accounts with every kind of trouble at once, beside healthy ones: makes the trouble, and checks the results."""

from __future__ import annotations

import socket
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chimein_gui.domain.accounts.proxies import Proxy, ProxyKind
from chimein_gui.sandbox_api import FaultKind, FaultRule

if TYPE_CHECKING:
    from tests.support.control import ControlChannelConsole

TROUBLES: Mapping[str, Sequence[FaultRule]] = {
    "flood wait": (
        FaultRule(FaultKind.FLOOD_WAIT, "messages.sendMessage", seconds=20, times=0),
        FaultRule(FaultKind.FLOOD_WAIT, "messages.getHistory", seconds=20, times=0),
    ),
    "limited": (FaultRule(FaultKind.RPC_ERROR, "messages.sendMessage", code=400, message="PEER_FLOOD", times=0),),
    "logged out elsewhere": (FaultRule(FaultKind.REVOKE),),
    "key unknown": (FaultRule(FaultKind.FORGET_KEY),),
    "banned": (FaultRule(FaultKind.RPC_ERROR, code=401, message="USER_DEACTIVATED_BAN", times=0),),
    "no answers to sends": (FaultRule(FaultKind.NO_ANSWER, "messages.sendMessage", times=0),),
    "connections break": (FaultRule(FaultKind.DROP_BEFORE, times=0, probability=0.3),),
    "slow": (FaultRule(FaultKind.SLOW, times=0, seconds=3),),
}
"""The faults of each kind of trouble, by its name; FROM_THE_START has further kinds."""

UNREACHABLE = "no way to the server"
"""Its session names a port at which nobody listens."""

NO_PROXY = "no way to its proxy"
"""No server listens at the address of its proxy."""

LOGGED_OUT = "logged out"
"""It has no session."""

FROM_THE_START = (UNREACHABLE, NO_PROXY, LOGGED_OUT)
"""Accounts that never get online."""

KINDS = (*TROUBLES, *FROM_THE_START)


def out_from_the_start(who: Mapping[str, int]) -> dict[str, Any]:
    """Return the ports and proxies of the accounts whose trouble exists from the start."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        nobodys_port = int(taken.getsockname()[1])
    proxy = Proxy(ProxyKind.SOCKS5, "127.0.0.1", nobodys_port)
    return {"ports": {who[UNREACHABLE]: nobodys_port, who[LOGGED_OUT]: 0}, "proxies": {who[NO_PROXY]: proxy}}


async def make_trouble(console: ControlChannelConsole, account_ids: Sequence[int]) -> None:
    """Make all trouble at once, one kind for each account, in the order of KINDS."""
    for account_id, rules in zip(account_ids, TROUBLES.values(), strict=False):
        for rule in rules:
            await console.inject(replace(rule, account_id=account_id))


def is_settled(database: Path, account_ids: Sequence[int]) -> bool:
    """Return whether no send of these accounts is in flight or waits for its turn."""
    marks = ",".join("?" * len(account_ids))
    query = (
        "SELECT count(*) FROM ledger JOIN chats USING (chat_id)"
        f" WHERE state IN ('prepared', 'sending', 'unknown') AND chats.account_id IN ({marks})"
    )
    with sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True) as connection:
        (count,) = connection.execute(query, tuple(account_ids)).fetchone()
    connection.close()
    return not count


async def differences(
    database: Path, console: ControlChannelConsole, account_ids: Sequence[int], partner_ids: Sequence[int]
) -> list[str]:
    """Compare the ledger of some accounts with the partners' mailboxes: they must have the same messages, once each."""
    ledger: Counter[tuple[int, int, str]] = Counter()
    query = "SELECT chats.account_id, peer_id, text FROM ledger JOIN chats USING (chat_id) WHERE state = 'sent'"
    with sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True) as connection:
        for account_id, peer_id, text in connection.execute(query):
            if account_id in account_ids:
                ledger[account_id, peer_id, text] += 1
    connection.close()
    mailboxes: Counter[tuple[int, int, str]] = Counter()
    for partner_id in partner_ids:
        for one in await console.mailbox(partner_id):
            if one.from_user_id in account_ids:
                mailboxes[one.from_user_id, partner_id, one.text] += 1
    lost, twice = ledger - mailboxes, mailboxes - ledger
    return [*(f"never arrived: {one}" for one in lost), *(f"arrived without its row: {one}" for one in twice)]
