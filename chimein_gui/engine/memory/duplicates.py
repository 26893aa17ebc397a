"""Finds the entry of a memory file that says the same as a new text, by its words and by its meaning."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.memory.files import entries_of, place_of_key
from chimein_gui.domain.memory.likeness import nearest

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from chimein_gui.domain.memory.entries import MemoryEntry, MemoryFile
    from chimein_gui.domain.memory.likeness import Near
    from chimein_gui.engine.ports import MemoryFiles

    Alike = Callable[[Sequence[MemoryFile], str], Awaitable[Mapping[str, float]]]
    """Returns the cosines of the entries of some files that mean about the same as a text, by their texts."""


async def by_words_alone(_files: Sequence[MemoryFile], _text: str) -> Mapping[str, float]:
    """Return nothing: without vectors only words count."""
    return {}


async def near_of(texts: Sequence[str], text: str, files: Sequence[MemoryFile], alike: Alike) -> Near | None:
    """Return which of the stored texts is nearest to another one; by its meaning, too, if its words are others.

    Args:
        texts: What the files hold.
        text: What is compared.
        files: The files.
        alike: It is asked only if no text says the same by its words.
    """
    near = await asyncio.to_thread(nearest, texts, text)  # a file may hold thousands
    if near is None or near.is_same:
        return near
    cosines = await alike(files, text)
    return await asyncio.to_thread(nearest, texts, text, lambda one: cosines.get(one.strip())) if cosines else near


async def said_already(files: MemoryFiles, file: MemoryFile, text: str, key: str, alike: Alike) -> MemoryEntry | None:
    """Return the entry of a file that says the same as a text; None also if the text itself stands there with its key.

    Args:
        files: The memory files.
        file: Which one.
        text: What may be in it already.
        key: The key that an entry of this very text has.
        alike: Compares by meaning; it is asked if the words are others.

    Raises:
        RefusedError: The file can't be read; says why.
    """
    found = await files.text(file)
    if found.problem is not None:
        raise RefusedError(found.problem)
    if place_of_key(found.text, key) is not None:
        return None
    entries = entries_of(found.text)
    near = await near_of([one.text for one in entries], text, [file], alike)
    return entries[near.place] if near is not None and near.is_same else None
