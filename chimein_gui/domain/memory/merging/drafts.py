"""What the operator types into a memory before it is saved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chimein_gui.domain.memory.edits import MemoryChange
    from chimein_gui.domain.memory.entries import MemoryFile


@dataclass(frozen=True, slots=True)
class MemoryDraft:
    """An entry that is being written.

    Attributes:
        file: Which file.
        base: What it held when the operator began.
        block: The entry as it was; empty for a new one.
        text: What is typed.
    """

    file: MemoryFile
    base: str
    block: str
    text: str


@dataclass(frozen=True, slots=True)
class SavedEntry:
    """An entry was written.

    Attributes:
        change: What undoes it.
        is_merged: Another program had changed other entries meanwhile; their changes are in the file, too.
    """

    change: MemoryChange
    is_merged: bool
