"""Pins what the sandbox uses of Telethon, so that another version fails here, by name, and not deep inside."""

import json
from hashlib import sha1, sha256

import pytest
from telethon import helpers
from telethon.crypto import AuthKey, rsa
from telethon.network import authenticator, mtprotosender
from telethon.network.mtprotostate import MTProtoState

from tests.sandbox import tl_contract

ANEW = "run `python -m tests.sandbox.tl_contract` if that is meant to be"


@pytest.fixture(scope="module")
def pinned() -> dict:
    return json.loads(tl_contract.PINNED.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def found() -> dict:
    return tl_contract.collect()


def test_the_layer_is_the_pinned_one(pinned, found):
    assert found["layer"] == pinned["layer"], f"Telethon speaks another layer; {ANEW}"


def test_everything_that_is_used_looks_as_it_did(pinned, found):
    changed = [
        f"{name}: was {pinned['used'][name]}, is {now}"
        for name, now in found["used"].items()
        if name in pinned["used"] and pinned["used"][name] != now
    ]
    assert not changed, f"Telethon has changed; {ANEW}:\n" + "\n".join(changed)


def test_everything_that_is_used_exists_and_is_pinned(pinned, found):
    gone = [name for name, now in found["used"].items() if now == "gone"]
    assert not gone, f"not in this Telethon: {gone}"
    unpinned = sorted(set(found["used"]) - set(pinned["used"]))
    assert not unpinned, f"used and not pinned yet; {ANEW}: {unpinned}"


# -- internals that the sandbox builds on: not only their names, what they compute -------------------------------------

KEY = bytes(range(256))
MESSAGE_KEY = bytes(range(16))


@pytest.mark.parametrize(("from_client", "offset"), [(True, 0), (False, 8)])
def test_the_key_derivation_is_mtproto_2(from_client, offset):
    one = sha256(MESSAGE_KEY + KEY[offset : offset + 36]).digest()
    other = sha256(KEY[offset + 40 : offset + 76] + MESSAGE_KEY).digest()
    key, vector = MTProtoState._calc_key(KEY, MESSAGE_KEY, from_client)
    assert key == one[:8] + other[8:24] + one[24:]
    assert vector == other[:8] + one[8:24] + other[24:]


def test_the_temporary_key_of_an_exchange():
    server, new = (5).to_bytes(16, "little"), (7).to_bytes(32, "little")
    hashes = [sha1(part).digest() for part in (new + server, server + new, new + new)]
    key, vector = helpers.generate_key_data_from_nonce(5, 7)
    assert key == hashes[0] + hashes[1][:12]
    assert vector == hashes[1][12:] + hashes[2] + new[:4]


def test_the_proof_of_a_new_key():
    auxiliary, key_id = sha1(KEY).digest()[:8], sha1(KEY).digest()[-8:]
    assert AuthKey(KEY).key_id == int.from_bytes(key_id, "little")
    digest = sha1((9).to_bytes(32, "little") + b"\x02" + auxiliary).digest()
    assert AuthKey(KEY).calc_new_nonce_hash(9, 2) == int.from_bytes(digest[4:], "little", signed=True)


def test_the_exchange_asks_one_name_for_all_that_concerns_trust():
    """The sandbox's clients run it with another `rsa`; nothing of the real one may be reached by another way."""
    names = authenticator.do_authentication.__code__.co_names
    assert "rsa" in names
    assert {name for name in names if hasattr(rsa, name) and hasattr(authenticator.rsa, name)} >= {"encrypt"}
    assert not {"_server_keys", "add_key"} & set(names)
    assert authenticator.do_authentication.__closure__ is None


def test_the_sender_asks_one_method_for_its_key():
    names = mtprotosender.MTProtoSender._connect.__code__.co_names
    assert "_try_gen_auth_key" in names
    assert "authenticator" not in names


def test_the_trusted_keys_are_a_mapping_by_fingerprint():
    """What tests and their guards rely on to see that nothing is added for good."""
    assert all(isinstance(fingerprint, int) for fingerprint in rsa._server_keys)
    assert all(isinstance(old, bool) for _, old in rsa._server_keys.values())
