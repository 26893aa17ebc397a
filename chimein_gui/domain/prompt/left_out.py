"""What is not in a prompt though it could have been, and why."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class LeftOutKind(StrEnum):
    """Why something is left out. The database keeps the values, so they must never be changed."""

    ROLE = "role"
    """A role prompt, `name`."""
    OTHERS = "others"
    """`number` messages of other conversations."""
    PINNED_OUT = "pinned out"
    """`number` messages that the operator pinned out."""
    OVER_LIMIT = "over limit"
    """`number` chosen messages: the prompt already holds as many as it may."""
    OLDER = "older"
    """All messages older than the `number` that a fixed history holds."""
    PIN_GONE = "pin gone"
    """`number` messages that the operator pinned in: they are deleted, or not stored."""
    PIN_UNUSED = "pin unused"
    """`number` messages that the operator pinned in: a fixed history takes no pins, and does not reach back to them."""
    MEMORY_OVER_LIMIT = "memory over limit"
    """`number` entries, or lines, of the memories with the title `name`: a prompt holds only so many characters."""
    MEMORY_UNREADABLE = "memory unreadable"
    """The memory file `name`."""


class LeftOut(NamedTuple):
    """Something that is left out.

    Attributes:
        kind: Why; it tells what the others mean.
        name: Name of a prompt, or empty.
        number: Number of messages.
    """

    kind: LeftOutKind
    name: str = ""
    number: int = 0
