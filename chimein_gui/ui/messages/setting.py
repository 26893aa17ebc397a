"""What a bubble must know besides its message."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QColor


@dataclass(frozen=True, slots=True)
class Setting:
    """The context of a message.

    Attributes:
        is_group: The chat has several partners, so names are shown above messages.
        identity: Number of the agent's colour.
        fetching: The message's file is being downloaded.
    """

    is_group: bool = False
    identity: int = 0
    fetching: bool = False


@dataclass(frozen=True, slots=True)
class Quote:
    """The message that a bubble replies to.

    Attributes:
        who: Its author; empty if unknown.
        text: Its first line.
        color: Colour of bar and name.
    """

    who: str
    text: str
    color: QColor
