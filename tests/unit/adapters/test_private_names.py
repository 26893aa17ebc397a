"""Every private name of a library that an adapter uses looks as it did; another version fails here, by name."""

from __future__ import annotations

import json

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
