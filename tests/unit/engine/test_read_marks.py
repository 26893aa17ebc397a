"""A chat is marked as read once a connection and message, by whoever comes first."""

from __future__ import annotations

import asyncio

from chimein_gui.domain.errors import NotConnectedError
from chimein_gui.domain.ids import AccountId, MessageId, PeerId
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.sending.presence import ReadMarks

HERS, HIS = AccountId(1), AccountId(2)
PETE = PeerId(8)


class Marking:
    """A gateway that takes read marks."""

    def __init__(self, *, fails: bool = False) -> None:
        self.marked: list[tuple[PeerId, MessageId]] = []
        self.fails = fails
        self.answers = asyncio.Event()
        self.answers.set()

    def is_up(self) -> bool:
        return True

    async def mark_read(self, peer_id: PeerId, up_to: MessageId) -> None:
        self.marked.append((peer_id, up_to))
        await self.answers.wait()
        if self.fails:
            raise NotConnectedError("gone")


async def mark(marks: ReadMarks, account_id: AccountId, *ids: int) -> None:
    for number in ids:
        marks.mark(account_id, PETE, MessageId(number))
        await answered()


async def answered() -> None:
    await asyncio.gather(*(job for job in asyncio.all_tasks() if job.get_name() == "read mark"))


async def test_what_the_plan_marked_is_not_marked_again_by_its_send() -> None:
    jobs, gateway, another = JobRunner(), Marking(), Marking()
    marks = ReadMarks(jobs.spawn, {HERS: gateway, HIS: another}.get)  # type: ignore[arg-type]
    await mark(marks, HERS, 5, 5, 4, 6)
    assert gateway.marked == [(PETE, 5), (PETE, 6)]
    await mark(marks, HIS, 6)
    await mark(marks, AccountId(3), 6)  # not connected
    assert another.marked == [(PETE, 6)], "another connection marks for itself"


async def test_what_fails_on_its_way_is_marked_once_more_for_who_asked_meanwhile() -> None:
    jobs, gateway = JobRunner(), Marking(fails=True)
    marks = ReadMarks(jobs.spawn, {HERS: gateway}.get)  # type: ignore[arg-type]
    gateway.answers.clear()
    marks.mark(HERS, PETE, MessageId(5))
    await asyncio.sleep(0)
    marks.mark(HERS, PETE, MessageId(5))
    gateway.answers.set()
    await answered()
    assert gateway.marked == [(PETE, 5), (PETE, 5)]
    gateway.fails = False
    await mark(marks, HERS, 5, 5)
    assert gateway.marked == [(PETE, 5), (PETE, 5), (PETE, 5)]
