"""Where an entry comes from, as the comment below its heading says."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from chimein_gui.domain.ids import MessageId, PeerId

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_COMMENT = re.compile(r"\A[^\r\n]*(?:\r\n|\n)\s*<!--(.*?)-->", re.DOTALL)
_CHAT = re.compile(r"\bchat (-?\d{1,19})\b(?: \((.*)\)(?=, (?:partner|messages?|source)\b| \[|\s*$))?")
"""Greedy: a title may look like facts, and the true ones stand behind it."""
_PARTNER = re.compile(r"\bpartner (-?\d{1,19})\b")
_MESSAGES = re.compile(r"\bmessages? (\d{1,19}(?:[, ]+\d{1,19})*)")
_SOURCE = re.compile(r"\bsource: ([^\[]*)")
_PLAN = re.compile(r"\[key (\d{1,19})\.\d+@")


class Source(StrEnum):
    """Who made an entry."""

    OPERATOR = "operator"
    REPLY = "reply"
    """The agent, with a `remember` of a reply."""
    ORDER = "order"
    """A partner told the agent to remember it."""
    EXTRACTION = "extraction"
    """It was read out of the conversation, and the operator accepted it."""
    UNKNOWN = "unknown"


_WORDS = (
    (Source.EXTRACTION, "extract"),
    (Source.ORDER, "order"),
    (Source.REPLY, "reply"),
    (Source.OPERATOR, "operator"),
)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where an entry comes from.

    Attributes:
        source: Who made it.
        chat: The chat in which it was learned, or None.
        chat_title: Its title at that time; empty if unknown.
        partner: The person it is about, or None.
        messages: The messages it comes from.
        plan: Number of the plan whose reply it is from, or None.
    """

    source: Source = Source.UNKNOWN
    chat: PeerId | None = None
    chat_title: str = ""
    partner: PeerId | None = None
    messages: tuple[MessageId, ...] = ()
    plan: int | None = None


def provenance_of(block: str) -> Provenance:
    """Return where the entry of a block comes from; a paragraph without a heading is the operator's."""
    comment = _COMMENT.match(block)
    if comment is None:
        return Provenance(Source.UNKNOWN if block.startswith("# Memory from ") else Source.OPERATOR)
    facts = comment[1]
    chat = _CHAT.search(facts)
    facts = facts[chat.end() :] if chat is not None else facts
    partner, messages, said = _PARTNER.search(facts), _MESSAGES.search(facts), _SOURCE.search(facts)
    words = said[1].casefold() if said is not None else ""
    source = next((one for one, word in _WORDS if word in words), Source.UNKNOWN)
    plan = _PLAN.search(facts) if source is Source.REPLY else None
    return Provenance(
        source,
        PeerId(int(chat[1])) if chat is not None else None,
        (chat[2] or "") if chat is not None else "",
        PeerId(int(partner[1])) if partner is not None else None,
        tuple(MessageId(int(one)) for one in re.findall(r"\d+", messages[1])) if messages is not None else (),
        int(plan[1]) if plan is not None else None,
    )


class Learned(NamedTuple):
    """Where something was learned, and whom it is about, as far as its entry says so."""

    chat: PeerId | None
    partner: PeerId | None

    def is_from_another(self, peer: PeerId) -> bool:
        """Return whether a chat with this peer would read what somebody else said elsewhere."""
        return bool(self.chat) and peer not in (self.chat, self.partner)


@dataclass(frozen=True, slots=True)
class FileCount:
    """How many entries a memory file has.

    Attributes:
        entries: All of them.
        learned: Those that say where they were learned, by that.
    """

    entries: int = 0
    learned: Mapping[Learned, int] = field(default_factory=dict)

    def from_others(self, peer: PeerId) -> int:
        """Return how many a chat with this peer would read of what somebody else said elsewhere."""
        return sum(count for learned, count in self.learned.items() if learned.is_from_another(peer))


def count_of(blocks: Sequence[str]) -> FileCount:
    """Count the entries of a file by their blocks."""
    learned = Counter(Learned(one.chat, one.partner) for one in map(provenance_of, blocks) if one.chat is not None)
    return FileCount(len(blocks), learned)
