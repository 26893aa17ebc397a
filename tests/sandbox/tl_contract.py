"""What the sandbox and our client rely on in Telethon, read from their sources: TL classes with arguments, and more.

`python -m tests.sandbox.tl_contract` writes it down anew, after either has begun to use something else or after
Telethon was changed on purpose.
"""

import ast
import importlib
import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from telethon.tl import alltlobjects

ROOT = Path(__file__).parents[2]
SOURCES = (ROOT / "chimein_gui" / "sandbox", ROOT / "chimein_gui" / "adapters" / "telegram")
PINNED = Path(__file__).with_name("tl_contract.json")
_TL_MODULES = {name: f"telethon.tl.{name}" for name in ("types", "functions", "patched")}


def collect() -> dict[str, Any]:
    """Return what is used, with how it looks in the installed Telethon."""
    names = sorted({name for path in _files() for name in _used(path)})
    return {"layer": alltlobjects.LAYER, "used": {name: describe(name) for name in names}}


def describe(name: str) -> str:
    """Describe a dotted name: a TL class by id and arguments, all else by its signature; "gone" if it is not there."""
    found = _resolve(name)
    if found is _GONE:
        return "gone"
    if isinstance(constructor := getattr(found, "CONSTRUCTOR_ID", None), int):
        arguments = list(inspect.signature(found.__init__).parameters)[1:]
        return f"{constructor:#010x}({', '.join(arguments)})"
    if inspect.ismodule(found):
        return "module"
    try:
        return f"{inspect.signature(found)}"
    except (TypeError, ValueError):
        return type(found).__name__


_GONE = object()


def _resolve(name: str) -> Any:
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for part in parts[length:]:
            found = getattr(found, part, _GONE)
            if found is _GONE:
                return _GONE
        return found
    return _GONE


def _files() -> Iterator[Path]:
    for source in SOURCES:
        yield from source.rglob("*.py") if source.is_dir() else (source,)


def _used(path: Path) -> Iterator[str]:
    """Iterate over the dotted names of Telethon that a module mentions."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    known = dict(_imported(tree))
    yield from (target for target in known.values() if target not in _TL_MODULES.values())
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            parts = _dotted(node)
            if parts and parts[0] in known:
                yield from _as_far_as_it_goes(known[parts[0]], parts[1:])


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Iterate over (local name, what it is in Telethon)."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or not node.module:
            continue
        for alias in node.names:
            if _is_facade(node.module) and alias.name in _TL_MODULES:
                yield alias.asname or alias.name, _TL_MODULES[alias.name]
            elif node.module.partition(".")[0] == "telethon":
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _is_facade(module: str) -> bool:
    """Tell whether a module of ours is one that Telethon's generated classes pass through."""
    return module.startswith("chimein_gui.") and module.endswith(".tl")


def _dotted(node: ast.Attribute) -> list[str]:
    parts: list[str] = []
    inner: ast.expr = node
    while isinstance(inner, ast.Attribute):
        parts.insert(0, inner.attr)
        inner = inner.value
    return [inner.id, *parts] if isinstance(inner, ast.Name) else []


def _as_far_as_it_goes(base: str, parts: list[str]) -> Iterator[str]:
    """Yield `base` with its parts up to the first TL class: what is beyond is an attribute of ours to read."""
    name = base
    for part in parts:
        name = f"{name}.{part}"
        found = _resolve(name)
        if found is _GONE or not inspect.ismodule(found):
            yield name
            return


if __name__ == "__main__":
    PINNED.write_text(json.dumps(collect(), indent=1, sort_keys=True) + "\n", encoding="utf-8")
