"""The key exchange, with the unmodified client and by hand."""

import struct

import pytest
from telethon import errors, functions
from telethon.crypto import Factorization, rsa
from telethon.extensions import BinaryReader
from telethon.sessions import StringSession

from chimein_gui.sandbox.wire.handshake import KeyExchange
from chimein_gui.sandbox.wire.server_key import ServerKey
from tests.sandbox.clients import sandbox
from tests.sandbox.logins import arriving, newcomer


@pytest.mark.operation("req_pq_multi, req_DH_params, set_client_DH_params", "the server opens what the key seals")
async def test_a_client_without_a_key_gets_one_and_is_not_logged_in():
    async with sandbox() as server, arriving(server) as client:
        assert len(client.session.auth_key.key) == 256
        assert (await client(functions.help.GetNearestDcRequest())).this_dc == 2
        with pytest.raises(errors.AuthKeyUnregisteredError):
            await client(functions.updates.GetStateRequest())


@pytest.mark.operation("exchanged key after a server restart", "the restarted server knows it, with another RSA key")
async def test_an_exchanged_key_survives_a_restart_and_the_rsa_key_does_not(state_dir):
    session = StringSession()
    async with sandbox(state_dir) as server, arriving(server, session):
        first = server.telegram_public_key()
    stored = b"".join(path.read_bytes() for path in state_dir.rglob("*") if path.is_file())
    assert b"PRIVATE KEY" not in stored  # three letters alone stand among random bytes now and then
    assert b"PUBLIC KEY" not in stored
    modulus = rsa.rsa.PublicKey.load_pkcs1(first).n
    assert modulus.to_bytes(256, "big") not in stored
    assert modulus.to_bytes(256, "little") not in stored
    async with sandbox(state_dir) as server:
        assert server.telegram_public_key() != first
        async with arriving(server, session) as client:
            assert (await client(functions.help.GetNearestDcRequest())).this_dc == 2


async def test_two_clients_get_keys_of_their_own():
    async with sandbox() as server, arriving(server) as one, arriving(server) as other:
        assert one.session.auth_key.key != other.session.auth_key.key


async def test_a_client_that_does_not_trust_the_key_gets_none(expected_logs):
    expected_logs(r"WARNING telethon.*new auth_key failed.*could not find a valid key")
    async with sandbox() as server:
        client = newcomer(server)
        with pytest.raises(ConnectionError, match="auth_key generation failed"):
            await client.connect()
        assert not client.session.auth_key


async def test_the_client_always_finds_the_factors():
    """Of two factors alike in size Telethon finds 1 and the product now and then; then the exchange would end here."""
    exchange = KeyExchange(ServerKey(), adopt=lambda _key: True)
    for nonce in range(200):
        question = bytes(functions.ReqPqMultiRequest(nonce))
        reader = BinaryReader(exchange.answer(struct.pack("<qqi", 0, 1, len(question)) + question)[20:])
        product = int.from_bytes(reader.tgread_object().pq, "big")
        small, large = Factorization.factorize(product)
        assert small * large == product < 2**63
        assert 2**15 < small < 2**16 < 2**45 < large < 2**46
