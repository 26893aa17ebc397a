"""What an account decides about a chat: muted, cleared; the same on all its devices."""

from datetime import UTC, datetime

import pytest
from telethon import functions, types

from tests.sandbox.clients import NORA, client_of
from tests.sandbox.company import company, raw

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
