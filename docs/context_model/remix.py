"""Training chats made from annotated ones. Names are made up here; nothing of it is stored.

Single conversations become small groups; whole chats get tags, replies and seconds.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from docs.context_model.data import Gold, scorer

TAGS = (
    "@bot what do you think?",
    "@bot",
    "@bot help",
    "@bot any idea?",
    "@bot can you help with this",
    "@bot thoughts?",
    "hey @bot, what would you do?",
    "@bot is that right?",
    "@bot who is right?",
    "@bot please advise",
    "@bot your opinion?",
    "what does @bot say?",
    "@bot qué opinas?",
    "@bot was meinst du?",
    "@bot ton avis ?",
    "@bot что думаешь?",
    "@bot che ne pensi?",
    "@bot o que achas?",
    "@bot co myślisz?",
    "@bot ne dersin?",
    "@bot 怎么看?",
    "@bot どう思う?",
    "@bot 어떻게 생각해?",
    "@bot tum kya sochte ho?",
    "@bot sum this up please",
    "@bot which one?",
)
_SYLLABLES = ("ka lo mi ren ta vi so na del mar jo li be tu ra no sha pe zo ki an el or is un").split()  # noqa: SIM905
_TOKEN = re.compile(r"[^\s,:;!?()\"'<>]+")
_LEADING = re.compile(r"^\s*([^\s,:;]{2,30})\s?[,:;]\s*(.*)$", re.DOTALL)


@dataclass(slots=True)
class Line:
    """One message of a made chat, with its gold."""

    message: dict[str, Any]
    gold: Gold
    is_tag: bool


@dataclass(slots=True)
class _Draft:
    at: float
    sender: str
    text: str
    thread: int
    direct: list[int]
    is_tag: bool = False


Conversation = tuple[Any, list[int], dict[int, Gold]]
"""A chat, the positions of one conversation in it, the chat's gold."""


def conversations(chat: Any, gold: dict[int, Gold]) -> list[Conversation]:
    """Cut a chat into its conversations of two and more annotated messages."""
    done: set[int] = set()
    found: list[Conversation] = []
    for place in sorted(gold, reverse=True):
        if place not in done:
            whole = sorted(one for one in {*gold[place].thread, place} if one in gold)
            done.update(whole)
            if len(whole) > 1:
                found.append((chat, whole, gold))
    return found


def tagged(chat: Any, gold: dict[int, Gold], rng: random.Random) -> list[Line]:
    """Copy a chat with tags in the place of some texts, replies on some rows, seconds in its times."""
    lines: list[Line] = []
    for place, original in enumerate(chat.msgs):
        message, here, is_tag = dict(original), gold.get(place), False
        if here and any(chat.msgs[one]["sender"] == message["sender"] for one in here.thread) and rng.random() < 0.15:
            message["text"], is_tag = rng.choice(TAGS), True
        elif here and here.direct and rng.random() < 0.25:
            message["reply_to"] = chat.msgs[max(here.direct)]["id"]
        lines.append(Line(message, here or Gold((), (), starts=False), is_tag))
    if rng.random() < 0.67:
        _spread_times([line.message for line in lines], rng)
    return lines


def thinned(chats: Sequence[Any], rng: random.Random) -> list[Any]:
    """Copy chats with few of their conversations, mostly long ones: little starts there, and less goes on at once."""
    found: list[Any] = []
    for chat in chats:
        homes = _homes(chat)
        members: dict[int, list[int]] = {}
        for own, home in homes.items():
            members.setdefault(home, []).append(own)
        annotated = [one for one in members.values() if not chat.ann.isdisjoint(one)]
        annotated.sort(key=len, reverse=True)
        most, share = rng.choice((2, 3, 4, 6)), rng.choice((0.0, 0.1, 0.3))
        kept = {own for rank, one in enumerate(annotated) if rank < most or rng.random() < 0.15 for own in one}
        kept |= {own for own in homes if own < chat.first and own not in chat.ann and rng.random() < share}
        messages = [[one["id"], one["ts"], one["sender"], one["text"]] for one in chat.msgs if one["id"] in kept]
        links = [(own, parent) for own, parents in chat.par.items() for parent in parents if {own, parent} <= kept]
        parts = {"chat": chat.name, "first": chat.first, "msgs": messages, "ann": chat.ann & kept, "links": links}
        found.append(scorer().Chat(parts))
    return found


def _homes(chat: Any) -> dict[int, int]:
    """Name the conversation of each message, by the id of one of it."""
    homes = {message["id"]: message["id"] for message in chat.msgs}

    def home(own: int) -> int:
        while homes[own] != own:
            own = homes[own]
        return own

    for own, parents in chat.par.items():
        for parent in parents:
            if own in homes and parent in homes:
                homes[home(own)] = home(parent)
    return {own: home(own) for own in homes}


def _spread_times(messages: list[dict[str, Any]], rng: random.Random) -> None:
    """Spread what has the same minute over it, and stretch the whole."""
    stretch = 10 ** rng.uniform(-0.3, 1.5) if rng.random() < 0.6 else 1.0
    first, times = messages[0]["ts"], [message["ts"] for message in messages]
    place = 0
    while place < len(times):
        end = place
        while end < len(times) and times[end] == times[place]:
            end += 1
        seconds = sorted(rng.random() * 60 for _ in range(place, end))
        for one, second in zip(range(place, end), seconds, strict=True):
            messages[one]["ts"] = first + (times[one] - first + second) * stretch
        place = end


class Group:
    """A small group that several conversations are cast into."""

    def __init__(self, pool: list[Conversation], rng: random.Random) -> None:
        self._pool, self._rng = pool, rng
        self._people = sorted({self._name() for _ in range(rng.choice((2, 3, 3, 4, 4, 5, 6, 8)) + 1)})
        self._keep_names = rng.choice((0.0, 0.0, 0.15, 0.5))
        self._drafts: list[_Draft] = []
        self._threads = 0

    def talk(self) -> list[Line]:
        """Make the whole chat: an archive of old conversations, then some at once or one after the other."""
        rng = self._rng
        at, quiet = 1.6e9 + rng.random() * 1e8, rng.random() < 0.25
        if quiet:  # one question that is open for days
            self._hold(at, 10 ** rng.uniform(4.3, 5.3), (2, 3, 4, 5))
            return self._lines(0.0)
        in_sessions = rng.random() < 0.5
        scale = 10 ** (rng.uniform(1.0, 2.8) if in_sessions else rng.uniform(1.0, 4.3))
        pause = (1.0, 3.0) if in_sessions else (-0.3, 1.7)
        for _ in range(rng.choice((0, 0, 1, 2, 4, 8, 14))):
            at = self._cast(at, scale * rng.choice((0.2, 1, 1, 3)), (1, 2, 3, 5)) + scale * 10 ** rng.uniform(*pause)
        at_once = rng.random() < 0.7
        for _ in range(rng.choice((1, 2, 2, 3, 3, 4))):
            begin = at + (scale * rng.uniform(0, 8) if at_once else 0.0)
            end = self._hold(begin, scale * rng.choice((0.5, 1, 1, 2)), (2, 3, 4, 5, 6, 8, 12))
            if not at_once:
                at = end + scale * 10 ** rng.uniform(*pause)
        return self._lines(rng.choice((0.0, 0.0, 0.0, 0.15, 0.4)))

    def _hold(self, at: float, gap: float, sizes: tuple[int, ...]) -> float:
        """Cast a conversation, mostly with a tag at its end."""
        end = self._cast(at, gap, sizes)
        if self._rng.random() < 0.85:
            self._tag(end + gap * self._rng.expovariate(1) * self._rng.choice((0.1, 1.0)))
        self._threads += 1
        return end

    def _name(self) -> str:
        return "".join(self._rng.choice(_SYLLABLES) for _ in range(self._rng.choice((2, 2, 3)))).capitalize()

    def _cast(self, at: float, gap: float, sizes: tuple[int, ...]) -> float:
        rng = self._rng
        chat, whole, gold = rng.choice(self._pool)
        if rng.random() < 0.4:  # begins in the middle, so that not only questions begin something
            whole = whole[rng.randrange(len(whole) - 1) :]
        whole = whole[: rng.choice(sizes)]
        senders = list(dict.fromkeys(chat.msgs[place]["sender"] for place in whole))[: len(self._people)]
        parts = dict(zip(senders, rng.sample(self._people, len(senders)), strict=True))
        known = {message["sender"].lower(): message["sender"] for message in chat.msgs}
        places: dict[int, int] = {}
        for place in whole:
            message = chat.msgs[place]
            if message["sender"] not in parts:
                continue
            direct = [places[one] for one in gold[place].direct if one in places]
            places[place] = len(self._drafts)
            text = self._rename(message["text"], known, parts)
            self._drafts.append(_Draft(at, parts[message["sender"]], text, self._threads, direct))
            at += gap * rng.expovariate(1) * (30 if rng.random() < 0.04 else 1)
        if sizes[0] == 1:
            self._threads += 1
        return at

    def _rename(self, text: str, known: dict[str, str], parts: dict[str, str]) -> str:
        found = _LEADING.match(text)
        if found and found.group(1).lower() in known:
            name, text = parts.get(known[found.group(1).lower()]), found.group(2)
            if name and self._rng.random() < self._keep_names:
                forms = (
                    f"{name}: {text}",
                    f"@{name} {text}",
                    f"{text} {name}",
                    f"{name}, {text}",
                    f"{name.lower()} {text}",
                )
                text = self._rng.choice(forms)

        def renamed(word: re.Match[str]) -> str:
            who = known.get(word.group().lower())
            return word.group() if who is None else parts.get(who, "someone")

        return _TOKEN.sub(renamed, text)

    def _tag(self, at: float) -> None:
        rng = self._rng
        senders = [draft.sender for draft in self._drafts if draft.thread == self._threads][-6:]
        sender = rng.choice(senders) if rng.random() < 0.85 else rng.choice(self._people)
        self._drafts.append(_Draft(at, sender, rng.choice(TAGS), self._threads, [], is_tag=True))

    def _lines(self, replies: float) -> list[Line]:
        order = sorted(range(len(self._drafts)), key=lambda one: self._drafts[one].at)
        places = {draft: place for place, draft in enumerate(order)}
        lines: list[Line] = []
        threads: dict[int, list[int]] = {}
        for place, number in enumerate(order):
            draft = self._drafts[number]
            thread = tuple(threads.setdefault(draft.thread, []))
            direct = tuple(places[one] for one in draft.direct if places[one] < place)
            reply = None
            if thread and self._rng.random() < replies:
                reply = 1000 + (max(direct) if direct else self._rng.choice(thread))
            message = {
                "id": 1000 + place,
                "ts": draft.at,
                "sender": draft.sender,
                "text": draft.text,
                "reply_to": reply,
            }
            lines.append(Line(message, Gold(thread, direct, starts=not thread), draft.is_tag))
            threads[draft.thread].append(place)
        return lines
