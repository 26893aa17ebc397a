"""What Telegram does not let one do to messages, and what stays opaque to it."""

from datetime import UTC, datetime, timedelta

import pytest
from telethon import errors, functions, types

from tests.sandbox.clients import MARTA, NORA, send
from tests.sandbox.company import company, person

LATER = datetime(2030, 1, 2, tzinfo=UTC)


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.time = 1_800_000_000.0

    def __call__(self) -> float:
        return self.time


@pytest.mark.operation("messages.editMessage: too late", "refused after the limit; the partner's copy is unchanged")
async def test_editing_too_late():
    clock = Clock()
    async with company(now=clock) as all_:
        all_.world.mail.edit_limit_s = 48 * 3_600
        marta = await person(all_.nora, MARTA)
        sent = await send(all_.nora, marta, "as it was")
        clock.time += timedelta(hours=47).total_seconds()
        await all_.nora.edit_message(marta, sent.id, "as it is")
        clock.time += timedelta(hours=2).total_seconds()
        with pytest.raises(errors.MessageEditTimeExpiredError):
            await all_.nora.edit_message(marta, sent.id, "as it should be")
        (seen,) = await all_.marta.get_messages(await person(all_.marta, NORA), limit=1)
        assert (seen.raw_text, seen.edit_date.timestamp()) == ("as it is", clock.time - 2 * 3_600)


@pytest.mark.operation("a message for later", "refused everywhere; nobody got anything")
async def test_nothing_is_kept_for_later():
    async with company() as all_:
        marta = await person(all_.nora, MARTA)
        await send(all_.nora, marta, "now")
        request = functions.messages.SendMessageRequest(marta, "later", random_id=4, schedule_date=LATER)
        with pytest.raises(errors.ScheduleDateInvalidError):
            await all_.nora(request)
        told = await all_.marta.get_messages(await person(all_.marta, NORA), limit=5)
        assert [one.raw_text for one in told] == ["now"]


@pytest.mark.operation(
    "an edit and a reply in another chat than the message's", "the edit is refused, the reply answers nothing"
)
async def test_a_message_is_addressed_in_its_own_chat():
    async with company() as all_:
        marta = await person(all_.nora, MARTA)
        sent = await send(all_.nora, all_.group, "in the group")
        with pytest.raises(errors.MessageIdInvalidError):
            await all_.nora.edit_message(marta, sent.id, "elsewhere")
        answer = await send(all_.nora, marta, "no reply", reply_to=types.InputReplyToMessage(sent.id))
        (own,) = await all_.nora.get_messages(marta, ids=[answer.id])
        assert own.reply_to is None
        assert (await all_.ben.get_messages(all_.group, limit=1))[0].raw_text == "in the group"
