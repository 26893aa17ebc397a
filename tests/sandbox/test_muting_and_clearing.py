"""What an account decides about a chat: muted, cleared; the same on all its devices."""

from datetime import UTC, datetime

import pytest
from telethon import functions, types

from tests.sandbox.clients import MARTA, NORA, client_of, round_trip, send
from tests.sandbox.company import company, person, raw

LATER = datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)


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
