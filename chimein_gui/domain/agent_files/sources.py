"""The files of agents and prompts, as the editor knows them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class SourceKind(StrEnum):
    """Kind of a file."""

    AGENT = "agent"
    PROMPT = "prompt"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of the config directories.

    Attributes:
        path: Its path.
        kind: Agent or prompt.
        name: Its name without ``.md``.
        folder: The config directory that it is in.
        agent: Of a prompt that only one agent uses, the agent's directory name; else empty.
        is_archived: It is in the archive, and not loaded.
        is_fixed: It comes with Chimein and can't be changed.
    """

    path: str
    kind: SourceKind
    name: str
    folder: str
    agent: str = ""
    is_archived: bool = False
    is_fixed: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """Unsaved changes of a file, kept against a crash.

    Attributes:
        path: The file.
        base: Its text when it was read.
        text: The changed text.
    """

    path: str
    base: str
    text: str
