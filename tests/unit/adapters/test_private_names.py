"""Every private name of a library that an adapter uses looks as it did; another version fails here, by name."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from telethon.network import MTProtoSender

from tests.unit.adapters import private_names

ANEW = "look at what has changed, then run `python -m tests.unit.adapters.private_names`"


def test_they_look_as_they_did() -> None:
    pinned: dict[str, str] = json.loads(private_names.PINNED.read_text(encoding="utf-8"))
    found = private_names.collect()
    changed = {
        name: (pinned.get(name, "not used"), found.get(name, "not used, or gone"))
        for name in pinned.keys() | found.keys()
        if pinned.get(name) != found.get(name)
    }
    assert not changed, f"{ANEW}: {changed}"
    assert not [name for name, looks in found.items() if looks == "gone"]


def test_each_kind_of_name_is_seen() -> None:
    assert private_names.collect().keys() >= {
        "telethon.network.mtprotosender.MTProtoSender._start_reconnect",  # called
        "telethon.client.telegrambaseclient.TelegramBaseClient._message_box",  # replaced
        "telethon.client.updates.UpdateMethods._update_loop",  # overridden
        "telethon._updates.messagebox.MessageBox.apply_difference",  # overridden, in a private module
        "telethon.sessions.sqlite.SQLiteSession._conn",  # read in a class derived from it
        "telethon._updates.messagebox.PtsInfo",  # imported
        "telethon.crypto.rsa._compute_fingerprint",
        "google.genai._transformers.t_model",
        "google.genai._api_client.BaseApiClient._async_retry",
        "httpcore2.AsyncConnectionPool._network_backend",
    }


@pytest.fixture
def another_telethon(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Take a method from Telethon, and give another one an argument more."""
    caches = (private_names.names_of, private_names._own_names_of)
    monkeypatch.delattr(MTProtoSender, "_start_reconnect")
    monkeypatch.setattr(MTProtoSender, "_try_gen_auth_key", lambda _self, _attempt, _more: None)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


def test_what_is_gone_or_changed_is_told(another_telethon: None) -> None:
    found = private_names.collect()
    assert found["?._start_reconnect"] == "gone"
    assert found["telethon.network.mtprotosender.MTProtoSender._try_gen_auth_key"] == "(_self, _attempt, _more)"
