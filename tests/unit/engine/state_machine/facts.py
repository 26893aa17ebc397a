"""What the notebook keeps of messages, drafts and decisions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass
class Happening:
    """Something in a chat that a draft may not have known.

    Attributes:
        order: When it was told, counted; None while the client has not heard of it.
        kind: ``new``, ``edit``, ``delete`` or ``own``.
        token: The word that only this text holds; of an edit or a deletion that of the text before.
        author: Who wrote it.
        calls: In a group: it calls the agent.
        at: When.
    """

    order: int | None
    kind: str
    token: str
    author: int
    calls: bool
    at: datetime


@dataclass
class Card:
    """A planned send as it was born.

    Attributes:
        saw: The words of the prompt.
        author: Who wrote the message it answers.
        origin: ``plan`` or ``operator``.
        beside: The operator asked for it once more.
    """

    approval: int
    task: int
    chat: int
    text: str
    saw: frozenset[str]
    author: int
    saw_order: int
    origin: str
    beside: bool
    born: datetime
    born_order: int
    trust: str


@dataclass
class Yes:
    """The operator's yes: to which bytes, when, and up to where he had seen the chat."""

    text: str
    at: datetime
    seen: int


@dataclass
class Written:
    """What the model wrote, when, and what it had seen."""

    saw: frozenset[str]
    author: int
    order: int = 0
