"""Passwords (SRP): asked for after the code and after a QR code, changed and taken away."""

from dataclasses import replace

import pytest
from telethon import errors, functions, password, types
from telethon.sessions import StringSession

from tests.sandbox.clients import NEWS, NORA, client_of, sandbox
from tests.sandbox.logins import GUARDED, HINT, PASSWORD, PHONE, arriving, log_in


async def ask_for_password(client, server):
    """Log in by code as far as it goes."""
    await client.send_code_request(PHONE)
    with pytest.raises(errors.SessionPasswordNeededError):
        await client.sign_in(PHONE, server.last_code(PHONE))


@pytest.mark.operation("auth.checkPassword after a code", "the account's other session lists the new one only then")
async def test_the_password_is_asked_for_after_the_code():
    async with sandbox(seed=GUARDED) as server, client_of(server, NORA) as other, arriving(server) as client:
        await ask_for_password(client, server)
        assert not await client.is_user_authorized()
        assert len((await other(functions.account.GetAuthorizationsRequest())).authorizations) == 1
        asked = await client(functions.account.GetPasswordRequest())
        assert (asked.has_password, asked.hint) == (True, HINT)
        assert (await client.sign_in(password=PASSWORD)).id == NORA
        assert await client.is_user_authorized()
        assert len((await other(functions.account.GetAuthorizationsRequest())).authorizations) == 2


@pytest.mark.operation("TelegramClient.start with code and password", "the server knows the key as Nora's")
async def test_start_asks_for_code_and_password(capsys):
    async with sandbox(seed=GUARDED) as server, arriving(server) as client:
        await client.start(phone=PHONE, code_callback=lambda: server.last_code(PHONE), password=lambda: PASSWORD)
        assert (await client.get_me()).id == NORA
        assert capsys.readouterr().out


@pytest.mark.operation("auth.checkPassword: wrong, stale and foreign proofs", "the key stays without a login")
async def test_a_wrong_password_does_not_log_in():
    async with sandbox(seed=GUARDED) as server, arriving(server) as client:
        with pytest.raises(errors.AuthKeyUnregisteredError):
            await client(functions.account.GetPasswordRequest())
        await ask_for_password(client, server)
        with pytest.raises(errors.PasswordHashInvalidError):
            await client.sign_in(password="eight plums")
        proof = password.compute_check(await client(functions.account.GetPasswordRequest()), PASSWORD)
        for wrong in (
            types.InputCheckPasswordSRP(proof.srp_id + 1, proof.A, proof.M1),
            types.InputCheckPasswordSRP(0, proof.A, proof.M1),
        ):
            with pytest.raises(errors.SrpIdInvalidError):
                await client(functions.auth.CheckPasswordRequest(wrong))
        for wrong in (bytes(256), (1).to_bytes(256, "big")):
            asked = await client(functions.account.GetPasswordRequest())
            with pytest.raises(errors.PasswordHashInvalidError):
                await client(
                    functions.auth.CheckPasswordRequest(types.InputCheckPasswordSRP(asked.srp_id, wrong, proof.M1))
                )
        with pytest.raises(errors.PasswordHashInvalidError):
            await client(functions.auth.CheckPasswordRequest(types.InputCheckPasswordEmpty()))
        assert not await client.is_user_authorized()
        await client(functions.auth.CheckPasswordRequest(proof))
        assert (await client.get_me()).id == NORA
        with pytest.raises(errors.RPCError):
            await client(functions.auth.CheckPasswordRequest(proof))


async def test_who_owes_no_password_can_not_give_one():
    async with sandbox(seed=GUARDED) as server, arriving(server) as client:
        with pytest.raises(errors.AuthKeyUnregisteredError):
            await client(functions.auth.CheckPasswordRequest(types.InputCheckPasswordSRP(1, bytes(256), bytes(32))))


@pytest.mark.operation("account.updatePasswordSettings: set, change, take away", "each next login asks accordingly")
async def test_a_password_is_set_changed_and_taken_away():
    async with sandbox() as server, client_of(server, NORA) as nora:
        assert not (await nora(functions.account.GetPasswordRequest())).has_password
        assert await nora.edit_2fa(new_password="first words", hint="one")
        async with arriving(server) as client:
            await ask_for_password(client, server)
            assert (await client.sign_in(password="first words")).id == NORA
        with pytest.raises(errors.PasswordHashInvalidError):
            await nora.edit_2fa(current_password="wrong words", new_password="other")
        assert await nora.edit_2fa(current_password="first words", new_password="second words", hint="two")
        async with arriving(server) as client:
            await ask_for_password(client, server)
            with pytest.raises(errors.PasswordHashInvalidError):
                await client.sign_in(password="first words")
            assert (await client(functions.account.GetPasswordRequest())).hint == "two"
            assert (await client.sign_in(password="second words")).id == NORA
        assert await nora.edit_2fa(current_password="second words")
        async with arriving(server) as client:
            assert (await log_in(client, server)).id == NORA


async def test_new_salts_have_to_be_the_servers():
    async with sandbox() as server, client_of(server, NORA) as nora:
        offered = (await nora(functions.account.GetPasswordRequest())).new_algo
        settings = types.account.PasswordInputSettings(
            new_algo=replace_salt(offered, b"of my own"), new_password_hash=b"\1" * 256, hint=""
        )
        with pytest.raises(errors.NewSaltInvalidError):
            await nora(functions.account.UpdatePasswordSettingsRequest(types.InputCheckPasswordEmpty(), settings))
        assert not (await nora(functions.account.GetPasswordRequest())).has_password


def replace_salt(algorithm, salt):
    return type(algorithm)(salt, algorithm.salt2, algorithm.g, algorithm.p)


@pytest.mark.operation("second factor after a server restart", "the restarted server asks for the changed password")
async def test_passwords_survive_a_restart(state_dir):
    async with sandbox(state_dir, GUARDED) as server, client_of(server, NORA) as nora:
        await nora.edit_2fa(current_password=PASSWORD, new_password="changed words")
    async with sandbox(state_dir, GUARDED) as server, arriving(server, StringSession()) as client:
        await ask_for_password(client, server)
        assert (await client.sign_in(password="changed words")).id == NORA
        await client.edit_2fa(current_password="changed words")
    async with sandbox(state_dir, GUARDED) as server, arriving(server) as client:
        assert (await log_in(client, server)).id == NORA


async def test_a_seeds_password_is_not_in_the_state(state_dir):
    async with sandbox(state_dir, GUARDED):
        pass
    stored = b"".join(path.read_bytes() for path in state_dir.rglob("*") if path.is_file())
    assert PASSWORD.encode() not in stored
    assert HINT.encode() in stored
    assert replace(NEWS.accounts[0]).password == ""
