"""What members may not do: restricted kinds of messages, slow mode, invitations that are not wanted."""

import pytest
from telethon import errors, functions, types

from chimein_gui.sandbox.records import Draft
from tests.sandbox.clients import NORA, send
from tests.sandbox.company import BEN, OTTO, company, person, raw

NOON = 1_800_000_000.0


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> float:
        return self.time


async def _forbid(all_, **rights: bool) -> None:
    banned = types.ChatBannedRights(None, **rights)
    await all_.nora(functions.messages.EditChatDefaultBannedRightsRequest(all_.group, banned))


@pytest.mark.operation("messages.editChatDefaultBannedRights", "members hear the rights and see them at the group")
@pytest.mark.operation("restricted: nobody but admins writes", "refused to a member; the others got nothing")
async def test_a_group_where_only_admins_write():
    async with company() as all_:
        inbox = raw(all_.ben)
        await _forbid(all_, send_messages=True)
        heard = await inbox.next_of(types.UpdateChatDefaultBannedRights)
        assert (heard.peer.chat_id, heard.default_banned_rights.send_messages) == (all_.chat_id, True)
        with pytest.raises(errors.ChatWriteForbiddenError):
            await send(all_.ben, all_.group, "may I?")
        await send(all_.nora, all_.group, "only me")
        newest = await all_.marta.get_messages(all_.group, limit=1)
        assert (newest[0].raw_text, newest[0].chat.default_banned_rights.send_messages) == ("only me", True)


@pytest.mark.operation("restricted: no plain text", "CHAT_SEND_PLAIN_FORBIDDEN; granted again, the others hear it")
async def test_a_group_without_plain_text():
    async with company() as all_:
        await _forbid(all_, send_plain=True)
        with pytest.raises(errors.ChatSendPlainForbiddenError):
            await send(all_.ben, all_.group, "words")
        await _forbid(all_)
        await send(all_.ben, all_.group, "words again")
        assert (await all_.marta.get_messages(all_.group, limit=1))[0].raw_text == "words again"


@pytest.mark.operation("restricted: no photos", "a forwarded photo is refused; plain text still arrives")
async def test_a_group_without_photos():
    async with company() as all_:
        photo = all_.server._around.media.named("photo-lake")
        draft = all_.world.send(BEN, NORA, Draft(media=photo))
        await _forbid(all_, send_photos=True)
        nora = await person(all_.ben, NORA)
        forward = functions.messages.ForwardMessagesRequest(nora, [draft.message_id], all_.group, random_id=[7])
        with pytest.raises(errors.ChatSendPhotosForbiddenError):
            await all_.ben(forward)
        await send(all_.ben, all_.group, "just words")
        assert (await all_.marta.get_messages(all_.group, limit=1))[0].raw_text == "just words"


@pytest.mark.operation("slow mode", "SLOWMODE_WAIT with what remains; the others hear one message, then the next")
async def test_slow_mode():
    clock = Clock()
    async with company(now=clock) as all_:
        all_.world.groups.set_slow_mode(all_.world.groups.get(-all_.chat_id), 30)
        await send(all_.ben, all_.group, "first")
        clock.time += 12
        with pytest.raises(errors.SlowModeWaitError) as refused:
            await send(all_.ben, all_.group, "too soon")
        assert refused.value.seconds == 18
        await send(all_.marta, all_.group, "others may")
        await send(all_.nora, all_.group, "the creator may")
        await send(all_.nora, all_.group, "at any time")
        clock.time += 18
        await send(all_.ben, all_.group, "second")
        told = [one.raw_text for one in await all_.nora.get_messages(all_.group, limit=5)]
        assert told == ["second", "at any time", "the creator may", "others may", "first"]


@pytest.mark.operation("slow mode after a restart", "the wait goes on where it was")
async def test_slow_mode_outlives_a_restart(state_dir):
    clock = Clock()
    async with company(state_dir, now=clock) as all_:
        chat_id = all_.chat_id
        all_.world.groups.set_slow_mode(all_.world.groups.get(-chat_id), 30)
        await send(all_.ben, all_.group, "first")
    clock.time += 10
    async with company(state_dir, chat_id=chat_id, now=clock) as all_:
        with pytest.raises(errors.SlowModeWaitError) as refused:
            await send(all_.ben, all_.group, "too soon")
        assert refused.value.seconds == 20


@pytest.mark.operation("account.setPrivacy: invitations", "who may not invite is told who is missing; nobody was added")
async def test_people_who_do_not_want_to_be_added():
    async with company() as all_:
        key, rule = types.InputPrivacyKeyChatInvite(), types.InputPrivacyValueDisallowAll()
        await all_.otto(functions.account.SetPrivacyRequest(key, [rule]))
        otto = await person(all_.nora, OTTO)
        answer = await all_.nora(functions.messages.AddChatUserRequest(all_.chat_id, otto, 0))
        assert [one.user_id for one in answer.missing_invitees] == [OTTO]
        assert not all_.world.groups.get(-all_.chat_id).has(OTTO)
        made = await all_.nora(functions.messages.CreateChatRequest([otto, await person(all_.nora, BEN)], "Two"))
        assert [one.user_id for one in made.missing_invitees] == [OTTO]
        assert await all_.otto.get_dialogs() == []


async def test_a_member_may_not_change_the_rights():
    async with company() as all_:
        banned = types.ChatBannedRights(None, send_media=True)
        with pytest.raises(errors.ChatAdminRequiredError):
            await all_.ben(functions.messages.EditChatDefaultBannedRightsRequest(all_.group, banned))
        await _forbid(all_, change_info=True, invite_users=True)
        with pytest.raises(errors.ChatAdminRequiredError):
            await all_.ben(functions.messages.EditChatTitleRequest(all_.chat_id, "Mine"))
        with pytest.raises(errors.ChatAdminRequiredError):
            await all_.ben(functions.messages.AddChatUserRequest(all_.chat_id, await person(all_.ben, OTTO), 0))
        assert all_.world.groups.get(-all_.chat_id).title == "Lake"
