"""The same `random_id` twice: refused, answered again, or sent again."""

import pytest
from telethon import errors

from chimein_gui.sandbox_api import DuplicateMode
from tests.sandbox.clients import MARTA, NORA, Inbox, client_of, marta_for, nora_for, sandbox, send

REFUSED = r"WARNING telethon.*RandomIdDuplicateError"


async def arrived(server) -> list[str]:
    return [delivery.text for delivery in await server.console.mailbox(MARTA)]


class Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.operation("duplicate random_id: error", "the partner has the message once")
async def test_a_repeat_is_refused(expected_logs):
    expected_logs(REFUSED)
    async with sandbox() as server, client_of(server, NORA, request_retries=0) as nora:
        marta = await marta_for(nora)
        await send(nora, marta, "once", random_id=5)
        with pytest.raises(errors.RandomIdDuplicateError):
            await send(nora, marta, "once", random_id=5)
        assert await arrived(server) == ["once"]


@pytest.mark.operation("duplicate random_id: same", "the same answer, byte for byte; the partner has the message once")
async def test_a_repeat_gets_the_first_answer():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, NORA) as phone:
        marta = await marta_for(nora)
        await server.console.set_duplicate_mode(DuplicateMode.SAME)
        first = await send(nora, marta, "once", random_id=5)
        await send(nora, marta, "another", random_id=6)
        assert bytes(await send(nora, marta, "once", random_id=5)) == bytes(first)
        assert bytes(await send(phone, await marta_for(phone), "once", random_id=5)) == bytes(first)
        assert await arrived(server) == ["once", "another"]


@pytest.mark.operation("duplicate random_id: forgotten", "the partner hears the message twice")
async def test_a_repeat_is_sent_again():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as her:
        marta, inbox = await marta_for(nora), Inbox(her)
        await server.console.set_duplicate_mode(DuplicateMode.FORGOTTEN)
        ids = [(await send(nora, marta, "again", random_id=5)).id for _ in range(2)]
        assert ids == [1, 2]
        assert [(await inbox.next()).raw_text for _ in range(2)] == ["again", "again"]


@pytest.mark.operation("random_id forgotten after ten minutes", "the repeat arrives again, also after a server restart")
async def test_old_names_are_forgotten(tmp_path, expected_logs):
    expected_logs(REFUSED)
    clock = Clock()
    async with sandbox(tmp_path, now=clock) as server, client_of(server, NORA) as nora:
        marta = await marta_for(nora)
        await send(nora, marta, "old", random_id=1)
        clock.now += 400
        await send(nora, marta, "young", random_id=2)
        clock.now += 200
        assert server.console.faults.forget_random_ids(600) == 1
        with pytest.raises(ValueError, match="0 or more"):
            server.console.faults.forget_random_ids(-1)
    async with sandbox(tmp_path, now=clock) as server, client_of(server, NORA, request_retries=0) as nora:
        with pytest.raises(errors.RandomIdDuplicateError):
            await send(nora, marta, "young", random_id=2)
        await send(nora, marta, "old", random_id=1)
        assert await arrived(server) == ["old", "young", "old"]


@pytest.mark.operation(
    "duplicate random_id: forgotten after ten minutes", "the partner has the message once, then twice"
)
async def test_a_repeat_is_refused_for_ten_minutes_and_then_sent_again(expected_logs):
    expected_logs(REFUSED)
    clock = Clock()
    async with sandbox(now=clock) as server, client_of(server, NORA, request_retries=0) as nora:
        marta = await marta_for(nora)
        await server.console.set_duplicate_mode(DuplicateMode.FORGOTTEN_LATER)
        await send(nora, marta, "old", random_id=1)
        clock.now += 599
        with pytest.raises(errors.RandomIdDuplicateError):
            await send(nora, marta, "old", random_id=1)
        assert await arrived(server) == ["old"]
        clock.now += 1
        await send(nora, marta, "old", random_id=1)
        assert await arrived(server) == ["old", "old"]
        with pytest.raises(errors.RandomIdDuplicateError):
            await send(nora, marta, "old", random_id=1)


async def test_the_names_are_each_accounts_own():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as her:
        await server.console.set_duplicate_mode(DuplicateMode.SAME)
        await send(nora, await marta_for(nora), "hers", random_id=5)
        inbox = Inbox(nora)
        await send(her, await nora_for(her), "mine", random_id=5)
        assert (await inbox.next()).raw_text == "mine"
