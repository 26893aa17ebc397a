"""Contacts, names, privacy, presence: how people look to each other."""

import pytest
from telethon import errors, functions, types

from chimein_gui.engine.sandbox_port import SandboxRefusedError
from chimein_gui.sandbox.records import User
from tests.sandbox.clients import MARTA, NORA, client_of, marta_for, sandbox, send
from tests.sandbox.company import BEN, NAMES, OTTO, company, person, raw

GLOBAL = types.GlobalPrivacySettings(new_noncontact_peers_require_premium=True)


async def _set_rule(client, key, *rules):
    return await client(functions.account.SetPrivacyRequest(key, list(rules)))


@pytest.mark.operation("contacts.addContact", "the other session lists the contact under the chosen name")
@pytest.mark.operation("contacts.deleteContacts", "the other session lists it no longer")
async def test_adding_and_deleting_a_contact():
    async with company() as all_, client_of(all_.server, NORA) as phone:
        await phone.get_me()
        inbox = raw(phone)
        otto = await person(all_.nora, OTTO)
        await all_.nora(functions.contacts.AddContactRequest(otto, "Otto", "from the lake", phone=""))
        assert (await inbox.next_of(types.UpdatePeerSettings)).peer.user_id == OTTO
        listed = {user.id: user for user in (await phone(functions.contacts.GetContactsRequest(0))).users}
        assert (listed[OTTO].last_name, listed[OTTO].mutual_contact) == ("from the lake", False)
        assert (await all_.ben.get_entity(NAMES[OTTO])).last_name == "Lind"
        await all_.nora(functions.contacts.DeleteContactsRequest([otto]))
        left = {user.id for user in (await phone(functions.contacts.GetContactsRequest(0))).users}
        assert left == {MARTA, BEN}


@pytest.mark.operation("contacts.importContacts", "who has the number is a contact; numbers of nobody are passed over")
@pytest.mark.operation("contacts.resolvePhone", "the owner of the number is found, unless they hide")
async def test_contacts_by_phone_number():
    async with company() as all_:
        wanted = [
            types.InputPhoneContact(1, "+999 66 25002", "Otto", ""),
            types.InputPhoneContact(2, "+99966 00000", "Nobody", ""),
        ]
        answer = await all_.ben(functions.contacts.ImportContactsRequest(wanted))
        assert [(one.user_id, one.client_id) for one in answer.imported] == [(OTTO, 1)]
        assert all_.world.directory.is_contact(BEN, OTTO)
        found = await all_.ben(functions.contacts.ResolvePhoneRequest("9996625002"))
        assert found.users[0].id == OTTO
        await _set_rule(all_.otto, types.InputPrivacyKeyAddedByPhone(), types.InputPrivacyValueDisallowAll())
        with pytest.raises(errors.PhoneNotOccupiedError):
            await all_.marta(functions.contacts.ResolvePhoneRequest("9996625002"))


@pytest.mark.operation("contacts.search", "contacts by name, strangers by username")
async def test_searching_people():
    async with company() as all_:
        found = await all_.nora(functions.contacts.SearchRequest("marta", 10))
        assert [one.user_id for one in found.my_results] == [MARTA]
        found = await all_.nora(functions.contacts.SearchRequest("@otto_l", 10))
        assert ([one.user_id for one in found.results], found.my_results) == ([OTTO], [])


@pytest.mark.operation("account.setPrivacy: phone number", "contacts see it, strangers do not; exceptions hold")
@pytest.mark.operation("account.getPrivacy", "the other session gets the rules and hears of the change")
async def test_who_sees_a_phone_number():
    async with company() as all_, client_of(all_.server, NORA) as phone:
        await phone.get_me()
        inbox = raw(phone)
        assert (await all_.marta.get_entity(NAMES[NORA])).phone == "9996621001"
        assert (await all_.otto.get_entity(NAMES[NORA])).phone is None
        key = types.InputPrivacyKeyPhoneNumber()
        otto = await person(all_.nora, OTTO)
        allowed = types.InputPrivacyValueAllowUsers([types.InputUser(otto.user_id, otto.access_hash)])
        await _set_rule(all_.nora, key, allowed, types.InputPrivacyValueDisallowAll())
        heard = await inbox.next_of(types.UpdatePrivacy)
        assert heard.rules == [types.PrivacyValueAllowUsers([OTTO]), types.PrivacyValueDisallowAll()]
        assert (await all_.otto.get_entity(NAMES[NORA])).phone == "9996621001"
        assert (await all_.marta.get_entity(NAMES[NORA])).phone is None
        rules = (await phone(functions.account.GetPrivacyRequest(key))).rules
        assert rules == heard.rules


@pytest.mark.operation(
    "account.setGlobalPrivacySettings", "a stranger is refused (PRIVACY_PREMIUM_REQUIRED), others not"
)
async def test_people_who_want_no_letters_from_strangers():
    async with company() as all_:
        await all_.nora(functions.account.SetGlobalPrivacySettingsRequest(GLOBAL))
        nora = await person(all_.otto, NORA)
        assert (await all_.otto.get_entity(NAMES[NORA])).contact_require_premium
        with pytest.raises(errors.RPCError, match="PRIVACY_PREMIUM_REQUIRED"):
            await send(all_.otto, nora, "You don't know me")
        await send(all_.marta, await person(all_.marta, NORA), "But me you know")
        assert [one.name for one in await all_.nora.get_dialogs() if one.is_user] == ["Marta Oliveira"]
        wanted = functions.users.GetRequirementsToContactRequest([types.InputUser(nora.user_id, nora.access_hash)])
        assert await all_.otto(wanted) == [types.RequirementToContactPremium()]
        await send(all_.nora, await person(all_.nora, OTTO), "Who are you?")
        assert await all_.otto(wanted) == [types.RequirementToContactEmpty()]
        assert (await send(all_.otto, nora, "Otto, from the ferry")).id


@pytest.mark.operation("account.updateProfile", "contacts hear the new name and read the text about them")
@pytest.mark.operation("account.updateUsername", "others find the new name, the old one is free")
async def test_changing_names():
    async with company() as all_:
        inbox = raw(all_.nora)
        await all_.marta(functions.account.UpdateProfileRequest("Marta", "Sol", about="Plums and boats"))
        heard = await inbox.next_of(types.UpdateUserName)
        assert (heard.user_id, heard.last_name) == (MARTA, "Sol")
        full = await all_.nora(functions.users.GetFullUserRequest(await person(all_.nora, MARTA)))
        assert (full.users[0].last_name, full.full_user.about) == ("Sol", "Plums and boats")
        await all_.marta(functions.account.UpdateUsernameRequest("marta_sol_box"))
        found = await all_.ben(functions.contacts.ResolveUsernameRequest("Marta_Sol_Box"))
        assert found.users[0].id == MARTA
        with pytest.raises(errors.UsernameNotOccupiedError):
            await all_.ben(functions.contacts.ResolveUsernameRequest(NAMES[MARTA]))
        with pytest.raises(errors.UsernameOccupiedError):
            await all_.ben(functions.account.UpdateUsernameRequest("marta_sol_box"))


@pytest.mark.operation("account.updateStatus", "contacts hear who comes and goes; those who may not see it do not")
async def test_presence():
    async with company() as all_:
        inbox = raw(all_.nora)
        await all_.marta(functions.account.UpdateStatusRequest(offline=False))
        heard = await inbox.next_of(types.UpdateUserStatus)
        assert (heard.user_id, type(heard.status)) == (MARTA, types.UserStatusOnline)
        await all_.marta(functions.account.UpdateStatusRequest(offline=True))
        assert isinstance((await inbox.next_of(types.UpdateUserStatus)).status, types.UserStatusOffline)
        assert isinstance((await all_.ben.get_entity(NAMES[MARTA])).status, types.UserStatusOffline)
        key = types.InputPrivacyKeyStatusTimestamp()
        await _set_rule(all_.marta, key, types.InputPrivacyValueAllowContacts(), types.InputPrivacyValueDisallowAll())
        assert isinstance((await all_.ben.get_entity(NAMES[MARTA])).status, types.UserStatusRecently)
        statuses = await all_.nora(functions.contacts.GetStatusesRequest())
        assert {one.user_id: type(one.status) for one in statuses}[MARTA] is types.UserStatusOffline


@pytest.mark.operation("a deleted account", "a former partner sees no name and is refused; the history stays")
async def test_a_deleted_account():
    async with company() as all_:
        marta = await person(all_.nora, MARTA)
        await send(all_.marta, await person(all_.marta, NORA), "Farewell")
        all_.world.directory.delete(MARTA)
        (dialog,) = [one for one in await all_.nora.get_dialogs() if one.is_user]
        assert (dialog.entity.deleted, dialog.entity.first_name, dialog.entity.username) == (True, None, None)
        assert [one.raw_text for one in await all_.nora.get_messages(marta, limit=5)] == ["Farewell"]
        with pytest.raises(errors.InputUserDeactivatedError):
            await send(all_.nora, marta, "Where did you go?")


@pytest.mark.operation("a bot as a user", "a client sees that it is one, and can write to it")
async def test_a_bot():
    async with company() as all_:
        bot = User(MARTA + 50, "Ferry times", "", "", "ferry_times_bot", is_partner=True, is_bot=True)
        all_.world.add_user(bot)
        seen = await all_.nora.get_entity("ferry_times_bot")
        assert (seen.bot, seen.phone) == (True, None)
        await send(all_.nora, seen, "/start")
        (delivery,) = await all_.server.console.mailbox(bot.user_id)
        assert delivery.text == "/start"


@pytest.mark.operation("messages.getPeerSettings", "strangers come with buttons, contacts without")
async def test_buttons_above_a_strangers_chat():
    async with company() as all_:
        wanted = functions.messages.GetPeerSettingsRequest
        stranger = await all_.nora(wanted(await person(all_.nora, OTTO)))
        assert (stranger.settings.add_contact, stranger.settings.report_spam) == (True, True)
        known = await all_.nora(wanted(await person(all_.nora, MARTA)))
        assert not known.settings.add_contact


@pytest.mark.parametrize(
    ("text", "words"), [("", "empty"), (" \n\t", "empty"), ("x" * 4097, "at most 4,096"), ("a\ud800", "half a char")]
)
async def test_what_no_client_could_send_partners_do_not_say(text, words):
    async with sandbox() as server:
        with pytest.raises(SandboxRefusedError, match=words):
            await server.console.speak(MARTA, NORA, text)
        with pytest.raises(SandboxRefusedError, match=words):
            await server.console.speak_many([(MARTA, NORA, "kept back"), (MARTA, NORA, text)])
        async with client_of(server, NORA) as nora:
            assert await nora.get_dialogs() == []
            await server.console.speak(MARTA, NORA, "😀" * 2048)
            assert len(await nora.get_messages(await marta_for(nora))) == 1
