"""Finds chats for the palette by what is typed: a key costs little, however many chats there are."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import replace
from heapq import nlargest
from typing import TYPE_CHECKING

from chimein_gui.viewmodels.palette.fuzzy import Match, folded, match, score_of_run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import ChatId

    Named = tuple[Chat, str, str, int]

READ_AT_ONCE = 2_000
"""How many names are read before the loop has its turn: 3 ms of work."""

MOST_STREWN = 1_000
"""So many chats are looked at whose names hold the typed letters with others between; more letters leave fewer."""


class ChatFinder:
    """Keeps the names of all chats as they are compared, and which of them still fit what is typed letter by letter.

    The names are read when they are needed, or before that in pieces; a chat that changes has its own read again.
    """

    def __init__(self, chats: Callable[[], Iterable[Chat]], bonus: Callable[[Chat], int]) -> None:
        """Take where the chats come from, the likely ones first, and what a chat scores beside its name."""
        self._chats, self._bonus = chats, bonus
        self._coming: deque[Chat] | None = None
        self._named: list[Named] = []
        self._place_of: dict[ChatId, int] = {}
        self._typed = ""
        self._left: Sequence[int] = ()

    def forget(self) -> None:
        """There are other chats: read all of them when they are next asked for."""
        self._coming = None

    def read(self, most: int) -> bool:
        """Read the names of so many more chats; tell whether there are still others."""
        if self._coming is None:
            self._coming = deque(self._chats())
            self._named, self._place_of = [], {}
            self._typed, self._left = "", ()
        for _ in range(min(most, len(self._coming))):
            chat = self._coming.popleft()
            if chat.chat_id not in self._place_of:  # else it was told of meanwhile, and is newer
                self._note(chat)
        return bool(self._coming)

    def follow(self, chats: Iterable[Chat]) -> None:
        """These chats changed, or new."""
        if self._coming is not None:
            for chat in chats:
                self._note(chat)

    def total(self) -> int | None:
        """Return how many chats are searched; None before all are read."""
        return None if self._coming is None or self._coming else len(self._named)

    def _note(self, chat: Chat) -> None:
        place = self._place_of.setdefault(chat.chat_id, len(self._named))
        if place == len(self._named):
            self._named.append(self._name(chat))
            self._typed = ""
            return
        before, self._named[place] = self._named[place], self._name(chat)
        if before[0].info != chat.info:
            self._typed = ""

    def _name(self, chat: Chat) -> Named:
        return chat, folded(chat.info.title), folded(chat.info.username), self._bonus(chat)

    def find(self, words: str, most: int) -> list[tuple[Match, Chat]]:
        """Return the chats that fit best, so many at most; the words are folded."""
        while self.read(READ_AT_ONCE):
            pass
        named = self._named
        holds, begins = _holding(words), score_of_run(words, 0, len(words))
        left, scored, strewn = list[int](), list[tuple[int, int]](), 0
        # Nothing was typed: all are left. So are they where a name has changed.
        for place in self._left if self._typed and words.startswith(self._typed) else range(len(named)):
            chat, title, username, bonus = named[place]
            at = title.find(words)
            if at >= 0:
                score = score_of_run(title, at, len(words)) if at else begins
            elif username and (at := username.find(words)) >= 0 and not holds(title):
                score = score_of_run(username, at, len(words))
            elif holds(title) or (username and holds(username)):
                strewn += 1
                fit = _fit(words, chat) if strewn <= MOST_STREWN else None
                score = -1 if fit is None else fit.score
            else:
                continue
            left.append(place)
            if score >= 0:
                scored.append((score + bonus, -place))
        self._typed, self._left = words, left
        best = [named[-place][0] for _, place in nlargest(most, scored)]
        return [(fit, chat) for chat in best if (fit := _fit(words, chat)) is not None]


def _fit(words: str, chat: Chat) -> Match | None:
    fit = match(words, chat.info.title)
    if fit is not None or not chat.info.username:
        return fit
    hidden = match(words, chat.info.username)
    # Its user name fits, which is not shown: nothing of the title is marked.
    return None if hidden is None else replace(hidden, spans=())


def _holding(words: str) -> Callable[[str], object]:
    """Return what tells whether a text holds the letters of each word in their order; all that fits does."""
    each = (".*".join(map(re.escape, word)) for word in words.split())
    return re.compile("".join(f"(?=.*{letters})" for letters in each), re.DOTALL).match
