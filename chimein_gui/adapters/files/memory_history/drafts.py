"""Keeps what the operator types into a memory against a crash."""

from __future__ import annotations

import contextlib
import json
from hashlib import sha256
from typing import TYPE_CHECKING

from chimein_gui.adapters.files.atomic import make_private, write_atomic
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.domain.memory.merging.drafts import MemoryDraft

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = "chimein-drafts/memory"
"""Folder of the state directory; no agent can have the name of its first part."""


class MemoryDrafts:
    """Its methods read and write files; the caller runs them in a thread."""

    def __init__(self, state: Path) -> None:
        """`state` is the state directory."""
        self._folder = state / FOLDER

    def keep(self, draft: MemoryDraft) -> None:
        """Keep a draft; an earlier one of the same file is replaced.

        Raises:
            OSError: It is not kept.
        """
        file = draft.file
        kept = {
            "kind": file.kind.value,
            "agent": file.agent_name,
            "peer": None if file.peer is None else int(file.peer),
            "base": draft.base,
            "block": draft.block,
            "text": draft.text,
        }
        make_private(self._folder)
        write_atomic(self._path(file), json.dumps(kept))

    def drop(self, file: MemoryFile) -> None:
        """Forget the draft of a file."""
        with contextlib.suppress(OSError):
            self._path(file).unlink()

    def all(self) -> tuple[MemoryDraft, ...]:
        """Return the drafts; one that can't be read is left out."""
        try:
            paths = sorted(self._folder.glob("*.json"))
        except OSError:
            return ()
        found = []
        for path in paths:
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                kept = json.loads(path.read_text(encoding="utf-8"))
                peer = None if kept["peer"] is None else PeerId(int(kept["peer"]))
                file = MemoryFile(MemoryKind(kept["kind"]), str(kept["agent"]), peer)
                found.append(MemoryDraft(file, str(kept["base"]), str(kept["block"]), str(kept["text"])))
        return tuple(found)

    def _path(self, file: MemoryFile) -> Path:
        peer = "" if file.peer is None else str(int(file.peer))
        name = "\x00".join((file.kind.value, file.agent_name, peer))
        return self._folder / f"{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()}.json"
