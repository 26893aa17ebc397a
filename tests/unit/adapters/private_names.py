"""The names of Telethon, google-genai and httpx2 that our adapters use although nobody has promised them.

Three kinds: private attributes (`client._sender`), methods of theirs that a class of ours overrides and that would
silently never be called under another name, and what lies in private modules.

`python -m tests.unit.adapters.private_names` writes down anew how they look, after a look at each that has changed.
"""

import ast
import functools
import importlib
import inspect
import json
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpcore2
import httpx2
from google import genai
from google.genai import _api_client
from telethon import TelegramClient
from telethon._updates import EntityCache, MessageBox
from telethon.crypto import rsa
from telethon.extensions import BinaryReader
from telethon.network import MTProtoSender
from telethon.network.connection.connection import Connection
from telethon.network.connection.tcpmtproxy import TcpMTProxy
from telethon.network.mtprotostate import MTProtoState
from telethon.sessions import SQLiteSession

ROOT = Path(__file__).parents[3]
SOURCES = tuple(ROOT / "chimein_gui" / "adapters" / name for name in ("telegram", "gemini"))
PINNED = Path(__file__).with_name("private_names.json")
VENDORS = ("telethon", "google", "httpx2", "httpcore2")

OWNERS: tuple[type | ModuleType, ...] = (
    TelegramClient,
    MTProtoSender,
    MTProtoState,
    Connection,
    TcpMTProxy,
    SQLiteSession,
    MessageBox,
    EntityCache,
    BinaryReader,
    rsa,
    genai.Client,
    _api_client.BaseApiClient,
    httpx2.AsyncHTTPTransport,
    httpcore2.AsyncConnectionPool,
)
"""Whose private names are used."""


def collect() -> dict[str, str]:
    """Return each name that is used, with whose it is, and how it looks in what is installed."""
    found: dict[str, str] = {}
    for source in SOURCES:
        for path in sorted(source.rglob("*.py")):
            found |= used_by(path)
    return found


def used_by(path: Path) -> dict[str, str]:
    """Return what one module of ours uses; what nobody has (any more) is "gone"."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    used = dict(_from_private_modules(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and _is_private(node.attr) and not _is_self(node.value):
            used |= _of_anybody(node.attr)
        elif isinstance(node, ast.ClassDef) and isinstance(ours := getattr(module, node.name, None), type):
            used |= _of_bases(ours, node)
    return used


def _of_anybody(name: str) -> dict[str, str]:
    """Return whose a private name is that was asked of something else than `self`: ruff lets nobody do so to ours."""
    found = {_place(owner, name): looks for owner in OWNERS if (looks := names_of(owner).get(name))}
    return found or {f"?.{name}": "gone"}


def _of_bases(ours: type, node: ast.ClassDef) -> dict[str, str]:
    """Return what a class of ours takes from, or overrides of, the classes of others that it is derived from."""
    bases = [base for base in ours.__mro__ if _is_theirs(base)]
    mentioned = {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute) and _is_self(one.value)}
    mentioned = {name for name in mentioned if _is_private(name)}
    mentioned |= {one.name for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)}
    found: dict[str, str] = {}
    for name in mentioned - {"__init__"}:
        for base in bases:
            if (looks := _own_names_of(base).get(name)) is not None:
                found[f"{base.__module__}.{base.__qualname__}.{name}"] = looks
                break
    return found


@functools.cache
def names_of(owner: type | ModuleType) -> dict[str, str]:
    """Return the private names of a class, of its bases, too, or of a module."""
    if isinstance(owner, ModuleType):
        return {name: _looks(one) for name, one in vars(owner).items() if _is_private(name)}
    found: dict[str, str] = {}
    for base in reversed([one for one in owner.__mro__ if _is_theirs(one)]):
        found |= {name: looks for name, looks in _own_names_of(base).items() if _is_private(name)}
    return found


@functools.cache
def _own_names_of(owner: type) -> dict[str, str]:
    """Return what a class itself defines, and the attributes that its methods give `self`."""
    functions = [one for one in vars(owner).values() if inspect.isfunction(one)]
    nodes = [node for one in functions for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(one))))]
    attributes = {one.attr for one in nodes if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store)}
    return dict.fromkeys(attributes, "attribute") | {name: _looks(one) for name, one in vars(owner).items()}


def _looks(one: Any) -> str:
    if isinstance(one, staticmethod | classmethod):
        one = one.__func__
    return f"({', '.join(inspect.signature(one).parameters)})" if inspect.isfunction(one) else "attribute"


def _from_private_modules(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Iterate over what comes from, or is asked of, a module that is private."""
    modules: dict[str, str] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or not node.module or node.module.partition(".")[0] not in VENDORS:
            continue
        for alias in node.names:
            whole = f"{node.module}.{alias.name}"
            if _is_private(alias.name):
                modules[alias.asname or alias.name] = whole
            elif any(map(_is_private, node.module.split("."))):
                yield whole, _seen(node.module, alias.name)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            yield f"{modules[node.value.id]}.{node.attr}", _seen(modules[node.value.id], node.attr)


def _seen(module: str, name: str) -> str:
    found = getattr(importlib.import_module(module), name, None)
    return "gone" if found is None else "class" if isinstance(found, type) else _looks(found)


def _place(owner: type | ModuleType, name: str) -> str:
    where = owner.__name__ if isinstance(owner, ModuleType) else f"{owner.__module__}.{owner.__qualname__}"
    return f"{where}.{name}"


def _is_theirs(owner: type) -> bool:
    return owner.__module__.partition(".")[0] in VENDORS


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def _is_self(node: ast.expr) -> bool:
    return (isinstance(node, ast.Name) and node.id in {"self", "cls"}) or (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"
    )


if __name__ == "__main__":
    PINNED.write_text(json.dumps(collect(), indent=1, sort_keys=True) + "\n", encoding="utf-8")
