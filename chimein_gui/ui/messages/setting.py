"""What a bubble must know beside its message."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QColor


@dataclass(frozen=True, slots=True)
class Setting:
    """Where a message stands.

    Attributes:
        is_group: Several people write: names stand above messages.
        identity: Number of the agent's own colour.
        fetching: Its file is on its way.
    """

    is_group: bool = False
    identity: int = 0
    fetching: bool = False


@dataclass(frozen=True, slots=True)
class Quote:
    """The message a bubble answers.

    Attributes:
        who: Its author; empty where nobody knows.
        text: Its first line.
        color: Of bar and name.
    """

    who: str
    text: str
    color: QColor
