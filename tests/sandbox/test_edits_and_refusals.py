"""What Telegram does not let one do to messages, and what stays opaque to it."""

from datetime import UTC, datetime, timedelta

import pytest
from telethon import errors, functions, types

from chimein_gui.sandbox.media.records import MediaRef
from chimein_gui.sandbox.records import Draft
from tests.sandbox.clients import MARTA, NORA, send
from tests.sandbox.company import BEN, company, heard_message, person, raw

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


@pytest.mark.operation("messages.editMessage: a forward", "refused; the receiver's copy is unchanged")
async def test_a_forward_can_not_be_edited():
    async with company() as all_:
        await send(all_.ben, all_.group, "Ben's words")
        marta = await person(all_.nora, MARTA)
        at_noras = (await all_.nora.get_messages(all_.group, limit=1))[0].id
        forward = functions.messages.ForwardMessagesRequest(all_.group, [at_noras], marta, random_id=[1])
        (named, *_) = (await all_.nora(forward)).updates
        with pytest.raises(errors.MessageAuthorRequiredError):
            await all_.nora.edit_message(marta, named.id, "Nora's words")
        (seen,) = await all_.marta.get_messages(await person(all_.marta, NORA), limit=1)
        assert seen.raw_text == "Ben's words"


@pytest.mark.operation("a message for later", "refused everywhere; nobody got anything")
async def test_nothing_is_kept_for_later():
    async with company() as all_:
        marta = await person(all_.nora, MARTA)
        sent = await send(all_.nora, marta, "now")
        for request in (
            functions.messages.SendMessageRequest(marta, "later", random_id=4, schedule_date=LATER),
            functions.messages.ForwardMessagesRequest(marta, [sent.id], marta, random_id=[5], schedule_date=LATER),
        ):
            with pytest.raises(errors.ScheduleDateInvalidError):
                await all_.nora(request)
        told = await all_.marta.get_messages(await person(all_.marta, NORA), limit=5)
        assert [one.raw_text for one in told] == ["now"]


@pytest.mark.operation("dice and polls", "the members see what was thrown and asked, as it was given")
async def test_dice_and_polls_are_kept_as_they_are():
    async with company() as all_:
        inbox = raw(all_.ben)
        words = types.TextWithEntities("Boat or bike?", [])
        answers = [
            types.PollAnswer(types.TextWithEntities(text, []), option=bytes([n]))
            for n, text in enumerate(("Boat", "Bike"))
        ]
        poll = types.Poll(id=77, question=words, answers=answers, hash=0)
        for kind, media in (
            ("dice", types.MessageMediaDice(6, "🎲")),
            ("poll", types.MessageMediaPoll(poll, types.PollResults())),
        ):
            all_.world.send(MARTA, -all_.chat_id, Draft(media=MediaRef(kind, raw=bytes(media))))
            all_.server._around.hub.settle()
            heard = await heard_message(inbox)
            assert bytes(heard.media) == bytes(media)
        assert BEN in all_.world.groups.get(-all_.chat_id).member_ids


@pytest.mark.operation(
    "messages.forwardMessages: from a service message or another chat", "refused; nobody got anything"
)
async def test_a_message_is_addressed_in_its_own_chat():
    async with company() as all_:
        marta = await person(all_.nora, MARTA)
        sent = await send(all_.nora, all_.group, "in the group")
        with pytest.raises(errors.MessageIdInvalidError):
            await all_.nora.edit_message(marta, sent.id, "elsewhere")
        forward = functions.messages.ForwardMessagesRequest(marta, [sent.id], all_.group, random_id=[1])
        with pytest.raises(errors.MessageIdInvalidError):
            await all_.nora(forward)
        answer = await send(all_.nora, marta, "no reply", reply_to=types.InputReplyToMessage(sent.id))
        (own,) = await all_.nora.get_messages(marta, ids=[answer.id])
        assert own.reply_to is None
        assert (await all_.ben.get_messages(all_.group, limit=1))[0].raw_text == "in the group"


@pytest.mark.operation("voice: heard", "the sender hears that it was played (messages.readMessageContents)")
async def test_voice_that_has_been_heard():
    async with company() as all_:
        voice = all_.server._around.media.named("voice-note")
        sent = all_.world.send(NORA, MARTA, Draft(media=voice))
        all_.server._around.hub.settle()
        inbox = raw(all_.nora)
        (heard,) = await all_.marta.get_messages(await person(all_.marta, NORA), limit=1)
        assert heard.media_unread
        await all_.marta(functions.messages.ReadMessageContentsRequest([heard.id]))
        assert (await inbox.next_of(types.UpdateReadMessagesContents)).messages == [sent.message_id]
        (own,) = await all_.nora.get_messages(await person(all_.nora, MARTA), limit=1)
        assert not own.media_unread
