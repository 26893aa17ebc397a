"""Finds chats for the palette by what is typed: a key costs little, however many chats there are."""

from __future__ import annotations

import re
from dataclasses import replace
from heapq import nlargest
from typing import TYPE_CHECKING

from chimein_gui.viewmodels.fuzzy import Match, folded, match, score_of_run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from chimein_gui.domain.chats import Chat

    Named = tuple[Chat, str, str, int]

MOST_STREWN = 1_000
"""So many chats are looked at whose names hold the typed letters with others between; more letters leave fewer."""


class ChatFinder:
    """Keeps the names of all chats as they are compared, and which of them still fit what is typed letter by letter."""

    def __init__(self, chats: Callable[[], Iterable[Chat]], bonus: Callable[[Chat], int]) -> None:
        """Take where the chats come from, the likely ones first, and what a chat scores beside its name."""
        self._chats, self._bonus = chats, bonus
        self._named: list[Named] | None = None
        self._typed = ""
        self._left: Sequence[int] = ()

    def forget(self) -> None:
        """There are other chats, or they have other names."""
        self._named = None

    def find(self, words: str, most: int) -> list[tuple[Match, Chat]]:
        """Return the chats that fit best, so many at most; the words are folded."""
        named = self._all()
        holds, begins = _holding(words), score_of_run(words, 0, len(words))
        left, scored, strewn = list[int](), list[tuple[int, int]](), 0
        for place in self._left if words.startswith(self._typed) else range(len(named)):
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

    def _all(self) -> list[Named]:
        if self._named is None:
            self._named = [
                (chat, folded(chat.info.title), folded(chat.info.username), self._bonus(chat)) for chat in self._chats()
            ]
            self._typed, self._left = "", range(len(self._named))
        return self._named


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
