"""The key exchange, with the unmodified client and by hand."""

import os
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha1
from logging import getLogger

import pytest
from telethon import errors, functions, types
from telethon.crypto import AES, AuthKey, Factorization, rsa
from telethon.errors import InvalidBufferError
from telethon.extensions import BinaryReader
from telethon.helpers import generate_key_data_from_nonce
from telethon.network import ConnectionTcpIntermediate
from telethon.network.mtprotoplainsender import MTProtoPlainSender
from telethon.sessions import StringSession

from chimein_gui.sandbox.wire.handshake import KeyExchange
from chimein_gui.sandbox.wire.server_key import ServerKey
from tests.sandbox.clients import sandbox
from tests.sandbox.logins import arriving, newcomer, trusted
from tests.sandbox.raw_client import NoLoggers


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


async def test_trust_ends_with_the_test():
    async with sandbox() as server:
        before = dict(rsa._server_keys)
        with trusted(server):
            assert len(rsa._server_keys) == len(before) + 1
        assert rsa._server_keys == before


class Exchange:
    """The client's side by hand, so that a step can go wrong."""

    def __init__(self, sender: MTProtoPlainSender) -> None:
        self.sender = sender
        self.new_nonce = int.from_bytes(os.urandom(32), "little", signed=True)

    async def begin(self, pem: bytes) -> None:
        self.pq = await self.sender.send(functions.ReqPqMultiRequest(int.from_bytes(os.urandom(16), "little") >> 1))
        assert self.pq.pq[0] < 128
        pq = int.from_bytes(self.pq.pq, "big")
        self.p, self.q = (rsa.get_byte_array(one) for one in Factorization.factorize(pq))
        self.key = rsa.rsa.PublicKey.load_pkcs1(pem)
        assert self.pq.server_public_key_fingerprints == [rsa._compute_fingerprint(self.key)]

    async def offer(self, **changes):
        inner = types.PQInnerData(self.pq.pq, self.p, self.q, self.pq.nonce, self.pq.server_nonce, self.new_nonce)
        data = bytes(inner)
        content = sha1(data).digest() + data + os.urandom(235 - len(data))
        sealed = pow(int.from_bytes(content, "big"), self.key.e, self.key.n).to_bytes(256, "big")
        fields = {
            "nonce": self.pq.nonce,
            "server_nonce": self.pq.server_nonce,
            "p": self.p,
            "q": self.q,
            "public_key_fingerprint": self.pq.server_public_key_fingerprints[0],
            "encrypted_data": sealed,
        }
        self.answer = await self.sender.send(functions.ReqDHParamsRequest(**fields | changes))
        self.aes = generate_key_data_from_nonce(self.pq.server_nonce, self.new_nonce)
        reader = BinaryReader(AES.decrypt_ige(self.answer.encrypted_answer, *self.aes))
        reader.read(20)
        self.server = reader.tgread_object()
        self.prime = int.from_bytes(self.server.dh_prime, "big")
        self.g_a = int.from_bytes(self.server.g_a, "big")

    async def finish(self, g_b: int):
        inner = bytes(types.ClientDHInnerData(self.pq.nonce, self.pq.server_nonce, 0, g_b.to_bytes(256, "big")))
        hashed = sha1(inner).digest() + inner
        sealed = AES.encrypt_ige(hashed + os.urandom(-len(hashed) % 16), *self.aes)
        return await self.sender.send(functions.SetClientDHParamsRequest(self.pq.nonce, self.pq.server_nonce, sealed))

    def exponent_with(self, *, short_key: bool) -> tuple[int, bytes]:
        """Find an exponent whose shared key starts with a zero byte, or does not."""
        b = int.from_bytes(os.urandom(255), "big")
        shared = pow(self.g_a, b, self.prime)
        while (shared.bit_length() <= 2040) != short_key:
            b, shared = b + 1, shared * self.g_a % self.prime
        return b, shared.to_bytes((shared.bit_length() + 7) // 8, "big")


@asynccontextmanager
async def exchanging() -> AsyncIterator[Exchange]:
    async with sandbox() as server:
        connection = ConnectionTcpIntermediate("127.0.0.1", server.addresses.telegram_port, 2, loggers=_Loggers())
        await connection.connect()
        try:
            it = Exchange(MTProtoPlainSender(connection, loggers=NoLoggers()))
            await it.begin(server.telegram_public_key())
            yield it
        finally:
            await connection.disconnect()


class _Loggers(dict):
    def __missing__(self, key):
        return getLogger("telethon.test")


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


async def test_a_key_that_is_too_short_is_asked_for_again():
    async with exchanging() as exchange:
        await exchange.offer()
        b, short = exchange.exponent_with(short_key=True)
        retry = await exchange.finish(pow(3, b, exchange.prime))
        assert isinstance(retry, types.DhGenRetry)
        assert retry.new_nonce_hash2 == AuthKey(short).calc_new_nonce_hash(exchange.new_nonce, 2)
        b, key = exchange.exponent_with(short_key=False)
        done = await exchange.finish(pow(3, b, exchange.prime))
        assert isinstance(done, types.DhGenOk)
        assert done.new_nonce_hash1 == AuthKey(key).calc_new_nonce_hash(exchange.new_nonce, 1)


@pytest.mark.parametrize("power", [0, 1, 2**1900], ids=["zero", "one", "small"])
async def test_a_power_that_is_a_trick_is_refused(power):
    async with exchanging() as exchange:
        await exchange.offer()
        with pytest.raises(InvalidBufferError) as caught:
            await exchange.finish(power)
        assert caught.value.code == 404


@pytest.mark.parametrize(
    "changes",
    [{"p": b"\x03"}, {"nonce": 1}, {"server_nonce": 1}, {"public_key_fingerprint": 1}, {"encrypted_data": b"\1" * 256}],
    ids=lambda changes: next(iter(changes)),
)
async def test_a_wrong_step_is_refused(changes):
    async with exchanging() as exchange:
        with pytest.raises(InvalidBufferError) as caught:
            await exchange.offer(**changes)
        assert caught.value.code == 404


async def test_the_last_step_alone_is_refused():
    async with exchanging() as exchange:
        exchange.aes = generate_key_data_from_nonce(exchange.pq.server_nonce, exchange.new_nonce)
        with pytest.raises(InvalidBufferError):
            await exchange.finish(2**2040)
