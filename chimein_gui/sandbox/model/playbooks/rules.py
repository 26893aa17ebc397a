"""A rule of a playbook: when it applies, and what it says."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from zlib import crc32

from chimein_gui.sandbox.model.script import FunctionCall

SLOT = re.compile(r"\{(\w+)\}")
SLOTS = frozenset(
    {
        *("name", "agent", "quote", "about", "said", "found", "who", "fact", "value", "url", "host", "page"),
        *("bit", "topic"),
        *("day", "date", "time", "choice", "media", "number", "sticker_set", "sticker_name"),
    }
)
"""What a reply may name in braces; a reply is left out where one of its slots has nothing to offer."""

_CERTAIN = 1.0
_SCALE = 10_000


@dataclass(frozen=True, slots=True)
class Situation:
    """What rules are held against.

    Attributes:
        said: The words that are to be answered.
        nth: Which answer in this chat it will be, from 1.
        tools: Functions that may be called.
        tool_answered: Functions that have answered already.
        slots: What slots are filled with.
        seed: Decides between variants, together with what was said.
    """

    language: str
    kind: str
    said: str
    is_group: bool
    nth: int
    agent: str
    tools: frozenset[str]
    tool_answered: frozenset[str]
    has_image: bool
    slots: Mapping[str, str]
    seed: int


@dataclass(frozen=True, slots=True)
class When:
    """Conditions; all that are given have to hold.

    Attributes:
        words: Any of them occurs in what was said; for media, in its kind.
        match: A regular expression that is found in it.
        chat: ``dm`` or ``group``.
        nth: Which answers in the chat.
        agent: First name of the agent.
        tool: A declared function that has not answered yet.
    """

    languages: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    match: re.Pattern[str] | None = None
    chat: str = ""
    nth: frozenset[int] = frozenset()
    agent: str = ""
    tool: str = ""
    image: bool | None = None

    def holds(self, at: Situation) -> bool:
        """Tell whether all conditions hold."""
        said = at.said.casefold()
        return (
            (not self.languages or at.language in self.languages)
            and (not self.kinds or at.kind in self.kinds)
            and (not self.words or any(word in said for word in self.words))
            and (self.match is None or self.match.search(at.said) is not None)
            and (not self.chat or (self.chat == "group") == at.is_group)
            and (not self.nth or at.nth in self.nth)
            and (not self.agent or self.agent.casefold() == at.agent.casefold())
            and (not self.tool or (self.tool in at.tools and self.tool not in at.tool_answered))
            and (self.image is None or self.image == at.has_image)
        )


@dataclass(frozen=True, slots=True)
class Rule:
    """Conditions and replies.

    Attributes:
        place: File and line, for reports; also makes the rule's choices its own.
        replies: Variants in the reply grammar; text before the first block is a message.
        think: Body of a think block that comes first.
        thoughts: The model's own thinking, outside the reply.
        calls: Tools to call instead of answering; the rule comes again with the tool's answer.
        usage: Token counts to report.
    """

    place: str
    when: When
    replies: tuple[str, ...] = ()
    probability: float = _CERTAIN
    think: str = ""
    thoughts: str = ""
    calls: tuple[FunctionCall, ...] = ()
    usage: Mapping[str, int] = field(default_factory=dict)

    def chosen(self, at: Situation) -> str | None:
        """Return the reply for a situation, slots filled; None if the rule does not apply, "" if it only calls."""
        if not self.when.holds(at):
            return None
        lot = crc32(f"{at.seed} {self.place} {at.said}".encode())
        if self.probability < _CERTAIN and lot // 7 % _SCALE >= self.probability * _SCALE:
            return None
        if self.pending_calls(at):
            return ""
        possible = [one for one in self.replies if all(at.slots.get(slot) for slot in _named(one))]
        # A reply that uses what is known is better than one that stands in where nothing is.
        offers = (
            [one for one in possible if _is_specific(one)] if self.replies and _is_specific(self.replies[0]) else []
        )
        possible = offers or possible
        return filled(possible[lot % len(possible)], at.slots) if possible else None

    def pending_calls(self, at: Situation) -> tuple[FunctionCall, ...]:
        """Return the calls that can be made and have not been answered."""
        return tuple(
            FunctionCall(one.name, {key: _filled_value(value, at.slots) for key, value in one.args.items()})
            for one in self.calls
            if one.name in at.tools and one.name not in at.tool_answered
        )


@dataclass(frozen=True, slots=True)
class Playbook:
    """A file of rules, in order.

    Attributes:
        name: Stable name, by which scenarios call it.
        is_base: It takes part in everyday talk; others only where they are named.
    """

    name: str
    rules: tuple[Rule, ...]
    title: str = ""
    is_base: bool = False
    path: str = ""


def filled(template: str, slots: Mapping[str, str]) -> str:
    """Fill the slots once: what is filled in is never looked at again."""
    return SLOT.sub(lambda match: slots.get(match[1], ""), template)


def _filled_value(value: Any, slots: Mapping[str, str]) -> Any:  # noqa: ANN401 - JSON
    return filled(value, slots) if isinstance(value, str) else value


_SPECIFIC = frozenset({"found", "page", "time", "sticker_name", "agent", "choice", "topic"})


def _is_specific(reply: str) -> bool:
    return not _SPECIFIC.isdisjoint(_named(reply))


@lru_cache(maxsize=4_096)
def _named(reply: str) -> tuple[str, ...]:
    """Return the slots that a reply names."""
    return tuple(SLOT.findall(reply))
