"""Unread marks, drafts and notify settings: the same on all devices of an account."""

from datetime import UTC, datetime

import pytest
from telethon import functions, types

from tests.sandbox.clients import MARTA, NORA, client_of, round_trip, send
from tests.sandbox.company import company, person, raw

LATER = datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.operation("messages.markDialogUnread", "the other session hears the mark and lists it")
@pytest.mark.operation("messages.getDialogUnreadMarks", "the other session gets the marked chats")
async def test_marking_a_chat_as_unread():
    async with company() as all_, client_of(all_.server, NORA) as phone:
        await phone.get_me()
        marta = await person(all_.nora, MARTA)
        await send(all_.nora, marta, "hi")
        inbox = raw(phone)
        for peer in (marta, all_.group):
            await all_.nora(functions.messages.MarkDialogUnreadRequest(types.InputDialogPeer(peer), unread=True))
        heard = await inbox.next_of(types.UpdateDialogUnreadMark)
        assert (heard.peer.peer, heard.unread) == (types.PeerUser(MARTA), True)
        assert (await inbox.next_of(types.UpdateDialogUnreadMark)).peer.peer == types.PeerChat(all_.chat_id)
        marks = await phone(functions.messages.GetDialogUnreadMarksRequest())
        assert {str(one.peer) for one in marks} == {
            str(types.PeerUser(MARTA)),
            str(types.PeerChat(all_.chat_id)),
        }
        assert {one.dialog.unread_mark for one in await phone.get_dialogs()} == {True}


@pytest.mark.operation("messages.readHistory ends an unread mark", "the other session hears that it is gone")
async def test_reading_ends_the_mark():
    async with company() as all_, client_of(all_.server, NORA) as phone:
        await phone.get_me()
        peer = types.InputDialogPeer(all_.group)
        await all_.nora(functions.messages.MarkDialogUnreadRequest(peer, unread=True))
        await round_trip(phone)
        inbox = raw(phone)
        await all_.nora.send_read_acknowledge(all_.group)
        assert not (await inbox.next_of(types.UpdateDialogUnreadMark)).unread
        assert await phone(functions.messages.GetDialogUnreadMarksRequest()) == []


@pytest.mark.operation("messages.saveDraft", "the other session hears the draft and finds it at the chat")
@pytest.mark.operation("messages.getAllDrafts", "the other session gets all drafts")
@pytest.mark.operation("messages.clearAllDrafts", "the other session finds none any more")
async def test_drafts():
    async with company() as all_, client_of(all_.server, NORA) as phone:
        await phone.get_me()
        marta = await person(all_.nora, MARTA)
        sent = await send(all_.nora, marta, "hi")
        inbox = raw(phone)
        draft = functions.messages.SaveDraftRequest(
            marta,
            "half a thou",
            reply_to=types.InputReplyToMessage(sent.id),
            entities=[types.MessageEntityBold(0, 4)],
        )
        assert await all_.nora(draft)
        heard = await inbox.next_of(types.UpdateDraftMessage)
        assert (heard.peer.user_id, heard.draft.message) == (MARTA, "half a thou")
        assert heard.draft.reply_to.reply_to_msg_id == sent.id
        await all_.nora(functions.messages.SaveDraftRequest(all_.group, "and here"))
        everything = await phone(functions.messages.GetAllDraftsRequest())
        assert {one.draft.message for one in everything.updates} == {"half a thou", "and here"}
        dialog = next(one for one in await phone.get_dialogs() if one.id == MARTA)
        assert dialog.draft.raw_text == "half a thou"
        assert await all_.nora(functions.messages.ClearAllDraftsRequest())
        assert (await phone(functions.messages.GetAllDraftsRequest())).updates == []


@pytest.mark.operation("messages.sendMessage: clear_draft", "the other session hears an empty draft, or keeps its own")
async def test_sending_clears_the_draft_only_if_asked():
    async with company() as all_, client_of(all_.server, NORA) as phone:
        await phone.get_me()
        marta = await person(all_.nora, MARTA)
        await all_.nora(functions.messages.SaveDraftRequest(marta, "mine"))
        await round_trip(phone)
        inbox = raw(phone)
        await send(all_.nora, marta, "sent by the agent")
        assert len((await phone(functions.messages.GetAllDraftsRequest())).updates) == 1
        await all_.nora(functions.messages.SendMessageRequest(marta, "sent by hand", clear_draft=True))
        assert isinstance((await inbox.next_of(types.UpdateDraftMessage)).draft, types.DraftMessageEmpty)
        assert (await phone(functions.messages.GetAllDraftsRequest())).updates == []


@pytest.mark.operation("account.updateNotifySettings: chat", "the other session hears until when it is muted")
@pytest.mark.operation("account.getNotifySettings", "the other session gets what the first has set")
async def test_muting_a_chat():
    async with company() as all_, client_of(all_.server, NORA) as phone:
        await phone.get_me()
        inbox = raw(phone)
        peer = types.InputNotifyPeer(all_.group)
        muted = types.InputPeerNotifySettings(mute_until=LATER, show_previews=False)
        await all_.nora(functions.account.UpdateNotifySettingsRequest(peer, muted))
        heard = await inbox.next_of(types.UpdateNotifySettings)
        assert (heard.peer.peer, heard.notify_settings.mute_until) == (types.PeerChat(all_.chat_id), LATER)
        seen = await phone(functions.account.GetNotifySettingsRequest(peer))
        assert (seen.mute_until, seen.show_previews) == (LATER, False)
        silent = types.InputPeerNotifySettings(silent=True)
        await all_.nora(functions.account.UpdateNotifySettingsRequest(peer, silent))
        seen = await phone(functions.account.GetNotifySettingsRequest(peer))
        assert (seen.mute_until, seen.silent) == (LATER, True)
        (dialog,) = [one for one in await phone.get_dialogs() if one.is_group]
        assert dialog.dialog.notify_settings.mute_until == LATER


@pytest.mark.operation("account.updateNotifySettings: all groups", "the other session gets the default; others do not")
@pytest.mark.operation("account.resetNotifySettings", "the other session finds everything as at first")
async def test_muting_all_groups():
    async with company() as all_, client_of(all_.server, NORA) as phone:
        await phone.get_me()
        muted = types.InputPeerNotifySettings(mute_until=LATER)
        await all_.nora(functions.account.UpdateNotifySettingsRequest(types.InputNotifyChats(), muted))

        async def defaults(client, scope):
            return (await client(functions.account.GetNotifySettingsRequest(scope))).mute_until

        assert await defaults(phone, types.InputNotifyChats()) == LATER
        assert await defaults(phone, types.InputNotifyUsers()) is None
        assert await defaults(all_.ben, types.InputNotifyChats()) is None
        await all_.nora(functions.account.ResetNotifySettingsRequest())
        assert await defaults(phone, types.InputNotifyChats()) is None


@pytest.mark.operation("messages.deleteHistory: for oneself", "the partner keeps the chat")
@pytest.mark.operation("messages.deleteHistory: revoke", "the partner's chat is gone too")
@pytest.mark.operation("messages.deleteHistory: max_id, just_clear", "the newer words stay, the chat stays listed")
async def test_deleting_a_history():
    async with company() as all_:
        marta, nora = await person(all_.nora, MARTA), await person(all_.marta, NORA)
        ids = [(await send(all_.nora, marta, f"line {n}")).id for n in range(4)]
        answer = await all_.nora(functions.messages.DeleteHistoryRequest(marta, max_id=ids[1]))
        assert (answer.pts_count, answer.offset) == (2, 0)
        assert [one.id for one in await all_.nora.get_messages(marta, limit=9)] == [ids[3], ids[2]]
        assert len(await all_.marta.get_messages(nora, limit=9)) == 4
        await all_.nora(functions.messages.DeleteHistoryRequest(marta, max_id=0, revoke=True))
        assert [one.raw_text for one in await all_.marta.get_messages(nora, limit=9)] == ["line 1", "line 0"]
        assert MARTA not in [one.id for one in await all_.nora.get_dialogs()]
        await all_.marta(functions.messages.DeleteHistoryRequest(nora, max_id=0, just_clear=True))
        (left,) = await all_.marta.get_messages(nora, limit=9)
        assert left.action == types.MessageActionHistoryClear()
        await round_trip(all_.marta)
        assert NORA in [one.id for one in await all_.marta.get_dialogs()]
