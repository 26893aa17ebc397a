"""Passwords (SRP): asked for after the code and after a QR code."""

from dataclasses import replace

import pytest
from telethon import errors, functions, password, types
from telethon.sessions import StringSession

from chimein_gui.sandbox.sign_in.passwords import Password
from tests.sandbox.clients import NEWS, NORA, sandbox
from tests.sandbox.logins import GUARDED, HINT, PASSWORD, PHONE, arriving, log_in


async def ask_for_password(client, server):
    """Log in by code as far as it goes."""
    await client.send_code_request(PHONE)
    with pytest.raises(errors.SessionPasswordNeededError):
        await client.sign_in(PHONE, server.last_code(PHONE))


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


@pytest.mark.operation("second factor after a server restart", "the restarted server asks for the changed password")
async def test_passwords_survive_a_restart(state_dir):
    async with sandbox(state_dir, GUARDED) as server:
        server._around.sign_in.passwords.set(NORA, Password.of("changed words"))
    async with sandbox(state_dir, GUARDED) as server, arriving(server, StringSession()) as client:
        await ask_for_password(client, server)
        assert (await client.sign_in(password="changed words")).id == NORA
        server._around.sign_in.passwords.set(NORA, None)
    async with sandbox(state_dir, GUARDED) as server, arriving(server) as client:
        assert (await log_in(client, server)).id == NORA


async def test_a_seeds_password_is_not_in_the_state(state_dir):
    async with sandbox(state_dir, GUARDED):
        pass
    stored = b"".join(path.read_bytes() for path in state_dir.rglob("*") if path.is_file())
    assert PASSWORD.encode() not in stored
    assert HINT.encode() in stored
    assert replace(NEWS.accounts[0]).password == ""
