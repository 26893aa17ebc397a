"""Names of methods: Telegram's own notation for Telethon's classes, and the model's."""

import difflib
import inspect
from functools import cache
from typing import Any

from chimein_gui.sandbox.wire.tl import functions

MODEL_METHODS = frozenset({"generateContent", "countTokens", "embedContent", "batchEmbedContents", "listModels"})


@cache
def method_name(request_type: type) -> str:
    """Return Telegram's name of a request: ``messages.sendMessage`` for `messages.SendMessageRequest`."""
    scope = request_type.__module__.removeprefix(functions.__name__).removeprefix(".")
    bare = request_type.__name__.removesuffix("Request")
    name = bare[:1].lower() + bare[1:]
    return f"{scope}.{name}" if scope else name


@cache
def telegram_methods() -> frozenset[str]:
    """Return all methods of this layer except those that only wrap another, which are looked through."""
    scopes = [scope for _, scope in inspect.getmembers(functions, inspect.ismodule)]
    requests = [one for scope in scopes for _, one in inspect.getmembers(scope, inspect.isclass)]
    found: list[Any] = [one for one in requests if one.__name__.endswith("Request")]
    return frozenset(method_name(one) for one in found)


_WRITES = ("messages.send", "messages.edit", "messages.delete", "messages.forward", "messages.setTyping", "contacts.")
_READS = frozenset({"contacts.getBlocked", "contacts.getContacts", "contacts.resolveUsername", "contacts.search"})


def writes(method: str) -> bool:
    """Return whether others can see the effect of a Telegram call, so that a frozen account may not make it."""
    return method.startswith(_WRITES) and method not in _READS


def nearest(name: str, known: frozenset[str]) -> str:
    """Return the known name that is most similar to `name`, ignoring case; empty if none is."""
    by_lower = {one.lower(): one for one in sorted(known)}
    found = difflib.get_close_matches(name.lower(), by_lower, n=1)
    return by_lower[found[0]] if found else ""
