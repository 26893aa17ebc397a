"""Turns written texts into blocks of a reply, and rewords them when another draft is wanted."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from chimein_gui.sandbox.model.talk.conversation import Conversation
from chimein_gui.sandbox.model.talk.note_requests import NO_REQUESTS, NoteRequests

_HEADING = re.compile(r"^# «(?P<kind>[^«»\n]*)»[^\n]*$", re.MULTILINE)
_BREAK = "\n---\n"
_LOOK_UP = "# «retrieve»"
_SENTENCE = re.compile(r".+?[.!?…。！？؟](?:[”»\"')\]]*)(?=\s|$|[\u3040-\u30ff\u4e00-\u9fff])|.+?(?=\n|$)")  # noqa: RUF001
_CLAUSE = re.compile(r"\s*(?:[,;:،、–—]|\s-\s)")


@dataclass(frozen=True, slots=True)
class Written:
    """One block of a reply."""

    heading: str
    body: str

    @property
    def text(self) -> str:
        """The heading and the body, in the reply grammar."""
        return f"{self.heading}\n{self.body}"


def one_line(text: str) -> str:
    """Return a text on one line, as prompts quote drafts."""
    return " ".join(text.split())


@lru_cache(maxsize=2048)
def as_blocks(text: str, answers: int) -> tuple[Written, ...]:
    """Return the blocks of a written text.

    Args:
        text: One message, several separated by ``---``, or blocks in the reply grammar.
        answers: Id of the message that the first one replies to; 0 for none; ignored for blocks.
    """
    if not _HEADING.match(text):
        head = f"# «send» {answers}" if answers else "# «send»"
        parts = [part.strip() for part in text.split(_BREAK) if part.strip()]
        return tuple(Written("# «send»" if number else head, part) for number, part in enumerate(parts))
    headings = list(_HEADING.finditer(text))
    ends = [one.start() for one in headings[1:]] + [len(text)]
    return tuple(Written(one[0], text[one.end() : end].strip()) for one, end in zip(headings, ends, strict=True))


def sendable(text: str, conversation: Conversation) -> bool:
    """Return whether the agent has all stickers that a text sends."""
    stickers = [block.body.split("\n") for block in as_blocks(text, 0) if block.heading == "# «sticker»"]
    return all(len(one) == 2 and conversation.may_send(one[0].strip(), one[1].strip()) for one in stickers)


def is_in_place(text: str, conversation: Conversation) -> bool:
    """Return whether a text asks for no web pages, or for pages that can be had and are not there yet."""
    pages = [line for block in as_blocks(text, 0) if block.heading == _LOOK_UP for line in block.body.splitlines()]
    return not pages or (conversation.may_look_up and conversation.pages.isdisjoint(pages))


def without(text: str, sent: Sequence[str]) -> str:
    """Return a written text without the messages already sent (one line each); empty if all have been sent."""
    if not sent:
        return text
    if _HEADING.match(text):
        return "\n".join(block.text for block in as_blocks(text, 0) if one_line(block.body) not in sent)
    return _BREAK.join(part for part in text.split(_BREAK) if one_line(part) not in sent)


@dataclass(frozen=True, slots=True)
class Again:
    """Why another draft is wanted.

    Attributes:
        drafts: The drafts to replace, one line each.
        requests: What the operator's note asks for, as far as it is recognised.
        times: How often the same prompt has come before.
    """

    drafts: Sequence[str] = ()
    requests: NoteRequests = NO_REQUESTS
    times: int = 0


def reworded(variants: Sequence[str], again: Again, warmer: Sequence[str], ask_when: Sequence[str]) -> str:
    """Return one of the variants, or a modified one; if possible it differs from the drafts.

    Args:
        variants: Equivalent texts, the preferred one first.
        again: Why another draft is wanted.
        warmer: Openings that can be put before a text.
        ask_when: Questions that can be put after a text.
    """
    drafted = set(again.drafts)
    before = next((number for number, one in enumerate(variants) if _says(one, drafted)), None)
    if again.requests:
        bases = [*variants[before or 0 :], *variants[: before or 0]]
        ways = [(front, behind) for front in warmer for behind in ask_when]
        ring = [_adapted(one, again.requests, variants, *way) for way in ways for one in bases]
        ring = list(dict.fromkeys([*ring, *_more_ways(variants, warmer)]))
        start = again.times
    else:
        ring = list(dict.fromkeys([*variants, *_more_ways(variants, warmer)]))
        last = next((number for number, one in enumerate(ring) if _says(one, drafted)), -1)
        start = again.times + last + 1
    turned = [ring[(start + step) % len(ring)] for step in range(len(ring))]
    return next((one for one in turned if not _says(one, drafted)), turned[0])


def _more_ways(variants: Sequence[str], warmer: Sequence[str]) -> list[str]:
    return [first_sentence(variants[0]), *(_in_front(one, variants[0]) for one in warmer)]


def _says(text: str, drafted: set[str]) -> bool:
    return bool(drafted) and not drafted.isdisjoint(one_line(block.body) for block in as_blocks(text, 0))


def _adapted(text: str, requests: NoteRequests, variants: Sequence[str], front: str, behind: str) -> str:
    if requests.shorter:
        text = shorter(text, variants)
    if requests.ask_when and not _HEADING.match(text):
        text = f"{text} {behind.strip()}"
    return _in_front(front, text) if requests.warmer else text


def shorter(text: str, variants: Sequence[str]) -> str:
    """Return the first sentence of a text; if it has only one, the shortest variant, else the first clause."""
    first = first_sentence(text)
    if len(first) < len(text):
        return first
    shortest = min(variants, key=len)
    if len(shortest) < len(text):
        return shortest
    found = _CLAUSE.search(text)
    return text[: found.start()] if found is not None and found.start() else text


def first_sentence(text: str) -> str:
    """Return the first sentence of a text; blocks are returned unchanged."""
    found = None if _HEADING.match(text) else _SENTENCE.match(text.split(_BREAK)[0].strip())
    return found[0].strip() if found is not None else text


def _in_front(opening: str, text: str) -> str:
    """Put an opening before a text; blocks are returned unchanged."""
    return text if _HEADING.match(text) else f"{opening.strip()} {text}"
