"""What partners, Telegram, the network, the model, the program and the clock do; each move tells the notebook."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

from chimein_gui.domain.errors import (
    AccountLimitedError,
    NotConnectedError,
    RateLimitedError,
    SendRefusedError,
    SlowModeError,
)
from chimein_gui.domain.ids import PeerId, UserId
from chimein_gui.domain.messages import Message
from tests.fakes.crowd import BEN, CLUB, LATER
from tests.fakes.telegram import ACCOUNT, HANG, LOSE, MARTA
from tests.unit.engine.state_machine.town import PEERS, SENDERS, TROUBLES, Town


async def partner_writes(town: Town, peer: PeerId | None = None) -> None:
    peer = peer or town.rng.choice(PEERS)
    sender, token = town.rng.choice(SENDERS[peer]), town.token("m")
    calls = peer == CLUB and town.rng.random() < 0.6
    happening = town.book.happens(town.chats[peer], "new", token, sender, calls=calls)

    def told(_message: Message) -> None:
        happening.order = town.book.tick()

    town.crowd.says(peer, UserId(sender), f"{token} Nora?" if calls else token, told)
    await town.settled()


async def _rewrites(town: Town, kind: str) -> None:
    fitting = [one for one in town.crowd.messages[5:] if not one.out and not one.deleted]
    if not fitting:
        return
    message = town.rng.choice(fitting)
    chat = town.chats[message.key.peer_id]
    old, new = message.text.split()[0], town.token("m")
    happening = town.book.happens(chat, kind, old, int(message.sender_id or 0))

    def told() -> None:
        happening.order = town.book.tick()

    if kind == "edit":
        town.book.renamed[old] = new
        town.crowd.edits(message, message.text.replace(old, new), told)
    else:
        town.crowd.deletes(message, told)
    await town.settled()


async def partner_edits(town: Town) -> None:
    await _rewrites(town, "edit")


async def partner_deletes(town: Town) -> None:
    await _rewrites(town, "delete")


async def operator_on_the_phone(town: Town, peer: PeerId | None = None) -> None:
    peer, token, at = peer or town.rng.choice(PEERS), town.token("p"), town.clock.now()
    chat = town.chats[peer]
    happening = town.book.happens(chat, "own", token, int(ACCOUNT))

    def told(_message: Message) -> None:
        happening.order = town.book.tick()
        now = town.clock.now()
        began = now if now - at <= timedelta(seconds=60) else at
        if town.is_racing:
            town.to_note.append(lambda: takes_over(town, chat, began))
        else:
            takes_over(town, chat, began)

    town.crowd.operator_says(peer, token, told)
    await town.settled()


def takes_over(town: Town, chat: int, began: datetime) -> None:
    """Note that the agent pauses in a chat."""
    until = began + timedelta(seconds=town.book.takeover_s)
    known = town.book.takeover.get(chat)
    if known is None or known[1] < until:
        town.book.takeover[chat] = (began, until)


async def plans_an_outcome(town: Town) -> None:
    """What becomes of the next request."""
    flood = RateLimitedError("wait", town.rng.choice((20.0, 1200.0)))
    town.crowd.tell_own = town.rng.random() < 0.5
    town.crowd.script.append(
        town.rng.choice(
            (
                HANG,
                HANG,
                LOSE,
                LOSE,
                LATER,
                LATER,
                NotConnectedError("no way"),
                flood,
                SlowModeError("slow", 40.0),
                SendRefusedError("refused", "CHAT_WRITE_FORBIDDEN"),
                AccountLimitedError("limited", "PEER_FLOOD"),
            )
        )
    )


async def uploads_go_wrong_or_on(town: Town) -> None:
    """What becomes of the next upload; what is half way goes on, and an uploaded file may be forgotten."""
    town.crowd.let_uploads_end()
    slow = asyncio.Event()
    trouble = (NotConnectedError("lost"), RateLimitedError("wait", 30.0), SendRefusedError("no", "FILE_PARTS_INVALID"))
    status_words = town.rng.choice((slow, slow, slow, *trouble))
    town.crowd.uploads.append(status_words)
    if status_words is slow:
        town.crowd.slow_uploads.append(slow)
    town.crowd.forgets_parts = town.rng.random() < 0.3
    await town.settled()


async def answers(town: Town) -> None:
    if town.crowd.track:
        town.crowd.answer(town.rng.choice(town.crowd.track), town.rng.choice((None, None, HANG, LOSE)))
        await town.settled()


async def connection_breaks(town: Town) -> None:
    await town.crowd.drop(town.rng.random() < 0.5)
    await town.settled()


async def model_thinks(town: Town) -> None:
    town.model.slow = not town.model.slow
    for one in list(town.model.thinking):
        if town.rng.random() < 0.7:
            one.set()
    await town.settled()


async def model_fails(town: Town) -> None:
    town.next_replies.append(town.rng.choice(TROUBLES))


async def dies_while_the_operator_writes(town: Town) -> None:
    """The program ends in the middle of a plan, and the operator answers himself before and after."""
    peer = town.rng.choice(PEERS)
    town.model.slow = True
    await partner_writes(town, peer)
    await town.passes(2)
    await operator_on_the_phone(town, peer)
    await town.crash()
    town.model.slow = False
    if town.rng.random() < 0.7:
        await operator_on_the_phone(town, peer)


async def mutes_or_unmutes(town: Town, peer: PeerId | None = None) -> None:
    """The operator mutes a DM on his phone, for a while or for good, or un-mutes it."""
    peer, now = peer or town.rng.choice((MARTA, BEN)), town.clock.now()
    is_muted = town.crowd.muted.get(peer, now) > now
    until = None if is_muted else now + timedelta(seconds=town.rng.choice((100, 1e7)))
    town.book.mutes_told.pop(town.chats[peer], None)
    if not town.crowd.mutes(peer, until) or until is not None:
        town.muted_once.add(town.chats[peer])
    await town.settled()


async def look_ups_fail_or_work(town: Town) -> None:
    """How it is told whether a chat is muted: at once, late, or not at all."""
    town.crowd.look_ups = town.rng.choice(("told", "told", "slow", "fails"))
    lets_looks_end(town)
    await town.settled()


def lets_looks_end(town: Town) -> None:
    """Answer what was asked and not answered yet."""
    for one in town.crowd.slow_looks:
        one.set()
    town.crowd.slow_looks.clear()


async def crashes(town: Town) -> None:
    await town.crash()


async def time_passes(town: Town) -> None:
    seconds, steps = town.rng.choice(((1, 1), (6, 3), (6, 3), (35, 7), (35, 7), (120, 6), (700, 7), (1000, 1)))
    await town.passes(seconds, steps, asleep=town.rng.random() < 0.3)


async def a_night_passes(town: Town) -> None:
    await town.passes(town.rng.choice((3700, 13 * 3600)), 4, asleep=town.rng.random() < 0.5)
